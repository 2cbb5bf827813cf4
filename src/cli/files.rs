//! Files named on the command line.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// A file as it is; of a folder, the files below it with one of these extensions, in order.
pub(super) fn collect(path: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    let read = || format!("cannot read {}", path.display());
    let mut entries = std::fs::read_dir(path).with_context(read)?.collect::<Result<Vec<_>, _>>().with_context(read)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let wanted = path.extension().is_some_and(|e| extensions.iter().any(|wanted| e.eq_ignore_ascii_case(wanted)));
        // a link to a folder is not followed: it may lead round in a circle
        if entry.file_type().with_context(read)?.is_dir() || wanted && !path.is_dir() {
            collect(&path, extensions, files)?;
        }
    }
    Ok(())
}
