//! The bridge without its sockets: lines and responses in, bytes and events out.

use std::collections::VecDeque;

use bytes::BytesMut;

use super::asks::Own;
use super::effect::Effect;
use super::response::Response;
use super::seat::Seat;
use super::track::{Following, Rebase, View};
use crate::gtp::{BareId, Line, MAX_LINE, Request, clean, leading_id, write_answer};
use crate::server::STOPPING;

/// What is answered to a command of which nobody knows whether it was carried out.
pub(super) const LOST: &str = "connection lost; see egtp_status";
/// Commands that may wait for an answer before no more are read.
const MOST_COMMANDS: usize = 10_000;

/// Something for the driver to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Tell the person.
    Notice(String),
    /// Keep this position, and tell the person where.
    Sgf(String),
    /// Give this connection up and make another.
    Disconnect,
    /// Nothing more will be sent.
    CloseWrite,
    /// Write out what there is and end, with this exit status.
    End(u8),
}

/// A command of the board program's.
pub(super) struct Command {
    id: Option<String>,
    /// Without the id.
    pub(super) line: String,
    pub(super) effect: Effect,
    pub(super) state: State,
    /// Whether it was sent over an earlier connection, too.
    again: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Not sent yet.
    Waiting,
    /// Sent over a connection that was then lost; to be sent again.
    Again,
    /// Sent.
    Sent,
    /// A turn that is refused the second time, for this reason. The first time it may have come through after all, later
    /// than it was looked for.
    Doubtful(String),
    Answered {
        success: bool,
        text: String,
    },
}

/// What was sent and not answered yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flight {
    /// The board program's command of that number.
    Command(u64),
    /// A command of the bridge's own.
    Own(Own),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// No connection.
    Down,
    /// A connection that is not yet where the last one was.
    Entering,
    /// Commands go through.
    Up,
}

/// One board program's way into a room, over connections that come and go.
pub struct Bridge {
    /// None once the board program has left the room.
    pub(super) seat: Option<Seat>,
    pub(super) view: View,
    pub(super) rebase: Option<Rebase>,
    /// The base was asked for and something may have happened since.
    pub(super) unsure: bool,
    /// Whether the connection has asked for stones, from which a special turn is drawn.
    pub(super) lists: bool,
    /// Whether it has asked for a ruler's board.
    pub(super) rules: bool,
    /// What was begun beside the view.
    pub(super) aside: Vec<String>,
    /// What is not answered yet, in order.
    pub(super) commands: VecDeque<Command>,
    /// The number of the first of them.
    first: u64,
    /// How many of them need not be looked at for sending.
    done: usize,
    flight: VecDeque<(u64, Flight)>,
    last_id: u64,
    /// An answer must come before anything else is sent.
    pub(super) blocked: bool,
    pub(super) phase: Phase,
    /// Whether a seat was ever taken.
    pub(super) entered: bool,
    /// How a seat was last refused.
    pub(super) refusal: String,
    /// Why a view could not be brought back.
    pub(super) trouble: String,
    pub(super) input_ended: bool,
    quitting: bool,
    ended: bool,
    /// How it ends.
    status: u8,
    /// Nothing more is sent.
    pub(super) closed: bool,
    /// Bytes for the server.
    pub to_server: BytesMut,
    /// Bytes for the board program.
    pub to_gui: BytesMut,
    pub(super) events: VecDeque<Event>,
}

impl Bridge {
    /// A bridge that leads there and is not connected yet.
    pub fn new(seat: Seat) -> Bridge {
        Bridge {
            seat: Some(seat),
            view: View::Following(Following::default()),
            rebase: None,
            unsure: false,
            lists: false,
            rules: false,
            aside: Vec::new(),
            commands: VecDeque::new(),
            first: 0,
            done: 0,
            flight: VecDeque::new(),
            last_id: 0,
            blocked: false,
            phase: Phase::Down,
            entered: false,
            refusal: String::new(),
            trouble: String::new(),
            input_ended: false,
            quitting: false,
            ended: false,
            status: 0,
            closed: false,
            to_server: BytesMut::new(),
            to_gui: BytesMut::new(),
            events: VecDeque::new(),
        }
    }

    /// What is to be done next, after the bytes have been written.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Whether commands go through.
    pub fn is_up(&self) -> bool {
        self.phase == Phase::Up
    }

    /// Whether a seat was ever taken.
    pub fn has_entered(&self) -> bool {
        self.entered
    }

