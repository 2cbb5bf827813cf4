//! Rooms: a game that two people share, and those who watch.

use std::fmt::Write;
use std::sync::Arc;

use super::args::{Move, a_move, color, color_at, number, number_at};
use super::seated::{After, Seat, Sitting, Waiting, next_turn};
use super::state::{STRIPS, status};
use super::table::{Command, Done, InRoom, Run, find};
use super::{Controller, Failure};
use crate::board::Color;
use crate::game::{Event, Game};
use crate::gtp::Args;
use crate::record::{Flavour, draw_game, turn_text, write_sgf};
use crate::room::{Glance, OpenError, Play, State, View};
use crate::rules::{RULESETS, Selection, SettingError, Turn, fixed_handicap, free_handicap};

pub(super) const COMMANDS: &[Command] = &[
    Command::rooms(
        "egtp_open",
        "ROOM [RULESET [KEY=VALUE…]]",
        "opens a room; answers the keys to its two seats; keys of egtp_rules, handicap=N, token=T",
        open,
    ),
    Command::rooms(
        "egtp_sit",
        "ROOM COLOR KEY [N]",
        "takes a seat, with the official position or the one after N turns; answers the number of turns",
        |c, args, text| {
            let side = color_at(args, 1)?;
            enter(c, args, Some((side, args.get(2).ok_or(Failure::Usage)?)), args.get(3), text)
        },
    ),
    Command::rooms("egtp_watch", "ROOM [N]", "watches a room; answers the number of turns", |c, args, text| {
        enter(c, args, None, args.get(1), text)
    }),
    Command::rooms("egtp_leave", "", "leaves the room; the private game goes on", |c, _, _| {
        let seat = c.guest.as_mut().and_then(|guest| guest.seat.take());
        seat.map(|_| Done::Answered).ok_or_else(not_in_a_room)
    }),
    Command::rooms("egtp_rooms", "", "all rooms, a line each: name, ruleset, phase, turns, who is there", rooms),
    Command::rooms(
        "egtp_wait",
        "[VERSION]",
        "waits until the room is not at this version; answers its status",
        |_, _, _| Err(not_in_a_room()),
    )
    .in_room(InRoom::Own(wait)),
    Command::rooms(
        "egtp_view",
        "",
        "how far this board has followed the room's game: turns, cursor, in_step",
        |_, _, _| Err(not_in_a_room()),
    )
    .in_room(InRoom::Own(|sitting, _, text| {
        let lines = sitting.view(|view, official| {
            let cursor = view.cursor().map_or("none".into(), |cursor| cursor.to_string());
            let in_step = if view.is_in_step(official) { "yes" } else { "no" };
            format!("turns {}\ncursor {cursor}\nin_step {in_step}\n", official.game.turns().len())
        });
        text.push_str(&lines);
        Ok(Done::Answered)
    })),
];

fn not_in_a_room() -> Failure {
    Failure::Other("not in a room; egtp_sit ROOM COLOR KEY or egtp_watch ROOM".into())
}

fn open(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    let usual = RULESETS[0].name;
    let (mut settings, mut handicap, mut token) = (Vec::new(), 0, "");
    let words = args.words();
    let (ruleset, rest) = match words.get(1) {
        Some(word) if !word.contains('=') => (*word, &words[2..]),
        _ => (usual, &words[1..]),
    };
    for word in rest {
        match word.split_once('=') {
            Some(("handicap", n)) => handicap = number(n)?,
            Some(("token", value)) => token = value,
            _ => settings.push(*word),
        }
    }
    let selection =
        Selection::parse(ruleset, settings.into_iter()).map_err(|error: SettingError| Failure::Setting(error))?;
    let points = if handicap == 0 {
        Vec::new()
    } else {
        let game = Game::new(selection);
        let most = game.topology().len() - 1;
        if !(2..=most).contains(&handicap) {
            return Err(Failure::NumberOfStones(format!("a handicap here is 2 to {most} stones")));
        }
        fixed_handicap(game.topology(), handicap).unwrap_or_else(|| free_handicap(game.topology(), handicap))
    };
    let Some(guest) = &mut controller.guest else { return Err(Failure::UnknownCommand) };
    if let Err(seconds) = guest.meter.spend() {
        return Err(Failure::Other(format!("too many rooms opened from your address; try again in {seconds} s")));
    }
    let opening = guest.rooms.open(args.get(0).unwrap_or_default(), selection, points, token);
    let opening = opening.map_err(|error| {
        if error == OpenError::Token {
            guest.wrong_keys += 1;
        }
        Failure::Other(match error {
            OpenError::Name => "a room's name is 1 to 64 letters, digits, dots, dashes and underscores".into(),
            OpenError::Exists => "there is a room of that name; choose another".into(),
            OpenError::TooMany => "there are as many rooms as the server allows; try again later".into(),
            OpenError::Token => "only with the server's token: egtp_open ROOM … token=T".into(),
            OpenError::Handicap(_) => "invalid number of stones: no handicap in this ruleset".into(),
            OpenError::Keys(why) => why,
        })
    })?;
    let [black, white] = &opening.keys;
    let answer = format!("black {black}\nwhite {white}");
    match opening.ticket {
        None => text.push_str(&answer),
        Some(ticket) => {
            opening.room.lock().call(&guest.bell);
            guest.wait = Some(Waiting::Opened(ticket, answer));
            // it may have been written down in the meantime
            guest.bell.ring();
            return Ok(Done::Busy);
        }
    }
    Ok(Done::Answered)
}

