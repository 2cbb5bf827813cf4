//! The transcripts of `protocol/`, and what the protocol's documents say of themselves.
//!
//! A new case is a new file in `protocol/transcripts` (those in `lenient` are for `--lenient`); nothing here changes.

use std::collections::BTreeSet;
use std::fs;
use std::net::Shutdown;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egtp::commands;
use egtp::gtp::transcript::{self, Answer, Expected, Step};
use egtp::gtp::{Request, clean};
use regex::Regex;

use super::engine::{PATIENCE, Ran, Server, direct, options, run};

/// A transcript as it stands in the repository.
struct Transcript {
    path: PathBuf,
    text: String,
    steps: Vec<Step>,
}

impl Transcript {
    /// Transcripts of that folder need an engine that bends the rules.
    fn lenient(&self) -> bool {
        self.within("lenient")
    }

    fn within(&self, folder: &str) -> bool {
        self.path.components().any(|part| part.as_os_str() == folder)
    }

    /// Everything in a stream of responses that is not as the transcript says.
    fn mismatches(&self, output: &[u8]) -> Vec<String> {
        let output = String::from_utf8_lossy(output);
        let mut responses = output.split_terminator("\n\n");
        let mut found = Vec::new();
        for step in &self.steps {
            let place = format!("{}:{}: {}", self.path.display(), step.line, step.command);
            match responses.next().map(|response| (response, Answer::parse(response))) {
                None => found.push(format!("{place}\n  no answer")),
                Some((response, None)) => found.push(format!("{place}\n  not a response: {response:?}")),
                Some((_, Some(answer))) => {
                    if let Some((expected, got)) = step.mismatch(&answer) {
                        found.push(format!("{place}\n  expected: {expected}\n  got:      {got}"));
                    }
                }
            }
        }
        found.extend(responses.map(|more| format!("{}: nobody asked for {more:?}", self.path.display())));
        found
    }
}

fn protocol() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol")
}

/// Transcripts of one controller, examples included.
fn transcripts() -> Vec<Transcript> {
    all_transcripts().into_iter().filter(|transcript| !transcript.within("rooms")).collect()
}

/// All transcripts.
fn all_transcripts() -> Vec<Transcript> {
    let mut files = Vec::new();
    collect(&protocol(), &mut files);
    assert!(!files.is_empty(), "no transcripts in {}", protocol().display());
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let steps = transcript::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Transcript { path, text, steps }
    };
    files.into_iter().map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "gtp") {
            files.push(path);
        }
    }
}

