//! The command line: reads the arguments, wires the floors together, exits.

mod args;
mod check;
mod engine;
mod hahn;
mod run;

pub use run::main;