/// Takes a seat, or watches.
fn enter(
    controller: &mut Controller,
    args: &Args<'_>,
    seat: Option<(Color, &str)>,
    turns: Option<&str>,
    text: &mut String,
) -> Result<Done, Failure> {
    let turns = turns.map(number).transpose()?;
    let name = args.get(0).unwrap_or_default();
    let Some(guest) = &mut controller.guest else { return Err(Failure::UnknownCommand) };
    let room =
        guest.rooms.find(name).ok_or_else(|| Failure::Other(format!("no room {name}; egtp_rooms lists them")))?;
    if let Some((color, key)) = seat
        && !room.opens(color, key)
    {
        guest.wrong_keys += 1;
        guest.rooms.wrong_key();
        return Err(Failure::Other(format!("this is not the key to {color}'s seat")));
    }
    let color = seat.map(|(color, _)| color);
    let mut state = room.lock();
    if state.is_busy() {
        state.call(&guest.bell);
        guest.wait = Some(Waiting::Elsewhere);
        return Ok(Done::Busy);
    }
    let mut view = View::new(color, state.official(&state.game));
    if let Some(turns) = turns {
        view.follow_to(state.official(&state.game), turns);
    }
    write!(text, "{}", state.game.turns().len()).ok();
    drop(state);
    let now = guest.seat.as_ref();
    // who sits down again where it sits needs no further place
    let again = now.is_some_and(|seat| Arc::ptr_eq(&seat.room, &room) && seat.view.seat() == color);
    view.draws = now.is_some_and(|seat| seat.view.draws);
    if !room.enter(color, if again { usize::MAX } else { guest.rooms.per_seat() }) {
        text.clear();
        return Err(Failure::Other("there are too many connections at this seat; close one and try again".into()));
    }
    let mut seat = Box::new(Seat::new(room.clone(), view));
    seat.wake(&mut room.lock());
    guest.seat = Some(seat);
    controller.stage = None;
    Ok(Done::Answered)
}

fn rooms(controller: &mut Controller, _: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    let Some(guest) = &controller.guest else { return Err(Failure::UnknownCommand) };
    for room in guest.rooms.all() {
        let Glance { busy, ruleset, phase, turns, present: [black, white, watching] } = room.glance();
        let (name, phase) = (room.name(), phase.name());
        // what is being written is not to be seen yet
        if busy {
            writeln!(text, "{name}").ok();
        } else {
            writeln!(text, "{name} {ruleset} {phase} turns={turns} black={black} white={white} watching={watching}")
                .ok();
        }
    }
    Ok(Done::Answered)
}

/// How a room stands, for those who wait for it.
pub(super) fn brief_status(state: &State, game: &Game) -> String {
    let standing = game.standing();
    let names: Vec<&str> = standing.dead().iter().map(|&p| game.topology().name(p)).collect();
    let accepted = Color::BOTH.into_iter().filter(|color| standing.accepted[color.index()]).map(Color::name);
    let lines = [
        ("version", state.version().to_string()),
        ("phase", standing.phase.name().into()),
        ("to_move", standing.to_move.name().into()),
        ("turn", game.turns().len().to_string()),
        ("last", game.turns().last().map_or(String::new(), |last| turn_text(game.topology(), last.color, &last.turn))),
        ("marks", names.join(" ")),
        ("accepted", accepted.collect::<Vec<_>>().join(" ")),
        ("proposed", standing.proposed.map(Color::name).unwrap_or_default().into()),
        ("result", game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default()),
    ];
    let mut text = String::new();
    super::state::key_values(&mut text, lines.into_iter());
    text
}

