//! Files: read and written for a session, whole or not at all.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::notice;
use crate::commands::{FileJob, GameRecord};

/// The largest file that is read, in bytes: more than any game record, less than what fills a memory.
const MOST: u64 = 256 << 20;

/// Does what a session asks for.
pub fn perform(job: &FileJob) -> io::Result<Vec<u8>> {
    match job {
        FileJob::Load { path, .. } => read(Path::new(path)),
        FileJob::Save { path, contents } => write_whole(Path::new(path), contents.as_bytes()).map(|()| Vec::new()),
    }
}

/// A file's contents.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("a folder, not a file"));
    }
    read_from(file)
}

/// All that a stream brings, up to the size of the largest file.
pub fn read_from(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other(format!("larger than {} MiB", MOST >> 20)));
    }
    Ok(bytes)
}

/// Writes a file so that at any moment, whatever stops the program or the machine, there is the old file or the new one:
/// written beside it, synced, renamed over it, and the folder synced.
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    // a link goes on pointing where it did, and what it points to is replaced
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.into());
    if path.exists() && !path.is_file() {
        // a device or a pipe is written to, not replaced
        return fs::OpenOptions::new().write(true).open(path)?.write_all(contents);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // an error should name the file that was asked for, not this one
    let plain = |error: io::Error| io::Error::from(error.kind());
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // a temporary file is private; a record is as readable as any other new file
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".egtp-").tempfile_in(folder).map_err(plain)?;
    file.write_all(contents)?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    // without this the renaming itself may be lost; not every system can do it to a folder
    fs::File::open(folder).and_then(|folder| folder.sync_all()).unwrap_or_default();
    Ok(())
}

/// A folder where the games of a session are kept.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
    /// Begins the names of this session's games.
    name: String,
}

impl Archive {
    /// Keeps games in this folder, which is made if it is not there.
    pub fn create(folder: &Path) -> io::Result<Archive> {
        fs::create_dir_all(folder)?;
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(Archive { folder: folder.into(), name: format!("game-{}-{}", now.as_secs(), std::process::id()) })
    }

    /// Writes games down. A game that cannot be written is told of and does not stop the session.
    pub(super) fn keep(&self, games: Vec<GameRecord>) {
        for game in games {
            let path = self.folder.join(format!("{}-{}.sgf", self.name, game.number));
            if let Err(error) = write_whole(&path, game.sgf.as_bytes()) {
                notice(format_args!("the game could not be kept in {}: {error}", path.display()));
            }
        }
    }
}
