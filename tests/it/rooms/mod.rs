//! Rooms, held against a model of them.
//!
//! | module | what it is |
//! |---|---|
//! | `board`, `official`, `model` | the model: the protocol's section on rooms, written once more and naively |
//! | `text`, `duo` | the model and the program, told the same lines |
//! | `clients`, `tinker` | who tells them |

mod board;
mod clients;
mod duo;
mod exhaustive;
mod games;
mod model;
mod mutations;
mod official;
mod random;

mod real;
mod recorded;
mod scoring;
mod scripts;
mod text;
mod theft;
mod tinker;
