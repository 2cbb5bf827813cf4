//! How the bridge gets to where it was: sits down, brings the view back, and repeats what was not answered.

use super::asks::Own;
use super::effect::Effect;
use super::machine::{Bridge, Event, LOST, Phase, State};
use super::response::Response;
use super::script::{Base, Script, side};
use super::seat::Seat;
use super::track::{Following, Rebase, View};

impl Bridge {
    /// A connection is there.
    pub fn connected(&mut self) {
        if self.phase == Phase::Down {
            self.phase = Phase::Entering;
            self.sit();
        }
    }

    /// The connection is gone, or could not be made; the driver makes another.
    pub fn lost(&mut self, why: &str) {
        if self.phase == Phase::Down {
            return;
        }
        let was_up = self.phase == Phase::Up;
        self.hang_up();
        if self.seat.is_none() {
            self.notice(format!("connection lost: {why}; what was on the private board is gone"));
            return self.finish_with(LOST, 1);
        }
        if self.entered && self.is_closing() {
            return self.finish();
        }
        if was_up {
            self.notice(format!("connection lost: {why}; trying again"));
        }
    }

    /// The first connection could not be made.
    pub fn give_up(&mut self, why: &str) {
        self.notice(why.into());
        self.finish_with(why, 1);
    }

    /// A seat was refused, or the connection as a whole.
    pub(super) fn refused(&mut self, why: &str) {
        let seat = self.seat.as_ref().map(Seat::to_string).unwrap_or_default();
        if !self.entered {
            return self.give_up(&format!("cannot be {seat}: {why}"));
        }
        // it may be a server that is still starting, or full for the moment
        if self.refusal != why {
            self.notice(format!("cannot be {seat} again: {why}; trying on"));
            self.refusal = why.into();
        }
        self.hang_up();
        if self.is_closing() {
            return self.finish();
        }
        self.events.push_back(Event::Disconnect);
    }

    fn sit(&mut self) {
        let Some(seat) = &self.seat else { return };
        let turns = match &self.view {
            View::Board(Script { base: Base::Turns(turns), .. }) if self.rebase.is_none() => Some(*turns),
            _ => None,
        };
        let line = seat.line(turns);
        self.ask(&line, Own::Sit);
    }

    /// An answer to one of the bridge's own commands while it enters.
    pub(super) fn entry_answered(&mut self, own: Own, response: &Response) {
        match own {
            Own::Sit => self.sat(response),
            Own::SitAnyhow if response.success => self.start_over(response.text.trim().parse().unwrap_or(0)),
            Own::SitAnyhow => self.refused(&response.text.replace('\n', " ")),
            Own::Turns if response.success => self.turns_known(&response.text),
            Own::Turns => self.refused(&response.text),
            Own::Replay(matters) => self.replayed(matters, response),
            _ => {}
        }
    }

    fn sat(&mut self, response: &Response) {
        let at = matches!(&self.view, View::Board(Script { base: Base::Turns(_), .. })) && self.rebase.is_none();
        if !response.success && at {
            // the seat may be refused, or only the place in the game
            return self.sit_anyhow(&response.text);
        }
        if !response.success {
            return self.refused(&response.text.replace('\n', " "));
        }
        let color = self.seat.as_ref().and_then(Seat::color);
        if let View::Following(following) = &mut self.view {
            following.anew = self.entered;
            if !self.entered {
                following.at = response.text.trim().parse().unwrap_or(0);
            }
        }
        match &self.view {
            View::Following(_) if color.is_none() => self.replay(),
            View::Board(_) if self.rebase.is_none() => self.replay(),
            _ => self.ask("egtp_turns", Own::Turns),
        }
    }