fn wait(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    let now = sitting.state.version();
    let known = args.get(0).map_or(Ok(now), |word| number(word).map(|n| n as u64))?;
    if known != now {
        text.push_str(&brief_status(sitting.state, sitting.controller.game()));
        sitting.saw();
        return Ok(Done::Answered);
    }
    sitting.wait_for(Waiting::Version(now))
}

/// The status of the room, with where this connection is.
pub(super) fn room_status(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    status(sitting.controller, args, text)?;
    let seat = sitting.seat.view.seat().map_or("none", Color::name);
    writeln!(text, "room {}\nseat {seat}\nversion {}", sitting.seat.room.name(), sitting.state.version()).ok();
    let in_step = sitting.view(|view, official| view.is_in_step(official));
    writeln!(text, "in_step {}", if in_step { "yes" } else { "no" }).ok();
    sitting.saw();
    Ok(Done::Answered)
}

/// A replay, a turn of the game, or a move of the controller's own board.
pub(super) fn play(sitting: &mut Sitting<'_>, args: &Args<'_>, _: &mut String) -> Result<Done, Failure> {
    let &[who, word] = args.words() else { return Err(Failure::Usage) };
    let color = color(who)?;
    let point = match a_move(sitting.controller.game().topology(), word) {
        Ok(Move::Point(point)) => Some(point),
        Ok(Move::Pass) => None,
        Ok(Move::Resign) => {
            let own = sitting.own()?;
            if own != color {
                return Err(Failure::Other(format!("you are {own} here")));
            }
            sitting.happens(Event::Resign(color), After::Nothing)?;
            return Ok(Done::Answered);
        }
        Err(failure) => return Err(failure),
    };
    match sitting.view(|view, official| view.play(color, point, official)).map_err(Failure::Other)? {
        Play::Shown => {}
        Play::Turn => {
            let turns = sitting.controller.game().turns().len() + 1;
            let turn = point.map_or(Turn::Pass, Turn::Play);
            sitting.happens(Event::Turn(color, turn), After::Played(turns))?;
        }
    }
    Ok(Done::Answered)
}

/// The other side's next turn, as soon as it is made.
pub(super) fn genmove(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    let side = color_at(args, 0)?;
    sitting.seat.view.own();
    if sitting.seat.view.seat() == Some(side) {
        return Err(Failure::Other(format!("you are {side} here: your own turns are sent with play")));
    }
    let (view, official) = (&mut sitting.seat.view, sitting.state.official(sitting.controller.game()));
    match next_turn(view, side, official, text)? {
        Done::Wait => sitting.wait_for(Waiting::Turn(side)),
        done => Ok(done),
    }
}

pub(super) fn undo(sitting: &mut Sitting<'_>, args: &Args<'_>, _: &mut String) -> Result<Done, Failure> {
    // `undo` itself ignores what follows it
    take_back(sitting, 1, args)
}

pub(super) fn gg_undo(sitting: &mut Sitting<'_>, args: &Args<'_>, _: &mut String) -> Result<Done, Failure> {
    let n = args.get(0).map_or(Ok(1), number)?;
    take_back(sitting, n, args)
}

fn take_back(sitting: &mut Sitting<'_>, n: usize, _: &Args<'_>) -> Result<Done, Failure> {
    if sitting.seat.view.undo(n) {
        Ok(Done::Answered)
    } else {
        Err(Failure::Other("cannot undo: this board has no more moves to take back".into()))
    }
}

pub(super) fn clear(sitting: &mut Sitting<'_>, _: &Args<'_>, _: &mut String) -> Result<Done, Failure> {
    sitting.view(View::clear);
    Ok(Done::Answered)
}

pub(super) fn boardsize(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    let width = number_at(args, 0)?;
    let height = args.get(1).map_or(Ok(width), number)?;
    let shape = sitting.controller.game().shape();
    if (width, height) != shape.size() {
        return Err(Failure::UnacceptableSize(format!("this room's board is {shape}")));
    }
    clear(sitting, args, text)
}

