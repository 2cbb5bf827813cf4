//! The plug for a judgement of life and death, for endings that take dead stones off without agreement.

use std::fmt::Debug;

use crate::board::{Color, Point, Position};
use crate::life::assess;

/// Says which stones are dead. Must always say the same of the same position.
pub trait Assess: Debug + Send + Sync {
    /// All stones of dead chains, with this side to move.
    fn dead(&self, position: &Position, to_move: Color) -> Vec<Point>;
}

/// The built-in assessment: see [`crate::life`]. The game being over, it does not ask who moves next.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByPlayouts;

impl Assess for ByPlayouts {
    fn dead(&self, position: &Position, _: Color) -> Vec<Point> {
        assess(position, None).dead
    }
}

/// Takes every stone for alive.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoneDead;

impl Assess for NoneDead {
    fn dead(&self, _: &Position, _: Color) -> Vec<Point> {
        Vec::new()
    }
}
