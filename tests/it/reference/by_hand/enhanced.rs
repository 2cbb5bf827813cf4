//! Enhanced Go.

use egtp::board::Color;
use egtp::game::Event;
use egtp::rules::{Owner, Turn};

use super::{KO, dead, game, game_from, script, text, totals};
use crate::data::{Findings, board};
use crate::play::{self, Random};

pub(super) fn mover_keeps_a_stone(id: &str, findings: &mut Findings) {
    let mut random = Random::new(24);
    let mut specials = 0;
    for size in [2, 3, 4, 5].repeat(25) {
        let mut game = game(&format!("enhanced size={size}"));
        for _ in 0..size * size * 4 {
            let color = game.standing().to_move;
            let turn = play::turn(&mut random, &game, color);
            if turn != Turn::Pass && game.apply(&Event::Turn(color, turn.clone())).is_ok() {
                specials += usize::from(matches!(turn, Turn::Special(_)));
                findings.same(id, "the mover has a stone", game.position().count(color) > 0, true);
            } else if turn == Turn::Pass && game.standing().passes == 0 {
                game.apply(&Event::Turn(color, turn)).unwrap();
            }
        }
    }
    findings.same(id, "special turns are among them", specials > 50, true);
}

pub(super) fn resume_after_white_passed_second(id: &str, findings: &mut Findings) {
    let mut game = game("enhanced");
    let stop = [("b D4", "play"), ("w F6", "play"), ("b pass", "play"), ("w pass", "scoring"), ("mark F6", "scoring")];
    script(id, findings, &mut game, &stop);
    findings.same(id, "marked", dead(&game), text("F6"));
    script(id, findings, &mut game, &[("resume", "play")]);
    findings.same(id, "marks are cleared", dead(&game), text(""));
    findings.same(id, "to move", game.standing().to_move, Color::Black);
    script(id, findings, &mut game, &[("w C3", "NotToMove"), ("b C3", "play")]);
}

pub(super) fn resume_after_black_passed_second(id: &str, findings: &mut Findings) {
    let mut game = game("enhanced");
    script(id, findings, &mut game, &[("b D4", "play"), ("w pass", "play"), ("b pass", "scoring"), ("resume", "play")]);
    findings.same(id, "to move", game.standing().to_move, Color::White);
    script(id, findings, &mut game, &[("b C3", "NotToMove"), ("w C3", "play")]);
}

pub(super) fn two_more_passes_after_a_resume(id: &str, findings: &mut Findings) {
    let mut game = game("enhanced");
    script(id, findings, &mut game, &[("b pass", "play"), ("w pass", "scoring"), ("resume", "play")]);
    findings.same(id, "passes", game.standing().passes, 0);
    findings.same(id, "to move", game.standing().to_move, Color::Black);
    script(id, findings, &mut game, &[("b pass", "play"), ("w pass", "scoring"), ("b C3", "PlayStopped")]);
}

pub(super) fn special_turn_between_passes(id: &str, findings: &mut Findings) {
    let mut game = game_from("enhanced size=5", "OO.X. OO... ..... ..... .....", Color::Black);
    let steps =
        [("b pass", "play"), ("w special E1 D1 for A5 B5 A4 B4", "play"), ("b pass", "play"), ("w pass", "scoring")];
    script(id, findings, &mut game, &steps);
    findings.same(id, "board", board(game.position()), text("...X................OO").replace("OO", "...OO"));
}

pub(super) fn marking_toggles_a_group(id: &str, findings: &mut Findings) {
    let mut game = game_from("enhanced size=5", "XXX.. ..X.. ..... OO..X .....", Color::Black);
    script(
        id,
        findings,
        &mut game,
        &[("mark A5", "NotScoring"), ("b pass", "play"), ("w pass", "scoring"), ("mark A5", "scoring")],
    );
    findings.same(id, "dead", dead(&game), text("A5 B5 C5 C4"));
    script(id, findings, &mut game, &[("mark B2", "scoring")]);
    findings.same(id, "two groups", dead(&game), text("A5 B5 C5 C4 A2 B2"));
    script(id, findings, &mut game, &[("mark C4", "scoring")]);
    findings.same(id, "another stone of the group", dead(&game), text("A2 B2"));
    script(id, findings, &mut game, &[("mark E5", "NoStone"), ("mark A2 E5", "NoStone"), ("mark A2 B2", "OneChain")]);
}

