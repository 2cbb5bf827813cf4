//! The thread that writes: takes what is queued, writes it in one transaction, tells everybody.

use std::collections::HashMap;
use std::fs::File;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};

use super::error::why_not_written;
use super::schema;
use crate::room::{Done, RoomRecord};

/// The most that is written in one transaction: bounds how long the first of them waits for the last.
const BATCH: usize = 4_096;

/// What is to be written.
#[derive(Debug)]
pub(super) enum Write {
    Create(RoomRecord),
    Append { room: String, number: u64, line: String },
    Close(String),
}

/// Something to be written, and who waits for it.
pub(super) struct Entry {
    write: Write,
    done: Option<Done>,
}

impl Entry {
    pub(super) fn new(write: Write, done: Done) -> Entry {
        Entry { write, done: Some(done) }
    }

    fn end(mut self, result: Result<(), String>) {
        self.tell(result);
    }

    fn tell(&mut self, result: Result<(), String>) {
        if let Some(done) = self.done.take() {
            // the others wait for this thread, whatever happens to one of them
            catch_unwind(AssertUnwindSafe(|| done(result))).unwrap_or_default();
        }
    }
}

impl Drop for Entry {
    /// Nobody waits for ever, even if the writer is gone.
    fn drop(&mut self) {
        self.tell(Err("not written: the store has stopped".into()));
    }
}

/// How long writing takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Latency {
    /// Transactions committed.
    pub commits: u64,
    /// What was written in them: rooms created, events, rooms closed.
    pub written: u64,
    /// What was refused.
    pub refused: u64,
    /// The time that the commits took together, from taking what was queued until it was on disk.
    pub total: Duration,
    /// The longest of them.
    pub longest: Duration,
}

/// An open room, as far as writing goes.
#[derive(Clone, Copy, Debug)]
struct Head {
    id: i64,
    /// The number of its last event; 0 if there is none.
    last: u64,
}

/// Why an entry was not written: it was wrong, or the database could not.
enum Fault {
    Wrong(String),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Database(error)
    }
}

pub(super) struct Writer {
    connection: Connection,
    rooms: HashMap<String, Head>,
    /// What `rooms` was before the present transaction, the latest change last.
    before: Vec<(String, Option<Head>)>,
    /// A commit failed, and what it had begun to write may still be in the log.
    unsure: bool,
    latency: Arc<Mutex<Latency>>,
    /// Held as long as the connection is open.
    _lock: File,
}

impl Writer {
    /// A writer of the database of that connection.
    pub(super) fn new(
        connection: Connection,
        lock: File,
        latency: Arc<Mutex<Latency>>,
    ) -> Result<Writer, rusqlite::Error> {
        let rooms = {
            let mut statement = connection.prepare(
                "SELECT name, id, (SELECT coalesce(max(number), 0) FROM events WHERE room = rooms.id) FROM rooms \
                 WHERE closed IS NULL",
            )?;
            let rooms = statement.query_map([], |row| {
                let last = row.get::<_, i64>(2)?.cast_unsigned();
                Ok((row.get(0)?, Head { id: row.get(1)?, last }))
            })?;
            rooms.collect::<Result<_, _>>()?
        };
        Ok(Writer { connection, rooms, before: Vec::new(), unsure: false, latency, _lock: lock })
    }

    /// Writes until nothing can be queued any more and nothing is.
    pub(super) fn run(mut self, queue: &Receiver<Entry>) {
        while let Ok(first) = queue.recv() {
            self.write(iter::once(first).chain(queue.try_iter()).take(BATCH).collect());
        }
        // what remains in the log would be read from there the next time
        self.connection.pragma_update(None, "wal_checkpoint", "TRUNCATE").unwrap_or_default();
    }

    fn write(&mut self, batch: Vec<Entry>) {
        let begun = Instant::now();
        let results = self.transact(&batch).unwrap_or_else(|error| {
            self.roll_back();
            vec![Err(why_not_written(&error)); batch.len()]
        });
        self.before.clear();
        let took = begun.elapsed();
        {
            let mut latency = self.latency.lock().unwrap_or_else(PoisonError::into_inner);
            let written = results.iter().filter(|result| result.is_ok()).count() as u64;
            latency.written += written;
            latency.refused += results.len() as u64 - written;
            if written > 0 {
                latency.commits += 1;
                latency.total += took;
                latency.longest = latency.longest.max(took);
            }
        }
        batch.into_iter().zip(results).for_each(|(entry, result)| entry.end(result));
    }

