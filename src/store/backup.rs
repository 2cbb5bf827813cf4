//! Copies of a store, also of one that a server is writing.

use std::ffi::c_int;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::{Reader, StoreError};

/// All pages in one step: the store as it was at one moment, and a server goes on writing meanwhile. In smaller steps
/// each write between two of them would make the copy begin anew.
const ALL: c_int = c_int::MAX;
const PAUSE: Duration = Duration::from_millis(10);

impl Reader {
    /// Copies the store, as it is at one moment, to a new file: a single one, which can be read from any medium. The file
    /// is there only when it is whole and on disk.
    pub fn back_up(&self, copy: &Path) -> Result<(), StoreError> {
        let io = |error| StoreError::Io(copy.into(), error);
        if copy.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(copy.into()));
        }
        let folder = copy.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".egtp-").tempfile_in(folder);
        // an error should name the file that was asked for, not this one
        let file = file.map_err(|error| io(error.kind().into()))?;
        let written = || {
            let mut to = Connection::open(file.path())?;
            Backup::new(&self.connection, &mut to)?.run_to_completion(ALL, PAUSE, None)?;
            // a copy has no log, which it would need a place for
            to.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
            to.close().map_err(|(_, error)| error)
        };
        written().map_err(|error| StoreError::Database(copy.into(), error))?;
        // whoever may read the store may read the copy, and nobody else
        let permissions = fs::metadata(&self.path).map_err(io)?.permissions();
        file.as_file().set_permissions(permissions).map_err(io)?;
        file.as_file().sync_all().map_err(io)?;
        file.persist_noclobber(copy).map_err(|failed| match failed.error.kind() {
            std::io::ErrorKind::AlreadyExists => StoreError::Exists(copy.into()),
            _ => io(failed.error),
        })?;
        // without this the name itself may be lost; not every system can do it to a folder
        fs::File::open(folder).and_then(|folder| folder.sync_all()).unwrap_or_default();
        Ok(())
    }
}
