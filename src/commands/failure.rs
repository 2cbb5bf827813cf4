//! Why a command failed, and the one place that puts it into words.

use super::{Command, Controller, Phases};
use crate::board::VertexError;
use crate::game::Refused;
use crate::record::reason;
use crate::rules::SettingError;

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
    /// A file cannot be loaded, and why.
    NoFile(String),
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
            Failure::Illegal(refused) => format!("illegal move: {}", reason(refused, topology)),
            Failure::Refused(refused) => reason(refused, topology),
            Failure::CannotUndo(refused) => format!("cannot undo: {}", reason(refused, topology)),
            Failure::CannotScore => "cannot score: play has not stopped; it takes two passes".into(),
            Failure::UnacceptableSize(why) => format!("unacceptable size: {why}"),
            Failure::NumberOfStones(why) => format!("invalid number of stones: {why}"),
            Failure::VertexList(why) => format!("bad vertex list: {why}"),
            Failure::NoOpponent => "no opponent here: both sides use play".into(),
            Failure::Setting(error) => error.to_string(),
            Failure::NothingStaged => "nothing is staged; begin with egtp_stage COLOR".into(),
            Failure::Unfinished { n, placed } => format!("illegal move: {placed} of {n} stones placed"),
            Failure::NoFile(why) => format!("cannot load file: {why}"),
            Failure::Other(text) => text.clone(),
        }
    }
}
