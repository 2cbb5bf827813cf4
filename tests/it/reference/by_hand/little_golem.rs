//! Little Golem: square boards, tori, HexGo.

use std::sync::Arc;

use egtp::board::{Color, Point, Position, Shape};
use egtp::game::{Assess, Event, Game};
use egtp::rules::find;

use super::super::edge_cases::entries;
use super::{KO, dead, game, game_from, script, text, totals};
use crate::data::{Findings, names, points, stones};
use crate::engine::Asked;
use crate::play;

pub(super) fn accept_without_proposal(id: &str, findings: &mut Findings) {
    let mut game = game("littlegolem size=9");
    let steps = [
        ("b accept", "NotScoring"),
        ("b pass", "play"),
        ("w pass", "scoring"),
        ("b accept", "NothingProposed"),
        ("w accept", "NothingProposed"),
    ];
    script(id, findings, &mut game, &steps);
}

pub(super) fn accept_own_proposal(id: &str, findings: &mut Findings) {
    let mut game = game_from("littlegolem size=5", "..X.. .OX.. ..X.. ..X.. ..X..", Color::Black);
    let steps = [
        ("b pass", "play"),
        ("w pass", "scoring"),
        ("b propose B4", "scoring"),
        ("b accept", "OwnProposal"),
        // the answer may be another proposal, and then it is Black who may accept
        ("w propose", "scoring"),
        ("w accept", "OwnProposal"),
        ("b propose B4", "scoring"),
        // 20 points of territory and a prisoner
        ("w accept", "B+14.5"),
    ];
    script(id, findings, &mut game, &steps);
}

pub(super) fn score_before_two_passes(id: &str, findings: &mut Findings) {
    let mut game = game("littlegolem size=9");
    let steps = [
        ("b propose", "NotScoring"),
        ("b D4", "play"),
        ("w propose D4", "NotScoring"),
        ("mark D4", "NotScoring"),
        ("w pass", "play"),
        ("b propose D4", "NotScoring"),
        ("b pass", "scoring"),
        ("b propose D4", "scoring"),
    ];
    script(id, findings, &mut game, &steps);
}

/// Under all of Little Golem's rules, by either side, in any phase.
pub(super) fn resign_at_any_time(id: &str, findings: &mut Findings) {
    let before: [&[(&str, &str)]; 3] =
        [&[], &[("b D4", "play"), ("w E5", "play")], &[("b D4", "play"), ("w pass", "play"), ("b pass", "scoring")]];
    for rules in ["littlegolem size=9", "toroidal", "hexgo"] {
        for (words, result) in [("b resign", "W+R"), ("w resign", "B+R")] {
            for steps in before {
                let mut game = game(rules);
                let stops = steps.last().is_some_and(|(_, phase)| *phase == "scoring");
                // under HexGo's rules the second pass ends the game
                let steps = if stops && rules == "hexgo" { &steps[..2] } else { steps };
                script(id, findings, &mut game, steps);
                script(id, findings, &mut game, &[(words, result), ("w E3", "GameOver"), (words, "GameOver")]);
            }
        }
    }
}

pub(super) fn komi_from_the_setup(id: &str, findings: &mut Findings) {
    let end = |game: &mut Game, result: &str, findings: &mut Findings| {
        let steps = [("b pass", "play"), ("w pass", "scoring"), ("b propose", "scoring"), ("w accept", result)];
        script(id, findings, game, &steps);
    };
    end(&mut game("littlegolem size=9"), "W+6.5", findings);
    end(&mut game("littlegolem size=9 komi=0.5"), "W+0.5", findings);
    let mut game = game("littlegolem size=9");
    script(id, findings, &mut game, &[("komi -3", "play")]);
    end(&mut game, "B+3", findings);
    script(id, findings, &mut game, &[("komi 1", "GameOver")]);
}

pub(super) fn torus_komi(id: &str, findings: &mut Findings) {
    for (size, komi) in [(11, "4.5"), (17, "5.5")] {
        findings.same(
            id,
            &format!("komi on {size}"),
            game(&format!("toroidal size={size}")).komi().to_string(),
            text(komi),
        );
    }
    findings.same(id, "usual size", game("toroidal").shape(), Shape::torus(11, 11).unwrap());
}

pub(super) fn torus_stars(id: &str, findings: &mut Findings) {
    let game = game("toroidal size=17");
    let expected = points(game.topology(), &["D4", "J4", "O4", "D9", "J9", "O9", "D14", "J14", "O14"]);
    findings.same(
        id,
        "stars",
        names(game.topology(), &game.topology().star_points()),
        names(game.topology(), &expected),
    );
}

