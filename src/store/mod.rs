//! Rooms on disk: an SQLite database that survives the program and the machine.
//!
//! A [`Store`] is the [`Journal`] of a server. One thread writes; what has come while it was writing goes to disk
//! together next, so that a thousand rooms wait for one sync, not for a thousand. Who waits is told after the sync.
//! A [`Reader`] reads at any time, also what another process is writing.
//!
//! ```
//! use std::sync::mpsc;
//! use egtp::room::{Journal, RoomRecord};
//! use egtp::store::Store;
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("rooms.db");
//! let store = Store::open(&path).unwrap();
//! let record = RoomRecord { name: "tuesday".into(), rules: "enhanced size=9".into(), keys: [[1; 32], [2; 32]], opened: 0 };
//! let (sender, written) = mpsc::channel();
//! store.create(&record, Box::new(|_| ()));
//! store.append("tuesday", 1, "turn black D4", Box::new(move |result| sender.send(result).unwrap()));
//! assert_eq!(written.recv().unwrap(), Ok(()));
//! drop(store);
//! let rooms = Store::open(&path).unwrap().rooms().unwrap();
//! assert_eq!((&rooms[0].record, &rooms[0].events[..]), (&record, &["turn black D4".to_string()][..]));
//! ```

mod backup;
mod error;
mod lock;
mod reader;
mod schema;
mod writer;

pub use error::StoreError;
pub use reader::{ListedRoom, Reader};
pub use writer::Latency;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SendError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use crate::room::{Done, Journal, RoomRecord, StoredRoom};
use writer::{Entry, Write, Writer};

/// Memory for pages of the database, in KiB: more than the largest batch changes.
const CACHE_KIB: i64 = 32 << 10;
/// Pages in the log after which they are moved to the database.
const LOG_PAGES: i64 = 4_096;

/// How a store is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The most bytes that the database may have; what goes beyond is refused as if the disk were full. The log beside
    /// it, usually some 16 MiB, is not counted.
    pub max_bytes: Option<u64>,
}

/// A store that is written: by one process at a time. Dropped, it writes what is queued and closes the database.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// `None` only while it is dropped.
    queue: Option<Sender<Entry>>,
    writer: Option<JoinHandle<()>>,
    latency: Arc<Mutex<Latency>>,
}

impl Store {
    /// Opens a store, which is made if it is not there.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_with(path, Options::default())
    }

    /// Opens a store, which is made if it is not there, and keeps it in that way.
    pub fn open_with(path: &Path, options: Options) -> Result<Store, StoreError> {
        // however the file is called, it has one lock
        let path = match (fs::canonicalize(path), path.file_name()) {
            (Ok(path), _) => path,
            (Err(_), Some(name)) => folder(path)?.join(name),
            (Err(error), None) => return Err(StoreError::Io(path.into(), error)),
        };
        let lock = lock::lock(&path)?;
        let connection = connect(&path, options)?;
        let latency = Arc::default();
        let wrong = |error| StoreError::Database(path.clone(), error);
        let writer = Writer::new(connection, lock, Arc::clone(&latency)).map_err(wrong)?;
        let (queue, entries) = channel();
        let thread = thread::Builder::new().name("store".into()).spawn(move || writer.run(&entries));
        let thread = thread.map_err(|error| StoreError::Io(path.clone(), error))?;
        Ok(Store { path, queue: Some(queue), writer: Some(thread), latency })
    }

    /// The open rooms with their events, the earliest first. What is queued is not among them.
    pub fn rooms(&self) -> Result<Vec<StoredRoom>, StoreError> {
        Reader::open(&self.path)?.rooms()
    }

    /// All rooms, the earliest first, those that are closed among them. What is queued is not among them.
    pub fn all_rooms(&self) -> Result<Vec<ListedRoom>, StoreError> {
        Reader::open(&self.path)?.all_rooms()
    }

    /// How long writing has taken so far.
    pub fn latency(&self) -> Latency {
        *self.latency.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self, write: Write, done: Done) {
        let entry = Entry::new(write, done);
        let refused = match &self.queue {
            Some(queue) => queue.send(entry).map_err(|SendError(entry)| entry).err(),
            None => Some(entry),
        };
        if let Some(entry) = refused {
            // the writer is gone; who waits is told, but not within this call
            thread::spawn(move || drop(entry));
        }
    }
}

/// The folder of a file that is not there yet.
fn folder(path: &Path) -> Result<PathBuf, StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::canonicalize(folder).map_err(|error| StoreError::Io(folder.into(), error))
}

/// The connection that writes, its tables up to date.
fn connect(path: &Path, options: Options) -> Result<Connection, StoreError> {
    let wrong = |error| StoreError::Database(path.into(), error);
    let mut connection = Connection::open(path).map_err(wrong)?;
    connection.busy_timeout(reader::PATIENCE).map_err(wrong)?;
    // nothing may be changed before it is known that the file is ours
    let kind = schema::kind(&connection, path)?;
    if connection.is_readonly("main").map_err(wrong)? {
        return Err(StoreError::ReadOnly(path.into()));
    }
    let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
    if mode.map_err(wrong)? != "wal" {
        return Err(StoreError::NoLog(path.into()));
    }
    let settings = || {
        connection.pragma_update(None, "synchronous", "FULL")?;
        // elsewhere than on macOS a sync is one anyway
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        // many rooms are many pages: none need be written twice in one commit, nor each commit be moved by itself
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        connection.pragma_update(None, "foreign_keys", true)
    };
    settings().map_err(wrong)?;
    schema::migrate(&mut connection, &kind).map_err(wrong)?;
    let limit = || {
        let Some(bytes) = options.max_bytes else { return Ok(()) };
        let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let pages = (bytes / page.cast_unsigned()).clamp(1, u64::from(u32::MAX) - 1);
        connection.pragma_update_and_check(None, "max_page_count", pages.cast_signed(), |_| Ok(()))
    };
    limit().map_err(wrong)?;
    Ok(connection)
}

impl Journal for Store {
    fn create(&self, room: &RoomRecord, done: Done) {
        self.queue(Write::Create(room.clone()), done);
    }

    fn append(&self, room: &str, number: u64, event: &str, done: Done) {
        self.queue(Write::Append { room: room.into(), number, line: event.into() }, done);
    }

    fn close(&self, room: &str, done: Done) {
        self.queue(Write::Close(room.into()), done);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // the writer ends when nothing can be queued any more
        self.queue = None;
        if let Some(writer) = self.writer.take()
            // the last owner may be one who waited for a write
            && writer.thread().id() != thread::current().id()
        {
            writer.join().unwrap_or_default();
        }
    }
}
