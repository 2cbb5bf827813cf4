//! A process that is killed while it writes: the file is the old one or the new one, never something between.

#![cfg(unix)]

use std::collections::HashSet;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::Folder;
use crate::engine::{PATIENCE, Process};
use crate::play::Random;

const KILLS: usize = 300;

/// A game of many turns, whose text is some 80 KB and soon written, since they are passes.
fn large() -> String {
    format!("(;FF[4]SZ[9]RU[Japanese]{};B[])", ";B[];W[]".repeat(10_000))
}

#[test]
fn a_file_is_whole_whenever_the_writer_is_killed() {
    let folder = Folder::new();
    let game = folder.file("game.sgf", large());
    let target = folder.name("target.sgf");
    let load = format!("loadsgf {game}\n");
    let print = format!("printsgf {target}\n");
    let (mut random, mut whole, mut seen) = (Random::new(7), HashSet::new(), HashSet::new());
    // what may stand in the file: the game with one more turn or without
    for lines in ["", "play w A9\n"] {
        crate::engine::play(&[], format!("{load}{lines}{print}").as_bytes());
        whole.insert(std::fs::read_to_string(&target).unwrap());
    }
    assert_eq!(whole.len(), 2);
    let begun = Instant::now();
    for kill in 0..KILLS {
        let mut process = Process::start(&[], Stdio::piped(), Stdio::null(), Stdio::null());
        let mut stdin = process.stdin.take().unwrap();
        std::fs::remove_file(&target).unwrap();
        let writes = format!("play w A9\n{print}undo\n{print}").repeat(300);
        let input = load.clone() + &print + &writes;
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).ok());
        while !std::path::Path::new(&target).exists() {
            assert!(begun.elapsed() < PATIENCE, "nothing is written");
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(random.below(12_000) as u64));
        assert!(process.try_wait().unwrap().is_none(), "it was still writing");
        process.kill().unwrap();
        process.end(PATIENCE);
        writer.join().unwrap();
        let text = std::fs::read_to_string(&target).unwrap();
        assert!(whole.contains(&text), "kill {kill}: {} bytes\n{:.300}", text.len(), text);
        seen.insert(text);
    }
    let left: Vec<String> = folder.listed().into_iter().filter(|name| name.starts_with(".egtp-")).collect();
    println!(
        "{KILLS} kills in {:?}; {} temporary files left, {} different contents",
        begun.elapsed(),
        left.len(),
        seen.len()
    );
    assert_eq!(seen.len(), 2, "both contents were met");
    assert_eq!(folder.listed().len(), left.len() + 2);
    assert!(left.len() <= KILLS, "at most the one that was being written at each kill");
}
