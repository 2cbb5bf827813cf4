//! Why an event was refused.

use crate::board::{Color, Point};
use crate::rules::{Ending, Refusal};

/// Why an event did not happen. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The rules of a turn.
    Rules(Refusal),
    /// It is the other side's turn.
    NotToMove {
        /// Whose turn it is.
        to_move: Color,
    },
    /// Two passes have stopped play; what is to be done now depends on the ending.
    PlayStopped(Ending),
    /// The game is over.
    GameOver,
    /// Dead stones are marked and accepted only after play has stopped.
    NotScoring,
    /// There is no stone to be marked.
    NoStone(Point),
    /// Two marked stones are of one chain.
    OneChain(Point, Point),
    /// Nothing has been proposed that could be accepted.
    NothingProposed,
    /// One's own proposal is for the other side to accept.
    OwnProposal,
    /// Under this ending a stone resumes play.
    ResumeByStone {
        /// Who places it.
        to_move: Color,
    },
    /// The ruleset has no resignation.
    NoResignation,
    /// The ruleset has no takeback.
    NoTakeback,
    /// There are fewer turns than should be taken back.
    TooFewTurns(usize),
    /// A game has at most this many turns.
    TooManyTurns(usize),
    /// Stones are set up only before the first turn.
    HasBegun,
    /// A set-up chain has no liberty.
    Breathless(Point),
    /// Two stones are set up on one point.
    SetUpTwice(Point),
    /// The ruleset has no handicap.
    NoHandicap,
    /// Handicap stones go on an empty board.
    BoardNotEmpty,
    /// A handicap is at least two stones, on different points, and leaves a point empty.
    BadHandicap,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused::Rules(refusal)
    }
}
