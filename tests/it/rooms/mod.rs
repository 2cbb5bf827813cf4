//! Rooms, held against a model of them.
//!
//! | module | what it is |
//! |---|---|
//! | `board`, `official`, `model` | the model: the protocol's section on rooms once more, written naively and apart from the program |
//! | `text`, `real`, `duo` | the model and the program, told the same lines |
//! | `clients`, `tinker` | who tells them: programs as they were seen to behave, and anybody |
//! | `games`, `random`, `exhaustive` | random games and all short scripts; `recorded` ones |
//! | `scripts` | what the first wording of the protocol got wrong |
//! | `scoring`, `theft` | that nothing is accepted unseen, and nobody moves for another side |
//! | `mutations`, `flaw` | that all this is noticed |
//!
//! Where the protocol leaves something open the model has it as the program does: a `genmove` of a side that has resigned
//! answers `resign`; a refused `egtp_accept` shows the marking, whatever else it is refused for; a setup that is refused
//! does not give a connection a board of its own; a connection that sits down again keeps what it is known for.

mod board;
mod clients;
mod duo;
mod exhaustive;
mod flaw;
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
mod unwritable;
