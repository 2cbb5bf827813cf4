//! `egtp join`, `egtp send` and `egtp open` as programs.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::fake::Fake;
use crate::engine::{PATIENCE, Process, run};

const KEY: &str = "00112233445566778899aabbccddeeff";

/// A folder of the test's own.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bridge-{name}"));
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn key_file(folder: &Path) -> String {
    let path = folder.join("key");
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    path.to_str().unwrap().into()
}

/// `egtp join`, line by line.
pub(super) struct Joined {
    pub(super) process: Process,
    pub(super) stdin: Option<ChildStdin>,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Joined {
    pub(super) fn start(args: &[&str]) -> Joined {
        let mut process = Process::piped(args);
        let (stdin, stdout) = process.take_pipes();
        let stderr = process.stderr.take().unwrap();
        Joined { process, stdin: Some(stdin), stdout: lines(stdout), stderr: lines(stderr) }
    }

    fn black(fake: &Fake, folder: &Path, more: &[&str]) -> Joined {
        let (address, key) = (fake.address.to_string(), key_file(folder));
        let args = ["join", &address, "--room", "r", "--seat", "black", "--key-file", &key];
        Joined::start(&[&args, more].concat())
    }

    pub(super) fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// One line of an answer.
    pub(super) fn line(&self) -> String {
        self.stdout.recv_timeout(PATIENCE).unwrap()
    }

    pub(super) fn answer(&self) -> String {
        let line = self.line();
        assert_eq!(self.line(), "");
        line
    }

    pub(super) fn notice(&self) -> String {
        self.stderr.recv_timeout(PATIENCE).unwrap()
    }
}

fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            sender.send(line.unwrap()).ok();
        }
    });
    receiver
}

#[test]
fn a_restart_goes_unnoticed() {
    let folder = folder("restart");
    let mut fake = Fake::start();
    let mut joined = Joined::black(&fake, &folder, &[]);
    let sit = format!("egtp_sit r black {KEY}");
    let mut server = fake.accept();
    server.expect(&sit, "0");
    server.expect("egtp_turns", "");
    assert_eq!(joined.notice(), "egtp: connected: black in room r");
    joined.send("clear_board");
    server.expect("clear_board", "");
    assert_eq!(joined.answer(), "= ");
    joined.send("3 genmove w");
    assert_eq!(server.line(), "genmove w");
    fake.stop();
    drop(server);
    assert!(joined.notice().starts_with("egtp: connection lost: "));
    thread::sleep(Duration::from_millis(400));
    fake.restart();
    let mut server = fake.accept();
    server.expect(&sit, "0");
    server.expect("clear_board", "");
    assert_eq!(joined.notice(), "egtp: connected again: black in room r");
    server.expect("genmove w", "E5");
    assert_eq!(joined.answer(), "=3 E5");
    joined.send("quit");
    server.expect("quit", "");
    assert_eq!(joined.answer(), "= ");
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
    assert_eq!(server.line(), "");
    assert!(joined.stderr.recv_timeout(PATIENCE).is_err(), "nothing else is said");
}

#[test]
fn a_whole_script_at_once() {
    let folder = folder("script");
    let fake = Fake::start();
    let mut joined = Joined::black(&fake, &folder, &[]);
    joined.send("1 name\n2 clear_board\n# why\n3 genmove w");
    joined.stdin = None;
    let mut server = fake.accept();
    server.expect(&format!("egtp_sit r black {KEY}"), "0");
    server.expect("egtp_turns", "");
    server.expect("name", "egtp");
    server.expect("clear_board", "");
    server.expect("egtp_view", "cursor 0");
    assert_eq!(server.line(), "genmove w");
    assert_eq!(server.line(), "", "the end of its input is the end of the server's");
    drop(server);
    assert_eq!([joined.answer(), joined.answer()], ["=1 egtp", "=2 "]);
    assert_eq!(joined.answer(), "?3 connection lost; see egtp_status");
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
}

