//! Copies that are made while a server writes.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use egtp::store::{Reader, Store, StoreError};

use super::{append, create, open_rooms};

const ROOMS: usize = 4;
const COPIES: usize = 12;

#[test]
fn a_copy_has_what_was_written_before_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Store::open(&path).unwrap();
    let name = |i: usize| format!("room-{i}");
    (0..ROOMS).for_each(|i| create(&store, &name(i)).unwrap());
    let written: [AtomicU64; ROOMS] = Default::default();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for i in 0..ROOMS {
            let (store, written, stop) = (&store, &written, &stop);
            scope.spawn(move || {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) {
                    number += 1;
                    append(store, &name(i), number, &format!("{i} {number}")).unwrap();
                    written[i].store(number, Ordering::SeqCst);
                }
            });
        }
        for n in 0..COPIES {
            let copy = folder.path().join(format!("copy-{n}.db"));
            let before: Vec<u64> = written.iter().map(|n| n.load(Ordering::SeqCst)).collect();
            Reader::open(&path).unwrap().back_up(&copy).unwrap();
            let after: Vec<u64> = written.iter().map(|n| n.load(Ordering::SeqCst)).collect();
            let rooms = Reader::open(&copy).unwrap().rooms().unwrap();
            assert_eq!(rooms.len(), ROOMS);
            for (i, room) in rooms.iter().enumerate() {
                let n = room.events.len() as u64;
                // one may be written and not yet told
                assert!((before[i]..=after[i] + 1).contains(&n), "{before:?} {n} {after:?}");
                assert!((1..).zip(&room.events).all(|(number, event)| *event == format!("{i} {number}")));
            }
            thread::sleep(std::time::Duration::from_millis(10));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(written.iter().all(|n| n.load(Ordering::Relaxed) > 20), "{written:?}");
    // a single file each, which goes on as a store of its own
    let copy = folder.path().join("copy-3.db");
    assert!(!folder.path().join("copy-3.db-wal").exists());
    let rooms = open_rooms(&Store::open(&copy).unwrap());
    let next = rooms[0].1.len() as u64 + 1;
    append(&Store::open(&copy).unwrap(), &name(0), next, "resume").unwrap();
}

#[test]
fn a_copy_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    create(&Store::open(&path).unwrap(), "a").unwrap();
    let reader = Reader::open(&path).unwrap();
    let copy = folder.path().join("copy.db");
    fs::write(&copy, "something").unwrap();
    for there in [&copy, &path] {
        assert!(matches!(reader.back_up(there), Err(StoreError::Exists(_))));
    }
    assert_eq!(fs::read(&copy).unwrap(), b"something");
    assert!(matches!(reader.back_up(&folder.path().join("nowhere/copy.db")), Err(StoreError::Io(..))));
    drop(reader);
    let mut left: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert!(left.iter().all(|name| !name.to_str().unwrap().starts_with(".egtp-")), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_copy_is_as_private_as_the_store() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("rooms.db"), folder.path().join("copy.db"));
    create(&Store::open(&path).unwrap(), "a").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    Reader::open(&path).unwrap().back_up(&copy).unwrap();
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read(&copy).unwrap()[18..20], [1, 1], "without a log");
}
