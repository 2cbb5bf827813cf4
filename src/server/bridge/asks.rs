//! What the bridge asks by itself, and what it makes of the answers.

use super::machine::{Bridge, Event, Flight};
use super::response::Response;
use super::script::{Base, Script};
use super::track::{Following, View};

/// Why the bridge asked something itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Own {
    /// To sit down.
    Sit,
    /// To sit down where the room's game is, because the view cannot be brought back.
    SitAnyhow,
    /// For the room's turns, while entering.
    Turns,
    /// To bring the view back; whether a refusal matters.
    Replay(bool),
    /// To sit down where the view was.
    SitAt(usize),
    /// How far the room's game was followed.
    Where,
    /// For the room's turns, because one was refused that may have been made; so many of one's own were known.
    Recount(usize),
    /// For one's own turns in a room that the board program has entered itself.
    Count,
    /// Where the view is that is about to become a board of its own.
    Base,
    /// Where the view is.
    Rebase,
    /// For the position after a special turn.
    Sgf,
}

impl Bridge {
    /// Asks something that the board program knows nothing of.
    pub(super) fn ask(&mut self, line: &str, own: Own) {
        self.transmit(line, Flight::Own(own));
    }

    /// Asks something before which nothing else is sent.
    pub(super) fn ask_first(&mut self, line: &str, own: Own) {
        self.ask(line, own);
        self.blocked = true;
    }

    /// The view becomes a board of its own with the next command: it must be known where it begins.
    pub(super) fn detach(&mut self) {
        match (&self.view, &self.seat) {
            (View::Following(Following { at, anew: true, .. }), Some(seat)) => {
                let (line, own) = (seat.line(Some(*at)), Own::SitAt(*at));
                self.ask_first(&line, own);
            }
            _ => self.ask_first("egtp_view", Own::Base),
        }
    }

    /// An answer to something that it has asked.
    pub(super) fn own_answered(&mut self, own: Own, response: &Response) {
        match own {
            Own::Sit | Own::SitAnyhow | Own::Turns | Own::Replay(_) => self.entry_answered(own, response),
            Own::Recount(known) => {
                self.blocked = false;
                match self.view {
                    _ if !response.success => {}
                    View::Following(following) => self.recount(following, &response.text),
                    View::Board(_) => {
                        let turns = self.own_turns(&response.text);
                        self.find_made(turns.get(known..).unwrap_or_default());
                    }
                }
                self.refuse_doubtful();
            }
            Own::Count => {
                self.blocked = false;
                let own = self.own_turns(&response.text).len();
                let at = response.text.lines().count();
                self.view = View::Following(Following { own, at, anew: false });
            }
            Own::Where => {
                self.blocked = false;
                if let (View::Following(following), Some(at)) = (&mut self.view, number(&response.text, "cursor")) {
                    *following = Following { at, anew: false, ..*following };
                }
            }
            Own::SitAt(turns) => {
                self.blocked = false;
                self.view = View::Board(Script::new(Base::Turns(turns)));
            }
            Own::Base => {
                self.blocked = false;
                if matches!(self.view, View::Board(_)) {
                    // a command that came before has made it one
                    return;
                }
                self.unsure = true;
                let base = number(&response.text, "cursor").or(number(&response.text, "turns"));
                self.view = View::Board(Script::new(Base::Turns(base.unwrap_or(0))));
            }
            Own::Rebase => {
                self.blocked = false;
                self.rebase = None;
                if let Some(turns) = number(&response.text, "cursor") {
                    self.view = View::Board(Script::new(Base::Turns(turns)));
                }
            }
            Own::Sgf if response.success => self.events.push_back(Event::Sgf(response.text.clone())),
            Own::Sgf => self.notice(format!("the position cannot be had: {}", response.text)),
        }
    }
}

/// The number in a line `key value`.
fn number(text: &str, key: &str) -> Option<usize> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}
