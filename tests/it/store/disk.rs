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

/// Disks that fail in the midst of a commit. The writer is a process of its own, which aborts in the end: what is in the
/// log then is found there by the next one to open it.
#[cfg(unix)]
mod failing {
    use std::ffi::OsStr;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    use super::*;

    const STORE: &str = "EGTP_TEST_FAILING_STORE";
    const SWITCH: &str = "EGTP_TEST_SYNCS_FAIL";
    const TIMES: usize = 6;
    const WELL: usize = 30;

    /// Writes events of any room, one after the other, and prints what became of them.
    struct Writer {
        store: Store,
        random: Random,
        numbers: [u64; ROOMS],
    }

    impl Writer {
        /// Nothing if this process is not the one that is to write.
        fn new() -> Option<(Writer, PathBuf)> {
            let path = PathBuf::from(std::env::var_os(STORE)?);
            let store = Store::open(&path).unwrap();
            (0..ROOMS).for_each(|i| create(&store, &room(i)).unwrap());
            Some((Writer { store, random: Random::new(2), numbers: [0; ROOMS] }, path))
        }

        /// Whether it could be written.
        fn write(&mut self) -> bool {
            let i = self.random.below(ROOMS);
            let line = line(i, self.numbers[i] + 1, &mut self.random);
            match append(&self.store, &room(i), self.numbers[i] + 1, &line) {
                Ok(()) => {
                    self.numbers[i] += 1;
                    println!("\nwritten {i} {line}");
                    true
                }
                Err(why) => {
                    println!("\nrefused {why}");
                    false
                }
            }
        }
    }

    /// Runs the test of that name as a process of its own that writes a store. What it was told must be what is there
    /// afterwards, and so often it must have been refused something.
    fn check(test: &str, folder: &Path, preload: &OsStr, refusals: usize) {
        let path = folder.join("rooms.db");
        let ran = Command::new("sh")
            // without the trap the signal of the limit would end the process
            .args(["-c", "trap '' XFSZ; ulimit -c 0; exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args([&format!("store::disk::failing::{test}"), "--exact", "--nocapture"])
            .env(STORE, &path)
            .env(SWITCH, folder.join("switch"))
            .env("LD_PRELOAD", preload)
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
        assert_eq!(refused, vec!["not written: disk I/O error"; refusals], "{told}");
        assert!(expected.iter().map(|(_, events)| events.len()).sum::<usize>() >= WELL * TIMES);
        assert_eq!(open_rooms(&Store::open(&path).unwrap()), expected);
    }

    const REFUSALS: usize = 20;

    fn limit(bytes: Option<u64>) {
        let limit = Rlimit { current: bytes, maximum: getrlimit(Resource::Fsize).maximum };
        setrlimit(Resource::Fsize, limit).unwrap();
    }

    /// Not a test: the process that meets a limit for the size of files, goes on without, and meets it again.
    #[test]
    fn meets_a_limit() {
        let Some((mut writer, path)) = Writer::new() else { return };
        let log = path.with_extension("db-wal");
        for _ in 0..TIMES {
            limit(getrlimit(Resource::Fsize).maximum);
            (0..WELL).for_each(|_| assert!(writer.write(), "without a limit"));
            // somewhere in the midst of what is written
            limit(Some(std::fs::metadata(&log).unwrap().len() + writer.random.below(60_000) as u64));
            let mut refused = 0;
            while refused < REFUSALS {
                refused += usize::from(!writer.write());
            }
        }
        std::process::abort();
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        check("meets_a_limit", folder.path(), OsStr::new(""), REFUSALS * TIMES);
    }

    /// Not a test: the process whose syncs fail now and then.
    #[test]
    fn cannot_sync() {
        let Some((mut writer, _)) = Writer::new() else { return };
        let switch = PathBuf::from(std::env::var_os(SWITCH).unwrap());
        for time in 0..TIMES {
            (0..WELL).for_each(|_| assert!(writer.write(), "while syncs succeed"));
            std::fs::write(&switch, "").unwrap();
            (0..=time).for_each(|_| assert!(!writer.write(), "while syncs fail"));
            if time + 1 < TIMES {
                std::fs::remove_file(&switch).unwrap();
            }
        }
        std::process::abort();
    }

    /// Everything is in the log then, but for the sync: nothing but overwriting it keeps it from coming back.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_sync_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("failing_syncs.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/failing_syncs.c");
        // there is a compiler: SQLite was made with it
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status().unwrap();
        assert!(compiled.success());
        check("cannot_sync", folder.path(), library.as_os_str(), TIMES * (TIMES + 1) / 2);
    }
}
