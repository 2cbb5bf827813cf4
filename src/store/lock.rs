//! One server at a time: a lock on a file beside the database.
//!
//! Not on the database itself: a lock there that keeps a second server out would keep readers and copies out, too. The
//! file stays when the lock is gone; taking it away could take the next server's lock away.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::StoreError;

/// Locks the store of that path until the file is dropped or the process has ended, however it ends.
pub(super) fn lock(store: &Path) -> Result<File, StoreError> {
    let mut name = store.as_os_str().to_owned();
    name.push(".lock");
    let path = PathBuf::from(name);
    match try_lock(&path) {
        Ok(Some(file)) => Ok(file),
        Ok(None) => Err(StoreError::InUse(store.into())),
        Err(error) => Err(StoreError::Io(path, error)),
    }
}

/// `None` if somebody else has it.
#[cfg(unix)]
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// `None` if somebody else has it.
#[cfg(windows)]
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;

    const SHARING_VIOLATION: i32 = 32;
    match OpenOptions::new().write(true).create(true).truncate(false).share_mode(0).open(path) {
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        opened => opened.map(Some),
    }
}

/// No lock where the system is not known to have one.
#[cfg(not(any(unix, windows)))]
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path).map(Some)
}
