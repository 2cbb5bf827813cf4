//! Special turns: in one command, previewed, or staged point by point.

use std::fmt::Write;

use super::admin::answer;
use super::args::{color_at, number, vertices};
use super::table::{Command, InRoom, Phases};
use super::{Controller, Failure};
use crate::board::{Color, Point};
use crate::game::{Event, Refused};
use crate::gtp::Args;
use crate::rules::{Refusal, SpecialTurn, Turn, affordable};

const CHOICE: &str = "COLOR [place V…] [pay V…] | COLOR N [V…]";

pub(super) const COMMANDS: &[Command] = &[
    Command::new("egtp_special", CHOICE, "places N stones for N² of one's own; answers the captured points", special)
        .in_room(InRoom::Act)
        .phases(Phases::Play),
    Command::new("egtp_preview", CHOICE, "what a special turn would do, complete or not; changes nothing", preview)
        .in_room(InRoom::Official)
        .phases(Phases::Play),
    Command::new("egtp_affordable", "COLOR", "the largest N that the side's stones pay for", |c, args, text| {
        let color = color_at(args, 0)?;
        answer(text, &affordable(c.game().position(), color).to_string())
    })
    .in_room(InRoom::Official),
    Command::new("egtp_stage", "COLOR [N]", "begins to put a special turn together, of N stones if given", stage)
        .in_room(InRoom::Act)
        .phases(Phases::Play),
    Command::new("egtp_stage_size", "N", "how many stones the staged turn places", |c, args, text| {
        let n = size(args.get(0).unwrap_or_default())?;
        staged(c)?.n = Some(n);
        show(c, text)
    })
    .in_room(InRoom::Act)
    .phases(Phases::Play),
    Command::new("egtp_stage_pay", "V…", "toggles points among those paid; answers the preview", |c, args, text| {
        toggle(c, args, text, |stage| &mut stage.turn.pay)
    })
    .in_room(InRoom::Act)
    .phases(Phases::Play),
    Command::new(
        "egtp_stage_place",
        "V…",
        "toggles points among those placed; answers the preview",
        |c, args, text| toggle(c, args, text, |stage| &mut stage.turn.place),
    )
    .in_room(InRoom::Act)
    .phases(Phases::Play),
    Command::new("egtp_stage_show", "", "the preview of the staged turn", |c, _, text| show(c, text))
        .in_room(InRoom::Act),
    Command::new("egtp_stage_commit", "", "makes the staged turn; answers the captured points", |c, _, text| {
        let stage = staged(c)?.clone();
        stage.complete()?;
        make(c, stage.color, stage.turn, text)
    })
    .in_room(InRoom::Act)
    .phases(Phases::Play),
    Command::new("egtp_stage_cancel", "", "drops the staged turn", |c, _, _| {
        staged(c)?;
        c.stage = None;
        Ok(())
    })
    .in_room(InRoom::Act),
];

/// A special turn that is being put together. The game does not know of it.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    color: Color,
    /// How many stones will be placed, if that has been said.
    n: Option<usize>,
    turn: SpecialTurn,
}

impl Stage {
    /// The number of stones that was asked for must have been placed.
    fn complete(&self) -> Result<(), Failure> {
        let placed = self.turn.place.len();
        match self.n {
            Some(n) if n != placed => Err(Failure::Unfinished { n, placed }),
            _ => Ok(()),
        }
    }
}

/// How many stones a turn places: two or more.
fn size(word: &str) -> Result<usize, Failure> {
    match number(word)? {
        0 | 1 => Err(Failure::Illegal(Refused::Rules(Refusal::TooFew))),
        n => Ok(n),
    }
}

fn staged(controller: &mut Controller) -> Result<&mut Stage, Failure> {
    controller.stage.as_mut().ok_or(Failure::NothingStaged)
}

fn stage(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let color = color_at(args, 0)?;
    let n = args.get(1).map(size).transpose()?;
    controller.may_move(color)?;
    if !controller.ruleset().special {
        return Err(Failure::Illegal(Refused::Rules(Refusal::NoSpecialTurns)));
    }
    controller.stage = Some(Stage { color, n, turn: SpecialTurn::default() });
    show(controller, text)
}

