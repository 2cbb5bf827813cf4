//! `egtp rooms` and `egtp export`, as they are called, while a server is using the store.

use std::fs;
use std::path::Path;

use egtp::game::Phase;
use egtp::record::read_sgf;
use egtp::room::{Journal, RoomRecord};
use egtp::store::{Reader, Store};

use super::{append, close, record, wait};
use crate::engine::run;

/// A store with a game of Enhanced Go, a finished one of an earlier room of that name, and an empty room.
fn store(path: &Path) -> Store {
    let store = Store::open(path).unwrap();
    let game = |name: &str, rules: &str, opened: u64, lines: &[&str]| {
        let record = RoomRecord { rules: rules.into(), opened, ..record(name) };
        wait(|done| store.create(&record, done)).unwrap();
        (1..).zip(lines).for_each(|(i, line)| append(&store, name, i, line).unwrap());
    };
    game("tuesday", "rulebook size=9", 1_700_000_000, &["turn black D4", "turn white E5", "resign black"]);
    close(&store, "tuesday").unwrap();
    game("empty", "littlegolem size=13", 1_764_613_805, &[]);
    let special = [
        "setup white black B3 black B6 black C4 black E6 white E4",
        "turn white A1",
        "turn black special place C2 D3 pay B6 E6 B3 C4",
        "turn white pass",
        "turn black pass",
        "mark E4",
        "accept white",
    ];
    game("Tuesday", "enhanced size=7", 1_764_613_806, &special);
    store
}

#[test]
fn rooms_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let server = store(&path);
    let arguments = ["rooms", "--store", path.to_str().unwrap()];
    let ran = run(&arguments, b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let expected = "\
room     state   events  opened                rules
tuesday  closed       3  2023-11-14T22:13:20Z  rulebook size=9
empty    open         0  2025-12-01T18:30:05Z  littlegolem size=13
Tuesday  open         7  2025-12-01T18:30:06Z  enhanced size=7
";
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected);
    let copy = folder.path().join("copy.db");
    let back_up = [&arguments[..], &["--backup", copy.to_str().unwrap()]].concat();
    let ran = run(&back_up, b"");
    assert_eq!((ran.code, ran.stdout, ran.stderr.as_str()), (Some(0), vec![], ""));
    assert_eq!(Reader::open(&copy).unwrap().rooms().unwrap(), server.rooms().unwrap());
    let ran = run(&back_up, b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.starts_with("egtp: ") && ran.stderr.ends_with("copy.db exists already; name a new file\n"));
    drop(server);
    assert_eq!(String::from_utf8(run(&arguments, b"").stdout).unwrap(), expected, "without a server");
}

#[test]
fn games_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let server = store(&path);
    let export = |arguments: &[&str]| run(&[&["export", "--store", path.to_str().unwrap()], arguments].concat(), b"");
    let read = |bytes: &[u8]| read_sgf(bytes, &Default::default()).unwrap().remove(0);

    let ran = export(&["Tuesday"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let text = String::from_utf8(ran.stdout.clone()).unwrap();
    assert!(text.contains("GN[Tuesday]") && text.contains("DT[2025-12-01]"), "{text}");
    let reading = read(&ran.stdout);
    assert!(reading.problem.is_none());
    let standing = reading.game.standing();
    assert_eq!((standing.phase, standing.accepted), (Phase::Scoring, [false, true]));
    let d3 = reading.game.topology().point("D3").unwrap();
    assert!(reading.game.position().at(d3).is_some());
    assert_eq!(read(&export(&["tuesday"]).stdout).game.outcome().unwrap().to_string(), "W+R");

    let games = folder.path().join("new/games");
    let ran = export(&["-o", games.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.len(), ran.stderr.as_str()), (Some(0), 0, ""));
    let mut files: Vec<_> = games.read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["Tuesday.sgf", "empty.sgf", "tuesday~1.sgf"]);
    assert_eq!(fs::read_to_string(games.join("Tuesday.sgf")).unwrap(), text);
    assert_eq!(read(&fs::read(games.join("empty.sgf")).unwrap()).game.turns().len(), 0);
    fs::remove_dir_all(&games).unwrap();
    assert_eq!(export(&["tuesday", "--output", games.to_str().unwrap()]).code, Some(0));
    assert_eq!(games.read_dir().unwrap().count(), 1);

    // a game that cannot be played again is named, and the others are written
    append(&server, "empty", 1, "turn black Z9").unwrap();
    let ran = export(&["-o", games.to_str().unwrap()]);
    assert_eq!((ran.code, games.read_dir().unwrap().count()), (Some(1), 2));
    let why = "egtp: the game of the room empty cannot be played again: event 1, \"turn black Z9\": not an event on this \
               board\n";
    assert_eq!(ran.stderr, why);
    let ran = export(&["empty"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), why));
}

#[test]
fn what_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    drop(store(&path));
    let (path, nowhere) = (path.to_str().unwrap(), folder.path().join("nowhere.db"));
    let nowhere = nowhere.to_str().unwrap();
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let cases: [(&[&str], i32, &str); 6] = [
        (&["export", "--store", path, "monday"], 1, "rooms.db; `egtp rooms` lists them"),
        (&["export", "--store", path], 2, "see --help"),
        (&["export", "--store", nowhere, "monday"], 1, "nowhere.db: No such file or directory (os error 2)"),
        (&["rooms", "--store", nowhere], 1, "nowhere.db: No such file or directory (os error 2)"),
        (&["rooms"], 2, "see --help"),
        (&["rooms", "--store", manifest], 1, "Cargo.toml is not a store of rooms; name another file"),
    ];
    for (arguments, code, end) in cases {
        let ran = run(arguments, b"");
        assert_eq!((ran.code, ran.stdout.len()), (Some(code), 0), "{arguments:?}");
        assert!(ran.stderr.starts_with("egtp: ") && ran.stderr.ends_with(&format!("{end}\n")), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1);
    }
    assert!(!Path::new(nowhere).exists(), "reading makes no store");
}
