//! The program as a child process, the session without one, and answers read as strictly as the protocol writes them.

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::ops::{Deref, DerefMut};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use egtp::commands::Options;
use egtp::gtp::LineCodec;
use egtp::rules::{Allowance, Selection};
use egtp::session::{Flow, Session};
use tokio_util::codec::Decoder;

/// What takes longer than this hangs: much more than anything here needs on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// The longest line that the protocol allows.
pub(crate) const LONGEST: usize = 65_536;

/// A response as it came over the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// `=` rather than `?`.
    pub(crate) success: bool,
    /// The digits echoed; empty for none.
    pub(crate) id: String,
    /// What follows the first space.
    pub(crate) text: String,
}

/// Reads a stream of responses. Whatever the protocol forbids on the wire is a failure of the test: a missing space,
/// a blank line too many or too few, control characters, broken UTF-8.
pub(crate) fn answers(bytes: &[u8]) -> Vec<Answer> {
    let text = std::str::from_utf8(bytes).expect("answers are UTF-8");
    if text.is_empty() {
        return Vec::new();
    }
    let body = text.strip_suffix("\n\n").unwrap_or_else(|| panic!("no blank line at the end: {:?}", tail(text)));
    body.split("\n\n").map(answer).collect()
}

/// Reads one response without the blank line that ends it.
fn answer(block: &str) -> Answer {
    let bad = |what: &str| -> ! { panic!("{what}: {:?}", tail(block)) };
    if block.chars().any(|c| c.is_ascii_control() && c != '\n') {
        bad("a control character");
    }
    if block.split('\n').any(str::is_empty) {
        bad("a blank line");
    }
    let success = match block.as_bytes()[0] {
        b'=' => true,
        b'?' => false,
        _ => bad("neither = nor ?"),
    };
    let (id, text) = block[1..].split_once(' ').unwrap_or_else(|| bad("no space"));
    if !id.bytes().all(|b| b.is_ascii_digit()) {
        bad("an id that is no number");
    }
    Answer { success, id: id.into(), text: text.into() }
}

/// The end of a text, short enough to be shown.
fn tail(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(300);
    text.chars().skip(skip).collect()
}

/// The ids that the answers to an input must have, in order, empty for none; with the command each one answers. Written
/// from the protocol and not with the program's own reader.
pub(crate) fn asked(input: &[u8]) -> Vec<(String, String)> {
    let input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let mut found = Vec::new();
    for line in input.split(|&b| b == b'\n') {
        let too_long = line.len() > LONGEST;
        let code = line.split(|&b| b == b'#').next().unwrap_or_default();
        let kept: Vec<u8> = code.iter().copied().filter(|b| !b.is_ascii_control() || *b == b'\t').collect();
        let text = String::from_utf8_lossy(&kept).replace('\t', " ");
        let text = text.trim_matches(' ');
        if text.is_empty() && !too_long {
            continue;
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let command = text[digits..].split(' ').find(|word| !word.is_empty()).unwrap_or_default();
        found.push((text[..digits].into(), command.into()));
        if command == "quit" && !too_long {
            break;
        }
    }
    found
}

/// Exactly one answer for each command, in order, with its id.
pub(crate) fn answered(input: &[u8], output: &[u8]) -> Vec<Answer> {
    let (asked, answers) = (asked(input), answers(output));
    for (i, ((id, command), answer)) in asked.iter().zip(&answers).enumerate() {
        assert_eq!(&answer.id, id, "answer {i}, to {command}: {answer:?}");
        assert!(!answer.text.contains("internal error"), "answer {i}, to {command}: {answer:?}");
    }
    assert_eq!(answers.len(), asked.len(), "answers to {} bytes of input", input.len());
    answers
}

/// Options as the command line makes them of `--rules` and `--lenient`.
pub(crate) fn options(rules: &str, lenient: bool) -> Options {
    let mut words = rules.split(',');
    let selection = Selection::parse(words.next().unwrap(), words).unwrap();
    Options {
        allowance: Allowance { handicap: lenient, resign: lenient, takeback: lenient },
        free_order: lenient,
        ..Options::new(selection)
    }
}

/// What a session answers to a whole input, without a process.
pub(crate) fn direct(options: Options, input: &[u8]) -> Vec<u8> {
    let (mut session, mut codec) = (Session::new(options), LineCodec::default());
    let (mut source, mut out) = (BytesMut::from(input), BytesMut::new());
    while let Some(block) = codec.decode_eof(&mut source).unwrap() {
        for line in block.lines() {
            if session.handle(line, &mut out) == Flow::Quit {
                return out.to_vec();
            }
        }
    }
    out.to_vec()
}

/// A session that is asked line by line.
pub(crate) struct Asked(Session);

impl Asked {
    pub(crate) fn new(rules: &str, lenient: bool) -> Asked {
        Asked(Session::new(options(rules, lenient)))
    }

    /// The response, byte by byte.
    pub(crate) fn raw(&mut self, line: &str) -> String {
        let mut out = BytesMut::new();
        self.0.handle_text(line.as_bytes(), &mut out);
        String::from_utf8(out.to_vec()).unwrap()
    }

    /// The one answer.
    pub(crate) fn ask(&mut self, line: &str) -> Answer {
        let response = self.raw(line);
        let mut found = answers(response.as_bytes());
        assert_eq!(found.len(), 1, "{line}: {response:?}");
        found.remove(0)
    }

    /// The text of an answer that must be `=`.
    pub(crate) fn yes(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        assert!(answer.success, "{line}: ? {}", answer.text);
        answer.text
    }

    /// The text of an answer that must be `?`.
    pub(crate) fn no(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        assert!(!answer.success, "{line}: = {}", answer.text);
        answer.text
    }

    /// All of these must be answered with `=`.
    pub(crate) fn all(&mut self, lines: &[&str]) {
        for line in lines {
            self.yes(line);
        }
    }
}

/// A child process. It is ended with the value, also when a test fails.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // both fail if it has ended, which is what is wanted
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Deref for Process {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Process {
    /// Starts the program.
    pub(crate) fn start(args: &[&str], stdin: Stdio, stdout: Stdio, stderr: Stdio) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_egtp"));
        // commands made up at random name files, too
        command.current_dir(env!("CARGO_TARGET_TMPDIR"));
        // a level in the environment would put notices where the tests expect none
        command.args(args).env_remove("EGTP_LOG").stdin(stdin).stdout(stdout).stderr(stderr);
        Process(command.spawn().unwrap())
    }

    /// With pipes to and from everything.
    pub(crate) fn piped(args: &[&str]) -> Process {
        Process::start(args, Stdio::piped(), Stdio::piped(), Stdio::piped())
    }

    pub(crate) fn take_pipes(&mut self) -> (ChildStdin, ChildStdout) {
        (self.0.stdin.take().unwrap(), self.0.stdout.take().unwrap())
    }

    /// Waits for its end, but not for ever.
    pub(crate) fn end(&mut self, patience: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < patience, "the program has not ended within {patience:?}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Everything it says on standard error until its end.
    pub(crate) fn complaints(&mut self) -> String {
        let stderr = self.0.stderr.take().unwrap();
        String::from_utf8(soon(reading(stderr))).unwrap()
    }

    /// Memory in use, in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

/// Reads to the end in a thread of its own.
pub(crate) fn reading(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).ok();
        sender.send(bytes).ok();
    });
    receiver
}

