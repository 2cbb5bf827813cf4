//! What the built-in assessment of life and death says. It never marks by itself.

use std::fmt::Write;

use super::admin::answer;
use super::state::key_values;
use super::table::{Command, InRoom};
use super::{Controller, Failure};
use crate::board::Position;
use crate::game::{Game, Outcome, Phase};
use crate::gtp::Args;
use crate::life::{Assessment, assess};
use crate::rules::Ending;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "egtp_estimate",
        "[dead|score|ownership]",
        "what the built-in assessment says: dead stones, the score without them, whose each point is from -1 to 1",
        estimate,
    )
    .in_room(InRoom::Official),
    Command::new(
        "estimate_score",
        "",
        "the score without dead stones by assessment, in GNU Go's words",
        |c, _, text| {
            let margin = c.game().score_with(&opinion(c.game()).dead).margin();
            let (result, white) = (Outcome::Counted(margin), (-margin).with_decimal());
            answer(text, &format!("{result} (upper bound: {white}, lower: {white})"))
        },
    )
    .in_room(InRoom::Official),
    Command::new(
        "egtp_preview_pass",
        "",
        "what a pass now would carry: dead stones, the score without them, ownership (pass-proposal ending)",
        |c, _, text| {
            if c.ruleset().ending != Ending::PassProposal {
                return Err(Failure::Other(
                    "a pass carries nothing in this ruleset; egtp_estimate says as much".into(),
                ));
            }
            let opinion = opinion(c.game());
            summary(c, &opinion, text);
            writeln!(text, "ownership").ok();
            ownership(c.game().position(), &opinion, text);
            Ok(())
        },
    )
    .in_room(InRoom::Official)
    .listed(|c| c.ruleset().ending == Ending::PassProposal),
];

fn estimate(c: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let game = c.game();
    let to_move = (game.standing().phase == Phase::Play).then_some(game.standing().to_move);
    let opinion = match args.get(0) {
        // while the game goes on, whose a point is depends on who moves next
        Some("ownership") => assess(game.position(), to_move),
        _ => opinion(game),
    };
    match args.get(0) {
        None => summary(c, &opinion, text),
        Some("dead") => answer(text, &c.names(&opinion.dead))?,
        Some("score") => answer(text, &score(c.game(), &opinion))?,
        Some("ownership") => ownership(c.game().position(), &opinion, text),
        Some(_) => return Err(Failure::Usage),
    }
    Ok(())
}

/// An opinion of the present position, as it would be counted: whoever moves next.
fn opinion(game: &Game) -> Assessment {
    assess(game.position(), None)
}

fn score(game: &Game, opinion: &Assessment) -> String {
    Outcome::Counted(game.score_with(&opinion.dead).margin()).to_string()
}

fn summary(c: &Controller, opinion: &Assessment, text: &mut String) {
    let lines = [("dead", c.names(&opinion.dead)), ("score", score(c.game(), opinion))];
    key_values(text, lines.into_iter());
}

/// Rows from the top, as `egtp_board` has them; `?` off the board.
fn ownership(position: &Position, opinion: &Assessment, text: &mut String) {
    let topology = position.topology();
    let (width, height) = topology.shape().grid();
    for row in (0..height).rev() {
        let cell = |column| match topology.at(column, row) {
            None => "    ?".into(),
            Some(point) => format!("{:5.2}", opinion.ownership[point.index()]),
        };
        writeln!(text, "{}", (0..width).map(cell).collect::<Vec<String>>().join(" ")).ok();
    }
}