#[test]
fn quit_while_there_is_no_server() {
    let folder = folder("quit");
    let mut fake = Fake::start();
    let mut joined = Joined::black(&fake, &folder, &[]);
    let mut server = fake.accept();
    server.expect(&format!("egtp_sit r black {KEY}"), "0");
    server.expect("egtp_turns", "");
    joined.notice();
    fake.stop();
    drop(server);
    joined.notice();
    joined.send("name");
    joined.send("9 quit");
    assert_eq!([joined.answer(), joined.answer()], ["? connection lost; see egtp_status", "=9 "]);
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
}

#[test]
fn quit_of_a_server_that_is_silent() {
    let folder = folder("silent");
    let fake = Fake::start();
    let mut joined = Joined::black(&fake, &folder, &[]);
    let mut server = fake.accept();
    server.expect(&format!("egtp_sit r black {KEY}"), "0");
    server.expect("egtp_turns", "");
    joined.notice();
    let begun = Instant::now();
    joined.send("quit");
    assert_eq!(joined.answer(), "= ");
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_special_turn_is_kept_as_sgf() {
    let folder = folder("sgf");
    let fake = Fake::start();
    let sgf = folder.join("position.sgf");
    for given in [true, false] {
        let more = ["--sgf", sgf.to_str().unwrap()];
        let mut joined = Joined::black(&fake, &folder, if given { &more } else { &[] });
        let mut server = fake.accept();
        server.expect(&format!("egtp_sit r black {KEY}"), "4");
        server.expect("egtp_turns", "");
        joined.notice();
        joined.send("clear_board\ngenmove w");
        server.expect("clear_board", "");
        server.expect("egtp_view", "cursor 0");
        server.refuse("genmove w", "special turn: white places A1 B1");
        server.expect("egtp_sgf", "(;FF[4]\nGM[1])");
        assert_eq!([joined.answer(), joined.answer()], ["= ", "? special turn: white places A1 B1"]);
        assert_eq!(joined.notice(), "egtp: special turn: white places A1 B1");
        let said = joined.notice();
        let path = said.strip_prefix("egtp: the position is in ").unwrap();
        assert_eq!(path == sgf.to_str().unwrap(), given, "{path}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "(;FF[4]\nGM[1])");
        if !given {
            std::fs::remove_dir_all(Path::new(path).parent().unwrap()).unwrap();
        }
    }
}

#[test]
fn what_cannot_begin() {
    let folder = folder("begin");
    let key = key_file(&folder);
    let fake = Fake::start();
    let address = fake.address.to_string();
    let join = ["join", &address, "--room", "r"];
    for (more, code, said) in [
        (&["--seat", "black", "--key-file", "/nowhere/key"][..], 1, "cannot read the seat's key from /nowhere/key"),
        (&["--seat", "black", "--key-file", "/dev/null"], 1, "should hold the seat's key: there is nothing in it"),
        (&["--seat", "black"], 1, "the seat's key is needed: --key-file FILE, or the environment variable EGTP_KEY"),
        (&[], 1, "--seat black, --seat white or --watch"),
        (&["--seat", "black", "--watch"], 2, "cannot be used with"),
        (&["--seat", "green", "--key-file", &key], 2, "green"),
        (&["--room", "../r"], 2, "1 to 64 letters"),
        (&["--seat", "black", "--key", "x"], 2, "--key"),
    ] {
        let args = if more.contains(&"--room") { [&join[..2], more].concat() } else { [&join, more].concat() };
        let ran = run(&args, b"quit\n");
        assert_eq!((ran.code, ran.stdout.as_slice()), (Some(code), &b""[..]), "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said) && ran.stderr.lines().count() == 1, "{more:?}: {}", ran.stderr);
    }
    // refused by the server
    let server = thread::spawn(move || {
        let mut server = fake.accept();
        server.refuse(&format!("egtp_sit r black {KEY}"), "wrong key");
    });
    let ran = run(&[&join[..], &["--seat", "black", "--key-file", &key]].concat(), b"name\nquit\n");
    server.join().unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), "egtp: cannot be black in room r: wrong key\n"));
    // whether the commands had been read by then is a matter of chance
    let refused = "? cannot be black in room r: wrong key\n\n= \n\n";
    assert!(refused.starts_with(std::str::from_utf8(&ran.stdout).unwrap()));
}

