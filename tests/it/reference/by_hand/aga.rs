//! The AGA's rules.

use egtp::board::Color;
use egtp::game::{Game, Phase};

use super::{dead, game, game_from, script, text};
use crate::data::Findings;

pub(super) fn pass_stones(id: &str, findings: &mut Findings) {
    let mut game = game("aga size=9");
    let steps = [
        ("b pass", "play", [0, 1]),
        ("w D4", "play", [0, 1]),
        ("b pass", "play", [0, 2]),
        ("w pass", "scoring", [1, 2]),
    ];
    for (words, phase, prisoners) in steps {
        script(id, findings, &mut game, &[(words, phase)]);
        findings.same(id, &format!("prisoners after {words}"), game.score().prisoners(), prisoners);
    }
}

/// How a finished game under the AGA's rules came out: prisoners, and whether White added a pass.
fn at_the_end(id: &str, findings: &mut Findings, game: &Game, prisoners: [usize; 2], added: bool) {
    findings.same(id, "phase", game.standing().phase, Phase::Finished);
    findings.same(id, "prisoners", game.score().prisoners(), prisoners);
    findings.same(id, "White added a pass", game.standing().added_pass, added);
}

pub(super) fn white_passed_last(id: &str, findings: &mut Findings) {
    let mut game = game("aga size=9");
    let steps = [("b pass", "play"), ("w pass", "scoring"), ("b accept", "scoring"), ("w accept", "W+7.5")];
    script(id, findings, &mut game, &steps);
    at_the_end(id, findings, &game, [1, 1], false);
}

pub(super) fn black_passed_last(id: &str, findings: &mut Findings) {
    let mut game = game_from("aga size=5", &".".repeat(25), Color::White);
    script(id, findings, &mut game, &[("w pass", "play")]);
    findings.same(id, "after White's pass", game.score().prisoners(), [1, 0]);
    script(id, findings, &mut game, &[("b pass", "scoring")]);
    findings.same(id, "after Black's pass", game.standing().pass_stones, [1, 1]);
    // the count shows what it will be once White has passed last
    findings.same(id, "counted", game.score().prisoners(), [2, 1]);
    script(id, findings, &mut game, &[("w accept", "scoring"), ("b accept", "W+7.5")]);
    at_the_end(id, findings, &game, [2, 1], true);
}

pub(super) fn dispute(id: &str, findings: &mut Findings) {
    let mut game = game("aga size=9");
    script(id, findings, &mut game, &[("b pass", "play"), ("w pass", "scoring"), ("resume", "play")]);
    findings.same(id, "to move", game.standing().to_move, Color::Black);
    script(
        id,
        findings,
        &mut game,
        &[("w D4", "NotToMove"), ("b D4", "play"), ("w pass", "play"), ("b pass", "scoring")],
    );
}

pub(super) fn four_passes(id: &str, findings: &mut Findings) {
    let mut game = game_from("aga size=5", "..X.. ..XO. ..X.. ..X.. ..X..", Color::Black);
    let steps = [
        ("b pass", "play"),
        ("w pass", "scoring"),
        ("mark D4", "scoring"),
        ("b accept", "scoring"),
        ("resume", "play"),
        ("b pass", "play"),
        // Black has 15, White 1 and 7.5
        ("w pass", "B+6.5"),
    ];
    script(id, findings, &mut game, &steps);
    findings.same(id, "all alive", dead(&game), text(""));
    at_the_end(id, findings, &game, [2, 2], false);
}

pub(super) fn four_passes_ending_with_black(id: &str, findings: &mut Findings) {
    let mut game = game_from("aga size=5", "..X.. ..XO. ..X.. ..X.. ..X..", Color::White);
    script(id, findings, &mut game, &[("w pass", "play"), ("b pass", "scoring"), ("resume", "play")]);
    findings.same(id, "to move", game.standing().to_move, Color::White);
    script(id, findings, &mut game, &[("w pass", "play"), ("b pass", "B+6.5")]);
    at_the_end(id, findings, &game, [3, 2], true);
}

pub(super) fn neutral_points(id: &str, findings: &mut Findings) {
    let mut game = game_from("aga size=5", "X.X.O X.X.O X.X.O X.X.O X.X.O", Color::Black);
    let steps = [("b pass", "play"), ("w pass", "scoring"), ("b accept", "scoring"), ("w accept", "B+2.5")];
    script(id, findings, &mut game, &steps);
    let count = game.score().count;
    findings.same(id, "stones", count.stones, [10, 5]);
    findings.same(id, "territory", count.territory, [5, 0]);
    findings.same(id, "neutral", count.neutral, 5);
}
