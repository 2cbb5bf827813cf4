//! How a game stands beside the stones.

use std::fmt;
use std::sync::Arc;

use crate::board::{Color, Point};
use crate::rules::Points;

/// What may happen now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Turns.
    Play,
    /// Marking dead stones, accepting, resuming.
    Scoring,
    /// Nothing more.
    Finished,
}

impl Phase {
    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Play => "play",
            Phase::Scoring => "scoring",
            Phase::Finished => "finished",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// By count: Black's total less White's.
    Counted(Points),
    /// The other side gave up.
    Resigned {
        /// Who won.
        winner: Color,
    },
}

impl Outcome {
    /// Who won; nobody in a tie.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Resigned { winner } => Some(winner),
            Outcome::Counted(margin) if margin > Points::default() => Some(Color::Black),
            Outcome::Counted(margin) if margin < Points::default() => Some(Color::White),
            Outcome::Counted(_) => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// As GTP and SGF write it: `B+3.5`, `0`, `W+R`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.winner()) {
            (Outcome::Resigned { winner }, _) => write!(f, "{}+R", winner.letter()),
            (Outcome::Counted(margin), Some(winner)) => write!(f, "{}+{}", winner.letter(), margin.abs()),
            (Outcome::Counted(_), None) => f.write_str("0"),
        }
    }
}

/// Everything that changes during a game but the stones and the list of turns. Pairs are Black's and White's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// What may happen now.
    pub phase: Phase,
    /// Whose turn it is, or would be after a resumption.
    pub to_move: Color,
    /// Adjacent passes that ended the list of turns, since the last resumption.
    pub passes: u8,
    /// Play was resumed and no stone has been placed since.
    pub resumed: bool,
    /// Opponent's stones captured, and own ones the opponent lost by suicide.
    pub captured: [u32; 2],
    /// Pass stones received.
    pub pass_stones: [u32; 2],
    /// White added a pass after the game, so as to pass last.
    pub added_pass: bool,
    /// Dead stones, whole chains, in order; `None` for none.
    pub marks: Option<Arc<[Point]>>,
    /// Who has accepted the present marking.
    pub accepted: [bool; 2],
    /// Whose proposal waits for the other side's answer.
    pub proposed: Option<Color>,
    /// How the game ended, once it has.
    pub outcome: Option<Outcome>,
}

impl Standing {
    pub(super) fn new(to_move: Color) -> Standing {
        Standing {
            phase: Phase::Play,
            to_move,
            passes: 0,
            resumed: false,
            captured: [0; 2],
            pass_stones: [0; 2],
            added_pass: false,
            marks: None,
            accepted: [false; 2],
            proposed: None,
            outcome: None,
        }
    }

    /// The dead stones, in order.
    pub fn dead(&self) -> &[Point] {
        self.marks.as_deref().unwrap_or_default()
    }
}
