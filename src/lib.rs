//! A referee for two humans that Go programs can talk to.
//!
//! The crate is built in floors; each module imports only from those above it in this list:
//!
//! | module | what it is |
//! |---|---|
//! | [`board`] | points, topologies, stones, chains, positions, diagrams |
//! | [`gtp`] | the wire: bytes to requests, answers to bytes, transcripts |
//! | [`rules`] | rulesets, what a turn does, legality, repetition, counting |
//! | [`game`] | one game: phases, agreement, takeback, outcome |
//! | [`record`] | a game as text: SGF, pictures, the journal's lines |
//! | [`room`] | a game that two people share: seats, views, spectators |
//! | [`commands`] | the one table of commands and their handlers |
//! | [`session`] | one controller: a line in, an answer out |
//! | [`store`] | rooms on disk |
//! | [`server`] | tokio: standard input and output, TCP |
//! | [`cli`] | the command line |

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod board;
pub mod cli;
pub mod commands;
pub mod game;
pub mod gtp;
pub mod life;
pub mod record;
pub mod room;
pub mod rules;
pub mod server;
pub mod session;
pub mod store;
