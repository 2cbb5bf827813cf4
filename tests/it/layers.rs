//! The order of the modules of `src`, read from their text.
//!
//! Each floor imports only from the ones above it in [`FLOORS`]. Input and output, clocks and the runtime belong to
//! the lowest floors. What is read is the text without comments and literals; macros of other crates are not expanded.

use std::path::Path;

/// The modules and their floors. Within a floor, a module may import those listed before it, except that the wire knows
/// no board and the board no wire.
const FLOORS: [(&str, u8); 12] = [
    ("board", 0),
    ("gtp", 0),
    ("rules", 1),
    ("life", 1),
    ("game", 2),
    ("record", 3),
    ("room", 4),
    ("commands", 5),
    ("session", 5),
    ("store", 6),
    ("server", 6),
    ("cli", 7),
];
/// The floor from which on the runtime and the clock may be used.
const SERVER: u8 = 6;
/// The modules that may touch files, sockets, processes and the environment.
const OUTSIDE: [&str; 3] = ["server", "store", "cli"];
/// The roots of the program, which put everything together.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];
/// Lines that a file may have.
const MOST_LINES: usize = 500;

/// The text with its comments left out and its literals emptied.
fn bare(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut out = String::new();
    let mut i = 0;
    while i < chars.len() {
        let starts_word = i == 0 || !is_word(at(i - 1));
        match (at(i), at(i + 1)) {
            ('/', '/') => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            ('/', '*') => {
                let mut depth = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => depth += 1,
                        ('*', '/') => depth -= 1,
                        _ => {
                            i += 1;
                            continue;
                        }
                    }
                    i += 2;
                    if depth == 0 || i >= chars.len() {
                        break;
                    }
                }
            }
            (quote @ '"', _) => i = after_literal(&chars, i + 1, quote),
            ('r', '"' | '#') if starts_word || at(i - 1) == 'b' => {
                let hashes = chars[i + 1..].iter().take_while(|&&c| c == '#').count();
                if at(i + 1 + hashes) == '"' {
                    i = after_raw_string(&chars, i + 2 + hashes, hashes);
                } else {
                    // a raw identifier: r#type
                    out.push(at(i));
                    i += 1;
                }
            }
            // a character, not a lifetime
            (quote @ '\'', '\\') => i = after_literal(&chars, i + 1, quote),
            ('\'', _) if at(i + 2) == '\'' => i += 3,
            (c, _) => {
                out.push(c);
                i += 1;
            }
        }
    }
    out
}

/// Behind the closing quote of a string or a character whose inside begins at `i`.
fn after_literal(chars: &[char], mut i: usize, quote: char) -> usize {
    while i < chars.len() && chars[i] != quote {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn after_raw_string(chars: &[char], mut i: usize, hashes: usize) -> usize {
    let closes =
        |i: usize| chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
    while i < chars.len() && !closes(i) {
        i += 1;
    }
    i + 1 + hashes
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Words, `::`, and single other characters.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let mut end = i + 1;
        if is_word(chars[i]) {
            while end < chars.len() && is_word(chars[end]) {
                end += 1;
            }
        } else if chars[i] == ':' && chars.get(end) == Some(&':') {
            end += 1;
        }
        if !chars[i].is_whitespace() {
            tokens.push(chars[i..end].iter().collect());
        }
        i = end;
    }
    tokens
}

/// Collects the paths of the tree that begins at token `i`, each with what is before it, and says where the tree ends.
fn tree(tokens: &[String], mut i: usize, before: &[String], paths: &mut Vec<Vec<String>>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(i).map(String::as_str) {
            Some("{") => {
                i += 1;
                while tokens.get(i).is_some_and(|t| t != "}") {
                    i = match tokens[i].as_str() {
                        "," => i + 1,
                        // and the other name
                        "as" => i + 2,
                        _ => tree(tokens, i, &path, paths).max(i + 1),
                    };
                }
                return i + 1;
            }
            Some(word) if word == "*" || word.starts_with(is_word) => path.push(word.to_string()),
            _ => break,
        }
        i += 1;
        if tokens.get(i).is_none_or(|t| t != "::") {
            break;
        }
        i += 1;
    }
    paths.push(path);
    i
}

/// A path in a file, with the module it stands in, as names from the root.
struct Found {
    module: Vec<String>,
    path: Vec<String>,
}

