//! Rooms on disk: what was reported is there, what was refused is not, whatever happens.
//!
//! | module | what it holds the store against |
//! |---|---|
//! | `events` | events in words come back, and the same game from them |
//! | `journal` | itself: what is written is read again |
//! | `group` | many rooms and threads at once |
//! | `disk` | a disk that is full or fails |
//! | `kill` | a process killed while it writes |
//! | `versions` | files that are something else, later, locked or damaged |
//! | `backup` | copies made while a server writes |
//! | `commands` | `egtp rooms`, `egtp export` as called |

mod backup;
mod commands;
mod disk;
mod events;
mod group;
mod journal;
mod kill;
mod versions;

use std::sync::mpsc::{Receiver, channel};

use egtp::room::{Done, Journal, RoomRecord};
use egtp::store::Store;

/// A room of that name; its keys are made from the name.
fn record(name: &str) -> RoomRecord {
    let key = |byte: u8| std::array::from_fn(|i| name.as_bytes()[i % name.len()] ^ byte);
    RoomRecord { name: name.into(), rules: "enhanced size=9".into(), keys: [key(1), key(2)], opened: 1_700_000_000 }
}

/// What to hand over with a write, and where its end is told.
fn listener() -> (Done, Receiver<Result<(), String>>) {
    let (sender, told) = channel();
    (Box::new(move |result| sender.send(result).unwrap()), told)
}

/// Writes and waits for the end.
fn wait(write: impl FnOnce(Done)) -> Result<(), String> {
    let (done, told) = listener();
    write(done);
    told.recv().unwrap()
}

fn create(store: &Store, name: &str) -> Result<(), String> {
    wait(|done| store.create(&record(name), done))
}

fn append(store: &Store, room: &str, number: u64, line: &str) -> Result<(), String> {
    wait(|done| store.append(room, number, line, done))
}

fn close(store: &Store, room: &str) -> Result<(), String> {
    wait(|done| store.close(room, done))
}

/// The names and events of the open rooms.
fn open_rooms(store: &Store) -> Vec<(String, Vec<String>)> {
    store.rooms().unwrap().into_iter().map(|room| (room.record.name, room.events)).collect()
}