pub(super) fn ring(id: &str, findings: &mut Findings) {
    let entries = entries();
    let entry = entries.iter().find(|entry| entry.id == id).unwrap();
    let game = entry.game(find("toroidal").unwrap(), findings);
    let ring = game.topology().point("F6").unwrap();
    findings.same(id, "stones", game.position().chain_size(ring), 11);
    findings.same(id, "liberties", game.position().liberties(ring).len(), 22);
}

pub(super) fn hexgo_counts_area(id: &str, findings: &mut Findings) {
    let mut game = game("hexgo");
    let steps = [
        ("b A2", "play"),
        ("w A1", "play"),
        ("b B2", "play"),
        ("w H8", "play"),
        ("b B1", "play"),
        ("w J9", "play"),
        ("b pass", "play"),
        // three stones and a point against two stones and 5.5
        ("w pass", "W+3.5"),
    ];
    script(id, findings, &mut game, &steps);
    findings.same(id, "captured", game.standing().captured, [1, 0]);
    findings.same(id, "totals", totals(&game), [text("4"), text("7.5")]);
    findings.same(id, "komi", game.komi().to_string(), text("5.5"));
}

/// Says that the stones of whoever is to move are dead. It would give another answer if it were asked again at the
/// second pass.
#[derive(Debug)]
struct SideToMove;

impl Assess for SideToMove {
    fn dead(&self, position: &Position, to_move: Color) -> Vec<Point> {
        play::having(position, Some(to_move))
    }
}

fn hexgo_with_stones() -> Game {
    let mut game = game("hexgo size=3");
    game.set_assessment(Arc::new(SideToMove));
    let stones = stones(game.topology(), "X...........O......");
    game.apply(&Event::SetUp { stones, to_move: Color::Black }).unwrap();
    game
}

pub(super) fn placement_cancels_a_proposal(id: &str, findings: &mut Findings) {
    let mut game = hexgo_with_stones();
    let white = names(game.topology(), &play::having(game.position(), Some(Color::White)));
    script(id, findings, &mut game, &[("b pass", "play")]);
    findings.same(id, "P1", dead(&game), white);
    script(id, findings, &mut game, &[("w C3", "play")]);
    findings.same(id, "P1 is void", game.standing().marks.is_none(), true);
    let white = names(game.topology(), &play::having(game.position(), Some(Color::White)));
    script(id, findings, &mut game, &[("b pass", "play")]);
    findings.same(id, "P2", dead(&game), white.clone());
    // all of the nineteen points are Black's, who was right about White's stones
    script(id, findings, &mut game, &[("w pass", "B+13.5"), ("w accept", "GameOver")]);
    findings.same(id, "P2 is final", dead(&game), white);
}

pub(super) fn pass_after_a_cancelled_proposal(id: &str, findings: &mut Findings) {
    let mut game = hexgo_with_stones();
    script(id, findings, &mut game, &[("b pass", "play"), ("w C3", "play"), ("b B1", "play"), ("w pass", "play")]);
    let black = names(game.topology(), &play::having(game.position(), Some(Color::Black)));
    findings.same(id, "P2", dead(&game), black.clone());
    script(id, findings, &mut game, &[("b pass", "W+24.5")]);
    findings.same(id, "P2 is final", dead(&game), black);
}

pub(super) fn random_start_is_history(id: &str, findings: &mut Findings) {
    // White's B3 would bring the start back: after two passes that is no matter under ko, but it is under superko
    for (rules, verdict) in [("littlegolem size=5", "play"), ("littlegolem size=5 repetition=positional", "Rules")] {
        let mut game = game_from(rules, KO, Color::Black);
        script(
            id,
            findings,
            &mut game,
            &[("b C3", "play"), ("w B3", "Rules"), ("w pass", "play"), ("b pass", "scoring")],
        );
        script(id, findings, &mut game, &[("w B3", verdict)]);
    }
}

pub(super) fn a_preview_changes_nothing(id: &str, findings: &mut Findings) {
    let mut asked = Asked::new("hexgo", false);
    asked.all(&["play b H8", "play w J9", "play b H9"]);
    let before = asked.yes("egtp_status");
    let preview = asked.yes("egtp_preview_pass");
    findings.same(id, "something is shown", preview.starts_with("dead"), true);
    findings.same(id, "and nothing has changed", asked.yes("egtp_status"), before);
    // the pass then carries what was shown
    asked.yes("play w pass");
    let marks =
        format!("dead {}", asked.yes("egtp_status").lines().find_map(|l| l.strip_prefix("marks ")).unwrap_or_default());
    findings.same(id, "and is what the pass carries", Some(marks.trim_end()), preview.lines().next());
}
