//! `egtp hahn`: a tournament's table from its results.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::files::collect;
use super::referee::readings;
use crate::game::{Outcome, Tournament};
use crate::server::notice;

/// The widest column, in characters.
const WIDEST: usize = 40;

/// The table of all results in these files.
pub(super) fn table(files: &[PathBuf]) -> anyhow::Result<String> {
    let mut tournament = Tournament::default();
    let mut all = Vec::new();
    for path in files {
        collect(path, &["sgf"], &mut all)?;
    }
    for file in &all {
        if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            for reading in readings(file)? {
                let result = reading.claimed.as_deref().unwrap_or_default();
                let shown = file.display();
                let ([Some(black), Some(white)], false) = (&reading.players, is_open(result)) else {
                    notice(format_args!("{shown}: left out: it does not say both players and a result"));
                    continue;
                };
                let outcome = result.parse::<Outcome>().with_context(|| format!("{shown}: RE[{result}]"))?;
                tournament.add(black, white, outcome);
            }
            continue;
        }
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (i, (line, [black, white, result])) in fields(file, &text)?.into_iter().enumerate() {
            let first = i == 0;
            match result.parse::<Outcome>() {
                Ok(outcome) => tournament.add(&black, &white, outcome),
                // the names of the columns
                Err(_) if first && result.eq_ignore_ascii_case("result") => {}
                Err(error) => bail!("{}:{line}: {result}: {error}", file.display()),
            }
        }
    }
    let mut rows = vec![["rank", "player", "points", "games", "wins", "losses", "ties"].map(String::from)];
    for (rank, name, entry) in tournament.table() {
        let games = entry.wins + entry.losses + entry.ties;
        let numbers = [entry.points, games, entry.wins, entry.losses, entry.ties].map(|n| n.to_string());
        let [points, games, wins, losses, ties] = numbers;
        rows.push([rank.to_string(), name.into(), points, games, wins, losses, ties]);
    }
    // a very long name stands out rather than push all others apart
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).min(WIDEST);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cell = |(i, cell): (usize, &String)| {
            let gap = " ".repeat(widths[i].saturating_sub(cell.chars().count()));
            if i == 1 { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ") + "\n"
    };
    Ok(rows.iter().map(line).collect())
}

/// Whether a game has no result yet, or none at all.
fn is_open(result: &str) -> bool {
    ["", "?", "void"].iter().any(|open| result.eq_ignore_ascii_case(open))
}

/// The two players and the result of each line: separated by commas or tabs if the file has some (names may then hold
/// spaces), else by spaces. Empty lines and those that begin with `#` are left out.
fn fields(file: &Path, text: &str) -> anyhow::Result<Vec<(u64, [String; 3])>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = || text.lines().filter(|line| !line.starts_with('#'));
    let separator = [b',', b'\t'].into_iter().find(|&s| lines().any(|line| line.as_bytes().contains(&s)));
    let three = |line: u64, words: Vec<String>| {
        let found = words.len();
        let wrong =
            || format!("{}:{line}: a line is BLACK WHITE RESULT, three words; this has {found}", file.display());
        <[String; 3]>::try_from(words).ok().with_context(wrong).map(|fields| (line, fields))
    };
    let Some(separator) = separator else {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        return lines.map(|(line, i)| three(i, line.split_whitespace().map(String::from).collect())).collect();
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut found = Vec::new();
    for record in reader.records() {
        let record = record.with_context(|| format!("{}", file.display()))?;
        let line = record.position().map_or(0, csv::Position::line);
        found.push(three(line, record.iter().map(String::from).collect())?);
    }
    Ok(found)
}