/// Fails with everything that is wrong, not only the first of it.
fn nothing(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check_all(play: impl Fn(&Transcript) -> Vec<u8>) {
    let begun = Instant::now();
    let wrong: Vec<String> =
        transcripts().iter().flat_map(|transcript| transcript.mismatches(&play(transcript))).collect();
    nothing(&wrong);
    assert!(begun.elapsed() < PATIENCE, "the transcripts took {:?}", begun.elapsed());
}

#[test]
fn transcripts_pass_in_a_session() {
    check_all(|transcript| direct(options("enhanced", transcript.lenient()), transcript.text.as_bytes()));
}

#[test]
fn transcripts_pass_over_pipes() {
    check_all(|transcript| {
        let args: &[&str] = if transcript.lenient() { &["--lenient"] } else { &[] };
        let Ran { stdout, stderr, code } = run(args, transcript.text.as_bytes());
        assert_eq!((stderr.as_str(), code), ("", Some(0)), "{}", transcript.path.display());
        stdout
    });
}

#[test]
fn transcripts_pass_over_tcp() {
    let (strict, lenient) = (Server::start(&[]), Server::start(&["--lenient"]));
    check_all(|transcript| {
        let mut client = if transcript.lenient() { &lenient } else { &strict }.connect();
        client.send(transcript.text.as_bytes());
        client.stream.shutdown(Shutdown::Write).unwrap();
        client.rest()
    });
}

/// Transcripts of several controllers, in the pure room and over real sockets.
#[test]
fn transcripts_of_rooms() {
    let folder = protocol().join("rooms");
    let server = Server::start(&[]);
    for way in [&[][..], &["--connect", &server.address]] {
        let (last, printed, code) = check(&[way, &[folder.to_str().unwrap()]].concat());
        assert_eq!(code, Some(0), "{way:?}: {printed}");
        assert!(last.split(' ').next().unwrap().parse::<usize>().unwrap() > 140, "{last}");
    }
}

#[test]
fn transcripts_begin_with_what_they_show() {
    let silent = |t: &&Transcript| !t.text.starts_with("# ");
    let wrong: Vec<String> = all_transcripts().iter().filter(silent).map(|t| t.path.display().to_string()).collect();
    nothing(&wrong);
}

#[test]
fn every_command_is_in_a_transcript() {
    let mut used = BTreeSet::new();
    for step in all_transcripts().iter().flat_map(|transcript| &transcript.steps) {
        let line = clean(step.command.as_bytes());
        if let Ok(Some(request)) = Request::parse(&line) {
            used.insert(request.command.to_string());
        }
    }
    let unused = commands::all().map(|command| command.name.to_string()).filter(|name| !used.contains(name));
    nothing(&unused.collect::<Vec<_>>());
}

#[test]
fn the_command_reference_is_fresh() {
    let written = fs::read_to_string(protocol().join("COMMANDS.md")).unwrap_or_default();
    assert!(written == commands::reference(), "stale; run: cargo run -- commands > protocol/COMMANDS.md");
}

#[test]
fn the_specification_names_every_command() {
    let text = fs::read_to_string(protocol().join("SPEC.md")).unwrap();
    let unnamed =
        commands::all().filter(|c| !Regex::new(&format!(r"`{}\b", regex::escape(c.name))).unwrap().is_match(&text));
    nothing(&unnamed.map(|command| command.name.to_string()).collect::<Vec<_>>());
}

/// An error text of the specification: `<…>` stands for what differs from case to case.
struct ErrorText {
    text: String,
    pattern: String,
}

impl ErrorText {
    /// Whether a text is this one as a whole.
    fn is(&self, text: &str) -> bool {
        Regex::new(&format!(r"\A{}\z", self.pattern)).unwrap().is_match(text)
    }
}

/// The table below the heading `## Error texts`.
fn error_texts() -> Vec<ErrorText> {
    let spec = fs::read_to_string(protocol().join("SPEC.md")).unwrap();
    let (_, section) = spec.split_once("\n## Error texts\n").expect("SPEC.md has a section of error texts");
    let section = section.split("\n## ").next().unwrap_or_default();
    let variable = Regex::new("<[^>]+>").unwrap();
    let row = |line: &str| {
        let text = line.strip_prefix("| `")?.split_once('`')?.0.to_string();
        let pattern = variable.split(&text).map(regex::escape).collect::<Vec<_>>().join(".+");
        Some(ErrorText { text, pattern })
    };
    let found: Vec<ErrorText> = section.lines().filter_map(row).collect();
    assert!(found.len() > 40, "only {} error texts found in SPEC.md", found.len());
    found
}

#[test]
fn every_error_text_is_in_a_transcript() {
    let transcripts = all_transcripts();
    let expected: Vec<&str> = transcripts
        .iter()
        .flat_map(|transcript| &transcript.steps)
        .filter_map(|step| match &step.expected {
            Expected::Refused(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let missing = error_texts().into_iter().filter(|error| !expected.iter().any(|text| error.is(text)));
    nothing(&missing.map(|error| error.text).collect::<Vec<_>>());
}

#[test]
fn every_refusal_is_in_the_specification() {
    let known = error_texts();
    let mut unknown = BTreeSet::new();
    for transcript in transcripts() {
        let output = direct(options("enhanced", transcript.lenient()), transcript.text.as_bytes());
        let output = String::from_utf8_lossy(&output).into_owned();
        let refused = output.split("\n\n").filter_map(Answer::parse).filter(|answer| !answer.success);
        unknown.extend(refused.map(|answer| answer.text).filter(|text| !known.iter().any(|error| error.is(text))));
    }
    nothing(&unknown.into_iter().collect::<Vec<_>>());
}

/// A folder for one test, removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("egtp-conformance-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Writes a transcript and returns its path.
    fn with(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().into()
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// The last line that `egtp check` prints, all of it, and the exit status.
fn check(args: &[&str]) -> (String, String, Option<i32>) {
    let ran = run(&[&["check"], args].concat(), b"");
    let printed = String::from_utf8(ran.stdout).unwrap();
    let last = printed.lines().last().unwrap_or_default().to_string();
    (last, printed + &ran.stderr, ran.code)
}

const RIGHT: &str = "# right\n1 name\n#= egtp\nplay white D4\n#? illegal move: black to move\nversion\n";
const WRONG: &str =
    "name\n#= gnugo\nplay black D4\n#= \nplay black D4\n#? illegal move: ko\n5 list_stones black\n#= D4\n";

#[test]
fn check_counts_and_says_where() {
    let folder = Folder::new("counts");
    let (right, wrong) = (folder.with("right.gtp", RIGHT), folder.with("wrong.gtp", WRONG));
    // only transcripts are run
    folder.with("notes.txt", "nonsense\n");
    let (last, _, code) = check(&[&right]);
    assert_eq!((last.as_str(), code), ("3 passed, 0 failed", Some(0)));
    let (last, printed, code) = check(&[folder.path()]);
    assert_eq!((last.as_str(), code), ("5 passed, 2 failed", Some(1)), "{printed}");
    for part in [
        &format!("{wrong}:1: name\n  expected: = gnugo\n  got:      = egtp\n"),
        &format!(
            "{wrong}:5: play black D4\n  expected: ? illegal move: ko\n  got:      ? illegal move: white to move\n"
        ),
    ] {
        assert!(printed.contains(part.as_str()), "{part}\nis not in\n{printed}");
    }
    let (_, printed, _) = check(&["--verbose", &right]);
    assert!(printed.contains("1 name\n=1 egtp\n"), "{printed}");
}

#[test]
fn check_refuses_what_it_cannot_read() {
    let folder = Folder::new("unreadable");
    let broken = folder.with("broken.gtp", "name\n#= egtp\n#= egtp\n");
    let (_, printed, code) = check(&[&broken]);
    assert_eq!(code, Some(1));
    assert!(
        printed.contains("broken.gtp:3: a second expectation") && printed.ends_with("0 passed, 1 failed\n"),
        "{printed}"
    );
    let (_, printed, code) = check(&[&format!("{}/none.gtp", folder.path())]);
    assert!(code == Some(1) && printed.contains("none.gtp: cannot be read"), "{printed}");
    assert_eq!(check(&[]).2, Some(2));
    let mistakes = [
        ("name #= egtp\n", "a line of its own"),
        ("name\n= egtp\n", "an answer?"),
        ("name\n#= /eg\n", "ends with /"),
        ("name\n#= /(/\n", "unclosed group"),
        ("name\n#= /x)|(?:.*/\n", "unopened group"),
        ("#= egtp\nname\n", "before the first command"),
    ];
    for (text, complaint) in mistakes {
        let (last, printed, _) = check(&[&folder.with("mistake.gtp", text)]);
        assert!(last == "0 passed, 1 failed" && printed.contains(complaint), "{text:?}: {printed}");
    }
    let (last, ..) = check(&[&folder.with("quit.gtp", "quit\nname\n")]);
    assert_eq!(last, "1 passed, 1 failed", "nothing is answered after quit");
    let (last, ..) = check(&[&folder.with("mark.gtp", "\u{feff}# saved by an editor\nname\n#= egtp\n")]);
    assert_eq!(last, "1 passed, 0 failed");
}

#[test]
fn check_asks_other_programs_and_servers() {
    let folder = Folder::new("others");
    let wrong = folder.with("wrong.gtp", WRONG);
    let program = format!("'{}'", env!("CARGO_BIN_EXE_egtp"));
    let server = Server::start(&[]);
    let ways: [&[&str]; 2] = [&["--engine", &program], &["--connect", &server.address]];
    for way in ways {
        let (last, printed, code) = check(&[way, &[&wrong]].concat());
        assert_eq!((last.as_str(), code), ("2 passed, 2 failed", Some(1)), "{way:?}: {printed}");
    }
    let lenient = protocol().join("lenient");
    let (_, printed, code) = check(&["--engine", &format!("{program} --lenient"), lenient.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{printed}");
}

#[cfg(unix)]
#[test]
fn check_outlives_bad_engines() {
    let folder = Folder::new("bad-engines");
    let right = folder.with("right.gtp", RIGHT);
    let cases = [
        ("true", "the engine"),
        ("sh -c 'while read line; do echo hello; echo; done'", "not a GTP response"),
        ("sh -c 'read line; echo \"= egtp\"; exit 3'", "ended without an answer"),
        ("sleep 60", "no answer within 1 s"),
    ];
    for (engine, said) in cases {
        let begun = Instant::now();
        let (last, printed, code) = check(&["--timeout", "1", "--engine", engine, &right]);
        assert_eq!((last.as_str(), code), ("0 passed, 3 failed", Some(1)), "{engine}: {printed}");
        assert!(printed.contains(said) && printed.contains("2 commands not run"), "{engine}: {printed}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{engine}: {:?}", begun.elapsed());
    }
    let (_, printed, code) = check(&["--engine", "/no/such/engine", &right]);
    assert!(code == Some(1) && printed.contains("cannot start"), "{printed}");
    let (_, printed, code) = check(&["--timeout", "2", "--connect", "127.0.0.1:1", &right]);
    assert!(code == Some(1) && printed.contains("cannot connect"), "{printed}");
}
