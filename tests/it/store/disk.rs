//! A disk that is full, or fails: what was refused is not there later, what was reported is.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;

use egtp::room::Journal;
use egtp::store::{Options, Store};

use super::{append, close, create, open_rooms};
use crate::play::Random;

const ROOMS: usize = 5;

fn room(i: usize) -> String {
    format!("room-{i}")
}

fn line(room: usize, number: u64, random: &mut Random) -> String {
    format!("{room} {number} {}", "x".repeat(random.below(600)))
}

#[test]
fn a_full_store_refuses_and_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let mut written: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut random = Random::new(1);
    let mut refusals = 0;
    // ever larger stores, each filled until nothing goes in
    for kib in [64, 128, 256, 512] {
        let store = Store::open_with(&path, Options { max_bytes: Some(kib << 10) }).unwrap();
        for i in 0..ROOMS {
            // the first store has none yet
            written.entry(room(i)).or_insert_with(|| {
                create(&store, &room(i)).unwrap();
                Vec::new()
            });
        }
        // many at once: those of a room behind a refused one are refused, too
        for _ in 0..3 {
            let (sender, told) = channel();
            let mut asked = 0;
            for offset in 1..=60 {
                for i in 0..ROOMS {
                    let number = written[&room(i)].len() as u64 + offset;
                    let (line, sender) = (line(i, number, &mut random), sender.clone());
                    let kept = line.clone();
                    let done = move |result| sender.send((i, number, kept, result)).unwrap();
                    store.append(&room(i), number, &line, Box::new(done));
                    asked += 1;
                }
            }
            let mut refused = [false; ROOMS];
            for (i, number, line, result) in told.iter().take(asked) {
                let events = written.get_mut(&room(i)).unwrap();
                match result {
                    Ok(()) => {
                        assert!(!refused[i], "nothing is written behind a refused event");
                        events.push(line);
                        assert_eq!(events.len() as u64, number);
                    }
                    Err(why) => {
                        let full = "not written: the disk is full or the store has reached its limit";
                        let behind = format!("not written: the next event of the room {} is ", room(i));
                        assert!(
                            if refused[i] { why.starts_with(&behind) || why == full } else { why == full },
                            "{why}"
                        );
                        refused[i] = true;
                        refusals += 1;
                    }
                }
            }
        }
        // alone, until the same number is refused in every room
        let mut tries = 0;
        while tries < 2 * ROOMS {
            let i = tries % ROOMS;
            let events = written.get_mut(&room(i)).unwrap();
            let line = line(i, events.len() as u64 + 1, &mut random) + &"y".repeat(500);
            match append(&store, &room(i), events.len() as u64 + 1, &line) {
                Ok(()) => events.push(line),
                Err(_) => tries += 1,
            }
        }
        let expected: Vec<_> = written.clone().into_iter().collect();
        assert_eq!(open_rooms(&store), expected);
        assert!(create(&store, &"long".repeat(1_000)).is_err());
        drop(store);
        let size = std::fs::metadata(&path).unwrap().len();
        assert!(size <= kib << 10 && size > (kib << 10) / 2, "{size} bytes");
        assert_eq!(open_rooms(&Store::open(&path).unwrap()), expected, "after opening it again");
    }
    assert!(refusals > 100, "{refusals}");
    let store = Store::open(&path).unwrap();
    for i in 0..ROOMS {
        append(&store, &room(i), written[&room(i)].len() as u64 + 1, "resume").unwrap();
        close(&store, &room(i)).unwrap();
    }
}

/// The disk is made to fail by a limit for the size of files, which the database meets in the middle of a commit: the
/// writer is a process of its own.
#[cfg(unix)]
mod limited {
    use std::process::{Command, Stdio};

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    use super::*;

    const STORE: &str = "EGTP_TEST_LIMITED_STORE";
    const REFUSALS: usize = 20;
    const TIMES: usize = 6;

    fn limit(bytes: Option<u64>) {
        let limit = Rlimit { current: bytes, maximum: getrlimit(Resource::Fsize).maximum };
        setrlimit(Resource::Fsize, limit).unwrap();
    }

    /// Not a test: the process that meets the limit, goes on without, meets it again, and then aborts.
    #[test]
    fn writes_until_the_disk_fails() {
        let Some(path) = std::env::var_os(STORE) else { return };
        let store = Store::open(path.as_ref()).unwrap();
        let mut random = Random::new(2);
        (0..ROOMS).for_each(|i| create(&store, &room(i)).unwrap());
        let mut numbers = [0; ROOMS];
        // whether it could be written
        let mut write = |random: &mut Random| {
            let i = random.below(ROOMS);
            let line = line(i, numbers[i] + 1, random);
            match append(&store, &room(i), numbers[i] + 1, &line) {
                Ok(()) => {
                    numbers[i] += 1;
                    println!("\nwritten {i} {line}");
                    true
                }
                Err(why) => {
                    println!("\nrefused {why}");
                    false
                }
            }
        };
        let mut log = path.clone();
        log.push("-wal");
        for time in 0..TIMES {
            for _ in 0..30 {
                assert!(write(&mut random), "without a limit");
            }
            // somewhere in the midst of what is written
            limit(Some(std::fs::metadata(&log).unwrap().len() + random.below(60_000) as u64));
            let mut refused = 0;
            while refused < REFUSALS {
                refused += usize::from(!write(&mut random));
            }
            if time + 1 < TIMES {
                limit(getrlimit(Resource::Fsize).maximum);
            }
        }
        // what is in the log is found there by the next one to open it
        std::process::abort();
    }

    #[test]
    fn a_commit_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rooms.db");
        let ran = Command::new("sh")
            // without the trap the signal of the limit would end the process
            .args(["-c", "trap '' XFSZ; ulimit -c 0; exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args(["store::disk::limited::writes_until_the_disk_fails", "--exact", "--nocapture"])
            .env(STORE, &path)
            .stderr(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8(ran.stdout).unwrap();
        let mut expected: Vec<(String, Vec<String>)> = (0..ROOMS).map(|i| (room(i), Vec::new())).collect();
        for line in told.lines().filter_map(|line| line.strip_prefix("written ")) {
            let (i, line) = line.split_once(' ').unwrap();
            expected[i.parse::<usize>().unwrap()].1.push(line.into());
        }
        let refused: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("refused ")).collect();
        assert_eq!(refused.len(), REFUSALS * TIMES, "{told}");
        assert!(refused.iter().all(|why| *why == "not written: disk I/O error"), "{refused:?}");
        assert!(expected.iter().all(|(_, events)| events.len() > 5 * TIMES));
        assert_eq!(open_rooms(&Store::open(&path).unwrap()), expected);
    }
}
