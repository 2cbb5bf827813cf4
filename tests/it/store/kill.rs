//! A process that is killed while it writes: every event it was told of is there, once, with all those before it.

#![cfg(unix)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use egtp::room::Journal;
use egtp::store::{Reader, Store};

use super::create;
use crate::engine::PATIENCE;
use crate::play::Random;

const STORE: &str = "EGTP_TEST_KILLED_STORE";
const KILLS: usize = 100;
const ROOMS: usize = 6;
/// Events of a room that are on their way at one time.
const AHEAD: u64 = 20;
/// Kills of one store before the next one.
const ROUND: usize = 10;

fn room(i: usize) -> String {
    format!("room-{i}")
}

fn line(room: &str, number: u64) -> String {
    format!("{room} {number} {}", "x".repeat(number as usize * 31 % 200))
}

/// Not a test: the process that is killed. It prints each event once it was told that it is written.
#[test]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(STORE) else { return };
    let store = Arc::new(Store::open(path.as_ref()).unwrap());
    let found: HashMap<String, u64> =
        store.rooms().unwrap().into_iter().map(|room| (room.record.name, room.events.len() as u64)).collect();
    let (sender, told) = channel();
    let append = |i: usize, number: u64| {
        let sender = sender.clone();
        let done = move |result: Result<(), String>| {
            result.unwrap();
            println!("\nwritten {i} {number}");
            sender.send(i).unwrap();
        };
        store.append(&room(i), number, &line(&room(i), number), Box::new(done));
    };
    let mut next = [0; ROOMS];
    for (i, next) in next.iter_mut().enumerate() {
        let last = found.get(&room(i)).copied().unwrap_or_else(|| {
            create(&store, &room(i)).unwrap();
            0
        });
        (last + 1..=last + AHEAD).for_each(|number| append(i, number));
        *next = last + AHEAD + 1;
    }
    for i in &told {
        append(i, next[i]);
        next[i] += 1;
    }
}

/// The last number of each room that a killed process was told of, as it printed them.
fn read_told(output: impl Read) -> [u64; ROOMS] {
    let mut told = [0; ROOMS];
    for line in BufReader::new(output).lines() {
        let line = line.unwrap();
        let Some((room, number)) = line.strip_prefix("written ").and_then(|rest| rest.split_once(' ')) else {
            continue;
        };
        // the last line may be cut, and then its number is only smaller
        let Ok(number) = number.parse() else { continue };
        let room: usize = room.parse().unwrap();
        told[room] = told[room].max(number);
    }
    told
}

/// How many events of each room are there; none may be missing, none twice.
fn stored(rooms: Vec<egtp::room::StoredRoom>) -> [u64; ROOMS] {
    let mut count = [0; ROOMS];
    for stored in rooms {
        let name = &stored.record.name;
        for (number, event) in (1..).zip(&stored.events) {
            assert_eq!(*event, line(name, number), "{name}");
        }
        let i: usize = name.strip_prefix("room-").unwrap().parse().unwrap();
        count[i] = stored.events.len() as u64;
    }
    count
}

#[test]
fn what_was_told_is_there_whenever_the_writer_is_killed() {
    let mut random = Random::new(17);
    let begun = Instant::now();
    let (mut folder, mut before, mut all_told, mut beyond) = (tempfile::tempdir().unwrap(), [0; ROOMS], 0, 0);
    for kill in 0..KILLS {
        if kill % ROUND == 0 {
            folder = tempfile::tempdir().unwrap();
            before = [0; ROOMS];
        }
        let path = folder.path().join("rooms.db");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["store::kill::writes_until_it_is_killed", "--exact", "--nocapture", "--test-threads=1"])
            .env(STORE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, first) = channel();
        let reader = std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            while output.read_line(&mut line).unwrap() > 0 && !line.starts_with("written ") {
                line.clear();
            }
            sender.send(()).ok();
            read_told(std::io::Cursor::new(line).chain(output))
        });
        // some while the store is opened, most while it is written
        if kill % 4 != 0 {
            first.recv_timeout(PATIENCE).unwrap();
        }
        std::thread::sleep(Duration::from_micros(random.below(40_000) as u64));
        assert!(child.try_wait().unwrap().is_none(), "it was still writing");
        child.kill().unwrap();
        child.wait().unwrap();
        let told = reader.join().unwrap();
        // by a reader at once, which finds a log that nobody has closed; or by the next server
        let found = if kill % 2 == 0 && path.exists() {
            Reader::open(&path).map_or(before, |reader| stored(reader.rooms().unwrap()))
        } else {
            stored(Store::open(&path).unwrap().rooms().unwrap())
        };
        for i in 0..ROOMS {
            assert!(found[i] >= told[i].max(before[i]), "kill {kill}: {told:?} told, {found:?} found");
            let new = told[i].saturating_sub(before[i]);
            all_told += new;
            beyond += found[i] - before[i] - new;
        }
        before = found;
    }
    println!("{KILLS} kills in {:?}: {all_told} events told of, {beyond} more found", begun.elapsed());
    assert!(all_told > KILLS as u64 * 20, "{all_told}");
}