/// Writes everything in a thread of its own, then closes. A reader that has gone is no matter.
pub(crate) fn writing(mut to: impl Write + Send + 'static, bytes: Vec<u8>) {
    thread::spawn(move || to.write_all(&bytes).and_then(|()| to.flush()).ok());
}

/// What a thread brings, but not for ever.
pub(crate) fn soon<T>(receiver: Receiver<T>) -> T {
    receiver.recv_timeout(PATIENCE).expect("a thread waits for ever")
}

/// What a run of the program came to.
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// Runs the program on an input to its end.
pub(crate) fn run(args: &[&str], input: &[u8]) -> Ran {
    let mut process = Process::piped(args);
    let (stdin, stdout) = process.take_pipes();
    let stdout = reading(stdout);
    let stderr = reading(process.stderr.take().unwrap());
    writing(stdin, input.to_vec());
    let stdout = soon(stdout);
    let stderr = String::from_utf8(soon(stderr)).unwrap();
    Ran { stdout, stderr, code: process.end(PATIENCE).code() }
}

/// Runs the program as an engine, which must end well and say nothing but answers.
pub(crate) fn play(args: &[&str], input: &[u8]) -> Vec<Answer> {
    let ran = run(args, input);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "egtp {args:?}");
    answered(input, &ran.stdout)
}

/// `egtp serve` on a free port, ended with the value.
pub(crate) struct Server {
    pub(crate) process: Process,
    pub(crate) address: String,
    /// What follows the first line on standard error, at its end.
    pub(crate) stderr: Receiver<Vec<u8>>,
}

impl Server {
    pub(crate) fn start(args: &[&str]) -> Server {
        Server::listening(&[&["--listen", "127.0.0.1:0"], args].concat())
    }

    /// Listening where the arguments say.
    pub(crate) fn listening(args: &[&str]) -> Server {
        let args = [&["serve"], args].concat();
        let mut process = Process::start(&args, Stdio::null(), Stdio::null(), Stdio::piped());
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        let (rest, said) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            stderr.read_line(&mut line).ok();
            sender.send(line).ok();
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).ok();
            rest.send(bytes).ok();
        });
        let line = soon(receiver);
        let address = line.strip_prefix("egtp: listening on ").unwrap_or_else(|| panic!("{line:?}")).trim().into();
        Server { process, address, stderr: said }
    }

    pub(crate) fn connect(&self) -> Client {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Sends a signal by its name.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Its exit status and what it said after the first line.
    pub(crate) fn end(mut self, patience: Duration) -> (Option<i32>, String) {
        let code = self.process.end(patience).code();
        (code, String::from_utf8(soon(self.stderr)).unwrap())
    }
}

/// A connection.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// The next response with its blank line; what there is at the end of the stream.
    pub(crate) fn response(&mut self) -> String {
        let mut response = String::new();
        while !response.ends_with("\n\n") && self.reader.read_line(&mut response).unwrap() > 0 {}
        response
    }

    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(format!("{line}\n").as_bytes());
        self.response()
    }

    /// Everything up to the end of the stream.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.reader.read_to_end(&mut bytes).unwrap();
        bytes
    }
}

/// An address of this machine on which nothing else listens, with port 0. A port that a test gives up for a moment would
/// otherwise be given to another test's server. Systems that have only one such address share it.
pub(crate) fn own_address() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if !cfg!(target_os = "linux") {
        return "127.0.0.1:0".into();
    }
    let (process, n) = (std::process::id() as usize, NEXT.fetch_add(1, Ordering::Relaxed));
    format!("127.{}.{}.{}:0", 1 + process % 250, process / 250 % 250, 1 + n % 250)
}
