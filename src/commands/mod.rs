//! The commands: one table that declares each, and their handlers by family.
//!
//! `list_commands`, `known_command`, `help`, the check of the number of arguments and of the phase, and
//! `protocol/COMMANDS.md` all come from the table. A handler changes or asks a [`Controller`] and writes the text of the
//! answer; it never blocks, and a failed one leaves everything as it was.

mod admin;
mod args;
mod controller;
mod failure;
mod gogui;
mod kata;
mod life;
mod queries;
mod records;
mod reference;
mod rooms;
mod rulesets;
mod scoring;
mod seated;
mod setup;
mod special;
mod state;
mod table;
mod turns;

pub use controller::{Controller, GameRecord, Options};
pub use failure::Failure;
pub use records::{FileJob, complete};
pub use reference::reference;
pub use seated::Meter;
pub use table::{Command, Done, FAMILIES, Phases, Run, all, dispatch, find, wake};
