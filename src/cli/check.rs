//! `egtp check`: transcripts against an engine.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};

use super::args::CheckArgs;
use super::engine::Source;
use super::files::collect;
use super::run::print;
use crate::gtp::transcript::{self, Step};
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
    let mut engine = source.open(Duration::from_secs(args.timeout)).await?;
    for (i, step) in steps.iter().enumerate() {
        let Step { line, command, .. } = step;
        let answer = match engine.ask(command).await {
            Ok(answer) => answer,
            // the engine is lost, and with it the rest of the file
            Err(error) => {
                tally.failed += steps.len() - i - 1;
                bail!("{shown}:{line}: {command}\n  {error:#}; {} commands not run", steps.len() - i - 1);
            }
        };
        if args.verbose {
            print(&format!("{command}\n{}\n\n", answer.shown()))?;
        }
        match step.mismatch(&answer) {
            None => tally.passed += 1,
            Some((expected, got)) => {
                tally.failed += 1;
                let (expected, got) = (indent(&expected), indent(&got));
                print(&format!("{shown}:{line}: {command}\n  expected: {expected}\n  got:      {got}\n"))?;
            }
        }
    }
    Ok(())
}

/// Further lines under the first.
fn indent(text: &str) -> String {
    text.replace('\n', "\n            ")
}
