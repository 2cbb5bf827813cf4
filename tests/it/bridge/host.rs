//! `egtp host`: one process for the server and one's own seat.

use std::net::TcpListener;
use std::path::Path;

use super::process::{Joined, folder};
use crate::engine::{PATIENCE, own_address, run};

/// `egtp host` with what it says the other side needs.
fn host(args: &[&str]) -> (Joined, String, String) {
    let joined = Joined::start(&[&["host"], args].concat());
    let line = joined.notice();
    let command = line.split_once(" joins with: egtp ").unwrap_or_else(|| panic!("{line}")).1.to_string();
    let line = joined.notice();
    let key = line.strip_prefix("egtp: where KEY is a copy of ").unwrap_or_else(|| panic!("{line}"));
    let key = key.split_once(',').unwrap().0.to_string();
    assert!(joined.notice().starts_with("egtp: connected: "));
    (joined, command, key)
}

/// The other side, with the line that it was told.
fn guest(command: &str, key: &str) -> Joined {
    let command = command.replace("KEY", key);
    Joined::start(&command.split(' ').collect::<Vec<_>>())
}

fn yes(joined: &mut Joined, line: &str) {
    joined.send(line);
    assert_eq!(joined.answer(), "= ", "{line}");
}

fn quit(mut joined: Joined) {
    yes(&mut joined, "quit");
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
}

fn free() -> String {
    TcpListener::bind(own_address()).unwrap().local_addr().unwrap().to_string()
}

#[test]
fn a_game_without_a_server_of_its_own() {
    let (mut white, command, key) =
        host(&["--listen", "127.0.0.1:0", "--seat", "white", "--rules", "tromp-taylor,size=5", "--room", "kitchen"]);
    assert!(command.contains("--room kitchen --seat black "), "{command}");
    assert!(Path::new(&key).exists());
    let mut black = guest(&command, &key);
    yes(&mut white, "boardsize 5");
    white.send("genmove b");
    yes(&mut black, "boardsize 5");
    yes(&mut black, "play b C3");
    assert_eq!(white.answer(), "= C3");
    black.send("genmove w");
    yes(&mut white, "play w D3");
    assert_eq!(black.answer(), "= D3");
    // nobody else plays here
    let address = command.split(' ').nth(1).unwrap();
    let ran = run(&["open", address, "cellar"], b"");
    assert!(ran.code == Some(1) && ran.stderr.contains("token"), "{}", ran.stderr);
    let ran = run(&["send", address, "--room", "kitchen", "--watch", "egtp_turns"], b"");
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "1 black C3\n2 white D3\n");
    // the host's end is the server's
    quit(white);
    black.send("showboard");
    quit_lost(black);
    assert!(!Path::new(&key).exists(), "a key to nothing is not left behind");
}

/// The other side quits while there is no server.
fn quit_lost(mut joined: Joined) {
    joined.send("quit");
    assert_eq!(joined.answer(), "? connection lost; see egtp_status");
    assert_eq!(joined.answer(), "= ");
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
}

#[test]
fn a_kept_game_goes_on() {
    let folder = folder("host");
    let (store, address) = (folder.join("games.db"), free());
    let args = ["--listen", &address, "--seat", "black", "--store", store.to_str().unwrap()];
    let (mut black, command, key) = host(&args);
    assert_eq!(Path::new(&key), folder.join("game-white.key"));
    let mut white = guest(&command, &key);
    yes(&mut white, "clear_board");
    yes(&mut black, "clear_board");
    white.send("genmove b");
    quit(black);
    // the board program starts its engine again, with what it was started with at first, and sends what it has
    let (mut black, ..) = host(&[&args[..], &["--rules", "enhanced,size=9"]].concat());
    yes(&mut black, "clear_board");
    yes(&mut black, "play b D4");
    assert_eq!(white.answer(), "= D4");
    quit(white);
    quit(black);
    let ran = run(&[&["host", "--rules", "aga"], &args[..]].concat(), b"name\n");
    assert!(ran.code == Some(1) && ran.stderr.contains("leave out --rules"), "{}", ran.stderr);
    std::fs::remove_file(folder.join("game-black.key")).unwrap();
    let ran = run(&[&["host"], &args[..]].concat(), b"name\n");
    assert!(ran.code == Some(1) && ran.stderr.contains("game-black.key"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_hosted() {
    for (args, said) in [
        (&["--listen", "127.0.0.1:0", "--seat", "black", "--rules", "nonsense"][..], "room game is not open"),
        (
            &["--listen", "127.0.0.1:0", "--seat", "black", "--keys", "/nowhere"],
            "cannot create /nowhere/game-black.key",
        ),
        (&["--listen", "256.0.0.1:0", "--seat", "black"], "choose another address with --listen"),
    ] {
        let ran = run(&[&["host"], args].concat(), b"name\n");
        assert_eq!((ran.code, ran.stdout.as_slice()), (Some(1), &b""[..]), "{}", ran.stderr);
        assert!(ran.stderr.contains(said) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
}
