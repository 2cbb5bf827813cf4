//! The reference data: what other implementations, publications and the rules' own texts say.

mod by_hand;
mod edge_cases;
mod games;
mod perft;
mod published;
mod tables;
