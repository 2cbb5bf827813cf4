//! What durable rooms cost: `cargo bench --bench store`.
//!
//! So many rooms, each of which waits until its event is on disk before it has the next one: events a second in all rooms
//! together, how many share a commit, and how long a commit takes. The disk is that of the folder for temporary files
//! (`TMPDIR` chooses another). For comparison, what one sync of a small write to a file costs there.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use egtp::room::{Journal, RoomRecord};
use egtp::store::Store;

const TIME: Duration = Duration::from_secs(3);
const EVENT: &str = "turn black special place E5 E6 pay A1 B1 C1 D1";
const SYNCS: u32 = 200;

/// Microseconds of a write to the end of a file and its sync.
fn sync_cost(file: &mut File) -> io::Result<f64> {
    let begun = Instant::now();
    for _ in 0..SYNCS {
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1e6 / f64::from(SYNCS))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    println!("one sync of 4 KiB: {:.0} us", sync_cost(&mut File::create(folder.path().join("plain"))?)?);
    println!(
        "{:>6} {:>10} {:>13} {:>11} {:>11} {:>11}",
        "rooms", "events/s", "events/commit", "commit us", "longest us", "event us"
    );
    for rooms in [1_usize, 50, 1_000] {
        let store = Store::open(&folder.path().join(format!("{rooms}.db")))?;
        let (sender, told) = channel();
        let name = |room: usize| format!("room-{room}");
        for room in 0..rooms {
            let record =
                RoomRecord { name: name(room), rules: "enhanced".into(), keys: [[0; 32]; 2], opened: 1_700_000_000 };
            let sender = sender.clone();
            store.create(&record, Box::new(move |result| sender.send((room, result)).unwrap_or_default()));
        }
        let mut next = vec![1; rooms];
        let mut stop = false;
        let (mut waiting, mut begun, mut start) = (rooms, vec![Instant::now(); rooms], None);
        let (mut events, mut waited, mut before) = (0_u32, Duration::ZERO, store.latency());
        while waiting > 0 {
            let (room, result) = told.recv()?;
            result?;
            waiting -= 1;
            if next[room] > 1 {
                events += 1;
                waited += begun[room].elapsed();
            }
            let start = *start.get_or_insert_with(|| {
                before = store.latency();
                Instant::now()
            });
            stop |= start.elapsed() >= TIME;
            if !stop {
                let sender = sender.clone();
                begun[room] = Instant::now();
                let done = move |result| sender.send((room, result)).unwrap_or_default();
                store.append(&name(room), next[room], EVENT, Box::new(done));
                next[room] += 1;
                waiting += 1;
            }
        }
        let took = start.map(|start: Instant| start.elapsed()).unwrap_or_default().as_secs_f64();
        let after = store.latency();
        let commits = (after.commits - before.commits) as f64;
        println!(
            "{rooms:>6} {:>10.0} {:>13.1} {:>11.0} {:>11.0} {:>11.0}",
            f64::from(events) / took,
            f64::from(events) / commits,
            (after.total - before.total).as_secs_f64() * 1e6 / commits,
            after.longest.as_secs_f64() * 1e6,
            waited.as_secs_f64() * 1e6 / f64::from(events)
        );
    }
    Ok(())
}
