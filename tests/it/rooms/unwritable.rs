//! Rooms, and events, that cannot be written down.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use egtp::commands::Options;
use egtp::room::{Done, Journal, RoomLimits, RoomRecord, Rooms};
use egtp::rules::{Selection, find};
use egtp::session::{Flow, Session};

use crate::play::Random;

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

/// Writes from another thread, and only now and then.
#[derive(Debug, Default)]
struct Failing {
    asked: AtomicU64,
    written: Arc<Mutex<Vec<String>>>,
}

impl Journal for Failing {
    fn create(&self, _: &RoomRecord, done: Done) {
        done(Ok(()));
    }

    fn append(&self, _: &str, number: u64, event: &str, done: Done) {
        let fails = Random::new(self.asked.fetch_add(1, Ordering::Relaxed)).percent(40);
        let (written, event) = (self.written.clone(), event.to_string());
        drop(thread::spawn(move || {
            if fails {
                return done(Err("no space left".into()));
            }
            let mut written = written.lock().unwrap();
            written.push(event);
            assert_eq!(written.len() as u64, number, "events are numbered without gaps");
            drop(written);
            done(Ok(()));
        }));
    }

    fn close(&self, _: &str, done: Done) {
        done(Ok(()));
    }
}

/// Nothing is answered that is not written down, nothing is written twice, and what was refused has never happened.
#[test]
fn whoever_moves_is_told() {
    let journal = Failing::default();
    let written = journal.written.clone();
    let rooms = Arc::new(Rooms::restored(RoomLimits::default(), Arc::new(journal), []).unwrap());
    let options = Options::new(Selection::of(find("enhanced").unwrap()));
    let mut seats = [(); 2].map(|()| Session::with_rooms(options, rooms.clone()));
    let opened = answer(&mut seats[0], "egtp_open r enhanced size=9");
    for (seat, side) in seats.iter_mut().zip(["black", "white"]) {
        let mut words = opened.split_whitespace().skip_while(|word| *word != side);
        assert_eq!(answer(seat, &format!("egtp_sit r {side} {}", words.nth(1).unwrap())), "= 0\n\n");
    }
    let (mut random, mut told, mut refused) = (Random::new(9), Vec::new(), 0);
    for _ in 0..600 {
        let mover = random.below(2);
        let color = ["black", "white"][mover];
        let vertex = format!("{}{}", random.pick(b"ABCDEFGHJ") as char, 1 + random.below(9));
        let response = answer(&mut seats[mover], &format!("play {color} {vertex}"));
        if response.contains("no space left") {
            refused += 1;
        } else if response == "= \n\n" {
            told.push(format!("{} {color} {vertex}", told.len() + 1));
        }
        // both see the same, whatever came of it
        let [one, two] = seats.each_mut().map(|seat| answer(seat, "egtp_turns"));
        assert_eq!(one, two);
        assert_eq!(one.trim_end(), format!("= {}", told.join("\n")).trim_end());
    }
    let made: Vec<String> = told.iter().map(|line| format!("turn {}", line.split_once(' ').unwrap().1)).collect();
    assert_eq!(*written.lock().unwrap(), made);
    assert!(told.len() > 60 && refused > 40, "{} and {refused}", told.len());
}