/// All paths of a file, those of nested groups written out.
fn paths(tokens: &[String], module: &[String]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut inner: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    let mut i = 0;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inner.retain(|(_, inside)| *inside <= depth);
            }
            "mod" if tokens.get(i + 2).is_some_and(|t| t == "{") => inner.push((tokens[i + 1].clone(), depth + 1)),
            word if word.starts_with(is_word) && (i == 0 || tokens[i - 1] != ".") => {
                let mut all = Vec::new();
                i = tree(tokens, i, &[], &mut all);
                let names = inner.iter().map(|(name, _)| name.clone());
                let module: Vec<String> = module.iter().cloned().chain(names).collect();
                found.extend(all.into_iter().map(|path| Found { module: module.clone(), path }));
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

impl Found {
    /// The module of this crate at the root of the path; `None` if it leads elsewhere or stays inside.
    fn target(&self) -> Option<&str> {
        let mut place = self.module.len();
        for (i, word) in self.path.iter().enumerate() {
            match word.as_str() {
                "crate" | "egtp" if i == 0 => place = 0,
                "self" if i == 0 && self.path.len() > 1 => {}
                "super" => place = place.saturating_sub(1),
                name => {
                    let relative = i == 0;
                    return (!relative && place == 0).then_some(name);
                }
            }
        }
        // the root itself, under whatever name
        (place == 0 && self.path.len() > 1).then_some("*")
    }
}

/// What is wrong with a file, whose name is given from `src` on.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        faults.push(format!("{lines} lines"));
    }
    let tokens = tokens(&bare(text));
    for (i, token) in tokens.iter().enumerate() {
        let called = tokens.get(i + 1).is_some_and(|t| t == "!");
        if token == "unsafe" || called && (token == "todo" || token == "unimplemented") {
            faults.push(token.clone());
        }
    }
    if ROOTS.contains(&name) {
        return faults;
    }
    let mut module: Vec<String> = name.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    let own = module[0].clone();
    let Some(index) = FLOORS.iter().position(|(name, _)| *name == own) else {
        faults.push(format!("no floor for the module {own}"));
        return faults;
    };
    for found in paths(&tokens, &module) {
        faults.extend(fault(&own, index, &found));
    }
    faults
}

/// What is wrong with a path in the module with that index.
fn fault(own: &str, index: usize, found: &Found) -> Option<String> {
    let floor = FLOORS[index].1;
    let path: Vec<&str> = found.path.iter().map(String::as_str).collect();
    let text = path.join("::");
    if let Some(target) = found.target()
        && target != own
    {
        let allowed = FLOORS.iter().position(|(name, _)| *name == target).is_some_and(|other| {
            let separate = floor == 0 && FLOORS[other].1 == 0;
            other < index && !separate
        });
        return (!allowed).then(|| format!("{text}: {own} may not import {target}"));
    }
    let runtime = match path[..] {
        ["tokio", ..] => true,
        ["tokio_util", "codec" | "bytes", ..] => own != "gtp",
        ["tokio_util", ..] => true,
        _ => false,
    };
    if runtime && floor < SERVER {
        return Some(format!("{text}: the runtime below the server"));
    }
    let outer = matches!(path[..], ["std", "fs" | "net" | "process" | "env" | "*", ..]);
    if outer && !OUTSIDE.contains(&own) {
        return Some(format!("{text}: input and output in {own}"));
    }
    let clock = path.iter().any(|word| ["Instant", "SystemTime"].contains(word)) || path == ["std", "time", "*"];
    (clock && floor < SERVER).then(|| format!("{text}: the clock below the server"))
}

