//! One controller: a line in, an answer out. No socket, no thread, no clock.
//!
//! ```
//! use bytes::BytesMut;
//! use egtp::commands::Options;
//! use egtp::rules::{Selection, find};
//! use egtp::session::Session;
//!
//! let mut session = Session::new(Options::new(Selection::of(find("enhanced").unwrap())));
//! let mut out = BytesMut::new();
//! session.handle_text(b"1 play black D4", &mut out);
//! session.handle_text(b"2 play black E5", &mut out);
//! assert_eq!(out, "=1 \n\n?2 illegal move: white to move\n\n");
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::BytesMut;

use crate::commands::{Controller, Done, FileJob, GameRecord, Meter, Options, complete, dispatch, wake};
use crate::game::Game;
use crate::gtp::{BareId, Line, MAX_LINE, Request, clean, leading_id, write_answer};
use crate::room::{Bell, Rooms};

/// Whether the session goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Read the next line.
    Continue,
    /// The controller has quit; nothing more is answered.
    Quit,
    /// The last line needs a file. It is answered by [`Session::file_done`], before any other line.
    File(Box<FileJob>),
    /// The last line waits for something to happen in the room: [`Session::wake`] looks whether it has, and any other
    /// line ends the waiting.
    Wait,
    /// The last line waits for something to be written down: [`Session::wake`] looks whether it is, before any other line.
    Busy,
}

/// A private engine and the conversation with it.
#[derive(Debug)]
pub struct Session {
    controller: Controller,
    /// The text of the answer being written; kept for its memory.
    text: String,
    /// The id of the line that waits for a file.
    waiting: Option<String>,
    /// The line that waits for a room.
    held: Option<Held>,
}

/// A line that is not answered yet.
#[derive(Debug)]
struct Held {
    id: Option<String>,
    /// The line itself, if it may have to be read again.
    line: Option<String>,
}

impl Session {
    /// A new engine.
    pub fn new(options: Options) -> Session {
        Session::of(Controller::new(options))
    }

    /// A new engine whose controller can enter rooms.
    pub fn with_rooms(options: Options, rooms: Arc<Rooms>) -> Session {
        Session::of(Controller::with_rooms(options, rooms))
    }

    fn of(controller: Controller) -> Session {
        Session { controller, text: String::new(), waiting: None, held: None }
    }

    /// Answers one line of input. Blank lines and comments get no answer, everything else exactly one.
    #[inline]
    pub fn handle(&mut self, line: Line<'_>, out: &mut BytesMut) -> Flow {
        match line {
            Line::Clean(line) => self.handle_clean(line, out),
            Line::Raw(line) => self.handle_text(line, out),
            Line::TooLong(start) => {
                self.interrupt(INTERRUPTED, out);
                self.controller.heard(false);
                let why = format!("line too long: at most {MAX_LINE} bytes are read; send it in parts");
                self.refuse(leading_id(&clean(start)), &why, out);
                Flow::Continue
            }
        }
    }

    /// Whether a line may take milliseconds: it asks for an assessment, or a pass may be one that comes with one.
    #[inline]
    pub fn takes_long(&self, line: &Line<'_>) -> bool {
        let line = match line {
            Line::Clean(line) => line.as_bytes(),
            Line::Raw(line) => line,
            Line::TooLong(_) => return false,
        };
        let has = |words: &[u8]| memchr::memmem::find(line, words).is_some();
        let last = line.trim_ascii_end();
        last.len() >= 4 && last[last.len() - 4..].eq_ignore_ascii_case(b"pass") && self.controller.assesses_passes()
            || line.iter().find(|b| b.is_ascii_alphabetic()) == Some(&b'e') && has(b"estimate")
    }

    /// Answers one line of input without its newline, of any length.
    pub fn handle_text(&mut self, line: &[u8], out: &mut BytesMut) -> Flow {
        if self.held.is_some() && is_interrupt(line) {
            self.interrupt(INTERRUPTED, out);
        }
        self.handle_clean(&clean(line), out)
    }

    #[inline]
    fn handle_clean(&mut self, line: &str, out: &mut BytesMut) -> Flow {
        let request = match Request::parse(line) {
            Ok(Some(request)) => request,
            Ok(None) => return Flow::Continue,
            Err(BareId(id)) => {
                self.interrupt(INTERRUPTED, out);
                self.controller.heard(false);
                self.refuse(Some(id), "syntax error: an id without a command", out);
                return Flow::Continue;
            }
        };
        if self.held.is_some() {
            self.interrupt(INTERRUPTED, out);
        }
        self.text.clear();
        let (controller, text) = (&mut self.controller, &mut self.text);
        let run = AssertUnwindSafe(|| dispatch(controller, request.command, &request.args, text));
        match catch_unwind(run) {
            Ok(Done::Answered) => write_answer(out, request.id, true, &self.text),
            Ok(Done::Refused) => {
                let why = std::mem::take(&mut self.text);
                self.refuse(request.id, &why, out);
            }
            Ok(Done::Quit) => {
                write_answer(out, request.id, true, &self.text);
                return Flow::Quit;
            }
            Ok(Done::File(job)) => {
                self.waiting = request.id.map(String::from);
                return Flow::File(job);
            }
            Ok(Done::Wait) => {
                self.held = Some(Held { id: request.id.map(String::from), line: None });
                return Flow::Wait;
            }
            Ok(Done::Busy) => {
                self.held = Some(Held { id: request.id.map(String::from), line: Some(line.into()) });
                return Flow::Busy;
            }
            Err(_) => self.refuse(request.id, &panicked(request.command), out),
        }
        Flow::Continue
    }

