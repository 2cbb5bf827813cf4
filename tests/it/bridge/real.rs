//! Board programs that play in a room of a real server, which is killed and started again while connections are cut.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::process::{Joined, folder};
use crate::engine::{PATIENCE, Server, own_address, run};
use crate::play::Random;

const LOST: &str = "? connection lost; see egtp_status";

/// A port that leads to a server, wherever that is at the moment.
struct Proxy {
    address: String,
    target: Arc<Mutex<String>>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
    /// What has gone through, for when something goes wrong.
    log: Log,
}

type Log = Arc<Mutex<Vec<String>>>;

impl Proxy {
    fn to(target: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let target = Arc::new(Mutex::new(target.to_string()));
        let streams = Arc::new(Mutex::new(Vec::new()));
        let (to, all, log) = (target.clone(), streams.clone(), Log::default());
        let proxy = Proxy { address, target, streams, log: log.clone() };
        thread::spawn(move || {
            for near in listener.incoming() {
                let near: TcpStream = near.unwrap();
                let Ok(far) = TcpStream::connect(to.lock().unwrap().as_str()) else { continue };
                let clone = |stream: &TcpStream| stream.try_clone().unwrap();
                all.lock().unwrap().extend([clone(&near), clone(&far)]);
                let number = near.peer_addr().unwrap().port();
                log.lock().unwrap().push(format!("{number} connected"));
                for (from, to, way) in [(clone(&near), clone(&far), '>'), (far, near, '<')] {
                    let log = log.clone();
                    thread::spawn(move || copy(from, to, &log, &format!("{number} {way}")));
                }
            }
        });
        proxy
    }

    /// Cuts all connections, wherever their bytes are.
    fn cut(&self) {
        self.log.lock().unwrap().push("cut".into());
        for stream in self.streams.lock().unwrap().drain(..) {
            stream.shutdown(Shutdown::Both).ok();
        }
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, log: &Log, way: &str) {
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        let text = String::from_utf8_lossy(&bytes[..read]).trim_end().to_string();
        log.lock().unwrap().push(format!("{way} {text}"));
        if to.write_all(&bytes[..read]).is_err() {
            log.lock().unwrap().push(format!("{way} in vain"));
            break;
        }
    }
    to.shutdown(Shutdown::Write).ok();
}

/// A server that keeps its rooms.
struct Kept {
    server: Option<Server>,
    store: String,
}

impl Kept {
    fn start(folder: &Path) -> Kept {
        let mut kept = Kept { server: None, store: folder.join("rooms.db").to_str().unwrap().into() };
        kept.again(&own_address());
        kept
    }

    fn again(&mut self, address: &str) {
        self.server = Some(Server::listening(&["--listen", address, "--store", &self.store]));
    }

    fn address(&self) -> String {
        self.server.as_ref().unwrap().address.clone()
    }

    fn end(&mut self, signal: &str) {
        let server = self.server.take().unwrap();
        server.signal(signal);
        server.end(PATIENCE);
    }
}

