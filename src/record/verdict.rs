//! What a referee says of a game that was read.

use std::fmt;

use super::Reading;
use crate::game::{Outcome, Phase};
use crate::rules::Counting;

/// Whether a game is in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Every turn is legal, and the result, where it can be counted, is the one claimed.
    Good,
    /// Something is not allowed.
    Illegal,
    /// The count is another than the one claimed.
    Differs,
}

impl Status {
    /// A word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Status::Good => "ok",
            Status::Illegal => "illegal",
            Status::Differs => "differs",
        }
    }
}

/// What is to be said of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether it is in order.
    pub status: Status,
    /// Turns that were made, those before a position was set up included.
    pub turns: usize,
    /// The count, where the file says which stones are dead, or the rules need nobody to say so.
    pub counted: Option<Outcome>,
    /// What the file claims, in its own words.
    pub claimed: Option<String>,
    /// What is unusual and not wrong.
    pub remarks: Vec<&'static str>,
}

impl Verdict {
    /// The verdict on a game.
    pub fn new(reading: &Reading) -> Verdict {
        let game = &reading.game;
        let phase = game.standing().phase;
        let claimed = reading.claimed.as_deref().and_then(|text| text.parse::<Outcome>().ok());
        let by_count = |outcome: Outcome| matches!(outcome, Outcome::Counted(_)).then_some(outcome);
        // without a word on dead stones a count means nothing, unless the rules themselves ended the game
        let known = reading.problem.is_none() && (reading.counted || phase == Phase::Finished);
        let counted = if known { by_count(reading.result()) } else { None };
        let differs = match (counted, claimed.and_then(by_count)) {
            (Some(counted), Some(claimed)) => counted != claimed,
            _ => false,
        };
        let mut remarks = Vec::new();
        if differs {
            remarks.extend(&reading.doubts);
            if !reading.doubts.is_empty() {
                remarks.push("the count is another");
            } else if game.ruleset().counting == Counting::Territory && !game.ruleset().beyond.is_empty() {
                // rare enough not to keep quiet about the difference
                remarks.push(game.ruleset().beyond);
            }
        }
        let differs = differs && reading.doubts.is_empty();
        if reading.dropped > 0 {
            remarks.push("a position is set up in mid-game");
        }
        if phase == Phase::Play && (reading.counted || claimed.and_then(by_count).is_some()) {
            remarks.push("passes are missing");
        }
        if reading.claimed.is_none() {
            remarks.push("no result");
        } else if claimed.is_none() && !reading.claimed.as_deref().is_some_and(is_without_margin) {
            remarks.push("the result is not understood");
        }
        let status = match (&reading.problem, differs) {
            (Some(_), _) => Status::Illegal,
            (None, true) => Status::Differs,
            (None, false) => Status::Good,
        };
        let turns = reading.dropped + game.turns().len();
        Verdict { status, turns, counted, claimed: reading.claimed.clone(), remarks }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} turns", self.status.name(), self.turns)?;
        match (&self.counted, &self.claimed) {
            (Some(counted), Some(claimed)) if self.status == Status::Differs => {
                write!(f, ", counted {counted}, claimed {claimed}")?;
            }
            (Some(counted), Some(claimed)) if claimed.parse() != Ok(*counted) => {
                write!(f, ", {counted} counted, {claimed} claimed")?;
            }
            (Some(counted), _) => write!(f, ", {counted} counted")?,
            (None, Some(claimed)) => write!(f, ", {claimed} claimed")?,
            (None, None) => {}
        }
        self.remarks.iter().try_for_each(|remark| write!(f, "; {remark}"))
    }
}

/// Whether a result is one that says no number: void, unknown, or a win by an unknown margin.
fn is_without_margin(text: &str) -> bool {
    ["void", "?", "b+", "w+", "b", "w"].iter().any(|known| text.eq_ignore_ascii_case(known))
}