    /// Writes a batch in one transaction: what became of each entry; or an error, and nothing has been written.
    fn transact(&mut self, batch: &[Entry]) -> Result<Vec<Result<(), String>>, rusqlite::Error> {
        if self.unsure {
            self.make_sure()?;
        }
        self.execute("BEGIN IMMEDIATE")?;
        let mut results = Vec::with_capacity(batch.len());
        for entry in batch {
            // one statement each, which does all or nothing: the rest of the transaction stays good
            results.push(match self.carry_out(&entry.write) {
                Ok(()) => Ok(()),
                Err(Fault::Wrong(why)) => Err(why),
                // some errors make the database give up the whole transaction by itself
                Err(Fault::Database(error)) if self.connection.is_autocommit() => return Err(error),
                Err(Fault::Database(error)) => Err(why_not_written(&error)),
            });
        }
        if let Err(error) = self.execute("COMMIT") {
            self.unsure = true;
            return Err(error);
        }
        Ok(results)
    }

    fn carry_out(&mut self, write: &Write) -> Result<(), Fault> {
        match write {
            Write::Create(room) => self.create(room),
            Write::Append { room, number, line } => self.append(room, *number, line),
            Write::Close(room) => self.close(room),
        }
    }

    fn create(&mut self, room: &RoomRecord) -> Result<(), Fault> {
        if self.rooms.contains_key(&room.name) {
            return Err(Fault::Wrong(format!("not written: there is an open room {} already", room.name)));
        }
        let [black, white] = &room.keys;
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO rooms (name, rules, key_black, key_white, opened) VALUES (?, ?, ?, ?, ?)")?;
        let id = insert.insert(params![room.name, room.rules, black, white, room.opened.cast_signed()])?;
        drop(insert);
        self.set(&room.name, Some(Head { id, last: 0 }));
        Ok(())
    }

    fn append(&mut self, room: &str, number: u64, line: &str) -> Result<(), Fault> {
        let head = self.head(room)?;
        if number != head.last + 1 {
            let next = head.last + 1;
            return Err(Fault::Wrong(format!(
                "not written: the next event of the room {room} is {next}, not {number}"
            )));
        }
        let mut insert = self.connection.prepare_cached("INSERT INTO events (room, number, line) VALUES (?, ?, ?)")?;
        insert.execute(params![head.id, number.cast_signed(), line])?;
        drop(insert);
        self.set(room, Some(Head { last: number, ..head }));
        Ok(())
    }

    fn close(&mut self, room: &str) -> Result<(), Fault> {
        let head = self.head(room)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut update = self.connection.prepare_cached("UPDATE rooms SET closed = ? WHERE id = ?")?;
        update.execute(params![now.cast_signed(), head.id])?;
        drop(update);
        self.set(room, None);
        Ok(())
    }

    fn head(&self, room: &str) -> Result<Head, Fault> {
        let head = self.rooms.get(room).copied();
        head.ok_or_else(|| Fault::Wrong(format!("not written: there is no open room {room}")))
    }

    fn set(&mut self, room: &str, head: Option<Head>) {
        let before = match head {
            Some(head) => self.rooms.insert(room.into(), head),
            None => self.rooms.remove(room),
        };
        self.before.push((room.into(), before));
    }

    /// Undoes the present transaction.
    fn roll_back(&mut self) {
        if !self.connection.is_autocommit() {
            self.execute("ROLLBACK").unwrap_or_default();
        }
        while let Some((room, head)) = self.before.pop() {
            match head {
                Some(head) => self.rooms.insert(room, head),
                None => self.rooms.remove(&room),
            };
        }
        if self.unsure {
            // if this fails as well, it is tried again before anything else is written
            self.make_sure().unwrap_or_default();
        }
    }

    /// Makes sure that what a failed commit has left behind the end of the log is never taken for written: if only the
    /// sync failed, all of it may be there, and a crash would bring it back. A write in its place ends that, since each
    /// entry of the log is good only together with those before it. This one changes nothing.
    fn make_sure(&mut self) -> Result<(), rusqlite::Error> {
        self.connection.pragma_update(None, "user_version", schema::VERSION)?;
        self.unsure = false;
        Ok(())
    }

    fn execute(&self, statement: &str) -> Result<(), rusqlite::Error> {
        self.connection.prepare_cached(statement)?.execute([]).map(|_| ())
    }
}
