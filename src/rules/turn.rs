//! Turns as data, and why one may be refused.

use super::Repetition;
use crate::board::{Color, Point, Position};

/// What a side may do when it is its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One stone on an empty point.
    Play(Point),
    /// Several stones, paid for with one's own (Enhanced Go).
    Special(Box<SpecialTurn>),
    /// Nothing.
    Pass,
}

/// A special turn: n ≥ 2 stones placed for n² of one's own taken off. The order within each list means nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpecialTurn {
    /// Where stones are placed; empty points, or points just paid.
    pub place: Vec<Point>,
    /// The stones paid: own ones, on the board when the turn began.
    pub pay: Vec<Point>,
}

/// Why a turn is not legal. A refused turn changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The ruleset has no special turns.
    NoSpecialTurns,
    /// A point is named twice among the placed or among the paid.
    NamedTwice(Point),
    /// A special turn places two stones or more.
    TooFew,
    /// The side has too few stones for any n that large.
    TooMany {
        /// The side's stones on the board.
        own: usize,
        /// The largest n they pay for.
        most: usize,
    },
    /// Not n² stones are paid.
    Price {
        /// Stones to be placed.
        n: usize,
        /// Stones paid.
        given: usize,
    },
    /// A paid point holds no stone of the side.
    NotYours(Point, Color),
    /// A stone is to be placed on a stone.
    NotEmpty(Point),
    /// The turn would leave an own chain without liberties.
    Suicide,
    /// The turn would bring an earlier position back.
    Repetition {
        /// The rule it breaks.
        rule: Repetition,
        /// The turn after which that position stood; 0 for the start.
        turn: usize,
    },
}

/// The largest n whose square a side's stones pay for; 0 and 1 allow no special turn.
pub fn affordable(position: &Position, color: Color) -> usize {
    position.count(color).isqrt()
}
