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

use bytes::BytesMut;

use crate::commands::{Controller, Options, dispatch};
use crate::gtp::{BareId, Line, MAX_LINE, Request, clean, leading_id, write_answer};

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Read the next line.
    Continue,
    /// The controller has quit; nothing more is answered.
    Quit,
}

/// A private engine and the conversation with it.
#[derive(Debug)]
pub struct Session {
    controller: Controller,
    /// The text of the answer being written; kept for its memory.
    text: String,
}

impl Session {
    /// A new engine.
    pub fn new(options: Options) -> Session {
        Session { controller: Controller::new(options), text: String::new() }
    }

    /// Answers one line of input. Blank lines and comments get no answer, everything else exactly one.
    #[inline]
    pub fn handle(&mut self, line: &Line, out: &mut BytesMut) -> Flow {
        match line {
            Line::Text(line) => self.handle_text(line, out),
            Line::TooLong(start) => {
                let why = format!("line too long: at most {MAX_LINE} bytes are read; send it in parts");
                self.controller.refused(&why);
                write_answer(out, leading_id(&clean(start)), false, &why);
                Flow::Continue
            }
        }
    }

    /// Answers one line of input without its newline, of any length.
    #[inline]
    pub fn handle_text(&mut self, line: &[u8], out: &mut BytesMut) -> Flow {
        let line = clean(line);
        let request = match Request::parse(&line) {
            Ok(Some(request)) => request,
            Ok(None) => return Flow::Continue,
            Err(BareId(id)) => {
                let why = "syntax error: an id without a command";
                self.controller.refused(why);
                write_answer(out, Some(id), false, why);
                return Flow::Continue;
            }
        };
        self.text.clear();
        let (controller, text) = (&mut self.controller, &mut self.text);
        let run = AssertUnwindSafe(|| dispatch(controller, request.command, &request.args, text));
        let result = catch_unwind(run).unwrap_or_else(|_| {
            tracing::error!(command = request.command, "a command panicked; please report it with the lines before it");
            Err("internal error: please report it with the commands before this one".into())
        });
        match result {
            Ok(quit) => {
                write_answer(out, request.id, true, &self.text);
                if quit { Flow::Quit } else { Flow::Continue }
            }
            Err(why) => {
                self.controller.refused(&why);
                write_answer(out, request.id, false, &why);
                Flow::Continue
            }
        }
    }
}
