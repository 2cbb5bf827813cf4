//! `egtp serve`: every connection an engine of its own, and none in the way of another.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Client, LONGEST, PATIENCE, Server, answered, answers, reading, run, soon, writing};

/// How long the server may take to end: those who do not read are given three seconds.
const SHORTLY: Duration = Duration::from_secs(15);

const GAME: &str = "boardsize 9\nclear_board\n1 komi 6.5\n2 play black D4\n3 play white d4\n4 play white E5\nlist_stones b\n\
                    play b pass\nplay w pass\negtp_mark_dead E5\negtp_accept b\negtp_accept w\n5 final_score\nshowboard\n";

#[test]
fn connections_are_engines_of_their_own() {
    let server = Server::start(&[]);
    let (mut one, mut two) = (server.connect(), server.connect());
    assert_eq!(one.ask("play b D4"), "= \n\n");
    assert_eq!(two.ask("boardsize 13"), "= \n\n");
    assert_eq!(two.ask("play b E5"), "= \n\n");
    assert_eq!(one.ask("list_stones b"), "= D4\n\n");
    assert_eq!(two.ask("list_stones b"), "= E5\n\n");
    assert_eq!(one.ask("query_boardsize"), "= 9\n\n");
    assert_eq!(one.ask("egtp_rules hexgo").lines().next(), Some("= ruleset hexgo"));
    assert_eq!(two.ask("egtp_rules").lines().next(), Some("= ruleset enhanced"));
    // one quits, the other stays
    assert_eq!(one.ask("9 quit"), "=9 \n\n");
    assert_eq!(one.rest(), b"");
    assert_eq!(two.ask("egtp_turns"), "= 1 black E5\n\n");
    // and who comes next finds nothing of theirs
    assert_eq!(server.connect().ask("list_stones b"), "= \n\n");
}

#[test]
fn the_same_answers_as_over_pipes() {
    for args in [&[][..], &["--rules", "tromp-taylor", "--lenient"]] {
        let server = Server::start(args);
        for name in ["sabaki", "q5go-torus", "quarry", "kigo", "gogui-setup-mode", "twogtp-referee"] {
            let path = format!("{}/tests/data/traces/{name}.gtp", env!("CARGO_MANIFEST_DIR"));
            // quit has a test of its own
            let trace = std::fs::read_to_string(path).unwrap().replace("quit\n", "");
            let input = [trace.as_bytes(), GAME.as_bytes(), b"1 what\nname # \xff\r\n7\nname"].concat();
            let mut client = server.connect();
            client.send(&input);
            client.stream.shutdown(Shutdown::Write).unwrap();
            let over_tcp = client.rest();
            // rooms are to be had over TCP only
            let text = String::from_utf8(over_tcp.clone()).unwrap();
            let names = ["open", "sit", "watch", "leave", "rooms", "wait", "view"].map(|name| format!("egtp_{name}"));
            let alike = |line: &&str| !names.iter().any(|name| line.split([' ', ':']).next() == Some(name));
            let over_tcp_alike: Vec<&str> = text.split('\n').filter(alike).collect();
            let piped = String::from_utf8(run(args, &input).stdout).unwrap();
            assert!(over_tcp_alike == piped.split('\n').collect::<Vec<_>>(), "{name}");
            answered(&input, &over_tcp);
        }
    }
}

#[test]
fn a_client_that_has_said_all() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let stream = client.stream.try_clone().unwrap();
    let input = b"name\nshowboard\n3 play b D4\nclear_board\n".repeat(5_000);
    let sent = input.clone();
    let writer = thread::spawn(move || {
        (&stream).write_all(&sent).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
    });
    // all answers still come, and then the end
    let output = client.rest();
    writer.join().unwrap();
    assert_eq!(answered(&input, &output).len(), 20_000);
}

#[test]
fn bytes_one_at_a_time() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for byte in GAME.bytes() {
        client.send(&[byte]);
    }
    client.stream.shutdown(Shutdown::Write).unwrap();
    assert!(client.rest() == run(&[], GAME.as_bytes()).stdout);
}