    /// Whether so many commands wait that no more should be read.
    pub fn is_full(&self) -> bool {
        self.commands.len() >= MOST_COMMANDS
    }

    /// Whether the board program has quit, or has said all that it had to say.
    pub fn is_closing(&self) -> bool {
        self.quitting || self.input_ended
    }

    /// Whether the board program has quit.
    pub fn has_quit(&self) -> bool {
        self.quitting
    }

    /// A line of the board program's.
    pub fn line(&mut self, line: Line<'_>) {
        if self.is_closing() {
            return;
        }
        match line {
            Line::Clean(text) => self.command(text),
            Line::Raw(bytes) if is_interrupt(bytes) => self.interrupt(),
            Line::Raw(bytes) => self.command(&clean(bytes)),
            Line::TooLong(start) => {
                let text = format!("line too long: at most {MAX_LINE} bytes are read; send it in parts");
                let id = leading_id(&clean(start)).map(String::from);
                let state = State::Answered { success: false, text };
                self.commands.push_back(Command {
                    id,
                    line: String::new(),
                    effect: Effect::Other,
                    state,
                    again: false,
                });
                self.settle();
            }
        }
    }

    fn command(&mut self, text: &str) {
        let (id, line, effect) = match Request::parse(text) {
            Ok(None) => return,
            Ok(Some(Request { id, command, args })) => {
                let words = [&[command][..], args.words()].concat();
                (id.map(String::from), words.join(" "), Effect::of(command, &args))
            }
            // the server says what is wrong with it
            Err(BareId(id)) => (Some(id.into()), String::new(), Effect::Nothing),
        };
        self.quitting |= effect == Effect::Quit;
        self.commands.push_back(Command { id, line, effect, state: State::Waiting, again: false });
        if self.quitting && self.phase == Phase::Down && self.entered {
            return self.finish();
        }
        self.pump();
    }

    /// GoGui's way of breaking off a wait.
    fn interrupt(&mut self) {
        if self.phase == Phase::Up {
            self.to_server.extend_from_slice(b"# interrupt\n");
        }
        for command in &mut self.commands {
            if command.effect == Effect::Genmove && matches!(command.state, State::Waiting | State::Again) {
                command.state = State::Answered { success: false, text: "interrupted".into() };
            }
        }
        self.settle();
    }

    /// The board program has closed its output: what it sent is answered, then all is over.
    pub fn end_of_input(&mut self) {
        self.input_ended = true;
        if self.phase == Phase::Down && self.entered {
            return self.finish();
        }
        self.settle();
        self.pump();
    }

    /// Answers everything without the server and ends.
    pub fn finish(&mut self) {
        self.finish_with(LOST, 0);
    }

    /// Answers everything so and ends with this exit status.
    pub(super) fn finish_with(&mut self, why: &str, status: u8) {
        self.status = status;
        for command in &mut self.commands {
            if !matches!(command.state, State::Answered { .. }) {
                let success = command.effect == Effect::Quit;
                let text = if success { String::new() } else { why.into() };
                command.state = State::Answered { success, text };
            }
        }
        self.flight.clear();
        self.settle();
        self.end();
    }