pub(super) fn marking_withdraws_acceptance(id: &str, findings: &mut Findings) {
    let mut game = game_from("enhanced size=5", "XXX.. ..X.. ..... OO..X .....", Color::Black);
    script(id, findings, &mut game, &[("b pass", "play"), ("w pass", "scoring"), ("b accept", "scoring")]);
    findings.same(id, "accepted", game.standing().accepted, [true, false]);
    script(id, findings, &mut game, &[("mark A2", "scoring")]);
    findings.same(id, "withdrawn", game.standing().accepted, [false, false]);
    script(id, findings, &mut game, &[("w accept", "scoring")]);
    findings.same(id, "White's alone", game.standing().accepted, [false, true]);
    // everything is Black's: 25 less 7.5
    script(id, findings, &mut game, &[("b accept", "B+17.5"), ("mark A2", "GameOver"), ("resume", "GameOver")]);
}

pub(super) fn resume_clears_marks(id: &str, findings: &mut Findings) {
    let rows = "XXX.. ..X.. ..... OO..X .....";
    let mut game = game_from("enhanced size=5", rows, Color::Black);
    script(
        id,
        findings,
        &mut game,
        &[("b pass", "play"), ("w pass", "scoring"), ("mark A2", "scoring"), ("w accept", "scoring")],
    );
    script(id, findings, &mut game, &[("resume", "play")]);
    findings.same(id, "board", board(game.position()), rows.replace(' ', ""));
    findings.same(id, "dead", dead(&game), text(""));
    script(id, findings, &mut game, &[("b A2", "Rules"), ("b pass", "play"), ("w pass", "scoring")]);
    findings.same(id, "dead after more passes", dead(&game), text(""));
    findings.same(id, "accepted after more passes", game.standing().accepted, [false; 2]);
}

pub(super) fn empty_board(id: &str, findings: &mut Findings) {
    let mut game = game("enhanced");
    let steps = [("b pass", "play"), ("w pass", "scoring"), ("b accept", "scoring"), ("w accept", "W+7.5")];
    script(id, findings, &mut game, &steps);
    findings.same(id, "totals", totals(&game), [text("0"), text("7.5")]);
}

pub(super) fn all_dead(id: &str, findings: &mut Findings) {
    let mut game = game_from("enhanced size=5", "XXX.. ..X.. ..... OO..X .....", Color::Black);
    let steps = [("b pass", "play"), ("w pass", "scoring"), ("b propose A5 A2 E2", "scoring"), ("w accept", "W+7.5")];
    script(id, findings, &mut game, &steps);
    findings.same(id, "totals", totals(&game), [text("0"), text("7.5")]);
    let score = game.score();
    findings.same(id, "everything is neutral", score.count.owners.iter().all(|&owner| owner == Owner::Neutral), true);
}

pub(super) fn no_undo_no_resignation_no_handicap(id: &str, findings: &mut Findings) {
    let mut game = game("enhanced");
    let steps = [
        ("handicap C3 G7", "NoHandicap"),
        ("b resign", "NoResignation"),
        ("b C3", "play"),
        ("undo 1", "NoTakeback"),
        ("w resign", "NoResignation"),
        ("w pass", "play"),
        ("b pass", "scoring"),
        ("undo 1", "NoTakeback"),
        ("b resign", "NoResignation"),
    ];
    script(id, findings, &mut game, &steps);
}

pub(super) fn history_survives_a_resume(id: &str, findings: &mut Findings) {
    let mut game = game_from("enhanced size=5", KO, Color::Black);
    let stop =
        [("b C3", "play"), ("w pass", "play"), ("b pass", "scoring"), ("mark A3", "scoring"), ("resume", "play")];
    script(id, findings, &mut game, &stop);
    // White's B3 would bring back what stood at the start
    script(id, findings, &mut game, &[("w B3", "Rules"), ("w E5", "play"), ("b E1", "play"), ("w B3", "play")]);
}
