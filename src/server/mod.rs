//! The asynchronous drivers: they read bytes, hand lines to a [`Session`](crate::session::Session) and write its
//! answers. They know nothing of what is said.

mod converse;
mod record;
mod stdio;
mod tcp;

pub use converse::{Limits, converse};
pub use record::Recorder;
pub use stdio::serve_stdio;
pub use tcp::{TcpOptions, serve_tcp};
