//! `egtp referee`: whole archives, one line a game.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::RefereeArgs;
use super::files::collect;
use super::run::print;
use crate::commands::Options;
use crate::gtp::transcript;
use crate::record::{ReadOptions, Reading, Verdict, read_tree, sgf};
use crate::rules::{RULESETS, Selection};
use crate::server::{perform, read, read_from};
use crate::session::{Flow, Session};

/// What is said of one file.
struct Report {
    lines: String,
    games: usize,
    bad: usize,
}

/// Referees all files and prints a line a game; true if all are in order. The files are read by all processors at
/// once, and told of in their order.
pub(super) fn run(args: &RefereeArgs) -> anyhow::Result<bool> {
    let rules = args.rules;
    let engine =
        Options { free_order: args.any_order, ..Options::new(rules.unwrap_or_else(|| Selection::of(RULESETS[0]))) };
    let mut files = Vec::new();
    for path in &args.files {
        collect(path, &["sgf", "gtp"], &mut files)?;
    }
    if files.is_empty() {
        bail!("no *.sgf or *.gtp file there");
    }
    let options = ReadOptions { rules, free_order: engine.free_order, ..ReadOptions::default() };
    let judge = |path: &Path| report(path, &options, engine, args.json);
    let bar = progress(files.len());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(files.len().max(1));
    let queue = Mutex::new(files.iter().enumerate());
    // workers wait when the printer does not keep up, so that memory does not grow with the archive
    let (sender, reports) = sync_channel::<(usize, Report)>(64);
    let mut games = 0;
    let mut bad = 0;
    std::thread::scope(|scope| -> anyhow::Result<()> {
        for _ in 0..workers {
            let (sender, queue, judge) = (sender.clone(), &queue, &judge);
            scope.spawn(move || {
                let next = || queue.lock().ok().and_then(|mut queue| queue.next());
                while let Some((i, path)) = next() {
                    if sender.send((i, judge(path))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        let mut out = io::stdout().lock();
        for (i, report) in reports {
            early.insert(i, report);
            while let Some(report) = early.remove(&next) {
                next += 1;
                games += report.games;
                bad += report.bad;
                bar.inc(1);
                match bar.suspend(|| out.write_all(report.lines.as_bytes())) {
                    // nobody reads on: the workers find out when they send
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                    written => written?,
                }
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    if !args.json {
        let noun = if games == 1 { "game" } else { "games" };
        print(&format!("{games} {noun}, {} in order, {bad} not\n", games - bad))?;
    }
    Ok(bad == 0)
}

/// A bar on standard error if that is a terminal and the lines go elsewhere.
fn progress(files: usize) -> ProgressBar {
    if files < 2 || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {per_sec}, {eta} left");
    ProgressBar::new(files as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn report(path: &Path, options: &ReadOptions, engine: Options, json: bool) -> Report {
    let shown = path.display().to_string();
    let bytes = if shown == "-" { read_from(io::stdin().lock()) } else { read(path) };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return unreadable(&shown, &error.to_string(), json),
    };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gtp")) {
        return conversation(&shown, &bytes, engine, json);
    }
    let (trees, error) = sgf::parse_lenient(&sgf::decode(&bytes));
    let mut report = Report { lines: String::new(), games: 0, bad: 0 };
    for (i, tree) in trees.iter().enumerate() {
        let name = if trees.len() > 1 { format!("{shown}#{}", i + 1) } else { shown.clone() };
        let reading = read_tree(tree, options);
        report.add(&name, &reading, json);
    }
    match error {
        Some(error) => report.join(unreadable(&shown, &error.to_string(), json)),
        None if trees.is_empty() => report.join(unreadable(&shown, "no game in it", json)),
        None => report,
    }
}

impl Report {
    fn add(&mut self, name: &str, reading: &Reading, json: bool) {
        let verdict = Verdict::new(reading);
        self.games += 1;
        self.bad += (verdict.status != crate::record::Status::Good) as usize;
        let line = match (&reading.problem, json) {
            (None, false) => format!("{name}: {verdict}"),
            (Some(problem), false) => format!("{name}:{}: illegal: {problem}", problem.line),
            (problem, true) => {
                let problem = problem.as_ref().map(|p| {
                    json!({"turn": p.turn, "line": p.line, "what": p.what, "kind": p.trouble.name(), "reason": p.reason})
                });
                let players: Vec<_> = reading.players.iter().map(|p| p.clone().unwrap_or_default()).collect();
                json!({
                    "game": name, "status": verdict.status.name(), "turns": verdict.turns, "problem": problem,
                    "ruleset": reading.game.ruleset().name, "size": reading.game.shape().to_string(),
                    "komi": reading.game.komi().to_string(), "black": players[0], "white": players[1],
                    "claimed": verdict.claimed, "counted": verdict.counted.map(|o| o.to_string()), "remarks": verdict.remarks,
                })
                .to_string()
            }
        };
        self.lines += &line;
        self.lines.push('\n');
    }

    fn join(mut self, other: Report) -> Report {
        self.lines += &other.lines;
        Report { lines: self.lines, games: self.games + other.games, bad: self.bad + other.bad }
    }
}

fn unreadable(name: &str, why: &str, json: bool) -> Report {
    wrong(name, "unreadable", why, json)
}

fn wrong(name: &str, status: &str, why: &str, json: bool) -> Report {
    let lines = if json {
        json!({"game": name, "status": status, "reason": why}).to_string() + "\n"
    } else {
        format!("{name}: {status}: {why}\n")
    };
    Report { lines, games: 1, bad: 1 }
}

/// A conversation that was recorded: held again, and what was answered then must be answered now.
fn conversation(name: &str, bytes: &[u8], engine: Options, json: bool) -> Report {
    let steps = match transcript::parse(&String::from_utf8_lossy(bytes)) {
        Ok(steps) => steps,
        Err(error) => return unreadable(name, &error.to_string(), json),
    };
    let mut session = Session::new(Options { files: false, ..engine });
    for step in &steps {
        let mut out = bytes::BytesMut::new();
        if let Flow::File(job) = session.handle_text(step.command.as_bytes(), &mut out) {
            session.file_done(&job, perform(&job), &mut out);
        }
        let answer = transcript::Answer::parse(&String::from_utf8_lossy(&out));
        if let Some((expected, got)) = answer.and_then(|answer| step.mismatch(&answer)) {
            let why = format!("line {}: {}: recorded {expected}, ruled {got}", step.line, step.command);
            return wrong(name, "differs", &why.replace('\n', " "), json);
        }
    }
    let game = session.game();
    let (turns, outcome) = (game.turns().len(), game.outcome().map(|o| o.to_string()));
    let lines = if json {
        json!({"game": name, "status": "ok", "turns": turns, "ruleset": game.ruleset().name, "counted": outcome})
            .to_string()
    } else {
        format!("{name}: ok: {turns} turns{}", outcome.map(|o| format!(", {o}")).unwrap_or_default())
    };
    Report { lines: lines + "\n", games: 1, bad: 0 }
}

/// The games of SGF files, for whoever counts their results.
pub(super) fn readings(path: &Path) -> anyhow::Result<Vec<Reading>> {
    let bytes = read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let trees = sgf::parse(&sgf::decode(&bytes)).with_context(|| format!("{}", path.display()))?;
    Ok(trees.iter().map(|tree| read_tree(tree, &ReadOptions::default())).collect())
}
