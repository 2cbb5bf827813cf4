//! What is written is read again; what is wrong is refused and leaves no trace.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use egtp::room::Journal;
use egtp::store::{Reader, Store};

use super::{append, close, create, listener, open_rooms, record, wait};

fn lines(n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("turn black A{i}")).collect()
}

#[test]
fn rooms_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Store::open(&path).unwrap();
    assert_eq!(open_rooms(&store), []);
    for name in ["one", "two", "three"] {
        create(&store, name).unwrap();
    }
    for (i, line) in (1..).zip(lines(20)) {
        append(&store, "one", i, &line).unwrap();
    }
    append(&store, "three", 1, "it's \"quoted\" -- é 碁").unwrap();
    append(&store, "two", 1, "resume").unwrap();
    close(&store, "two").unwrap();
    // the name is free again
    create(&store, "two").unwrap();
    let expected = vec![
        ("one".into(), lines(20)),
        ("three".into(), vec!["it's \"quoted\" -- é 碁".into()]),
        ("two".into(), vec![]),
    ];
    assert_eq!(open_rooms(&store), expected);
    drop(store);

    let store = Store::open(&path).unwrap();
    assert_eq!(open_rooms(&store), expected);
    assert_eq!(store.rooms().unwrap()[0].record, record("one"));
    append(&store, "one", 21, "resume").unwrap();
    append(&store, "two", 1, "resume").unwrap();
    let all = store.all_rooms().unwrap();
    let seen: Vec<_> = all.iter().map(|room| (room.record.name.as_str(), room.closed.is_some(), room.events)).collect();
    assert_eq!(seen, [("one", false, 21), ("two", true, 1), ("three", false, 1), ("two", false, 1)]);
    assert!(all[1].closed.unwrap() > 1_700_000_000);
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.events(&all[1]).unwrap(), ["resume"]);
    drop((reader, store));
    // what is left of a store that was closed is one file, and its lock
    let mut left: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["rooms.db", "rooms.db.lock"]);
}

#[test]
fn what_is_wrong_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("rooms.db")).unwrap();
    create(&store, "a").unwrap();
    let wrong = |result: Result<(), String>| result.unwrap_err();
    assert_eq!(wrong(create(&store, "a")), "not written: there is an open room a already");
    assert_eq!(wrong(append(&store, "b", 1, "resume")), "not written: there is no open room b");
    assert_eq!(wrong(close(&store, "b")), "not written: there is no open room b");
    assert_eq!(wrong(append(&store, "a", 2, "resume")), "not written: the next event of the room a is 1, not 2");
    assert!(append(&store, "a", 0, "resume").is_err());
    append(&store, "a", 1, "resume").unwrap();
    assert!(append(&store, "a", 1, "resume").is_err());
    append(&store, "a", 2, "komi 3").unwrap();
    close(&store, "a").unwrap();
    assert!(append(&store, "a", 3, "resume").is_err());
    assert!(close(&store, "a").is_err());
    assert_eq!(open_rooms(&store), []);
    let latency = store.latency();
    assert_eq!((latency.written, latency.refused), (4, 8));
    assert!(latency.commits <= 4 && latency.longest <= latency.total);
}

#[test]
fn everybody_is_told_once_in_order_and_from_another_thread() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("rooms.db")).unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let caller = thread::current().id();
    {
        // held while everything is queued: telling within the call would wait for ever
        let _held = told.lock().unwrap();
        let note = |what: &str| {
            let (told, what) = (Arc::clone(&told), what.to_string());
            move |result: Result<(), String>| {
                assert_ne!(thread::current().id(), caller);
                told.lock().unwrap().push((what, result.is_ok()));
            }
        };
        store.create(&record("a"), Box::new(note("create a")));
        for i in 1..=5_000 {
            store.append("a", i, "resume", Box::new(note(&i.to_string())));
        }
        store.append("a", 5_002, "resume", Box::new(note("gap")));
        store.append("b", 1, "resume", Box::new(note("nowhere")));
        store.append("a", 5_001, "resume", Box::new(note("5001")));
        store.close("a", Box::new(note("close a")));
    }
    // what is queued is written before the store is gone
    drop(store);
    let told = told.lock().unwrap();
    let numbers = (1..=5_000).map(|i: u64| (i.to_string(), true));
    let last = [("gap", false), ("nowhere", false), ("5001", true), ("close a", true)];
    let last = last.map(|(what, good)| (what.to_string(), good));
    let expected: Vec<_> = [("create a".to_string(), true)].into_iter().chain(numbers).chain(last).collect();
    assert_eq!(*told, expected);
}

#[test]
fn a_listener_that_panics_harms_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("rooms.db")).unwrap();
    store.create(&record("a"), Box::new(|_| panic!("a test's own panic")));
    append(&store, "a", 1, "resume").unwrap();
    assert_eq!(open_rooms(&store), [("a".into(), vec!["resume".into()])]);
}

#[test]
fn the_last_owner_may_be_a_listener() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Arc::new(Store::open(&path).unwrap());
    let owner = Arc::clone(&store);
    let (go, may_go) = channel::<()>();
    let (sender, told) = channel();
    let done = move |result| {
        may_go.recv().unwrap();
        drop(owner);
        sender.send(result).unwrap();
    };
    store.create(&record("a"), Box::new(done));
    let (done, appended) = listener();
    store.append("a", 1, "resume", done);
    drop(store);
    go.send(()).unwrap();
    told.recv().unwrap().unwrap();
    // what was queued behind it is written all the same
    appended.recv().unwrap().unwrap();
    let events = loop {
        // the writer ends on its own
        match Store::open(&path) {
            Ok(store) => break open_rooms(&store),
            Err(error) => assert!(error.to_string().contains("another server"), "{error}"),
        }
    };
    assert_eq!(events, [("a".into(), vec!["resume".into()])]);
    let store = Store::open(&path).unwrap();
    wait(|done| store.append("a", 2, "resume", done)).unwrap();
}
