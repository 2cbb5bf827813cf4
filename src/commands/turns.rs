//! Commands that make turns and take them back.

use super::admin::answer;
use super::args::{self, Move, a_move, color_at, number, vertex_at};
use super::rooms;
use super::table::{Command, InRoom, Phases};
use super::{Controller, Failure};
use crate::board::{Color, Topology};
use crate::game::{Event, Phase};
use crate::gtp::Args;
use crate::rules::Turn;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("play", "COLOR MOVE", "a turn: a vertex, pass or resign", play)
        .in_room(InRoom::Own(rooms::play))
        .phases(Phases::Play),
    Command::new("genmove", "COLOR", "refused: the referee does not play; both sides use play", no_opponent)
        .in_room(InRoom::Own(rooms::genmove)),
    Command::new("reg_genmove", "COLOR", "refused: the referee does not play; both sides use play", no_opponent)
        .in_room(InRoom::Same),
    Command::new("undo", "", "takes the last turn back, where the ruleset has takeback", |c, _, _| take_back(c, 1))
        .in_room(InRoom::Own(rooms::undo))
        .spare()
        .listed(|c| c.ruleset().takeback),
    Command::new(
        "gg-undo",
        "[N]",
        "takes the last N turns back, all or none; 1 if no number is given",
        |c, args, _| take_back(c, args.get(0).map_or(Ok(1), number)?),
    )
    .in_room(InRoom::Own(rooms::gg_undo))
    .listed(|c| c.ruleset().takeback),
    Command::new("trymove", "COLOR VERTEX", "a turn of either side to look at what it does, until popgo", try_move)
        .in_room(InRoom::Refused("not in a room: gogui-play_sequence and undo look ahead on your own board"))
        .tries()
        .phases(Phases::Play),
    Command::new("popgo", "", "takes the last trymove back", |controller, _, _| {
        if controller.pop_try() { Ok(()) } else { Err(Failure::Other("stack empty: no trymove to take back".into())) }
    })
    .in_room(InRoom::Refused("not in a room: gogui-play_sequence and undo look ahead on your own board"))
    .tries(),
    Command::new("last_move", "", "the last turn: colour and vertex", |controller, _, text| {
        let game = controller.game();
        let last = game.turns().last().ok_or_else(|| Failure::Other("no previous move known".into()))?;
        answer(text, &short(game.topology(), last.color, &last.turn))
    }),
    Command::new(
        "move_history",
        "",
        "all turns, the last first, one per line: colour and vertex",
        |controller, _, text| {
            let game = controller.game();
            let turns = game.turns().iter().rev().map(|record| short(game.topology(), record.color, &record.turn));
            answer(text, &turns.collect::<Vec<_>>().join("\n"))
        },
    ),
];

/// The event of a colour's move.
pub(super) fn event(color: Color, made: Move) -> Event {
    match made {
        Move::Point(point) => Event::Turn(color, Turn::Play(point)),
        Move::Pass => Event::Turn(color, Turn::Pass),
        Move::Resign => Event::Resign(color),
    }
}

fn play(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let &[color, word] = args.words() else { return Err(Failure::Usage) };
    let color = args::color(color)?;
    match a_move(controller.game().topology(), word) {
        Ok(made) => controller.apply(&event(color, made)).map_err(Failure::Illegal),
        Err(failure @ Failure::OffBoard(_)) => {
            // whose turn it is comes before where the stone would go
            controller.may_move(color)?;
            Err(failure)
        }
        Err(failure) => Err(failure),
    }
}

fn no_opponent(_: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    color_at(args, 0)?;
    Err(Failure::NoOpponent)
}

fn take_back(controller: &mut Controller, n: usize) -> Result<(), Failure> {
    if n == 0 && controller.ruleset().takeback {
        return Ok(());
    }
    controller.apply(&Event::TakeBack(n)).map_err(Failure::CannotUndo)
}

fn try_move(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let color = color_at(args, 0)?;
    let turn = match vertex_at(controller.game().topology(), args, 1) {
        // that play has stopped comes before where the stone would go: a pass finds out
        Err(Failure::OffBoard(_)) if controller.game().standing().phase != Phase::Play => Turn::Pass,
        point => Turn::Play(point?),
    };
    controller.try_turn(color, turn).map_err(Failure::Illegal)
}

/// A turn as GNU Go lists it; a special turn by its first placed vertex.
fn short(topology: &Topology, color: Color, turn: &Turn) -> String {
    let vertex = match turn {
        Turn::Play(point) => topology.name(*point),
        Turn::Special(special) => special.place.first().map_or("PASS", |&p| topology.name(p)),
        Turn::Pass => "PASS",
    };
    format!("{color} {vertex}")
}
