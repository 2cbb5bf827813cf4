//! Where a bridge leads.

use std::fmt;

use crate::board::Color;

/// Where a bridge leads: a seat, or a place among the spectators.
#[derive(Clone, PartialEq, Eq)]
pub struct Seat {
    /// The room's name.
    pub room: String,
    /// The colour and its key; without one, a spectator.
    pub holder: Option<(Color, String)>,
}

impl Seat {
    /// The colour, if it is not a spectator's.
    pub fn color(&self) -> Option<Color> {
        self.holder.as_ref().map(|(color, _)| *color)
    }

    /// The command that takes it, as a board of its own after so many turns if a number is given.
    pub fn line(&self, turns: Option<usize>) -> String {
        let Seat { room, holder } = self;
        let turns = turns.map(|turns| format!(" {turns}")).unwrap_or_default();
        match holder {
            Some((color, key)) => format!("egtp_sit {room} {color} {key}{turns}"),
            None => format!("egtp_watch {room}{turns}"),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.color() {
            Some(color) => write!(f, "{color} in room {}", self.room),
            None => write!(f, "a spectator in room {}", self.room),
        }
    }
}

/// Keys are not for logs.
impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat({self})")
    }
}
