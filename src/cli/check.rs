//! `egtp check`: transcripts against an engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::args::CheckArgs;
use super::engine::Source;
use crate::commands::Options;
use crate::gtp::transcript::{self, Step};

/// Steps that went as expected, and those that did not.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
}

/// Runs all transcripts and prints mismatches and the tally; true if there were none.
pub(super) async fn run(args: &CheckArgs, options: Options) -> anyhow::Result<bool> {
    let source = match (&args.engine, &args.connect) {
        (Some(command), _) => {
            Source::Program(shlex::split(command).context("--engine has an unclosed quotation mark")?)
        }
        (_, Some(address)) => Source::Server(address.clone()),
        _ => Source::Own(Box::new(options)),
    };
    let mut files = Vec::new();
    for path in &args.files {
        collect(path, &mut files)?;
    }
    let mut tally = Tally::default();
    for file in &files {
        check(file, &source, args, &mut tally).await?;
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

/// A file as it is; of a folder, its transcripts in order.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    let read = || format!("cannot read {}", path.display());
    let mut entries = std::fs::read_dir(path).with_context(read)?.collect::<Result<Vec<_>, _>>().with_context(read)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for path in entries.into_iter().map(|entry| entry.path()) {
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "gtp") {
            collect(&path, files)?;
        }
    }
    Ok(())
}

async fn check(file: &Path, source: &Source, args: &CheckArgs, tally: &mut Tally) -> anyhow::Result<()> {
    let shown = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {shown}"))?;
    let steps = transcript::parse(&String::from_utf8_lossy(&bytes)).with_context(|| format!("{shown}"))?;
    let mut engine = source.open(Duration::from_secs(args.timeout)).await?;
    for (i, Step { line, command, .. }) in steps.iter().enumerate() {
        match engine.ask(command).await {
            Ok(answer) => {
                if args.verbose {
                    println!("{command}\n{}\n", answer.shown());
                }
                match steps[i].mismatch(&answer) {
                    None => tally.passed += 1,
                    Some((expected, got)) => {
                        tally.failed += 1;
                        println!(
                            "{shown}:{line}: {command}\n  expected: {}\n  got:      {}",
                            indent(&expected),
                            indent(&got)
                        );
                    }
                }
            }
            // the engine is lost, and with it the rest of the file
            Err(error) => {
                tally.failed += steps.len() - i;
                println!("{shown}:{line}: {command}\n  {error:#}; {} commands not run", steps.len() - i - 1);
                break;
            }
        }
    }
    Ok(())
}

/// Further lines under the first.
fn indent(text: &str) -> String {
    text.replace('\n', "\n            ")
}
