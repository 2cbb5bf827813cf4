//! Games as files: written and read back, seen by plain programs, made by others, called from outside, hostile.
//!
//! | module | what it holds the crate against |
//! |---|---|
//! | `round_trips` | itself: what is written comes back |
//! | `viewer` | a program that knows only the square board and FF\[4\] |
//! | `others` | files as other programs write them, in `tests/data/sgf` |
//! | `commands` | `loadsgf`, `printsgf`, `--record`, TCP |
//! | `subcommands` | `egtp referee`, `egtp draw`, `egtp hahn` as called |
//! | `atomic` | a process killed while it writes |
//! | `hostile` | files made to hurt |
//!
//! `games` makes random games.

mod atomic;
mod commands;
mod games;
mod hostile;
mod others;
mod round_trips;
mod subcommands;
mod viewer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of a test, taken away with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("egtp-records-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// The name of a file in it.
    fn name(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().into()
    }

    /// Makes a file in it; its name.
    fn file(&self, file: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.0.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, contents).unwrap();
        self.name(file)
    }

    /// The names of everything in it, sorted.
    fn listed(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}
