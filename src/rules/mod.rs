//! The rules: rulesets as data, what a turn does and whether it is legal, repetition, counting.
//!
//! Everything here works on any [`Topology`](crate::board::Topology). What a session did before, who is connected
//! and how a game ends by agreement are none of its business; those live in [`crate::game`].
//!
//! ```
//! use std::sync::Arc;
//! use egtp::board::{Color, Shape, Topology};
//! use egtp::rules::{self, Judge, Refusal, Turn};
//!
//! let topology = Arc::new(Topology::new(Shape::rect(9, 9).unwrap()));
//! let mut judge = Judge::new(topology.clone(), rules::find("enhanced").unwrap());
//! let turn = Turn::Play(topology.point("C3").unwrap());
//! let legal = judge.rule(Color::Black, &turn).unwrap();
//! judge.carry_out(legal);
//! assert_eq!(judge.rule(Color::White, &turn).unwrap_err(), Refusal::NotEmpty(topology.point("C3").unwrap()));
//! ```

mod count;
mod hahn;
mod handicap;
mod judge;
mod past;
mod points;
mod ruleset;
mod select;
mod table;
mod turn;

pub use count::{Count, Owner, Score};
pub use hahn::{Hahn, hahn_points};
pub use handicap::{fixed_handicap, free_handicap};
pub use judge::{Judge, Legal, Taken};
pub use points::{Points, PointsError};
pub use ruleset::{Allowance, Counting, Ending, KomiRule, Repetition, Ruleset, Sizes};
pub use select::{KEYS, Selection, SettingError};
pub use table::{RULESETS, find, find_alias};
pub use turn::{Refusal, SpecialTurn, Turn, affordable};
