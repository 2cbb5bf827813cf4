//! What an operator asks: `/healthz`, `/metrics`, and the log as JSON.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use crate::engine::{PATIENCE, Server, own_address, run};

/// A port that nothing listens on.
fn free() -> String {
    TcpListener::bind(own_address()).unwrap().local_addr().unwrap().to_string()
}

/// The response to a request, headers and all.
fn http(address: &str, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

/// The value of a metric.
fn value(address: &str, name: &str) -> u64 {
    let text = http(address, "GET", "/metrics");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name}: {text}")).parse().unwrap()
}

#[test]
fn health_and_metrics() {
    let admin = free();
    let server = Server::start(&["--admin", &admin, "--max-connections", "2"]);
    let response = http(&admin, "GET", "/healthz");
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n") && response.ends_with("\r\n\r\nok\n"), "{response}");
    assert!(http(&admin, "GET", "/metrics").contains("application/openmetrics-text; version=1.0.0"));
    assert!(http(&admin, "HEAD", "/healthz").starts_with("HTTP/1.1 200 "));
    assert!(http(&admin, "GET", "/").starts_with("HTTP/1.1 404 "));
    assert!(http(&admin, "POST", "/metrics").starts_with("HTTP/1.1 405 "));

    let (mut one, mut two) = (server.connect(), server.connect());
    let opened = one.ask("egtp_open r");
    let key = |color: &str| {
        let line = opened.trim_start_matches("= ").lines().find_map(|line| line.strip_prefix(color));
        line.unwrap().trim().to_string()
    };
    assert!(one.ask(&format!("egtp_sit r black {}", key("black"))).starts_with('='));
    assert!(two.ask("egtp_sit r white wrong").starts_with('?'));
    assert!(two.ask(&format!("egtp_sit r white {}", key("white"))).starts_with('='));
    assert!(one.ask("play b D4").starts_with('='));
    assert!(two.ask("genmove w").starts_with('?'));
    two.send(b"egtp_wait\n");
    let begun = std::time::Instant::now();
    while value(&admin, "egtp_commands_waiting") != 1 {
        assert!(begun.elapsed() < PATIENCE);
    }
    assert_eq!(server.connect().response(), "? too many connections; try again later\n\n");
    for (name, expected) in [
        ("egtp_connections", 2),
        ("egtp_connections_accepted_total", 2),
        ("egtp_connections_turned_away_total", 1),
        ("egtp_rooms", 1),
        ("egtp_room_events_total", 1),
        ("egtp_wrong_keys_total", 1),
        ("egtp_answers_total", 6),
        ("egtp_refusals_total", 2),
    ] {
        // connections hand on what they have counted once they pause
        let begun = std::time::Instant::now();
        while value(&admin, name) != expected {
            assert!(begun.elapsed() < PATIENCE, "{name}: {} and not {expected}", value(&admin, name));
        }
    }
    // nothing secret is told
    let text = http(&admin, "GET", "/metrics");
    assert!(!text.contains(&key("black")) && text.ends_with("# EOF\n"));
    drop((one, two));
    let begun = std::time::Instant::now();
    while value(&admin, "egtp_connections") != 0 {
        assert!(begun.elapsed() < PATIENCE);
    }
    assert_eq!(value(&admin, "egtp_commands_waiting"), 0);
}

#[test]
fn only_on_loopback() {
    for (address, said) in [
        ("0.0.0.0:0", "could be reached from elsewhere"),
        ("[::]:0", "could be reached from elsewhere"),
        ("nonsense", "cannot be understood"),
    ] {
        let ran = run(&["serve", "--listen", "127.0.0.1:0", "--admin", address], b"");
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains(said) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
    // and not at all unless it is asked for
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = run(&["serve", "--listen", "127.0.0.1:0", "--admin", &address], b"");
    assert!(ran.stderr.contains("choose another address with --admin"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn the_log_as_json() {
    let server = Server::start(&["--log", "info", "--log-format", "json"]);
    assert_eq!(server.connect().ask("name"), "= egtp\n\n");
    server.signal("TERM");
    let (code, said) = server.end(PATIENCE);
    assert_eq!(code, Some(0));
    let lines: Vec<serde_json::Value> = said
        .lines()
        .filter(|line| !line.starts_with("egtp: "))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.iter().any(|line| line["fields"]["message"] == "connected" && line["span"]["peer"].is_string()));
}
