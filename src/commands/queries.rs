//! Questions about the board and the game, in GNU Go's words and formats.

use super::admin::answer;
use super::args::{Move, a_move, color_at, vertex_at};
use super::rooms;
use super::table::{Command, InRoom, Phases};
use super::{Controller, Failure};
use crate::board::{Annotations, Color, Point, diagram};
use crate::game::{Game, Phase};
use crate::gtp::Args;
use crate::record::turn_text;
use crate::rules::{Count, Owner, Turn};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "showboard",
        "",
        "a diagram of the board, with side to move, prisoners, last turn and marks",
        showboard,
    )
    .tries()
    .spare(),
    Command::new(
        "is_legal",
        "COLOR MOVE",
        "1 if the side could make this turn in this position, else 0",
        |c, args, text| {
            let color = color_at(args, 0)?;
            let legal = match a_move(c.game().topology(), args.get(1).ok_or(Failure::Usage)?)? {
                Move::Point(point) => c.game().judge().is_legal(color, point),
                Move::Pass => true,
                Move::Resign => c.ruleset().resign,
            };
            answer(text, if legal { "1" } else { "0" })
        },
    )
    .tries(),
    Command::new(
        "all_legal",
        "COLOR",
        "the points where the side could put a stone in this position",
        |c, args, text| {
            let color = color_at(args, 0)?;
            let judge = c.game().judge();
            list(text, c.game(), c.game().topology().points().filter(|&p| judge.is_legal(color, p)))
        },
    )
    .tries(),
    Command::new("list_stones", "COLOR", "the points of the side's stones", |c, args, text| {
        let color = Some(color_at(args, 0)?);
        list(text, c.game(), c.game().topology().points().filter(|&p| c.game().position().at(p) == color))
    })
    .in_room(InRoom::Own(rooms::list_stones))
    .tries(),
    Command::new("color", "V", "what is at a point: black, white or empty", |c, args, text| {
        let point = vertex_at(c.game().topology(), args, 0)?;
        answer(text, c.game().position().at(point).map_or("empty", Color::name))
    })
    .tries(),
    Command::new("countlib", "V", "how many liberties the chain at a point has", |c, args, text| {
        answer(text, &liberties(c, args)?.len().to_string())
    })
    .tries(),
    Command::new("findlib", "V", "the liberties of the chain at a point", |c, args, text| {
        list(text, c.game(), liberties(c, args)?.into_iter())
    })
    .tries(),
    Command::new("captures", "COLOR", "how many stones the side has captured", |c, args, text| {
        let color = color_at(args, 0)?;
        answer(text, &c.game().standing().captured[color.index()].to_string())
    })
    .tries(),
    Command::new("query_boardsize", "", "the board's size: N, or WIDTH HEIGHT if they differ", |c, _, text| {
        let (width, height) = c.game().shape().size();
        answer(text, &if width == height { width.to_string() } else { format!("{width} {height}") })
    }),
    Command::new("query_orientation", "", "always 0: the board is never turned", |_, _, text| answer(text, "0")),
    Command::new("get_komi", "", "komi, with at least one decimal", |c, _, text| {
        answer(text, &c.game().komi().with_decimal())
    }),
    Command::new("get_handicap", "", "the number of handicap stones; 0 for none", |c, _, text| {
        answer(text, &c.game().handicap().to_string())
    }),
    Command::new(
        "final_status",
        "V",
        "under the present marks: alive, dead, black_territory, white_territory or dame",
        |c, args, text| {
            let point = vertex_at(c.game().topology(), args, 0)?;
            let (dead, count) = marked_count(c.game());
            let status = match (c.game().position().at(point), count.owners[point.index()]) {
                (Some(_), _) if dead.contains(&point) => "dead",
                (Some(_), _) => "alive",
                (None, Owner::Territory(color)) => territory(color),
                (None, _) => "dame",
            };
            answer(text, status)
        },
    )
    .in_room(InRoom::Official)
    .phases(Phases::Stopped),
    Command::new(
        "final_status_list",
        "STATUS",
        "points that are dead, alive, seki, black_territory, white_territory or dame; stones chain by chain",
        final_status_list,
    )
    .in_room(InRoom::Marks)
    .phases(Phases::Stopped),
];

