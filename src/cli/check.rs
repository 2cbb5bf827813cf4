//! `egtp check`: transcripts against an engine.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};

use super::args::CheckArgs;
use super::engine::{Engine, Source};
use super::files::collect;
use super::run::print;
use crate::gtp::transcript::{self, Answer, Expected, Step, Variables};
use crate::room::{Key, RoomLimits, Rooms};
use crate::server::{Remote, read};

/// Steps that went as expected, and those that did not.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
}

/// Runs all transcripts and prints mismatches and the tally; true if there were none.
pub(super) async fn run(args: &CheckArgs) -> anyhow::Result<bool> {
    let source = match (&args.engine, &args.connect) {
        (Some(command), _) => {
            Source::Program(shlex::split(command).context("--engine has an unclosed quotation mark")?)
        }
        (_, Some(address)) => Source::Server(Remote::new(address)),
        _ => Source::Own(Box::new(args.rules.options())),
    };
    if !matches!(source, Source::Own(_)) && args.rules.is_set() {
        bail!("--rules, --allow, --turn-order and --lenient are for the built-in engine; give them to the other one");
    }
    let mut files = Vec::new();
    for path in &args.files {
        collect(path, &["gtp"], &mut files)?;
    }
    if files.is_empty() {
        bail!("no *.gtp file there");
    }
    let mut tally = Tally::default();
    for file in &files {
        // a file that cannot be run is one failure; the others are run all the same
        if let Err(error) = check(file, &source, args, &mut tally).await {
            tally.failed += 1;
            print(&format!("{error:#}\n"))?;
        }
    }
    print(&format!("{} passed, {} failed\n", tally.passed, tally.failed))?;
    Ok(tally.failed == 0)
}

async fn check(file: &Path, source: &Source, args: &CheckArgs, tally: &mut Tally) -> anyhow::Result<()> {
    let shown = file.display();
    let bytes = read(file).with_context(|| format!("{shown}: cannot be read"))?;
    let steps = match transcript::parse(&String::from_utf8_lossy(&bytes)) {
        Ok(steps) => steps,
        Err(error) => bail!("{shown}:{error}"),
    };
    // a recorded conversation was held without rooms, and must find none now
    let shared = steps.iter().any(|step| !step.who.is_empty() || step.command.contains("${room}"));
    let rooms = shared.then(|| Arc::new(Rooms::new(RoomLimits::default())));
    let mut engines: HashMap<&str, Engine> = HashMap::new();
    let mut variables = Variables::default();
    variables.set("room", &format!("check-{}", Key::random().map_err(anyhow::Error::msg)?));
    for (i, step) in steps.iter().enumerate() {
        let Step { line, who, command, expected, .. } = step;
        let at = if who.is_empty() { String::new() } else { format!("@{who} ") };
        let lost = |error: anyhow::Error, tally: &mut Tally| {
            // the engine is lost, and with it the rest of the file
            let left = steps.len() - i - 1;
            tally.failed += left;
            anyhow::anyhow!("{shown}:{line}: {at}{command}\n  {error:#}; {left} commands not run")
        };
        if !engines.contains_key(who.as_str()) {
            let engine = source.open(Duration::from_secs(args.timeout), rooms.as_ref()).await;
            engines.insert(who, engine.map_err(|error| if i == 0 { error } else { lost(error, tally) })?);
        }
        let Some(engine) = engines.get_mut(who.as_str()) else { continue };
        let command = variables.fill(command);
        let answer = match engine.exchange(&command, matches!(expected, Expected::Nothing)).await {
            Ok(answer) => answer,
            Err(error) => return Err(lost(error, tally)),
        };
        if args.verbose {
            let answer = answer.as_ref().map_or("(no answer yet)".into(), Answer::shown);
            print(&format!("{at}{command}\n{answer}\n\n"))?;
        }
        let wrong = answer.as_ref().and_then(|answer| step.mismatch(answer));
        if let Some(answer) = &answer {
            variables.learn(expected, answer);
        }
        match wrong {
            None => tally.passed += 1,
            Some((expected, got)) => {
                tally.failed += 1;
                let (expected, got) = (indent(&expected), indent(&got));
                print(&format!("{shown}:{line}: {at}{command}\n  expected: {expected}\n  got:      {got}\n"))?;
            }
        }
    }
    Ok(())
}

/// Further lines under the first.
fn indent(text: &str) -> String {
    text.replace('\n', "\n            ")
}