/// Opens a room whose keys come to lie in the folder.
fn open(address: &str, folder: &Path, rules: &str) {
    let ran = run(&["open", address, "r", rules, "--keys", folder.to_str().unwrap()], b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

fn key(folder: &Path, color: &str) -> String {
    folder.join(format!("r-{color}.key")).to_str().unwrap().into()
}

fn join(address: &str, folder: &Path, color: &str) -> Joined {
    Joined::start(&["join", address, "--room", "r", "--seat", color, "--key-file", &key(folder, color)])
}

/// The answer, if it comes; a command that may be lost is sent again then.
fn tell(joined: &mut Joined, line: &str) -> String {
    loop {
        joined.send(line);
        let answer = joined.answer();
        let safe = ["play", "genmove", "list_stones", "egtp_status"].iter().any(|name| line.starts_with(name));
        assert!(!(safe && answer == LOST), "{line}");
        if answer != LOST {
            return answer;
        }
    }
}

fn yes(joined: &mut Joined, line: &str) {
    let answer = tell(joined, line);
    assert!(answer.starts_with('='), "{line}: {answer}");
}

fn quit(mut joined: Joined) {
    joined.send("quit");
    assert_eq!(joined.answer(), "= ");
    assert_eq!(joined.process.end(PATIENCE).code(), Some(0));
}

#[test]
fn the_server_is_killed_while_both_wait() {
    let folder = folder("killed");
    let mut kept = Kept::start(&folder);
    let address = kept.address();
    open(&address, &folder, "enhanced,size=9");
    let (mut black, mut white) = (join(&address, &folder, "black"), join(&address, &folder, "white"));
    for joined in [&mut black, &mut white] {
        yes(joined, "boardsize 9");
        yes(joined, "clear_board");
    }
    for (turn, signal) in ["KILL", "TERM", "KILL"].iter().enumerate() {
        let row = turn + 1;
        white.send("1 genmove b");
        thread::sleep(Duration::from_millis(50));
        kept.end(signal);
        // a command while there is nobody waits, too
        black.send(&format!("2 play b A{row}"));
        kept.again(&address);
        assert_eq!(black.answer(), "=2 ");
        assert_eq!(white.answer(), format!("=1 A{row}"));
        black.send("3 genmove w");
        kept.end(signal);
        white.send(&format!("4 play w J{row}"));
        thread::sleep(Duration::from_millis(300));
        kept.again(&address);
        assert_eq!(white.answer(), "=4 ");
        assert_eq!(black.answer(), format!("=3 J{row}"));
    }
    let ran = run(&["send", &address, "--room", "r", "--watch", "egtp_turns"], b"");
    assert_eq!(String::from_utf8(ran.stdout).unwrap().lines().count(), 6);
    quit(black);
    quit(white);
}

/// A board program as the server sees it: it replays, goes back and asks as it likes.
struct Program {
    joined: Joined,
    own: &'static str,
    /// What it has on its own board.
    line: Vec<String>,
    /// It has no board: it plays and asks how things stand.
    console: bool,
}

impl Program {
    /// Brings its board to where it is in one way or another.
    fn resync(&mut self, how: usize) {
        match how {
            _ if self.console => yes(&mut self.joined, "egtp_status"),
            0 => {
                yes(&mut self.joined, "clear_board");
                for turn in &self.line {
                    yes(&mut self.joined, &format!("play {turn}"));
                }
            }
            1 => {
                yes(&mut self.joined, "clear_board");
                yes(&mut self.joined, &format!("gogui-play_sequence {}", self.line.join(" ")));
            }
            2 if self.line.len() > 2 => {
                yes(&mut self.joined, "undo");
                yes(&mut self.joined, "gg-undo 2");
                for turn in &self.line[self.line.len() - 3..] {
                    yes(&mut self.joined, &format!("play {turn}"));
                }
            }
            3 => yes(&mut self.joined, "egtp_status"),
            4 => yes(&mut self.joined, "list_stones black"),
            5 => {
                // a stone that is only tried
                yes(&mut self.joined, &format!("gogui-play_sequence {} J9", self.own));
                yes(&mut self.joined, "undo");
            }
            _ => {}
        }
    }
}

/// Whatever happens to server and connections, every turn is made once, and every answer comes.
fn a_game_with_accidents(seed: u64) {
    let folder: PathBuf = folder(&format!("accidents-{seed}"));
    let mut kept = Kept::start(&folder);
    let proxy = Proxy::to(&kept.address());
    open(&kept.address(), &folder, "tromp-taylor,size=19");
    let mut random = Random::new(seed);
    let mut programs = ["black", "white"].map(|color| Program {
        joined: join(&proxy.address, &folder, color),
        own: color,
        line: Vec::new(),
        console: seed.is_multiple_of(2) && color == "white",
    });
    // a view begins where the game is when it first sits down
    programs.iter().for_each(|program| assert!(program.joined.notice().contains("connected")));
    if !seed.is_multiple_of(3) {
        programs.iter_mut().filter(|p| !p.console).for_each(|p| yes(&mut p.joined, "clear_board"));
    }
    let accident = |random: &mut Random, proxy: &Proxy, kept: &mut Kept| match random.below(8) {
        0 | 1 => proxy.cut(),
        2 => {
            kept.end("KILL");
            kept.again(&own_address());
            *proxy.target.lock().unwrap() = kept.address();
            // what the proxy has connected is still there on its near side
            proxy.cut();
        }
        3 => {
            thread::sleep(Duration::from_millis(random.below(20) as u64));
            proxy.cut();
        }
        _ => {}
    };
    let columns = [["A", "B", "C", "D"], ["Q", "R", "S", "T"]];
    for turn in 0..36 {
        let (mover, other) = (turn % 2, 1 - turn % 2);
        let color = programs[mover].own;
        let vertex = format!("{}{}", columns[mover][turn / 2 % 4], turn / 8 + 1);
        let console = programs[other].console;
        let asks = random.below(3) > 0;
        if asks && !console {
            programs[other].joined.send(&format!("genmove {color}"));
        }
        accident(&mut random, &proxy, &mut kept);
        let how = random.below(12);
        programs[mover].resync(how);
        accident(&mut random, &proxy, &mut kept);
        programs[mover].joined.send(&format!("play {color} {vertex}"));
        accident(&mut random, &proxy, &mut kept);
        assert_eq!(
            programs[mover].joined.answer(),
            "= ",
            "game {seed}, turn {turn}: {color} {vertex}\n{}",
            proxy.log.lock().unwrap().join("\n")
        );
        accident(&mut random, &proxy, &mut kept);
        if !asks && !console {
            programs[other].joined.send(&format!("genmove {color}"));
            accident(&mut random, &proxy, &mut kept);
        }
        if !console {
            assert_eq!(
                programs[other].joined.answer(),
                format!("= {vertex}"),
                "game {seed}, turn {turn}\n{}",
                proxy.log.lock().unwrap().join("\n")
            );
        }
        programs.iter_mut().for_each(|program| program.line.push(format!("{color} {vertex}")));
    }
    let ran = run(&["send", &kept.address(), "--room", "r", "--watch", "egtp_turns"], b"");
    let turns = String::from_utf8(ran.stdout).unwrap();
    let made: Vec<&str> = turns.lines().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
    assert_eq!(made, programs[0].line);
    programs.into_iter().for_each(|program| quit(program.joined));
}

#[test]
fn accidents() {
    let games: Vec<_> = (1..5).map(|seed| thread::spawn(move || a_game_with_accidents(seed))).collect();
    games.into_iter().for_each(|game| game.join().unwrap());
}
