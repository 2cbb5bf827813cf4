//! Why something was refused, in words.

use crate::board::{Point, Topology};
use crate::game::Refused;
use crate::rules::{Ending, Refusal, Repetition};

/// The reason of a refusal in words, without the standard's text before it.
pub fn reason(refused: &Refused, topology: &Topology) -> String {
    let name = |point: &Point| topology.name(*point);
    match refused {
        Refused::Rules(refusal) => turn_refusal(refusal, topology),
        Refused::NotToMove { to_move } => format!("{to_move} to move"),
        Refused::PlayStopped(Ending::Proposal) => {
            "play has stopped; propose a score, accept, or resume with a stone".into()
        }
        Refused::PlayStopped(_) => "play has stopped; mark dead groups, accept or resume".into(),
        Refused::GameOver => "the game is over".into(),
        Refused::NotScoring => "not in the scoring phase: play has not stopped".into(),
        Refused::NoStone(point) => format!("{} is empty", name(point)),
        Refused::OneChain(a, b) if a == b => format!("{} is named twice", name(a)),
        Refused::OneChain(a, b) => format!("{} and {} are one chain; name it once", name(a), name(b)),
        Refused::NothingProposed => "nothing to accept: no score has been proposed".into(),
        Refused::OwnProposal => "this is your own proposal; the other side may accept it".into(),
        Refused::ResumeByStone { to_move } => format!("{to_move} resumes by placing a stone"),
        Refused::NoResignation => "no resignation in this ruleset".into(),
        Refused::NoTakeback => "no takeback in this ruleset".into(),
        Refused::TooFewTurns(0) => "no turn has been made".into(),
        Refused::TooFewTurns(1) => "only 1 turn has been made".into(),
        Refused::TooFewTurns(n) => format!("only {n} turns have been made"),
        Refused::TooManyTurns(n) => format!("a game has at most {n} turns; start a new one with clear_board"),
        Refused::HasBegun => "the game has begun; clear_board first".into(),
        Refused::Breathless(point) => format!("the chain at {} has no liberty", name(point)),
        Refused::SetUpTwice(point) => format!("{} is named twice", name(point)),
        Refused::NoHandicap => "no handicap in this ruleset".into(),
        Refused::BoardNotEmpty => "board not empty".into(),
        Refused::BadHandicap => {
            format!("2 to {} different points make a handicap", topology.len().saturating_sub(1))
        }
    }
}

fn turn_refusal(refusal: &Refusal, topology: &Topology) -> String {
    let name = |point: &Point| topology.name(*point);
    match refusal {
        Refusal::NoSpecialTurns => "special turns are not in this ruleset".into(),
        Refusal::NamedTwice(point) => format!("{} is named twice", name(point)),
        Refusal::TooFew => "n is at least 2".into(),
        Refusal::TooMany { own, most } => {
            format!("{own} of your stones on the board: n is at most {most}")
        }
        Refusal::Price { n, given } => format!("placing {n} costs {}, {given} given", n * n),
        Refusal::NotYours(point, color) => format!("{} is not a {color} stone", name(point)),
        Refusal::NotEmpty(point) => format!("{} is not empty", name(point)),
        Refusal::Suicide => "suicide".into(),
        Refusal::Repetition { rule, turn } => {
            let rule = if *rule == Repetition::Ko { "ko" } else { "superko" };
            match turn {
                0 => format!("{rule}: repeats the starting position"),
                turn => format!("{rule}: repeats the position after turn {turn}"),
            }
        }
    }
}
