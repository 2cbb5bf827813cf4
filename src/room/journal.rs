//! Where rooms are written down: the one small trait behind which a store stands.

use std::fmt;

/// What is called when a write has ended: well, or with the reason why not. Called once, from any thread, and never
/// within the call that asked for the write: the room may be locked there.
pub type Done = Box<dyn FnOnce(Result<(), String>) + Send>;

/// What a room is, but for its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomRecord {
    /// Its name: 1 to 64 letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// The rules as `egtp_rules` takes them: a name and settings, separated by spaces.
    pub rules: String,
    /// SHA-256 digests of Black's and White's key.
    pub keys: [[u8; 32]; 2],
    /// When it was opened: seconds since 1970.
    pub opened: u64,
}

/// A room as it was written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredRoom {
    /// What it is.
    pub record: RoomRecord,
    /// Its events, the first first, a line each.
    pub events: Vec<String>,
}

/// Something that writes rooms down so that they survive the program and the machine.
///
/// An event that was reported as not written must not be there later either; the events of a room are written in the
/// order in which they were given, and none after one that failed until the room goes on with the failed one's number.
pub trait Journal: Send + Sync + fmt::Debug {
    /// Writes a new room down.
    fn create(&self, room: &RoomRecord, done: Done);
    /// Writes the event of that number down, counted from 1 in each room.
    fn append(&self, room: &str, number: u64, event: &str, done: Done);
    /// Writes down that a room is closed: its events stay, it is no longer restored.
    fn close(&self, room: &str, done: Done);
}
