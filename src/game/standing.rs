//! How a game stands beside the stones.

use std::fmt;
use std::str::FromStr;
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

/// Why a word is no result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutcomeError;

impl fmt::Display for OutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result is B+3.5, W+R, W+T, W+F, 0, Draw or Jigo")
    }
}

impl std::error::Error for OutcomeError {}

impl FromStr for Outcome {
    type Err = OutcomeError;

    /// Reads a result as GTP and SGF write it. Time and forfeit count as resignation.
    fn from_str(text: &str) -> Result<Outcome, OutcomeError> {
        if text == "0" || ["draw", "jigo"].iter().any(|tie| text.eq_ignore_ascii_case(tie)) {
            return Ok(Outcome::Counted(Points::default()));
        }
        let (winner, by) = text.split_once('+').ok_or(OutcomeError)?;
        let winner = match winner {
            "B" | "b" => Color::Black,
            "W" | "w" => Color::White,
            _ => return Err(OutcomeError),
        };
        if ["r", "res", "resign", "t", "time", "f", "forfeit"].iter().any(|word| by.eq_ignore_ascii_case(word)) {
            return Ok(Outcome::Resigned { winner });
        }
        match by.parse::<Points>() {
            Ok(margin) if margin > Points::default() => {
                Ok(Outcome::Counted(if winner == Color::Black { margin } else { -margin }))
            }
            _ => Err(OutcomeError),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        for text in ["B+3.5", "W+0.25", "0", "B+R", "W+R", "B+361"] {
            assert_eq!(text.parse::<Outcome>().map(|o| o.to_string()), Ok(text.into()));
        }
        assert_eq!("w+Time".parse(), Ok(Outcome::Resigned { winner: Color::White }));
        assert_eq!("Draw".parse(), Ok(Outcome::Counted(Points::default())));
        for text in ["", "B", "B+", "B+0", "B+-3", "Void", "?", "X+3", "3.5"] {
            assert_eq!(text.parse::<Outcome>(), Err(OutcomeError), "{text}");
        }
    }
}