/// Appends points, separated by spaces.
fn list(text: &mut String, game: &Game, points: impl Iterator<Item = Point>) -> Result<(), Failure> {
    let topology = game.topology();
    for point in points {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(topology.name(point));
    }
    Ok(())
}

fn liberties(controller: &Controller, args: &Args<'_>) -> Result<Vec<Point>, Failure> {
    let point = vertex_at(controller.game().topology(), args, 0)?;
    let position = controller.game().position();
    if position.at(point).is_none() {
        return Err(Failure::Other("vertex must not be empty".into()));
    }
    Ok(position.liberties(point))
}

fn marked_count(game: &Game) -> (&[Point], Count) {
    let dead = game.standing().dead();
    (dead, Count::new(game.position(), dead))
}

fn territory(color: Color) -> &'static str {
    match color {
        Color::Black => "black_territory",
        Color::White => "white_territory",
    }
}

fn final_status_list(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let game = controller.game();
    let (dead, count) = marked_count(game);
    let position = game.position();
    let chains = |wanted: bool| {
        let first = |&p: &Point| position.chain(p).min() == Some(p) && dead.contains(&p) == wanted;
        let chain = |p: Point| {
            let mut stones: Vec<Point> = position.chain(p).collect();
            stones.sort_unstable();
            controller.names(&stones)
        };
        game.topology().points().filter(first).map(chain).collect::<Vec<_>>().join("\n")
    };
    let empty = |wanted: Owner| {
        let owned = |&p: &Point| position.at(p).is_none() && count.owners[p.index()] == wanted;
        controller.names(&game.topology().points().filter(owned).collect::<Vec<_>>())
    };
    let found = match args.get(0).unwrap_or_default() {
        "dead" => chains(true),
        "alive" => chains(false),
        // dead or alive is all that the players mark
        "seki" => String::new(),
        "black_territory" => empty(Owner::Territory(Color::Black)),
        "white_territory" => empty(Owner::Territory(Color::White)),
        "dame" => empty(Owner::Neutral),
        _ => return Err(Failure::Usage),
    };
    answer(text, &found)
}

fn showboard(controller: &mut Controller, _: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    draw(controller, 0, controller.is_colored(), text);
    Ok(())
}

/// The board with what a person wants to see beside it; on a torus with the lines of the opposite edges repeated.
pub(super) fn draw(controller: &Controller, strips: usize, color: bool, text: &mut String) {
    let game = controller.game();
    let standing = game.standing();
    let last: &[Point] = match game.turns().last().map(|record| &record.turn) {
        Some(Turn::Play(point)) => std::slice::from_ref(point),
        Some(Turn::Special(special)) => &special.place,
        _ => &[],
    };
    let mut notes = Vec::new();
    match (standing.outcome, standing.phase) {
        (Some(outcome), _) => notes.push(format!("Result: {outcome}")),
        (None, Phase::Scoring) => notes.push("Play has stopped".into()),
        (None, _) => notes.push(format!("{} to move", capital(standing.to_move))),
    }
    let [black, white] = standing.captured;
    notes.push(format!("BLACK (X) has captured {black} {}", stones(black)));
    notes.push(format!("WHITE (O) has captured {white} {}", stones(white)));
    if let Some(record) = game.turns().last() {
        notes.push(format!("Turn {}: {}", game.turns().len(), turn_text(game.topology(), record.color, &record.turn)));
    }
    if !standing.dead().is_empty() {
        notes.push(format!("Marked dead: {}", controller.names(standing.dead())));
    }
    text.push('\n');
    text.push_str(&diagram(game.position(), Annotations { dead: standing.dead(), last, notes: &notes, strips, color }));
}

fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

fn stones(n: u32) -> &'static str {
    if n == 1 { "stone" } else { "stones" }
}