#[test]
fn quit_ends_the_connection() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.send(b"1 name\n2 quit\n3 name\n4 name\n");
    assert_eq!((client.response(), client.response()), ("=1 egtp\n\n".into(), "=2 \n\n".into()));
    // what was sent behind it may turn the end into a reset, but nothing more is said
    let mut more = Vec::new();
    client.stream.read_to_end(&mut more).ok();
    assert_eq!(more, b"");
}

#[test]
fn a_connection_that_breaks_off() {
    let server = Server::start(&["--max-connections", "1"]);
    for input in [&b""[..], b"name", b"play b D4\nshowb", b"\xef\xbb"] {
        // the place is free again soon, so the next one is served in the end
        let mut client = patiently(&server);
        client.send(input);
    }
    assert_eq!(patiently(&server).ask("list_stones b"), "= \n\n");
}

/// A connection that is served, once there is a place for it.
fn patiently(server: &Server) -> Client {
    let begun = Instant::now();
    loop {
        let mut client = server.connect();
        // one that was turned away may be closed by now, and then nothing can be written to it
        client.stream.write_all(b"name\n").ok();
        if client.response() == "= egtp\n\n" {
            return client;
        }
        assert!(begun.elapsed() < PATIENCE, "no place becomes free");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn no_more_connections_than_allowed() {
    let server = Server::start(&["--max-connections", "2"]);
    let (mut one, mut two) = (server.connect(), server.connect());
    assert_eq!((one.ask("name"), two.ask("name")), ("= egtp\n\n".into(), "= egtp\n\n".into()));
    let mut three = server.connect();
    let said = String::from_utf8(three.rest()).unwrap();
    assert!(said.starts_with("? too many connections"), "{said}");
    assert_eq!(answers(said.as_bytes()).len(), 1);
    // what it has sent already does not keep it from hearing that
    let mut hasty = server.connect();
    hasty.stream.write_all(b"name\nversion\n").ok();
    assert_eq!(hasty.response(), said);
    // the others have not noticed
    assert_eq!((one.ask("1 play b D4"), two.ask("2 play b D4")), ("=1 \n\n".into(), "=2 \n\n".into()));
    drop(one);
    let mut next = patiently(&server);
    assert_eq!(next.ask("list_stones b"), "= \n\n");
    assert_eq!(two.ask("list_stones b"), "= D4\n\n");
}

#[test]
fn as_many_connections_as_can_be_asked_for() {
    let server = Server::start(&["--max-connections", "100000"]);
    assert_eq!(server.connect().ask("name"), "= egtp\n\n");
}

#[test]
fn lines_round_the_limit() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for (length, accepted) in [(LONGEST - 1, true), (LONGEST, true), (LONGEST + 1, false), (20 * LONGEST, false)] {
        let mut line = b"4 echo ".to_vec();
        line.resize(length, b'x');
        line.push(b'\n');
        // more than the buffers hold, so that the answer must be read meanwhile
        writing(client.stream.try_clone().unwrap(), line);
        let response = client.response();
        assert_eq!(response.starts_with("=4 xxx"), accepted, "{length}");
        assert!(accepted || response.starts_with("?4 line too long"), "{length}: {response}");
        assert_eq!(client.ask("name"), "= egtp\n\n", "{length}: and the connection goes on");
    }
}

#[test]
fn a_client_that_never_reads() {
    let server = Server::start(&[]);
    let mut quiet = server.connect();
    quiet.ask("name");
    let flood = server.connect().stream;
    flood.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let (sender, full) = mpsc::channel();
    thread::spawn(move || {
        let lines = b"showboard\n".repeat(1_000);
        // until nothing more goes in: the server has stopped reading what it cannot answer
        while (&flood).write(&lines).is_ok() {}
        sender.send(flood).ok();
    });
    let served = |client: &mut Client, times: usize| {
        for i in 0..times {
            let begun = Instant::now();
            assert_eq!(client.ask(&format!("{i} name")), format!("={i} egtp\n\n"));
            assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        }
    };
    served(&mut quiet, 300);
    let flood = soon(full);
    #[cfg(target_os = "linux")]
    assert!(server.process.memory() < 100 * 1024, "{} KiB are kept for it", server.process.memory());
    served(&mut quiet, 300);
    served(&mut server.connect(), 100);
    drop(flood);
}

/// Everybody may open some rooms at once, but not go on so.
#[test]
fn rooms_without_end() {
    let server = Server::start(&["--max-costly", "60"]);
    let (mut eager, mut other) = (server.connect(), server.connect());
    for room in 0..60 {
        assert!(eager.ask(&format!("egtp_open r{room}")).starts_with("= black "), "{room}");
    }
    let refused = other.ask("egtp_open more");
    assert_eq!(refused, "? too many rooms opened from your address; try again in 1 s\n\n");
    // nothing was opened then
    assert_eq!(other.ask("egtp_watch more").chars().next(), Some('?'));
    thread::sleep(Duration::from_millis(1100));
    assert!(other.ask("egtp_open more").starts_with("= black "));
    assert_eq!(other.ask("egtp_watch more"), "= 0\n\n");
}

#[test]
fn two_hundred_games_at_once() {
    let server = Server::start(&[]);
    let expected = run(&[], GAME.as_bytes()).stdout;
    let mut clients: Vec<Client> = (0..200).map(|_| server.connect()).collect();
    // line by line, so that all games are under way together
    for line in GAME.lines() {
        clients.iter_mut().for_each(|client| client.send(format!("{line}\n").as_bytes()));
    }
    for client in &mut clients {
        client.stream.shutdown(Shutdown::Write).unwrap();
        assert!(client.rest() == expected);
    }
}

#[test]
fn an_address_in_use() {
    let server = Server::start(&[]);
    let ran = run(&["serve", "--listen", &server.address], b"");
    assert_eq!((ran.code, ran.stdout.as_slice()), (Some(1), &b""[..]));
    assert!(ran.stderr.starts_with("egtp: cannot listen on ") && ran.stderr.contains("--listen"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[cfg(unix)]
mod signals {
    use super::*;

    /// All that a server without a store says after its address.
    const SAID: &str = "egtp: rooms end with this program; --store FILE keeps them\n";

    /// A server that is told to stop answers what it has been sent, closes, and ends well.
    fn stops(signal: &str) {
        let server = Server::start(&[]);
        let mut clients: Vec<Client> = (0..20).map(|_| server.connect()).collect();
        for client in &mut clients {
            assert_eq!(client.ask("play b D4"), "= \n\n");
        }
        let mut idle = clients.pop().unwrap();
        let input = b"name\nshowboard\n7 list_stones b\n".repeat(100);
        clients.iter_mut().for_each(|client| client.send(&input));
        server.signal(signal);
        for client in &mut clients {
            assert_eq!(answered(&input, &client.rest()).len(), 300, "{signal}");
        }
        assert_eq!(idle.rest(), b"", "{signal}: closed, and nothing said");
        let address = server.address.clone();
        assert_eq!(server.end(SHORTLY), (Some(0), SAID.into()), "{signal}");
        assert!(TcpStream::connect(address).is_err(), "{signal}: nobody listens any more");
    }

    #[test]
    fn sigterm() {
        stops("TERM");
    }

    #[test]
    fn sigint() {
        stops("INT");
    }

    #[test]
    fn without_connections() {
        let server = Server::start(&[]);
        server.signal("TERM");
        assert_eq!(server.end(SHORTLY), (Some(0), SAID.into()));
    }

    /// Those who do not read their answers are cut off, and those who do not stop asking, too.
    #[test]
    fn nobody_holds_it_up() {
        let server = Server::start(&[]);
        let deaf = server.connect().stream;
        let busy = server.connect().stream;
        let answers = reading(busy.try_clone().unwrap());
        for stream in [&deaf, &busy] {
            let stream = stream.try_clone().unwrap();
            thread::spawn(move || while (&stream).write_all(&b"showboard\n".repeat(1_000)).is_ok() {});
        }
        let mut other = server.connect();
        assert_eq!(other.ask("name"), "= egtp\n\n");
        server.signal("TERM");
        assert_eq!(other.rest(), b"");
        assert_eq!(server.end(SHORTLY).0, Some(0));
        drop(deaf);
        soon(answers);
    }
}
