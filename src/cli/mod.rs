//! The command line: reads the arguments, wires the floors together, exits.

mod args;
mod check;
mod draw;
mod engine;
mod files;
mod hahn;
mod referee;
mod rooms;
mod run;

pub use run::main;
