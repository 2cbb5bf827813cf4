//! The asynchronous drivers: they read bytes, hand lines to a [`Session`](crate::session::Session) and write its
//! answers. They know nothing of what is said.

pub mod bridge;
mod connect;
mod converse;
mod files;
mod notice;
mod record;
mod stdio;
mod tcp;
mod tls;

pub use connect::{Connection, Duplex, Remote};
pub use converse::{Keeping, Limits, Ready, STOPPING, converse};
pub use files::{Archive, perform, read, read_from, write_whole};
pub use notice::notice;
pub use record::Recorder;
pub use stdio::serve_stdio;
pub use tcp::{Place, TcpOptions, serve_tcp};
pub use tls::{TlsClient, TlsError, TlsServer};
