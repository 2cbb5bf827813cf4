//! What the board program's commands do to the view, so that it can be brought back.

use super::effect::Effect;
use super::machine::{Bridge, Own};
use super::response::Response;
use super::script::{Base, Script, side};
use super::seat::Seat;
use crate::board::Color;

/// What the connection shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// The room's game as it is, in which so many turns of one's own are known.
    Following { own: usize },
    /// A board of its own.
    Board(Script),
}

/// A view whose script is not sure; where it is if it cannot be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rebase {
    /// After the last turn of that side.
    LastTurnOf(Color),
    /// Where the script says.
    Script,
}

impl Bridge {
    /// Notes what a command has done to the view.
    pub(super) fn carried_out(&mut self, effect: Effect, line: &str, response: &Response) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let word = |index: usize| words.get(index).copied().unwrap_or_default();
        self.lists |= word(0) == "list_stones";
        self.rules |= word(0) == "gogui-rules_board";
        if effect == Effect::Genmove && !response.success && response.text.starts_with("special turn") {
            self.notice(response.text.replace('\n', " "));
            if !self.closed {
                self.ask("egtp_sgf", Own::Sgf);
            }
        }
        if std::mem::take(&mut self.unsure) {
            self.rebase = Some(Rebase::Script);
        }
        if !response.success || effect == Effect::Nothing {
            if effect == Effect::Empties && self.seat.is_some() && matches!(self.view, View::Following { .. }) {
                // it was refused, but the connection has asked for a board of its own
                self.ask_first("egtp_view", Own::Base);
            }
            return;
        }
        match (effect, &mut self.view) {
            (Effect::Enters, _) => self.has_sat(&words),
            (Effect::Leaves, _) => self.seat = None,
            _ if self.seat.is_none() => {}
            (Effect::Play, _) if word(2).eq_ignore_ascii_case("resign") => {}
            (Effect::Play, View::Following { own }) => {
                *own += (side(word(1)) == self.seat.as_ref().and_then(Seat::color)) as usize;
            }
            (Effect::Play, View::Board(script)) => script.turn(word(1), word(2)),
            (Effect::Genmove, View::Board(script)) if response.text != "resign" => {
                script.turn(word(1), &response.text);
                if self.lists {
                    // it may have been a special turn, of which this is only one stone
                    self.rebase = side(word(1)).map(Rebase::LastTurnOf);
                }
            }
            (Effect::Empties, view) => {
                *view = View::Board(Script::new(Base::Line(line.into())));
                self.rebase = None;
            }
            (Effect::Changes, View::Board(script)) => script.line(line),
            (Effect::Sequence, View::Board(script)) => script.sequence(line),
            (Effect::Undo, View::Board(script)) => {
                let gg = word(0) == "gg-undo";
                script.undo(if gg { word(1).parse().unwrap_or(1) } else { 1 });
            }
            (Effect::Special, View::Following { own }) => *own += 1,
            (Effect::Special, View::Board(_)) => {
                self.rebase = self.seat.as_ref().and_then(Seat::color).map(Rebase::LastTurnOf);
            }
            (Effect::Resume, View::Board(_)) => self.rebase = Some(Rebase::Script),
            _ => {}
        }
        self.note_aside(effect, line);
    }

    /// What was begun beside the view is dropped when the view changes.
    fn note_aside(&mut self, effect: Effect, line: &str) {
        match (effect, line.split(' ').next().unwrap_or_default()) {
            (Effect::Aside, "popgo") if self.aside.last().is_some_and(|last| last.starts_with("trymove")) => {
                self.aside.pop();
            }
            (Effect::Aside, "egtp_stage" | "egtp_stage_cancel") => {
                self.aside.retain(|line| !line.starts_with("egtp_stage"));
                if !line.starts_with("egtp_stage_cancel") {
                    self.aside.push(line.into());
                }
            }
            (Effect::Aside, _) => self.aside.push(line.into()),
            (Effect::Nothing | Effect::Other, _) => {}
            _ => self.aside.clear(),
        }
    }

    /// The board program has entered a room itself.
    fn has_sat(&mut self, words: &[&str]) {
        let (room, holder, turns) = match *words {
            ["egtp_sit", room, color, key, ref turns @ ..] => (room, side(color).map(|c| (c, key.into())), turns),
            ["egtp_watch", room, ref turns @ ..] => (room, None, turns),
            _ => return,
        };
        self.seat = Some(Seat { room: room.into(), holder });
        self.rebase = None;
        match turns.first().and_then(|turns| turns.parse().ok()) {
            Some(turns) => self.view = View::Board(Script::new(Base::Turns(turns))),
            None => {
                self.view = View::Following { own: 0 };
                self.ask_first("egtp_turns", Own::Count);
            }
        }
    }

    /// One's own turns among the lines of `egtp_turns`: their vertices.
    pub(super) fn own_turns<'a>(&self, turns: &'a str) -> Vec<&'a str> {
        let color = self.seat.as_ref().and_then(Seat::color);
        let own = |line: &'a str| {
            let mut words = line.splitn(3, ' ').skip(1);
            (color.is_some() && side(words.next()?) == color).then_some(words.next()?)
        };
        turns.lines().filter_map(own).collect()
    }
}