    /// What was not sure before the connection was lost is seen from the room's turns.
    fn turns_known(&mut self, text: &str) {
        let rebase = self.rebase.take();
        match &self.view {
            View::Following(following) => {
                self.recount(*following, text);
                self.replay();
            }
            View::Board(_) => {
                let number = |line: &str| line.split(' ').next().and_then(|number| number.parse::<usize>().ok());
                let color = |line: &str| line.split(' ').nth(1).and_then(side);
                let last = match rebase {
                    Some(Rebase::LastTurnOf(wanted)) => text.lines().rfind(|line| color(line) == Some(wanted)),
                    _ => None,
                };
                if let Some(turns) = last.and_then(number) {
                    self.view = View::Board(Script::new(Base::Turns(turns)));
                }
                self.sit();
            }
        }
    }

    /// Finds among the room's turns what has been made of one's own, and where that leads a view that follows.
    pub(super) fn recount(&mut self, following: Following, turns: &str) {
        let turns = self.own_turns(turns);
        let made = self.find_made(turns.get(following.own..).unwrap_or_default());
        // with the last turn of its own the view went on
        let last = (following.own + made).checked_sub(1).and_then(|last| turns.get(last));
        let at = last.map_or(following.at, |(number, _)| following.at.max(*number));
        self.view = View::Following(Following { own: turns.len(), at, ..following });
    }

    /// Plays that were not answered but are among these turns have been made; so many of the turns it takes.
    pub(super) fn find_made(&mut self, turns: &[(usize, &str)]) -> usize {
        let color = self.seat.as_ref().and_then(Seat::color);
        let mut made = 0;
        for command in self.repeated().filter(|command| command.effect == Effect::Play) {
            let words: Vec<&str> = command.line.split(' ').collect();
            if let [_, who, vertex] = words[..]
                && side(who) == color
                && let Some(at) = turns[made..].iter().position(|(_, turn)| turn.eq_ignore_ascii_case(vertex))
            {
                command.state = State::Answered { success: true, text: String::new() };
                made += at + 1;
            }
        }
        self.settle();
        made
    }

    fn replay(&mut self) {
        let mut lines: Vec<(String, bool)> = Vec::new();
        // what a connection has asked for decides how it is answered
        if self.lists {
            lines.push(("list_stones black".into(), false));
        }
        if self.rules {
            lines.push(("gogui-rules_board".into(), false));
        }
        if let View::Board(script) = &self.view {
            lines.extend(script.lines().into_iter().map(|line| (line, true)));
        }
        lines.extend(self.aside.iter().map(|line| (line.clone(), false)));
        if lines.is_empty() {
            return self.is_there();
        }
        for (line, matters) in lines {
            self.ask(&line, Own::Replay(matters));
        }
    }

    fn replayed(&mut self, matters: bool, response: &Response) {
        if matters && !response.success && !self.asked(Own::SitAnyhow) {
            return self.sit_anyhow(&response.text);
        }
        if self.is_quiet() {
            self.is_there();
        }
    }

    /// The view cannot be brought back.
    fn sit_anyhow(&mut self, why: &str) {
        self.trouble = why.replace('\n', " ");
        if let Some(seat) = &self.seat {
            let line = seat.line(None);
            self.ask(&line, Own::SitAnyhow);
        }
    }

    /// The room's game takes the view's place.
    fn start_over(&mut self, at: usize) {
        let why = std::mem::take(&mut self.trouble);
        self.notice(format!("your board could not be brought back: {why}; it is now as egtp_status says"));
        // what was meant for the old board could mean something else on this one
        for command in self.repeated().filter(|command| command.effect != Effect::Nothing) {
            command.state = State::Answered { success: false, text: LOST.into() };
        }
        self.settle();
        self.view = View::Following(Following { at, ..Following::default() });
        self.rebase = None;
        self.aside.clear();
        match self.seat.as_ref().and_then(Seat::color) {
            Some(_) => self.ask("egtp_turns", Own::Turns),
            None => self.replay(),
        }
    }

    fn is_there(&mut self) {
        self.phase = Phase::Up;
        self.refusal.clear();
        let again = if std::mem::replace(&mut self.entered, true) { " again" } else { "" };
        let seat = self.seat.as_ref().map(Seat::to_string).unwrap_or_default();
        self.notice(format!("connected{again}: {seat}"));
        self.settle();
    }
}
