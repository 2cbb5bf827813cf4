//! The bridge: what a board program starts as its engine to play in a room of a server.
//!
//! The board program never notices when a connection breaks: the bridge makes another, brings the view back to where it
//! was, and repeats what was not answered if it is safe to. [`Bridge`] knows how, without any socket; [`run`] gives it
//! standard input and output and connections.
//!
//! | file | what it is |
//! |---|---|
//! | `machine` | lines and responses in, bytes and events out |
//! | `effect` | what the bridge must know of each command |
//! | `track` | what the commands do to the view |
//! | `script` | the view as commands that lead to it |
//! | `entry` | entering for the first time and again |
//! | `drive` | the sockets |

mod drive;
mod effect;
mod entry;
mod machine;
mod response;
mod script;
mod seat;
mod track;

pub use drive::{BridgeOptions, run};
pub use machine::{Bridge, Event};
pub use response::{Response, Responses};
pub use seat::Seat;
