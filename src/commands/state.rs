//! How the game stands, for front ends and people.

use std::fmt::Write;

use super::admin::answer;
use super::queries::draw;
use super::rooms;
use super::table::{Command, InRoom};
use super::{Controller, Failure};
use crate::board::{Color, board_rows};
use crate::game::Standing;
use crate::gtp::Args;
use crate::record::turn_text;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("egtp_status", "", "how the game stands, as lines of a key and a value", status)
        .in_room(InRoom::Own(rooms::room_status)),
    Command::new(
        "egtp_turns",
        "",
        "all turns, the first first, one per line: number, colour and turn",
        |c, _, text| {
            for (i, record) in c.game().turns().iter().enumerate() {
                writeln!(text, "{} {}", i + 1, turn_text(c.game().topology(), record.color, &record.turn)).ok();
            }
            Ok(())
        },
    )
    .in_room(InRoom::Official),
    Command::new(
        "egtp_board",
        "",
        "the rows from the top: X, O, . and ? where a hexagon's grid has no point",
        |c, _, text| answer(text, &board_rows(c.game().position()).join("\n")),
    )
    .in_room(InRoom::Official),
    Command::new(
        "egtp_diagram",
        "[strips|color]",
        "the diagram of showboard; strips: a torus's edges are repeated; color: with a terminal's colours",
        diagram,
    )
    .in_room(InRoom::Official),
    Command::new(
        "egtp_topology",
        "",
        "every point with its neighbours, one per line: VERTEX: NEIGHBOUR …",
        |c, _, text| {
            let topology = c.game().topology();
            for point in topology.points() {
                writeln!(text, "{}: {}", topology.name(point), c.names(topology.neighbours(point))).ok();
            }
            Ok(())
        },
    )
    .in_room(InRoom::Official),
    Command::new("egtp_reason", "", "why a command was last refused, in full; empty if none was", |c, _, text| {
        answer(text, c.refusal())
    })
    .in_room(InRoom::Same),
];

/// Writes lines of a key and a value; a key without a value stands alone.
pub(super) fn key_values<'a>(text: &mut String, lines: impl Iterator<Item = (&'a str, String)>) {
    for (key, value) in lines {
        writeln!(text, "{}", format!("{key} {value}").trim_end()).ok();
    }
}

/// Lines of the opposite edge that are drawn round a torus: enough to see what touches a stone at the edge.
pub(super) const STRIPS: usize = 3;

fn diagram(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let (strips, color) = match args.get(0) {
        None => (0, controller.is_colored()),
        Some("strips") => (STRIPS, controller.is_colored()),
        Some("color") => (0, true),
        Some(_) => return Err(Failure::Usage),
    };
    draw(controller, strips, color, text);
    Ok(())
}

pub(super) fn status(controller: &mut Controller, _: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let game = controller.game();
    let standing = game.standing();
    let [settings, black_left, white_left] = controller.time.clone();
    let outcome = game.outcome().map(|o| o.to_string()).unwrap_or_default();
    let [black, white] = standing.captured.map(|n| n.to_string());
    let [black_pass_stones, white_pass_stones] = standing.pass_stones.map(|n| n.to_string());
    let lines = [
        ("ruleset", game.ruleset().name.to_string()),
        ("topology", game.shape().kind().name().into()),
        ("size", game.shape().to_string()),
        ("komi", game.komi().to_string()),
        ("handicap", game.handicap().to_string()),
        ("phase", standing.phase.name().into()),
        ("to_move", standing.to_move.name().into()),
        ("turn", game.turns().len().to_string()),
        ("passes", standing.passes.to_string()),
        ("prisoners_black", black),
        ("prisoners_white", white),
        ("pass_stones_black", black_pass_stones),
        ("pass_stones_white", white_pass_stones),
        ("marks", controller.names(standing.dead())),
        ("accepted", accepted(standing)),
        ("proposed", standing.proposed.map(Color::name).unwrap_or_default().into()),
        ("result", outcome),
        ("time_settings", settings),
        ("time_left_black", black_left),
        ("time_left_white", white_left),
        ("reason", controller.refusal().into()),
    ];
    key_values(text, lines.into_iter());
    Ok(())
}

fn accepted(standing: &Standing) -> String {
    let sides = Color::BOTH.into_iter().filter(|color| standing.accepted[color.index()]);
    sides.map(Color::name).collect::<Vec<_>>().join(" ")
}
