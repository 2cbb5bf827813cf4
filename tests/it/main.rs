//! The integration tests, in one binary.
//!
//! | module | what it holds the crate against |
//! |---|---|
//! | `reference` | the reference data of `tests/data` |
//! | `differential` | a second implementation, `naive`, in random games |
//! | `properties` | itself: replaying, taking back, symmetries |
//! | `store` | itself: what was reported as written is there, whatever happens |
//! | `admin` | what an operator is told |
//! | `bridge` | a server that says what the test wants, and a real one |
//! | `layers` | the order of its modules |
//! | `rooms` | a model of shared rooms, with the clients that use them |
//!
//! `data` and `play` are what they share: reading the data, and random play.

#![allow(clippy::unwrap_used)]

mod admin;
mod bridge;
mod conformance;
mod data;
mod differential;
mod engine;
mod hahn;
mod layers;
mod naive;
mod play;
mod properties;
mod readme;
mod records;
mod reference;
mod rooms;
mod rulesets;
mod store;
mod tcp;
mod traces;
mod wire;
