//! Everything that can happen to a game.

use crate::board::{Color, Point};
use crate::rules::{Points, Turn};

/// One thing that happens to a game. A game is the list of its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A side makes a turn.
    Turn(Color, Turn),
    /// A side gives the game up. Not a turn: taking the last turn back takes it back too.
    Resign(Color),
    /// Toggles the chains of these stones between dead and alive.
    Mark(Vec<Point>),
    /// A side accepts the present marking, or the other side's proposal.
    Accept(Color),
    /// A side sets the marking to exactly the chains of these stones, and accepts or proposes it.
    Propose(Color, Vec<Point>),
    /// Play goes on; marks and acceptances are gone.
    Resume,
    /// Takes back this many turns, with all that followed them.
    TakeBack(usize),
    /// Before the first turn: the board becomes these stones, with this side to move.
    SetUp {
        /// The stones.
        stones: Vec<(Color, Point)>,
        /// The side that begins.
        to_move: Color,
    },
    /// On an empty board: Black's handicap stones; White begins.
    Handicap(Vec<Point>),
    /// White's compensation; `None` for what the ruleset gives.
    Komi(Option<Points>),
}
