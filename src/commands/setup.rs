//! Commands that set a game up: size, komi, handicap, clocks.

use super::admin::answer;
use super::args::{color_at, number, number_at, vertices};
use super::rooms;
use super::table::{Command, InRoom};
use super::{Controller, Failure};
use crate::game::{Event, Refused};
use crate::gtp::Args;
use crate::rules::{fixed_handicap, free_handicap};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "boardsize",
        "N | WIDTH HEIGHT",
        "a new game on a board of this size, if the ruleset has it",
        boardsize,
    )
    .in_room(InRoom::Own(rooms::boardsize)),
    Command::new("rectangular_boardsize", "WIDTH HEIGHT", "the same as boardsize WIDTH HEIGHT", boardsize)
        .in_room(InRoom::Own(rooms::boardsize)),
    Command::new(
        "clear_board",
        "",
        "a new game under the same rules, on the same board, with the same komi",
        |c, _, _| {
            c.clear();
            Ok(())
        },
    )
    .in_room(InRoom::Own(rooms::clear))
    .spare(),
    Command::new("komi", "KOMI", "White's compensation in points, for this game and the next ones", komi)
        .in_room(InRoom::Own(rooms::komi)),
    Command::new("fixed_handicap", "N", "puts handicap stones on GTP's fixed points and answers them", fixed)
        .in_room(InRoom::Own(|sitting, args, text| rooms::set_up(sitting, "fixed_handicap", args, text))),
    Command::new("place_free_handicap", "N", "puts handicap stones where the referee chooses and answers them", free)
        .in_room(InRoom::Own(|sitting, args, text| rooms::set_up(sitting, "place_free_handicap", args, text))),
    Command::new("set_free_handicap", "V…", "puts handicap stones on these points", set_free)
        .in_room(InRoom::Own(|sitting, args, text| rooms::set_up(sitting, "set_free_handicap", args, text))),
    Command::new(
        "time_settings",
        "MAIN BYOYOMI STONES",
        "notes the clock's settings; without effect on the rules",
        |c, args, _| {
            args.words().iter().try_for_each(|word| seconds(word))?;
            c.time[0] = args.words().join(" ");
            Ok(())
        },
    )
    .in_room(InRoom::Same),
    Command::new(
        "kgs-time_settings",
        "SYSTEM [NUMBER…]",
        "notes the clock's settings; none, absolute, byoyomi or canadian",
        kgs_time,
    )
    .in_room(InRoom::Same),
    Command::new("time_left", "COLOR TIME STONES", "notes a side's clock; without effect on the rules", time_left)
        .in_room(InRoom::Same),
];

fn boardsize(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let width = number_at(args, 0)?;
    let height = args.get(1).map_or(Ok(width), number)?;
    controller.resize(width, height)
}

fn komi(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let word = args.get(0).ok_or(Failure::Usage)?;
    let komi = word.parse().map_err(|error| Failure::Syntax(format!("komi is {error}")))?;
    controller.set_komi(komi);
    Ok(())
}

fn fixed(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let n = number_at(args, 0)?;
    may_have_handicap(controller)?;
    let shape = controller.game().shape();
    let points = fixed_handicap(controller.game().topology(), n).ok_or_else(|| {
        let kind = shape.kind().name();
        Failure::NumberOfStones(format!(
            "there are no fixed points for {n} on a {kind} of size {shape}; place_free_handicap chooses some"
        ))
    })?;
    give(controller, Event::Handicap(points), text)
}

fn free(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let n = number_at(args, 0)?;
    may_have_handicap(controller)?;
    let most = controller.game().topology().len() - 1;
    if !(2..=most).contains(&n) {
        return Err(Failure::NumberOfStones(format!("a free handicap here is 2 to {most} stones")));
    }
    let points = free_handicap(controller.game().topology(), n);
    give(controller, Event::Handicap(points), text)
}

fn set_free(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    may_have_handicap(controller)?;
    let bad = |why: String| Failure::VertexList(why);
    let points = vertices(controller.game().topology(), args.words()).map_err(|failure| match failure {
        Failure::OffBoard(vertex) => bad(format!("{vertex} is not on the board")),
        Failure::Usage => bad("a word that is no vertex".into()),
        other => other,
    })?;
    give(controller, Event::Handicap(points), &mut String::new())
}

fn may_have_handicap(controller: &Controller) -> Result<(), Failure> {
    if controller.ruleset().handicap {
        Ok(())
    } else {
        Err(Failure::NumberOfStones("no handicap in this ruleset".into()))
    }
}

fn give(controller: &mut Controller, event: Event, text: &mut String) -> Result<(), Failure> {
    let Event::Handicap(points) = &event else { return Ok(()) };
    controller.apply(&event).map_err(|refused| match refused {
        Refused::BadHandicap => {
            let most = controller.game().topology().len() - 1;
            Failure::VertexList(format!("2 to {most} different points make a handicap"))
        }
        other => Failure::Refused(other),
    })?;
    answer(text, &controller.names(points))
}

fn kgs_time(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let numbers = match args.get(0).ok_or(Failure::Usage)? {
        "none" => 0,
        "absolute" => 1,
        "byoyomi" | "canadian" => 3,
        _ => return Err(Failure::Usage),
    };
    if args.len() != numbers + 1 {
        return Err(Failure::Usage);
    }
    args.words()[1..].iter().try_for_each(|word| seconds(word))?;
    controller.time[0] = args.words().join(" ");
    Ok(())
}

fn time_left(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let color = color_at(args, 0)?;
    args.words()[1..].iter().try_for_each(|word| seconds(word))?;
    controller.time[1 + color.index()] = args.words()[1..].join(" ");
    Ok(())
}

/// A time or a number of stones or periods. Clients tell clocks that have run out with negative times, and some with
/// decimals.
fn seconds(word: &str) -> Result<(), Failure> {
    if word.parse::<f64>().is_ok_and(f64::is_finite) { Ok(()) } else { Err(Failure::Usage) }
}
