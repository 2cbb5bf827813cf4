//! The wire of the Go Text Protocol, version 2: bytes to lines, lines to requests, answers to bytes.
//!
//! Nothing here knows what a command means. [`LineCodec`] cuts a stream into lines, [`clean`] and [`Request::parse`]
//! make a request of one, [`write_answer`] is the only place that writes a response.
//!
//! ```
//! use bytes::BytesMut;
//! use egtp::gtp::{Request, clean, write_answer};
//!
//! let line = clean(b"7 play B D4 # the first\r");
//! let request = Request::parse(&line).unwrap().unwrap();
//! assert_eq!((request.id, request.command, request.args.words()), (Some("7"), "play", ["B", "D4"].as_slice()));
//! let mut out = BytesMut::new();
//! write_answer(&mut out, request.id, true, "");
//! assert_eq!(out, "=7 \n\n");
//! ```

mod answer;
mod codec;
mod request;
pub mod transcript;

pub use answer::write_answer;
pub use codec::{Block, Line, LineCodec, MAX_LINE};
pub use request::{Args, BareId, Request, clean, leading_id};
