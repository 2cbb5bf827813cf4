//! `egtp hahn`: a tournament's table from its results.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::game::{Outcome, Tournament};

/// The table of all results in these files.
pub(super) fn table(files: &[PathBuf]) -> anyhow::Result<String> {
    let mut tournament = Tournament::default();
    for file in files {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (line, [black, white, result]) in fields(file, &text)? {
            match result.parse::<Outcome>() {
                Ok(outcome) => tournament.add(&black, &white, outcome),
                // the names of the columns
                Err(_) if line == 1 => {}
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
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cell = |(i, cell): (usize, &String)| {
            if i == 1 { format!("{cell:<0$}", widths[i]) } else { format!("{cell:>0$}", widths[i]) }
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ") + "\n"
    };
    Ok(rows.iter().map(line).collect())
}

/// The two players and the result of each line: separated by commas or tabs if the file has some (names may then hold
/// spaces), else by spaces. Empty lines and those that begin with `#` are left out.
fn fields(file: &Path, text: &str) -> anyhow::Result<Vec<(u64, [String; 3])>> {
    let separator = [b',', b'\t'].into_iter().find(|&s| text.as_bytes().contains(&s));
    let three = |line: u64, words: Vec<String>| {
        let found = words.len();
        let wrong = || format!("{}:{line}: {found} words; a line is BLACK WHITE RESULT", file.display());
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