/// Komi is the room's; programs break if it is refused.
pub(super) fn komi(_: &mut Sitting<'_>, args: &Args<'_>, _: &mut String) -> Result<Done, Failure> {
    let word = args.get(0).ok_or(Failure::Usage)?;
    word.parse::<crate::rules::Points>().map_err(|error| Failure::Syntax(format!("komi is {error}")))?;
    Ok(Done::Answered)
}

pub(super) fn sequence(sitting: &mut Sitting<'_>, args: &Args<'_>, _: &mut String) -> Result<Done, Failure> {
    let topology = sitting.controller.game().topology().clone();
    let plays = args.words().chunks(2).map(|pair| match pair {
        [who, word] => match a_move(&topology, word)? {
            Move::Point(point) => Ok((color(who)?, Some(point))),
            Move::Pass => Ok((color(who)?, None)),
            Move::Resign => Err(Failure::Other("a resignation is not part of a sequence".into())),
        },
        _ => Err(Failure::Usage),
    });
    let plays = plays.collect::<Result<Vec<_>, Failure>>()?;
    sitting.view(|view, official| view.sequence(&plays, official)).map_err(Failure::Other)?;
    Ok(Done::Answered)
}

/// Runs a command that sets a private game up on a copy of this board without a past, and shows what comes of it.
pub(super) fn set_up(
    sitting: &mut Sitting<'_>,
    name: &'static str,
    args: &Args<'_>,
    text: &mut String,
) -> Result<Done, Failure> {
    let (stones, to_move) = sitting.view(|view, official| view.board(official));
    let game = sitting.controller.game();
    let mut shown = game.clone();
    shown.show(game.topology().points().filter_map(|p| Some((stones[p.index()]?, p))), to_move);
    // one's own board may be set up as one likes
    shown.allow_handicap();
    let (shown, result) = sitting.with_game(shown, |controller| match find(name).map(|command| command.run) {
        Some(Run::Text(handler)) => handler(controller, args, text),
        _ => Err(Failure::UnknownCommand),
    });
    result?;
    let (stones, to_move) = (shown.position().stones().to_vec(), shown.standing().to_move);
    sitting.view(|view, official| view.set(&stones, to_move, official));
    Ok(Done::Answered)
}

/// The game as SGF; no files in a room.
pub(super) fn sgf(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    without_file(args)?;
    text.push_str(&write_sgf(sitting.controller.game(), Flavour::Plain).to_string());
    Ok(Done::Answered)
}

/// A picture of the position; no files in a room.
pub(super) fn drawing(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    without_file(args)?;
    text.push_str(&draw_game(sitting.controller.game(), STRIPS));
    Ok(Done::Answered)
}

fn without_file(args: &Args<'_>) -> Result<(), Failure> {
    let refused = || Failure::Other("cannot write file: not available over the network".into());
    if args.is_empty() { Ok(()) } else { Err(refused()) }
}

/// The stones of a side. A program that asks draws its board from the answer, and can show special turns.
pub(super) fn list_stones(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    sitting.seat.view.draws = true;
    match find("list_stones") {
        Some(command) => sitting.on_view(command, args, text),
        None => Err(Failure::UnknownCommand),
    }
}

/// Accepts the marking that was last shown to this connection, and no other.
pub(super) fn accept(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    let scoring = sitting.controller.game().standing().phase == crate::game::Phase::Scoring;
    if scoring && sitting.own().is_ok() && !sitting.view(|view, official| view.knows(official)) {
        sitting.saw();
        let names = sitting.controller.names(sitting.controller.game().standing().dead());
        let now = if names.is_empty() { "nothing is marked dead" } else { &names };
        return Err(Failure::Other(format!("the marking has changed: {now}; egtp_accept again to accept this")));
    }
    match find("egtp_accept") {
        Some(command) => sitting.act(command, args, text),
        None => Err(Failure::UnknownCommand),
    }
}

/// The rules of a room, which cannot change.
pub(super) fn rules(sitting: &mut Sitting<'_>, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
    match find("egtp_rules") {
        Some(command) if args.is_empty() => sitting.on_official(command, args, text),
        _ => Err(Failure::Other("the rules of a room cannot change; egtp_open opens another room".into())),
    }
}
