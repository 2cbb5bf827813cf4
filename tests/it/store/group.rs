//! Many rooms write at once and share the commits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use egtp::store::Store;

use super::{append, close, create, open_rooms};
use crate::play::Random;

const THREADS: u64 = 16;
const ROOMS: u64 = 8;
const EVENTS: u64 = 20;

#[test]
fn many_rooms_share_commits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Store::open(&path).unwrap();
    let refused = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, refused) = (&store, &refused);
            scope.spawn(move || {
                let mut random = Random::new(thread);
                let room = |i: u64| format!("room-{thread}-{i}");
                (0..ROOMS).for_each(|i| create(store, &room(i)).unwrap());
                for number in 1..=EVENTS {
                    for i in 0..ROOMS {
                        if random.percent(10) {
                            // of one room, and no other is harmed
                            append(store, &room(i), number + 1, "wrong").unwrap_err();
                            refused.fetch_add(1, Ordering::Relaxed);
                        }
                        append(store, &room(i), number, &format!("{thread} {i} {number}")).unwrap();
                    }
                }
                close(store, &room(0)).unwrap();
            });
        }
    });
    let latency = store.latency();
    assert_eq!(latency.written, THREADS * (ROOMS + ROOMS * EVENTS + 1));
    assert_eq!(latency.refused, refused.into_inner());
    assert!(latency.refused > 0);
    // threads that wait for the same commit
    assert!(latency.commits < latency.written, "{latency:?}");
    drop(store);

    let rooms = open_rooms(&Store::open(&path).unwrap());
    assert_eq!(rooms.len() as u64, THREADS * (ROOMS - 1));
    for (name, events) in rooms {
        let (thread, i) = name.strip_prefix("room-").unwrap().split_once('-').unwrap();
        let expected: Vec<String> = (1..=EVENTS).map(|number| format!("{thread} {i} {number}")).collect();
        assert_eq!(events, expected, "{name}");
    }
}
