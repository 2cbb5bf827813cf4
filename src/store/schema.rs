//! The tables, and how a file gets from any earlier version of them to the present one.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::StoreError;

/// Marks a database as ours: `EGTP`.
const APPLICATION: i64 = 0x4547_5450;

/// The smallest page, and so the smallest database that is not empty, in bytes.
const SMALLEST: u64 = 512;

/// Each takes the tables from the version of its index to the next one. What is in here is never changed, only added to.
const MIGRATIONS: [&str; 1] = ["
    CREATE TABLE rooms (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        rules TEXT NOT NULL,
        key_black BLOB NOT NULL CHECK (length(key_black) = 32),
        key_white BLOB NOT NULL CHECK (length(key_white) = 32),
        opened INTEGER NOT NULL,
        closed INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX open_rooms ON rooms (name) WHERE closed IS NULL;
    CREATE TABLE events (
        room INTEGER NOT NULL REFERENCES rooms (id),
        number INTEGER NOT NULL CHECK (number > 0),
        line TEXT NOT NULL,
        PRIMARY KEY (room, number)
    ) STRICT, WITHOUT ROWID;
"];

/// The version of the tables that this program knows.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// What a file is.
pub(super) enum Kind {
    /// Nothing yet.
    Empty,
    /// A store, its tables of a version up to the present one.
    Store(i64),
}

/// What the file is that was opened; an error if it is no store, or a later one than is known.
pub(super) fn kind(connection: &Connection, path: &Path) -> Result<Kind, StoreError> {
    let number = |query: &str| {
        connection.query_row(query, [], |row| row.get::<_, i64>(0)).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NoStore(path.into()),
            _ => StoreError::Database(path.into(), error),
        })
    };
    match (number("PRAGMA application_id")?, number("PRAGMA user_version")?) {
        (APPLICATION, version) if version > VERSION => Err(StoreError::Newer { path: path.into(), version }),
        (APPLICATION, version) => Ok(Kind::Store(version)),
        // a database of another program must not get our tables
        (0, 0) if number("SELECT count(*) FROM sqlite_schema")? == 0 => {
            // what is too short for a database is taken for an empty one, and would be overwritten
            let bytes = std::fs::metadata(path).map_err(|error| StoreError::Io(path.into(), error))?.len();
            if (1..SMALLEST).contains(&bytes) { Err(StoreError::NoStore(path.into())) } else { Ok(Kind::Empty) }
        }
        _ => Err(StoreError::NoStore(path.into())),
    }
}

/// Brings the tables up to date, each step whole or not at all.
pub(super) fn migrate(connection: &mut Connection, kind: &Kind) -> Result<(), rusqlite::Error> {
    let version = match kind {
        Kind::Empty => 0,
        Kind::Store(version) => *version,
    };
    let steps = (0..).zip(MIGRATIONS).filter(|(from, _)| *from >= version);
    for (from, statements) in steps {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(statements)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", from + 1)?;
        transaction.commit()?;
    }
    Ok(())
}
