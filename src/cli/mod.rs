//! The command line: reads the arguments, wires the floors together, exits.

mod args;
mod check;
mod clients;
mod draw;
mod engine;
mod files;
mod hahn;
mod join;
mod open;
mod referee;
mod rooms;
mod run;
mod send;

pub use run::main;
