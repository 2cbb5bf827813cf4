//! The board: points joined as a graph, stones, chains, liberties, hashing, names and diagrams.
//!
//! Nothing here knows a rule: a [`Position`] holds whatever stones it is given and says which chains they
//! form; whether a turn is legal, and what it does, is the business of [`crate::rules`].
//!
//! ```
//! use std::sync::Arc;
//! use egtp::board::{Color, Position, Shape, Topology};
//!
//! let topology = Arc::new(Topology::new(Shape::rect(9, 9).unwrap()));
//! let mut position = Position::new(topology.clone());
//! let e5 = topology.point("E5").unwrap();
//! position.put(Color::Black, e5);
//! assert_eq!(position.liberties(e5).len(), 4);
//! ```

mod diagram;
mod few;
mod point;
mod position;
mod shape;
mod topology;
mod vertex;

pub use diagram::{Annotations, board_rows, diagram};
pub use few::Few;
pub use point::{Color, Point};
pub use position::{Outlook, Position};
pub use shape::{Kind, MAX_HEX_SIDE, MAX_LENGTH, Shape, ShapeError};
pub use topology::Topology;
pub use vertex::VertexError;
