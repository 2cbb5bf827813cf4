//! Games that several controllers share, and where they are written down.

mod journal;

pub use journal::{Done, Journal, RoomRecord, StoredRoom};