/// All source files below a folder, with their names from `src` on.
fn sources(folder: &Path, name: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        let name = format!("{name}{}", entry.file_name().to_str().unwrap());
        if path.is_dir() {
            sources(&path, &format!("{name}/"), found);
        } else if name.ends_with(".rs") {
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn no_module_imports_from_below() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    assert!(files.len() > 25, "the sources are found");
    let report = |(name, text): &(String, String)| {
        faults(name, text).into_iter().map(|fault| format!("src/{name}: {fault}")).collect::<Vec<_>>()
    };
    let wrong: Vec<String> = files.iter().flat_map(report).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn bad_sources_are_found_out() {
    // in two halves, so that a search for what is left open does not find them
    let bad = [
        ("board/point.rs", "use crate::rules::Turn;", "crate::rules::Turn: board may not import rules"),
        ("board/mod.rs", "use crate::gtp;", "crate::gtp: board may not import gtp"),
        ("gtp/mod.rs", "use crate::board::Color;", "crate::board::Color: gtp may not import board"),
        (
            "rules/turn.rs",
            "use crate::{board::{Color as C, Point}, game::{Game as G}};",
            "crate::game::Game: rules may not import game",
        ),
        ("rules/mod.rs", "use super::game::Game;", "super::game::Game: rules may not import game"),
        (
            "rules/turn.rs",
            "use super::{super::session::X, Turn};",
            "super::super::session::X: rules may not import session",
        ),
        (
            "rules/a/b.rs",
            "fn f(x: super::super::super::cli::X) {}",
            "super::super::super::cli::X: rules may not import cli",
        ),
        (
            "game/play.rs",
            "mod tests { use super::super::super::room::Room; }",
            "super::super::super::room::Room: game may not import room",
        ),
        ("game/play.rs", "fn f() { let x = crate::server::run(); }", "crate::server::run: game may not import server"),
        ("game/play.rs", "pub(in crate::record) fn f() {}", "crate::record: game may not import record"),
        ("game.rs", "use crate::commands as c;", "crate::commands: game may not import commands"),
        (
            "commands/table.rs",
            "use crate::session::Session;",
            "crate::session::Session: commands may not import session",
        ),
        ("store/mod.rs", "use egtp::server::Hub;", "egtp::server::Hub: store may not import server"),
        ("rules/mod.rs", "use crate::*;", "crate::*: rules may not import *"),
        ("rules/mod.rs", "use crate::{self as all};", "crate::self: rules may not import self"),
        ("rules/mod.rs", "const Q: char = '\\''; use crate::life::X;", "crate::life::X: rules may not import life"),
        ("rules/mod.rs", "use crate::surprise::X;", "crate::surprise::X: rules may not import surprise"),
        ("surprise/mod.rs", "", "no floor for the module surprise"),
        ("session/mod.rs", "use tokio::sync::mpsc;", "tokio::sync::mpsc: the runtime below the server"),
        (
            "gtp/codec.rs",
            "use tokio_util::{codec::Decoder, sync::X};",
            "tokio_util::sync::X: the runtime below the server",
        ),
        (
            "session/mod.rs",
            "use tokio_util::codec::Decoder;",
            "tokio_util::codec::Decoder: the runtime below the server",
        ),
        ("session/mod.rs", "use std::{fmt, fs::File};", "std::fs::File: input and output in session"),
        ("session/mod.rs", "fn f() { std::process::exit(1) }", "std::process::exit: input and output in session"),
        ("session/mod.rs", "use std::{env, io};", "std::env: input and output in session"),
        ("commands/admin.rs", "use std::net;", "std::net: input and output in commands"),
        ("room/mod.rs", "use std::time::{Duration, Instant};", "std::time::Instant: the clock below the server"),
        ("room/mod.rs", "fn f(now: SystemTime) {}", "SystemTime: the clock below the server"),
        ("cli/mod.rs", "fn f() { unsafe { g() } }", "unsafe"),
        ("main.rs", concat!("fn main() { to", "do!() }"), "todo"),
        ("cli/mod.rs", concat!("fn f() { unimple", "mented!(\"later\") }"), "unimplemented"),
    ];
    for (name, text, fault) in bad {
        assert_eq!(faults(name, text), [fault], "{name}: {text}");
    }
    assert_eq!(faults("cli/mod.rs", &"\n".repeat(501)), ["501 lines"]);
}

#[test]
fn good_sources_are_left_alone() {
    let good = [
        (
            "board/mod.rs",
            concat!(
                "//! See [`crate::rules`].\n/* use crate::rules; /* to",
                "do!() */ */ mod point; pub use point::Point;"
            ),
        ),
        ("board/position.rs", "use super::{Color, Point}; use crate::board::Shape; fn f() { self.x(); todo; }"),
        (
            "board/position.rs",
            concat!("const A: &str = \"use crate::rules::X; \\\" unsafe\"; const B: &str = r#\"to", "do!() \"x\" \"#;"),
        ),
        ("board/position.rs", "fn f<'a>(x: &'a str) -> char { match x { _ => '\"' } } // unsafe"),
        ("board/position.rs", "mod tests { use super::*; use crate::board::{Shape, board_rows}; } use super::Color;"),
        ("rules/judge.rs", "use crate::board::{Color, Point}; use super::past::{Change, Past}; pub(crate) fn f() {}"),
        (
            "rules/judge.rs",
            "fn f(game: u8, rules: u8) { g(x.tokio.fs, env!(\"X\")) } struct Life { cli: std::time::Duration }",
        ),
        ("gtp/codec.rs", "use bytes::{Buf, BytesMut}; use tokio_util::codec::{Decoder, Encoder};"),
        ("session/mod.rs", "use crate::{commands::{self, Table}, gtp::Args}; use std::io::{self, Write};"),
        ("server/mod.rs", "use crate::store::Store; use tokio::net::TcpListener; use std::{env, fs, time::Instant};"),
        ("cli/mod.rs", "use crate::server; use std::process::ExitCode;"),
        ("lib.rs", "pub mod board; use crate::cli::X;"),
    ];
    for (name, text) in good {
        assert_eq!(faults(name, text), [""; 0], "{name}: {text}");
    }
    assert_eq!(faults("cli/mod.rs", &"\n".repeat(500)), [""; 0]);
}