    /// Looks whether what the last line waits for has come, and answers it if so.
    pub fn wake(&mut self, out: &mut BytesMut) -> Flow {
        let Some(held) = self.held.take() else { return Flow::Continue };
        self.text.clear();
        let (controller, text) = (&mut self.controller, &mut self.text);
        let run = AssertUnwindSafe(|| wake(controller, text));
        let result = catch_unwind(run).unwrap_or_else(|_| Some(Err(panicked("a wait"))));
        match (result, held.line) {
            (None, line) => {
                let flow = if line.is_some() { Flow::Busy } else { Flow::Wait };
                self.held = Some(Held { line, ..held });
                return flow;
            }
            (Some(Ok(Done::Busy)), Some(line)) => return self.handle_clean(&line, out),
            (Some(Ok(_)), _) => write_answer(out, held.id.as_deref(), true, &self.text),
            (Some(Err(why)), _) => self.refuse(held.id.as_deref(), &why, out),
        }
        Flow::Continue
    }

    /// Whether a line waits for something to happen in a room; the next line will end that.
    pub fn is_waiting(&self) -> bool {
        self.held.is_some()
    }

    /// Whether the controller is in a room.
    pub fn is_seated(&self) -> bool {
        self.controller.is_seated()
    }

    /// Ends the waiting, if a line waits: it is refused for this reason.
    pub fn interrupt(&mut self, why: &str, out: &mut BytesMut) {
        if let Some(held) = self.held.take() {
            self.controller.stop_waiting();
            self.refuse(held.id.as_deref(), why, out);
        }
    }

    /// Rung when it is worth calling [`wake`](Session::wake); none if the controller cannot enter rooms.
    pub fn bell(&self) -> Option<Arc<Bell>> {
        self.controller.bell().cloned()
    }

    /// Nothing has come for a while: takes as little memory as it can until something does.
    pub fn rest(&mut self) {
        self.text = String::new();
        self.controller.rest();
    }

    /// From now on what costs much is spent here.
    pub fn set_meter(&mut self, meter: Arc<dyn Meter>) {
        self.controller.set_meter(meter);
    }

    /// Keys and tokens that were wrong since the last call.
    pub fn take_wrong_keys(&mut self) -> u32 {
        self.controller.take_wrong_keys()
    }

    /// Answers the line that needed a file, which has been read (then with its contents) or written.
    pub fn file_done(&mut self, job: &FileJob, result: std::io::Result<Vec<u8>>, out: &mut BytesMut) {
        self.text.clear();
        let id = self.waiting.take();
        let (controller, text) = (&mut self.controller, &mut self.text);
        let run = AssertUnwindSafe(|| complete(controller, job, result, text));
        match catch_unwind(run).unwrap_or_else(|_| Err(panicked("a file"))) {
            Ok(()) => write_answer(out, id.as_deref(), true, &self.text),
            Err(why) => self.refuse(id.as_deref(), &why, out),
        }
    }

    /// The games that have ended or were given up since the last call, if games are kept.
    pub fn take_records(&mut self) -> Vec<GameRecord> {
        self.controller.take_records()
    }

    /// The conversation is over: hands over the present game, too.
    pub fn end(&mut self) -> Vec<GameRecord> {
        self.controller.forget_tries();
        self.controller.keep();
        self.controller.take_records()
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.controller.game()
    }

    #[cold]
    fn refuse(&mut self, id: Option<&str>, why: &str, out: &mut BytesMut) {
        // a refusal may quote what was sent, and must stay one line
        let why = &why.replace(char::is_control, " ");
        self.controller.refused(why);
        write_answer(out, id, false, why);
    }
}

/// Why a command that waited is refused when another one comes.
pub const INTERRUPTED: &str = "interrupted";

/// Whether a line is GoGui's way of ending a command that takes long; to all others it is a comment.
fn is_interrupt(line: &[u8]) -> bool {
    line.trim_ascii().strip_prefix(b"#").is_some_and(|rest| rest.trim_ascii() == b"interrupt")
}

/// What is answered when a command has panicked.
#[cold]
fn panicked(command: &str) -> String {
    tracing::error!(command, "a command panicked; please report it with the lines before it");
    "internal error: please report it with the commands before this one".into()
}
