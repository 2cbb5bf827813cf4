//! Rooms that cannot be written down.

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use egtp::commands::Options;
use egtp::room::{Done, Journal, RoomLimits, RoomRecord, Rooms};
use egtp::rules::{Selection, find};
use egtp::session::{Flow, Session};

/// Says from another thread that nothing could be written.
#[derive(Debug)]
struct Full;

impl Full {
    fn fail(done: Done) {
        drop(thread::spawn(move || done(Err("no space left".into()))));
    }
}

impl Journal for Full {
    fn create(&self, _: &RoomRecord, done: Done) {
        Full::fail(done);
    }

    fn append(&self, _: &str, _: u64, _: &str, done: Done) {
        Full::fail(done);
    }

    fn close(&self, _: &str, done: Done) {
        Full::fail(done);
    }
}

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits as the driver does: only once the bell has rung is it asked again.
fn answer(session: &mut Session, line: &str) -> String {
    let mut out = BytesMut::new();
    let mut flow = session.handle_text(line.as_bytes(), &mut out);
    let begun = Instant::now();
    while flow == Flow::Busy {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        while session.bell().unwrap().poll_rung(&mut Context::from_waker(&waker)) == Poll::Pending {
            assert!(begun.elapsed() < Duration::from_secs(20), "{line}: nobody rings");
            thread::park_timeout(Duration::from_secs(5));
        }
        flow = session.wake(&mut out);
    }
    String::from_utf8(out.to_vec()).unwrap()
}

#[test]
fn whoever_opens_one_is_told() {
    let rooms = Rooms::restored(RoomLimits::default(), Arc::new(Full), []).unwrap();
    let mut session = Session::with_rooms(Options::new(Selection::of(find("enhanced").unwrap())), Arc::new(rooms));
    for number in 0..1_000 {
        let refused = answer(&mut session, &format!("egtp_open r{} rulebook handicap={}", number % 3, number % 2 * 2));
        assert!(refused.starts_with("? ") && refused.contains("no space left"), "{refused}");
    }
    assert_eq!(answer(&mut session, "egtp_rooms"), "= \n\n");
}
