//! What comes of reading a game.

use super::sgf::{NodeId, SgfError};
use crate::board::Point;
use crate::game::{Game, Outcome};
use crate::rules::{Allowance, Selection};

/// How files are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The rules, whatever the file says; the board stays the file's.
    pub rules: Option<Selection>,
    /// What is allowed although the rules refuse it.
    pub allowance: Allowance,
    /// The sides need not take turns.
    pub free_order: bool,
    /// Reading ends before this turn, counted from 1.
    pub before_turn: Option<usize>,
    /// Reading ends before the first stone on this point: its name.
    pub before_vertex: Option<[u8; 4]>,
}

/// Why a file cannot be read at all.
pub type ReadError = SgfError;

/// The main line of one game of a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game as far as it could be read.
    pub game: Game,
    /// What ended the reading early.
    pub problem: Option<Problem>,
    /// The names of Black and White, if the file says them.
    pub players: [Option<String>; 2],
    /// The result that the file claims, in its own words.
    pub claimed: Option<String>,
    /// Turns that were made before a position was set up in mid-game; they are no longer part of the game.
    pub dropped: usize,
    /// The file says which stones are dead, or whose the points are.
    pub counted: bool,
    /// Stones on the other side's points, by the last node that says whose points are.
    pub dead: Vec<Point>,
    /// The node where the game begins: the root, or the last one that sets up a position.
    pub base: NodeId,
    /// The node of each turn, or the correction behind it.
    pub nodes: Vec<NodeId>,
    /// The reading did not end before the file did.
    pub whole: bool,
    /// Why a count need not be the one that the players made: rules or komi that are not said, or not refereed.
    pub doubts: Vec<&'static str>,
}

/// What the rules, or the board, do not allow in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The number of the turn, from 1; 0 before the first.
    pub turn: usize,
    /// The line of the file.
    pub line: usize,
    /// The turn in words; empty if it is not about one.
    pub what: String,
    /// What kind of trouble it is.
    pub trouble: Trouble,
    /// The reason in words.
    pub reason: String,
}

/// Kinds of trouble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A turn that the rules refuse.
    IllegalTurn,
    /// A turn of the side that is not to move.
    WrongOrder,
    /// A turn after the game was over.
    AfterTheEnd,
    /// A handicap that cannot be.
    Handicap,
    /// Stones set up that cannot stand so.
    Setup,
    /// A game, a board or a property that is not understood.
    NotUnderstood,
}

impl Trouble {
    /// A word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Trouble::IllegalTurn => "illegal-turn",
            Trouble::WrongOrder => "wrong-order",
            Trouble::AfterTheEnd => "after-the-end",
            Trouble::Handicap => "handicap",
            Trouble::Setup => "setup",
            Trouble::NotUnderstood => "not-understood",
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.turn, self.what.as_str()) {
            (0, "") => write!(f, "{}", self.reason),
            (0, what) => write!(f, "{what}: {}", self.reason),
            (turn, "") => write!(f, "turn {turn}: {}", self.reason),
            (turn, what) => write!(f, "turn {turn}, {what}: {}", self.reason),
        }
    }
}

impl Reading {
    /// The outcome, or what would be counted with the stones dead that the file says are.
    pub fn result(&self) -> Outcome {
        let game = &self.game;
        let marked = if game.standing().marks.is_some() { game.standing().dead() } else { &self.dead };
        game.outcome().unwrap_or_else(|| Outcome::Counted(game.score_with(marked).margin()))
    }
}
