//! The program's own rooms, without a socket: sessions that share them.

use std::sync::Arc;
use std::task::{Context, Waker};

use bytes::BytesMut;
use egtp::commands::Options;
use egtp::game::NoneDead;
use egtp::room::{RoomLimits, Rooms};
use egtp::rules::{Selection, find};
use egtp::session::{Flow, Session};

use super::text::Wire;

/// Sessions that share rooms.
pub(crate) struct Real {
    rooms: Arc<Rooms>,
    sessions: Vec<Option<Session>>,
    lines: usize,
}

impl Real {
    pub(crate) fn new() -> Real {
        let mut rooms = Rooms::new(RoomLimits::default());
        // the model takes every stone for alive
        rooms.set_assessment(Arc::new(NoneDead));
        Real { rooms: Arc::new(rooms), sessions: Vec::new(), lines: 0 }
    }

    /// What those who wait are told, and whether they would have looked by themselves.
    fn wake(&mut self, answers: &mut Vec<(usize, String)>) {
        for (id, session) in self.sessions.iter_mut().enumerate() {
            let Some(session) = session.as_mut().filter(|session| session.is_waiting()) else { continue };
            let bell = session.bell().unwrap();
            let rung = bell.poll_rung(&mut Context::from_waker(Waker::noop())).is_ready();
            let mut out = BytesMut::new();
            let flow = session.wake(&mut out);
            assert!(out.is_empty() == (flow == Flow::Wait), "{flow:?} and {out:?}");
            assert!(rung || out.is_empty(), "connection {id} can be answered, but its bell has not rung");
            split(id, &out, answers);
        }
    }
}

fn split(id: usize, out: &[u8], answers: &mut Vec<(usize, String)>) {
    let text = String::from_utf8(out.to_vec()).unwrap();
    assert!(text.is_empty() || text.ends_with("\n\n"), "{text:?}");
    answers.extend(text.split_terminator("\n\n").map(|answer| (id, answer.to_string())));
}

impl Wire for Real {
    fn connect(&mut self) -> usize {
        let options = Options::new(Selection::of(find("enhanced").unwrap()));
        self.sessions.push(Some(Session::with_rooms(options, self.rooms.clone())));
        self.sessions.len() - 1
    }

    fn line(&mut self, id: usize, line: &str) -> Vec<(usize, String)> {
        let (mut out, mut answers) = (BytesMut::new(), Vec::new());
        let session = self.sessions[id].as_mut().expect("the connection is open");
        // now and then everybody has been silent for a while, waiting or not
        self.lines += 1;
        if self.lines.is_multiple_of(7) {
            session.rest();
        }
        let flow = session.handle_text(line.as_bytes(), &mut out);
        split(id, &out, &mut answers);
        match flow {
            Flow::Continue | Flow::Wait => {}
            Flow::Quit => self.sessions[id] = None,
            Flow::Busy | Flow::File(_) => panic!("{line}: {flow:?} without a store or files"),
        }
        self.wake(&mut answers);
        answers
    }

    fn hang_up(&mut self, id: usize) -> Vec<(usize, String)> {
        self.sessions[id] = None;
        let mut answers = Vec::new();
        self.wake(&mut answers);
        answers
    }
}
