//! Reading a store, also while a server writes it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row};

use super::StoreError;
use super::schema::{self, Kind, VERSION};
use crate::room::{RoomRecord, StoredRoom};

/// How long to wait for the moments in which even readers are kept out: when a log is recovered.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// A store that is only read. A server that writes it is not held up.
#[derive(Debug)]
pub struct Reader {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
}

/// A room in a list of all rooms, the closed ones among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedRoom {
    /// What it is.
    pub record: RoomRecord,
    /// When it was closed, in seconds since 1970; `None` if it is open.
    pub closed: Option<u64>,
    /// How many events it has.
    pub events: u64,
    id: i64,
}

const COLUMNS: &str = "id, name, rules, key_black, key_white, opened, closed";

impl Reader {
    /// Opens a store to read it. Fails if there is none.
    pub fn open(path: &Path) -> Result<Reader, StoreError> {
        let wrong = |error| StoreError::Database(path.into(), error);
        // the database would only say that it cannot
        std::fs::metadata(path).map_err(|error| StoreError::Io(path.into(), error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
        connection.busy_timeout(PATIENCE).map_err(wrong)?;
        match schema::kind(&connection, path)? {
            Kind::Store(VERSION) => Ok(Reader { path: path.into(), connection }),
            Kind::Store(_) => Err(StoreError::Older(path.into())),
            Kind::Empty => Err(StoreError::NoStore(path.into())),
        }
    }

    /// The open rooms with their events, the earliest first, all as they were at one moment.
    pub fn rooms(&self) -> Result<Vec<StoredRoom>, StoreError> {
        let moment = self.connection.unchecked_transaction().map_err(|error| self.wrong(error))?;
        let listed = self.listed("WHERE closed IS NULL")?;
        let stored = listed.into_iter().map(|room| Ok(StoredRoom { events: self.events(&room)?, record: room.record }));
        let stored = stored.collect();
        drop(moment);
        stored
    }

    /// All rooms, the earliest first, those that are closed among them.
    pub fn all_rooms(&self) -> Result<Vec<ListedRoom>, StoreError> {
        self.listed("")
    }

    fn listed(&self, which: &str) -> Result<Vec<ListedRoom>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS}, (SELECT count(*) FROM events WHERE room = rooms.id) FROM rooms {which} ORDER BY id"
        );
        let rows = || self.connection.prepare_cached(&query)?.query_map([], listed_room)?.collect::<Result<_, _>>();
        rows().map_err(|error| self.wrong(error))
    }

    /// The events of a room, the first first.
    pub fn events(&self, room: &ListedRoom) -> Result<Vec<String>, StoreError> {
        let rows = || {
            let query = "SELECT number, line FROM events WHERE room = ? ORDER BY number";
            let mut statement = self.connection.prepare_cached(query)?;
            let rows = statement.query_map([room.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<Vec<(i64, String)>, rusqlite::Error>>()
        };
        let rows = rows().map_err(|error| self.wrong(error))?;
        let event = |(expected, (number, line)): (i64, (i64, String))| match number == expected {
            true => Ok(line),
            false => Err(StoreError::Gap { room: room.record.name.clone(), number: expected.cast_unsigned() }),
        };
        (1..).zip(rows).map(event).collect()
    }

    fn wrong(&self, error: rusqlite::Error) -> StoreError {
        StoreError::Database(self.path.clone(), error)
    }
}

fn listed_room(row: &Row<'_>) -> Result<ListedRoom, rusqlite::Error> {
    let time = |seconds: i64| seconds.cast_unsigned();
    let keys = [row.get("key_black")?, row.get("key_white")?];
    let opened = time(row.get("opened")?);
    let record = RoomRecord { name: row.get("name")?, rules: row.get("rules")?, keys, opened };
    let closed = row.get::<_, Option<i64>>("closed")?.map(time);
    Ok(ListedRoom { record, closed, events: row.get::<_, i64>(7)?.cast_unsigned(), id: row.get("id")? })
}
