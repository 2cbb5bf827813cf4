//! GoGui's commands for positions and sequences of turns.

use super::args::{a_move, color, color_at};
use super::kata::stones;
use super::rooms;
use super::table::{Command, InRoom, Phases};
use super::{Controller, Failure, turns};
use crate::board::{Color, Point};
use crate::game::Event;
use crate::gtp::Args;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("gogui-setup", "[COLOR V]…", "puts stones on the board before the first turn", setup)
        .in_room(InRoom::Own(|sitting, args, text| rooms::set_up(sitting, "gogui-setup", args, text)))
        .phases(Phases::Start),
    Command::new("gogui-setup_player", "COLOR", "sets the side that begins", |c, args, _| {
        let to_move = color_at(args, 0)?;
        let event = Event::SetUp { stones: on_board(c), to_move };
        c.apply(&event).map_err(Failure::Refused)
    })
    .in_room(InRoom::Own(|sitting, args, text| rooms::set_up(sitting, "gogui-setup_player", args, text)))
    .phases(Phases::Start),
    Command::new("gogui-play_sequence", "[COLOR MOVE]…", "turns, all of them or none", play_sequence)
        .in_room(InRoom::Own(rooms::sequence))
        .phases(Phases::Play),
];

fn on_board(controller: &Controller) -> Vec<(Color, Point)> {
    let game = controller.game();
    game.topology().points().filter_map(|p| Some((game.position().at(p)?, p))).collect()
}

/// A stone on a point that has one already replaces it: GoGui sends the whole position, other programs what is new.
fn setup(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let new = stones(controller, args)?;
    let mut all = on_board(controller);
    all.retain(|(_, point)| new.iter().all(|(_, other)| other != point));
    all.extend(new);
    let to_move = controller.game().standing().to_move;
    controller.apply(&Event::SetUp { stones: all, to_move }).map_err(Failure::Refused)
}

fn play_sequence(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let topology = controller.game().topology().clone();
    let pairs = args.words().chunks(2);
    let events = pairs.map(|pair| match pair {
        [who, word] => Ok(turns::event(color(who)?, a_move(&topology, word)?)),
        _ => Err(Failure::Usage),
    });
    let events: Vec<Result<Event, Failure>> = events.collect();
    if let Some(Err(failure)) = events.iter().find(|e| !matches!(e, Ok(_) | Err(Failure::OffBoard(_)))) {
        return Err(failure.clone());
    }
    match events.into_iter().collect::<Result<Vec<Event>, Failure>>() {
        Ok(events) if events.is_empty() => Ok(()),
        Ok(events) => controller.apply_all(&events).map_err(Failure::Illegal),
        Err(failure) => {
            // whether play goes on and whose turn it is comes before the points
            controller.may_move(color_at(args, 0)?)?;
            Err(failure)
        }
    }
}