    fn end(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.events.push_back(Event::End(self.status));
        }
    }

    pub(super) fn notice(&mut self, text: String) {
        self.events.push_back(Event::Notice(text));
    }

    /// Forgets the connection; what was sent over it is to be sent again or given up.
    pub(super) fn hang_up(&mut self) {
        self.phase = Phase::Down;
        self.flight.clear();
        self.to_server.clear();
        self.blocked = false;
        self.done = 0;
        for command in &mut self.commands {
            if matches!(command.state, State::Sent | State::Doubtful(_)) {
                command.again = true;
                command.state = match command.effect {
                    // whatever became of it, it is done now
                    Effect::Quit => State::Answered { success: true, text: String::new() },
                    effect if effect.repeats() => State::Again,
                    _ => State::Answered { success: false, text: LOST.into() },
                };
            }
        }
        self.settle();
    }

    pub(super) fn transmit(&mut self, line: &str, flight: Flight) {
        self.last_id += 1;
        self.to_server.extend_from_slice(format!("{} {line}\n", self.last_id).as_bytes());
        self.flight.push_back((self.last_id, flight));
    }

    /// Commands that were sent over an earlier connection and are to be sent again, or were in vain.
    pub(super) fn repeated(&mut self) -> impl Iterator<Item = &mut Command> {
        self.commands.iter_mut().filter(|command| matches!(command.state, State::Again | State::Doubtful(_)))
    }

    /// Turns that were refused the second time are refused.
    pub(super) fn refuse_doubtful(&mut self) {
        for command in &mut self.commands {
            if let State::Doubtful(text) = &mut command.state {
                command.state = State::Answered { success: false, text: std::mem::take(text) };
            }
        }
        self.settle();
    }

    /// Whether this was asked and not answered yet.
    pub(super) fn asked(&self, own: Own) -> bool {
        self.flight.iter().any(|(_, flight)| *flight == Flight::Own(own))
    }

    /// Whether nothing is on its way.
    pub(super) fn is_quiet(&self) -> bool {
        self.flight.is_empty()
    }

    /// Sends what can be sent.
    pub(super) fn pump(&mut self) {
        while self.phase == Phase::Up && !self.blocked && !self.closed && !self.ended {
            let quiet = self.flight.iter().all(|(_, flight)| *flight == Flight::Own(Own::Sgf));
            if self.rebase.is_some() && quiet {
                return self.ask_first("egtp_view", Own::Rebase);
            }
            let unsent = |c: &Command| matches!(c.state, State::Waiting | State::Again);
            while self.commands.get(self.done).is_some_and(|command| !unsent(command)) {
                self.done += 1;
            }
            let Some(command) = self.commands.get_mut(self.done) else { break };
            let effect = command.effect;
            let following = self.seat.is_some() && matches!(self.view, View::Following(_));
            if following && effect.detaches() {
                return self.detach();
            }
            command.state = State::Sent;
            let line = std::mem::take(&mut command.line);
            self.transmit(&line, Flight::Command(self.first + self.done as u64));
            self.commands[self.done].line = line;
            // only then can be asked where the view is after it
            self.blocked = effect.catches_up() && !following && self.seat.is_some();
        }
        let all_sent = self.phase == Phase::Up && !self.blocked && !self.closed && !self.ended;
        if self.input_ended && all_sent {
            self.closed = true;
            self.events.push_back(Event::CloseWrite);
        }
    }

    /// A response of the server's.
    pub fn response(&mut self, response: Response) {
        if self.ended || self.phase == Phase::Down {
            return;
        }
        if !response.success && response.text == STOPPING {
            // not an answer to anything: another server will give that
            self.lost(STOPPING);
            return self.events.push_back(Event::Disconnect);
        }
        let Some(&(id, flight)) = self.flight.front() else {
            return self.unexpected(&response);
        };
        // an answer without id is one to the connection itself: that there are too many
        if response.id != Some(id) {
            return self.unexpected(&response);
        }
        self.flight.pop_front();
        match flight {
            Flight::Command(number) => self.answered((number - self.first) as usize, response),
            Flight::Own(own) => self.own_answered(own, &response),
        }
        self.pump();
    }

    fn unexpected(&mut self, response: &Response) {
        let why = if response.success { "it sent an answer that nobody asked for" } else { response.text.as_str() };
        self.refused(&why.replace('\n', " "));
    }

    fn answered(&mut self, index: usize, response: Response) {
        let command = &self.commands[index];
        let (effect, line) = (command.effect, command.line.clone());
        self.blocked &= !effect.catches_up();
        self.carried_out(effect, &line, &response);
        let Response { success, text, .. } = response;
        if let View::Following(Following { own, .. }) = self.view
            && effect == Effect::Play
            && !success
            && self.seat.is_some()
            && self.commands[index].again
        {
            self.commands[index].state = State::Doubtful(text);
            return self.ask_first("egtp_turns", Own::Recount(own));
        }
        self.commands[index].state = State::Answered { success, text };
        self.settle();
    }

    /// Hands answers over in the order of the commands.
    pub(super) fn settle(&mut self) {
        while let Some(Command { state: State::Answered { .. }, .. }) = self.commands.front()
            && let Some(Command { id, effect, state: State::Answered { success, text }, .. }) =
                self.commands.pop_front()
        {
            self.first += 1;
            self.done = self.done.saturating_sub(1);
            if !self.ended {
                write_answer(&mut self.to_gui, id.as_deref(), success, &text);
            }
            if effect == Effect::Quit {
                self.end();
            }
        }
        if self.input_ended && self.entered && self.commands.is_empty() && !self.asked(Own::Sgf) {
            self.end();
        }
    }
}

fn is_interrupt(line: &[u8]) -> bool {
    line.trim_ascii().strip_prefix(b"#").is_some_and(|comment| comment.trim_ascii() == b"interrupt")
}
