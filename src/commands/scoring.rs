//! From the last pass to the result: marking, accepting, proposing, resuming, counting.

use super::Controller;
use super::Failure;
use super::admin::answer;
use super::args::{color_at, vertices};
use super::rooms;
use super::state::key_values;
use super::table::{Command, InRoom, Phases};
use crate::board::{Color, Point};
use crate::game::{Event, Game, Outcome};
use crate::gtp::Args;
use crate::rules::Counting;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "final_score",
        "",
        "the result: B+3.5, W+R or 0; in scoring, under the present marks",
        |c, _, text| {
            let game = c.game();
            answer(text, &outcome(game).to_string())
        },
    )
    .in_room(InRoom::Official)
    .phases(Phases::Stopped),
    Command::new(
        "egtp_mark_dead",
        "V…",
        "toggles the chains of these stones between dead and alive; answers all dead points",
        |c, args, text| {
            let stones = points(c, args.words())?;
            c.apply(&Event::Mark(stones)).map_err(Failure::Refused)?;
            marks(c, text)
        },
    )
    .in_room(InRoom::Act)
    .phases(Phases::Scoring),
    Command::new("egtp_marks", "", "all points marked dead", |c, _, text| marks(c, text))
        .in_room(InRoom::Marks)
        .phases(Phases::Stopped),
    Command::new(
        "egtp_accept",
        "COLOR",
        "accepts the present marks, or the other side's proposal, for a side",
        |c, args, _| {
            let color = color_at(args, 0)?;
            c.apply(&Event::Accept(color)).map_err(Failure::Refused)
        },
    )
    .in_room(InRoom::Own(rooms::accept))
    .phases(Phases::Scoring),
    Command::new(
        "egtp_propose",
        "COLOR [V…]",
        "marks exactly the chains of these stones dead and accepts or proposes that",
        |c, args, text| {
            let color = color_at(args, 0)?;
            let stones = points(c, &args.words()[1..])?;
            c.apply(&Event::Propose(color, stones)).map_err(Failure::Refused)?;
            marks(c, text)
        },
    )
    .in_room(InRoom::Act)
    .phases(Phases::Scoring),
    Command::new(
        "egtp_resume",
        "[COLOR]",
        "resumes play: marks are cleared; answers the side to move",
        |c, args, text| {
            if args.get(0).is_some() {
                color_at(args, 0)?;
            }
            c.apply(&Event::Resume).map_err(Failure::Refused)?;
            answer(text, c.game().standing().to_move.name())
        },
    )
    .in_room(InRoom::Act)
    .phases(Phases::Scoring),
    Command::new("egtp_score", "", "the count in detail, as lines of a key and a value", score)
        .in_room(InRoom::Official)
        .phases(Phases::Stopped),
    Command::new(
        "egtp_hahn",
        "",
        "Hahn points, Black's and White's, of a hundred; in scoring, under the present marks",
        |c, _, text| {
            let [black, white] = outcome(c.game()).hahn();
            answer(text, &format!("{black} {white}"))
        },
    )
    .in_room(InRoom::Official)
    .phases(Phases::Stopped),
];

/// How the game ended, or what is counted under the present marks.
fn outcome(game: &Game) -> Outcome {
    game.outcome().unwrap_or_else(|| Outcome::Counted(game.score().margin()))
}

/// Stones to be marked. Off the board is not on a stone either, and the phase has been checked.
fn points(controller: &Controller, words: &[&str]) -> Result<Vec<Point>, Failure> {
    vertices(controller.game().topology(), words)
}

fn marks(controller: &Controller, text: &mut String) -> Result<(), Failure> {
    answer(text, &controller.names(controller.game().standing().dead()))
}

fn score(controller: &mut Controller, _: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let game = controller.game();
    let score = game.score();
    let outcome = outcome(game);
    let count = &score.count;
    let pair = |pair: [usize; 2]| pair.map(|n| n.to_string());
    let mut lines: Vec<(String, String)> = vec![("method".into(), score.counting.name().into())];
    let mut both = |key: &str, [black, white]: [String; 2]| {
        lines.push((format!("{key}_black"), black));
        lines.push((format!("{key}_white"), white));
    };
    both("stones", pair(count.stones));
    both("territory", pair(count.territory));
    both("dead", pair(count.dead));
    both("captured", score.captured.map(|n| n.to_string()));
    both("pass_stones", pair(score.pass_stones));
    both("prisoners", pair(score.prisoners()));
    both("total", score.totals(score.counting).map(|n| n.to_string()));
    both("hahn", outcome.hahn().map(|n| n.to_string()));
    lines.extend([
        ("neutral".into(), count.neutral.to_string()),
        ("komi".into(), score.komi.to_string()),
        ("margin_area".into(), score.margin_under(Counting::Area).to_string()),
        ("margin_territory".into(), score.margin_under(Counting::Territory).to_string()),
        ("margin".into(), score.margin().to_string()),
        ("winner".into(), outcome.winner().map_or("none", Color::name).into()),
        ("result".into(), outcome.to_string()),
    ]);
    key_values(text, lines.iter().map(|(key, value)| (key.as_str(), value.clone())));
    Ok(())
}
