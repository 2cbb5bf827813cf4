//! Which stones are dead, whose each point is, and what the score will be: an assessment without an oracle, on any board.
//!
//! It never says that unconditionally alive stones are dead, and always says the same of the same position. Otherwise it
//! is an opinion, from many quick games played to the end; how often it is right is measured by `scripts/life`.
//!
//! ```
//! use egtp::board::{Color, Position, Shape, Topology};
//! use egtp::life::assess;
//!
//! let topology = Topology::shared(Shape::rect(5, 5).unwrap());
//! let mut position = Position::new(topology.clone());
//! for name in ["B1", "B2", "B3", "B4", "B5", "A4", "D1", "D2", "D3", "D4", "D5"] {
//!     position.put(Color::Black, topology.point(name).unwrap());
//! }
//! position.put(Color::White, topology.point("E3").unwrap());
//! let opinion = assess(&position, None);
//! assert_eq!(opinion.dead, [topology.point("E3").unwrap()]);
//! ```

mod benson;
mod graph;
mod local;
mod playout;
mod stones;
mod verdict;

pub use verdict::{Assessment, assess};

#[cfg(test)]
mod tests;