#[test]
fn nobody_there() {
    let folder = folder("nobody");
    let key = key_file(&folder);
    let mut fake = Fake::start();
    fake.stop();
    let address = fake.address.to_string();
    let begun = Instant::now();
    let ran = run(&["join", &address, "--room", "r", "--seat", "b", "--key-file", &key], b"name\n");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.starts_with(b"? cannot reach "));
    assert!(ran.stderr.starts_with(&format!("egtp: cannot reach {address}: ")), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1);
    assert!(begun.elapsed() >= Duration::from_secs(9), "it may still be starting");
}

#[test]
fn a_key_from_the_environment() {
    let fake = Fake::start();
    let mut command = Command::new(env!("CARGO_BIN_EXE_egtp"));
    let address = fake.address.to_string();
    command.args(["send", &address, "--room", "r", "--seat", "white", "showboard"]).env("EGTP_KEY", KEY);
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut server = fake.accept();
    server.expect(&format!("egtp_sit r white {KEY}"), "0");
    server.expect("showboard", "\nA B\n \nC D");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"\nA B\n \nC D\n"[..]));
}

#[test]
fn send() {
    let fake = Fake::start();
    let address = fake.address.to_string();
    let server = thread::spawn(move || {
        let mut server = fake.accept();
        server.expect("name", "egtp");
        server.refuse("play b Z1", "illegal move");
        server.expect("play b D4", "");
        let mut server = fake.accept();
        server.expect("version", "1");
    });
    let ran = run(&["send", &address, "name", "play b Z1", "play b D4"], b"");
    assert_eq!((ran.code, ran.stdout.as_slice()), (Some(1), &b"egtp\n"[..]));
    assert_eq!(ran.stderr, "egtp: play b Z1: illegal move\n");
    let ran = run(&["send", &address, "version"], b"");
    assert_eq!((ran.code, ran.stdout.as_slice(), ran.stderr.as_str()), (Some(0), &b"1\n"[..], ""));
    server.join().unwrap();
    for commands in [&["# nothing"][..], &["name\nversion"], &[" "]] {
        let ran = run(&[&["send", &address], commands].concat(), b"");
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains("is not one command"), "{}", ran.stderr);
    }
    assert_eq!(run(&["send", &address, "--watch", "name"], b"").code, Some(1));
}

#[test]
fn open() {
    let folder = folder("open");
    let token = folder.join("token");
    std::fs::write(&token, "sesame\n").unwrap();
    let (keys, token) = (folder.to_str().unwrap(), token.to_str().unwrap());
    let fake = Fake::start();
    let address = fake.address.to_string();
    let answer = format!("black {KEY}\nwhite ff{}", &KEY[2..]);
    let said = answer.clone();
    let server = thread::spawn(move || {
        fake.accept().expect("egtp_open r", &said);
        fake.accept().expect("egtp_open r aga size=9 handicap=2 token=sesame", &said);
        fake.accept().refuse("egtp_open s", "the name is taken");
    });
    let ran = run(&["open", &address, "r"], b"");
    assert_eq!((ran.code, String::from_utf8(ran.stdout).unwrap()), (Some(0), format!("{answer}\n")));
    let args = ["open", &address, "r", "aga,size=9,handicap=2", "--token-file", token, "--keys", keys];
    let ran = run(&args, b"");
    let (black, white) = (folder.join("r-black.key"), folder.join("r-white.key"));
    let named = format!("black {}\nwhite {}\n", black.display(), white.display());
    assert_eq!((ran.code, String::from_utf8(ran.stdout).unwrap()), (Some(0), named));
    assert_eq!(std::fs::read_to_string(&black).unwrap(), format!("{KEY}\n"));
    assert_eq!(std::fs::read_to_string(&white).unwrap(), format!("ff{}\n", &KEY[2..]));
    #[cfg(unix)]
    for path in [&black, &white] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // nothing is left of what was not opened
    let ran = run(&["open", &address, "s", "--keys", keys], b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), "egtp: room s is not open: the name is taken\n"));
    assert!(!folder.join("s-black.key").exists() && !folder.join("s-white.key").exists());
    server.join().unwrap();
    // keys that are there are not overwritten, and the server is not even asked
    std::fs::remove_file(&black).unwrap();
    let ran = run(&["open", &address, "r", "--keys", keys], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("r-white.key"), "{}", ran.stderr);
    assert!(!black.exists() && white.exists());
}
