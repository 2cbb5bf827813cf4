//! `egtp rooms` and `egtp export`: what is in a store, for people and as SGF.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;

use anyhow::Context;

use super::args::{ExportArgs, RoomsArgs};
use super::run::print;
use crate::record::{Flavour, game_from_journal, sgf, write_sgf};
use crate::server::{notice, write_whole};
use crate::store::{ListedRoom, Reader};

/// Lists the rooms, or copies the store.
pub(super) fn list(args: &RoomsArgs) -> anyhow::Result<()> {
    let reader = Reader::open(&args.store)?;
    match &args.backup {
        Some(copy) => reader.back_up(copy)?,
        None => drop(print(&table(&reader.all_rooms()?))?),
    }
    Ok(())
}

fn table(rooms: &[ListedRoom]) -> String {
    let width = rooms.iter().map(|room| room.record.name.len()).chain([4]).max().unwrap_or_default();
    let mut table = format!("{:width$}  state   events  {:20}  rules\n", "room", "opened");
    for room in rooms {
        let (name, rules) = (&room.record.name, &room.record.rules);
        let state = if room.closed.is_some() { "closed" } else { "open" };
        let opened = time(room.record.opened);
        // writing to a string cannot fail
        writeln!(table, "{name:width$}  {state:6}  {:6}  {opened}  {rules}", room.events).unwrap_or_default();
    }
    table
}

/// Writes one room or all of them as SGF. Whether all could be written.
pub(super) fn export(args: &ExportArgs) -> anyhow::Result<bool> {
    let reader = Reader::open(&args.store)?;
    let rooms = reader.all_rooms()?;
    // only the last room of a name can be open
    let chosen = |name: &str| {
        let room = rooms.iter().rfind(|room| room.record.name == name);
        room.with_context(|| format!("no room {name} in {}; `egtp rooms` lists them", args.store.display()))
    };
    let chosen = args.room.as_deref().map(chosen).transpose()?;
    let Some(folder) = &args.output else {
        if let Some(room) = chosen {
            print(&game(&reader, room)?)?;
        }
        return Ok(true);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut all = true;
    for (room, file) in rooms.iter().zip(file_names(&rooms)) {
        if chosen.is_some_and(|chosen| !std::ptr::eq(chosen, room)) {
            continue;
        }
        match game(&reader, room) {
            Ok(text) => {
                let path = folder.join(file);
                write_whole(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            }
            Err(error) => {
                // the others are as good as they were
                notice(format_args!("{error:#}"));
                all = false;
            }
        }
    }
    Ok(all)
}

/// A room's game as SGF.
fn game(reader: &Reader, room: &ListedRoom) -> anyhow::Result<String> {
    let name = &room.record.name;
    let game = game_from_journal(&room.record.rules, &reader.events(room)?);
    let game = game.map_err(|error| anyhow::anyhow!("the game of the room {name} cannot be played again: {error}"))?;
    let mut tree = write_sgf(&game, Flavour::Plain);
    let root = tree.root();
    tree.set(root, "GN", [sgf::escape_simple(name)]);
    tree.set(root, "DT", [&time(room.record.opened)[..10]]);
    Ok(tree.to_string())
}

/// Each room's file: `NAME.sgf` for the last one of a name, `NAME~1.sgf` for the first, `NAME~2.sgf` for the next. Names
/// that differ only in case are one, as they are on some disks.
fn file_names(rooms: &[ListedRoom]) -> Vec<String> {
    let plain = |room: &ListedRoom| {
        let kept = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
        room.record.name.chars().map(kept).collect::<String>()
    };
    let (mut total, mut met) = (HashMap::<_, usize>::new(), HashMap::<_, usize>::new());
    for room in rooms {
        *total.entry(plain(room).to_lowercase()).or_default() += 1;
    }
    let name = |room: &ListedRoom| {
        let (name, key) = (plain(room), plain(room).to_lowercase());
        let number = met.entry(key.clone()).or_default();
        *number += 1;
        if *number == total[&key] { format!("{name}.sgf") } else { format!("{name}~{number}.sgf") }
    };
    rooms.iter().map(name).collect()
}

/// A time as `2026-12-01T18:30:00Z`, from seconds since 1970.
fn time(seconds: u64) -> String {
    // whatever stands in the file: to the end of the year 9999
    let seconds = seconds.min(253_402_300_799);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // years begin in March here, so that the leap day is the last one; 400 of them, an era, are 146,097 days
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // five months from March on, and the five after them, have 153 days
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_date() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_764_613_805, "2025-12-01T18:30:05Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (u64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }
}
