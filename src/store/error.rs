//! Why a store cannot be used.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why a store could not be opened, read or copied: one line each.
#[derive(Debug)]
pub enum StoreError {
    /// Another server writes there.
    InUse(PathBuf),
    /// The file is something else.
    NoStore(PathBuf),
    /// It was written by a later version of this program.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        version: i64,
    },
    /// It was written by an earlier version and is only being read.
    Older(PathBuf),
    /// The file may not be written.
    ReadOnly(PathBuf),
    /// Its file system is not one in which a database can be read while it is written: some of networks are not.
    NoLog(PathBuf),
    /// A copy would go where something is already.
    Exists(PathBuf),
    /// The system refused it.
    Io(PathBuf, io::Error),
    /// The database refused it.
    Database(PathBuf, rusqlite::Error),
    /// An event of a room is missing.
    Gap {
        /// The room.
        room: String,
        /// The number of the event.
        number: u64,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::InUse(path) => write!(f, "another server is using the store {}; stop it first", path.display()),
            StoreError::NoStore(path) => write!(f, "{} is not a store of rooms; name another file", path.display()),
            StoreError::Newer { path, version } => {
                let path = path.display();
                write!(f, "the store {path} is of version {version}, written by a later egtp; use that one")
            }
            StoreError::Older(path) => {
                let path = path.display();
                write!(
                    f,
                    "the store {path} was written by an earlier egtp; start a server with it once, which converts it"
                )
            }
            StoreError::ReadOnly(path) => {
                write!(f, "the store {} may not be written; see to its permissions", path.display())
            }
            StoreError::NoLog(path) => {
                write!(f, "the file system of {} cannot hold the log of a store; choose a local disk", path.display())
            }
            StoreError::Exists(path) => write!(f, "{} exists already; name a new file", path.display()),
            StoreError::Io(path, error) => write!(f, "cannot use {}: {error}", path.display()),
            StoreError::Database(path, error) => write!(f, "cannot use the store {}: {}", path.display(), what(error)),
            StoreError::Gap { room, number } => {
                write!(f, "event {number} of the room {room} is missing; restore the store from a copy")
            }
        }
    }
}

impl std::error::Error for StoreError {}

/// What the database says, in one line.
pub(super) fn what(error: &rusqlite::Error) -> String {
    let text = match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why something was not written, for the controller that asked for it.
pub(super) fn why_not_written(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "not written: the disk is full or the store has reached its limit".into(),
        _ => format!("not written: {}", what(error)),
    }
}