fn toggle(
    controller: &mut Controller,
    args: &Args<'_>,
    text: &mut String,
    list: fn(&mut Stage) -> &mut Vec<Point>,
) -> Result<(), Failure> {
    let points = vertices(controller.game().topology(), args.words());
    let stage = staged(controller)?;
    for point in points? {
        let list = list(stage);
        match list.iter().position(|&p| p == point) {
            Some(i) => drop(list.remove(i)),
            None => list.push(point),
        }
    }
    show(controller, text)
}

fn special(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let stage = choice(controller, args)?;
    stage.complete()?;
    make(controller, stage.color, stage.turn, text)
}

fn make(controller: &mut Controller, color: Color, turn: SpecialTurn, text: &mut String) -> Result<(), Failure> {
    controller.apply(&Event::Turn(color, Turn::Special(Box::new(turn)))).map_err(Failure::Illegal)?;
    answer(text, &controller.names(&controller.game().last_captures()))
}

fn preview(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    describe(controller, &choice(controller, args)?, text);
    Ok(())
}

fn show(controller: &mut Controller, text: &mut String) -> Result<(), Failure> {
    let stage = staged(controller)?.clone();
    describe(controller, &stage, text);
    Ok(())
}

/// What a choice of points comes to, as lines of a key and a value.
fn describe(controller: &Controller, stage: &Stage, text: &mut String) {
    let game = controller.game();
    let Stage { color, n, turn } = stage;
    let n = n.unwrap_or(turn.place.len()).max(2);
    writeln!(text, "place {} of {n}", turn.place.len()).ok();
    writeln!(text, "pay {} of {}", turn.pay.len(), n.saturating_mul(n)).ok();
    let legal = controller.may_move(*color).and_then(|()| stage.complete()).and_then(|()| {
        let turn = Turn::Special(Box::new(turn.clone()));
        game.judge().rule(*color, &turn).map_err(|refusal| Failure::Illegal(refusal.into()))
    });
    let (allowed, reason, captures) = match &legal {
        Ok(legal) => ("yes", String::new(), controller.names(&game.judge().captures(legal))),
        Err(failure) => ("no", failure.text(controller, None), String::new()),
    };
    writeln!(text, "allowed {allowed}").ok();
    let reason = reason.trim_start_matches("illegal move: ");
    for (key, value) in [("reason", reason), ("captures", &captures)] {
        writeln!(text, "{}", format!("{key} {value}").trim_end()).ok();
    }
}

/// A colour and the points it places and pays: `place V… pay V…` in either order, or N and the points in a row.
fn choice(controller: &Controller, args: &Args<'_>) -> Result<Stage, Failure> {
    let color = color_at(args, 0)?;
    let words = &args.words()[1..];
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    let mut n = None;
    let (place, pay): (&[&str], &[&str]) = match words {
        [first, rest @ ..] if is(first, "place") => split(rest, |word| is(word, "pay")),
        [first, rest @ ..] if is(first, "pay") => {
            let (pay, place) = split(rest, |word| is(word, "place"));
            (place, pay)
        }
        [first, rest @ ..] => {
            let placed = number(first)?;
            n = Some(placed);
            rest.split_at(placed.min(rest.len()))
        }
        [] => return Err(Failure::Usage),
    };
    let topology = controller.game().topology();
    let points = vertices(topology, place).and_then(|place| Ok(SpecialTurn { place, pay: vertices(topology, pay)? }));
    match points {
        Err(failure @ Failure::OffBoard(_)) => {
            // whether play goes on and whose turn it is comes before the points
            controller.may_move(color)?;
            Err(failure)
        }
        points => Ok(Stage { color, n, turn: points? }),
    }
}

/// The words before and after the first separator; all before if there is none.
fn split<'a, 'b>(words: &'a [&'b str], separator: impl Fn(&str) -> bool) -> (&'a [&'b str], &'a [&'b str]) {
    match words.iter().position(|word| separator(word)) {
        Some(i) => (&words[..i], &words[i + 1..]),
        None => (words, &[]),
    }
}
