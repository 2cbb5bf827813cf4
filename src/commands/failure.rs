//! Why a command failed, and the one place that puts it into words.

use super::{Command, Controller, Phases};
use crate::board::{Point, Topology, VertexError};
use crate::game::Refused;
use crate::rules::{Ending, Refusal, Repetition, SettingError};

/// Why a command failed. Nothing has changed.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    /// There is no such command.
    UnknownCommand,
    /// Too few or too many arguments, or one that cannot be read.
    Usage,
    /// An argument that cannot be read, and what is wrong with it.
    Syntax(String),
    /// A vertex of some larger board.
    OffBoard(String),
    /// A turn that is not legal.
    Illegal(Refused),
    /// Another event that was refused.
    Refused(Refused),
    /// Turns cannot be taken back.
    CannotUndo(Refused),
    /// There is nothing to count yet.
    CannotScore,
    /// Only while dead stones are marked and accepted.
    NotScoring,
    /// Nothing more can happen in this game.
    GameOver,
    /// Only before the first turn.
    HasBegun,
    /// The ruleset is not played on that size.
    UnacceptableSize(String),
    /// A number of handicap stones that cannot be, and why.
    NumberOfStones(String),
    /// A free handicap that cannot be, and why.
    VertexList(String),
    /// Nobody plays the other side here.
    NoOpponent,
    /// Rules that cannot be chosen.
    Setting(SettingError),
    /// No special turn is staged.
    NothingStaged,
    /// The staged turn places another number of stones than was asked for.
    Unfinished {
        /// The number asked for.
        n: usize,
        /// The number chosen so far.
        placed: usize,
    },
    /// A failure with a text of its own.
    Other(String),
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Failure {
        Failure::Setting(error)
    }
}

impl Failure {
    /// A vertex that names no point.
    pub(super) fn vertex(word: &str, error: VertexError) -> Failure {
        match error {
            VertexError::Syntax => Failure::Usage,
            VertexError::LetterI => Failure::Syntax(format!("{word}: {error}")),
            VertexError::OffBoard => Failure::OffBoard(word.to_uppercase()),
        }
    }

    /// What is answered after `? `: the standard's text first where it has one, then the reason.
    pub(super) fn text(&self, controller: &Controller, command: Option<&Command>) -> String {
        let topology = controller.game().topology();
        match self {
            Failure::UnknownCommand => "unknown command".into(),
            Failure::Usage => format!("syntax error: usage: {}", command.map(Command::usage).unwrap_or_default()),
            Failure::Syntax(what) => format!("syntax error: {what}"),
            Failure::OffBoard(vertex) => {
                let turn = command.is_some_and(|c| c.phases == Phases::Play);
                format!("{}{vertex} is not on the board", if turn { "illegal move: " } else { "" })
            }
            Failure::Illegal(refused) => format!("illegal move: {}", refusal(refused, topology)),
            Failure::Refused(refused) => refusal(refused, topology),
            Failure::CannotUndo(refused) => format!("cannot undo: {}", refusal(refused, topology)),
            Failure::CannotScore => "cannot score: play has not stopped; it takes two passes".into(),
            Failure::NotScoring => refusal(&Refused::NotScoring, topology),
            Failure::GameOver => refusal(&Refused::GameOver, topology),
            Failure::HasBegun => refusal(&Refused::HasBegun, topology),
            Failure::UnacceptableSize(why) => format!("unacceptable size: {why}"),
            Failure::NumberOfStones(why) => format!("invalid number of stones: {why}"),
            Failure::VertexList(why) => format!("bad vertex list: {why}"),
            Failure::NoOpponent => "no opponent here: both sides use play".into(),
            Failure::Setting(error) => error.to_string(),
            Failure::NothingStaged => "nothing is staged; begin with egtp_stage COLOR".into(),
            Failure::Unfinished { n, placed } => format!("illegal move: {placed} of {n} stones placed"),
            Failure::Other(text) => text.clone(),
        }
    }
}

/// The reason of a refusal in words, without the standard's text before it.
pub(super) fn refusal(refused: &Refused, topology: &Topology) -> String {
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
        Refused::OneChain(a, b) => format!("{} and {} are one chain; name it once", name(a), name(b)),
        Refused::NothingProposed => "nothing to accept: no score has been proposed".into(),
        Refused::OwnProposal => "this is your own proposal; the other side may accept it".into(),
        Refused::ResumeByStone { to_move } => format!("{to_move} resumes by placing a stone"),
        Refused::NoResignation => "no resignation in this ruleset".into(),
        Refused::NoTakeback => "no takeback in this ruleset".into(),
        Refused::TooFewTurns(0) => "no turn has been made".into(),
        Refused::TooFewTurns(1) => "only 1 turn has been made".into(),
        Refused::TooFewTurns(n) => format!("only {n} turns have been made"),
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
