//! A game that two people share: seats, views, spectators. Pure state behind one lock a room; no sockets, no clock.
//!
//! A [`Room`] holds the official game. Each connection that sits in it or watches it has a [`View`]: a board of its own
//! with a cursor, since programs that show boards replay, browse and take back as they please. Who waits for something
//! to happen in a room leaves a [`Bell`] there.

mod bell;
mod journal;
mod key;
mod place;
mod registry;
mod stones;
mod view;

pub use bell::Bell;
pub use journal::{Done, Journal, RoomRecord, StoredRoom};
pub use key::{Digest, Key};
pub use place::{Glance, Official, Room, State, Ticket};
pub use registry::{OpenError, Opening, RoomLimits, Rooms};
pub use stones::Stones;
pub use view::{Next, Play, View};
