//! The README shows what really happens: its sessions are played, its console is typed.

use std::process::Command;

use bytes::BytesMut;
use egtp::commands::Options;
use egtp::gtp::transcript::{self, Answer};
use egtp::rules::{RULESETS, Selection};
use egtp::session::Session;

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let text = readme();
    let fence = format!("```{language}\n");
    let parts = text.split(&fence).skip(1);
    parts.map(|part| part.split("\n```").next().unwrap().to_string()).collect()
}

#[test]
fn sessions_go_as_they_are_shown() {
    let blocks = blocks("gtp");
    assert!(blocks.len() >= 7, "a session of each system");
    for block in blocks {
        let mut session = Session::new(Options::new(Selection::of(RULESETS[0])));
        for step in transcript::parse(&block).unwrap() {
            let mut out = BytesMut::new();
            session.handle_text(step.command.as_bytes(), &mut out);
            let answer = Answer::parse(&String::from_utf8_lossy(&out)).unwrap();
            assert_eq!(step.mismatch(&answer), None, "{block}\n{}", step.command);
            let refused = matches!(step.expected, transcript::Expected::Refused(_));
            assert_eq!(answer.success, !refused, "{}: {}", step.command, answer.text);
        }
    }
}

/// The first part of each console block that a shell can type without another program or a running server.
#[test]
fn the_console_shows_what_it_shows() {
    let folder = std::env::temp_dir().join(format!("egtp-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let typed = blocks("console");
    // files are given by what `cat` shows of them
    for name in ["results.csv", "game.sgf"] {
        let shown = typed.iter().find_map(|b| b.strip_prefix(&format!("$ cat {name}\n"))).unwrap();
        std::fs::write(folder.join(name), shown.split("$ ").next().unwrap()).unwrap();
    }
    let mut compared = 0;
    for block in &typed {
        let mut rest = block.as_str();
        while let Some(start) = rest.strip_prefix("$ ") {
            let end = start.find("\n$ ").map_or(start.len(), |i| i + 1);
            let (step, after) = start.split_at(end);
            rest = after;
            // a here-document is part of what is typed
            let line = step.find("\nEND\n").map_or_else(|| step.find('\n').unwrap_or(step.len()), |i| i + 4);
            let (command, shown) = step.split_at(line);
            if command.contains("gnugo") || command.contains("--connect") {
                continue;
            }
            let path = std::path::Path::new(env!("CARGO_BIN_EXE_egtp")).parent().unwrap();
            let path = format!("{}:{}", path.display(), std::env::var("PATH").unwrap_or_default());
            let ran = Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(&folder).output().unwrap();
            let trimmed =
                |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_string();
            assert_eq!(trimmed(&String::from_utf8_lossy(&ran.stdout)), trimmed(shown), "{command}");
            compared += 1;
        }
    }
    assert!(compared >= 6, "{compared}");
    std::fs::remove_dir_all(&folder).unwrap();
}
