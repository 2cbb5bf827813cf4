//! A server that says what the test wants, on a port that it keeps over restarts.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use crate::engine::{PATIENCE, own_address};

/// A port. Closing it makes connections to it fail until it is opened again.
pub(super) struct Fake {
    pub(super) address: SocketAddr,
    listener: Option<TcpListener>,
}

/// One connection to it.
pub(super) struct Accepted {
    reader: BufReader<TcpStream>,
    id: String,
}

impl Fake {
    pub(super) fn start() -> Fake {
        let listener = TcpListener::bind(own_address()).unwrap();
        Fake { address: listener.local_addr().unwrap(), listener: Some(listener) }
    }

    pub(super) fn stop(&mut self) {
        self.listener = None;
    }

    pub(super) fn restart(&mut self) {
        self.listener = Some(TcpListener::bind(self.address).unwrap());
    }

    /// The next connection.
    pub(super) fn accept(&self) -> Accepted {
        let (stream, _) = self.listener.as_ref().unwrap().accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Accepted { reader: BufReader::new(stream), id: String::new() }
    }
}

impl Accepted {
    /// The next line without its id; empty at the end of the stream.
    pub(super) fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        self.id = line[..digits].into();
        line[digits..].trim().into()
    }

    /// Answers the last line.
    pub(super) fn say(&mut self, success: bool, text: &str) {
        let answer = format!("{}{} {text}\n\n", if success { '=' } else { '?' }, self.id);
        self.reader.get_mut().write_all(answer.as_bytes()).unwrap();
    }

    /// The next line must be this one, and is answered so.
    #[track_caller]
    pub(super) fn expect(&mut self, line: &str, text: &str) {
        assert_eq!(self.line(), line);
        self.say(true, text);
    }

    #[track_caller]
    pub(super) fn refuse(&mut self, line: &str, text: &str) {
        assert_eq!(self.line(), line);
        self.say(false, text);
    }
}
