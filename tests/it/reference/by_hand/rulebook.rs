//! Playboard and the general rulebook.

use std::sync::Arc;

use egtp::board::{Color, Point, Position};
use egtp::game::{Assess, Event, NoneDead};
use egtp::rules::{Counting, Points, Turn, find, fixed_handicap};

use super::super::edge_cases::entries;
use super::{dead, game, game_from, script, text};
use crate::data::{Findings, board, names};
use crate::play::{self, Random};

pub(super) fn seki_stays(id: &str, findings: &mut Findings) {
    // the two shared liberties are B5 and A4; whoever fills one is taken
    let rows = "X.OX. .OOX. OOXX. XXX.. .....";
    let mut game = game_from("playboard size=5", rows, Color::Black);
    // what the rules make of two groups that both stay; whether they do is for the assessment to say
    game.set_assessment(Arc::new(NoneDead));
    script(id, findings, &mut game, &[("b pass", "play"), ("w pass", "B+3.5")]);
    let score = game.score();
    findings.same(id, "both stay", board(game.position()), rows.replace(' ', ""));
    findings.same(id, "dead", dead(&game), text(""));
    findings.same(id, "shared liberties are neutral", score.count.neutral, 2);
    findings.same(id, "territory", score.count.territory, [10, 0]);
}

pub(super) fn ends_when_both_pass(id: &str, findings: &mut Findings) {
    let mut game = game_from("playboard size=5", "..X.. .OX.. ..X.. ..X.. ..X..", Color::Black);
    game.set_assessment(Arc::new(OnlyB4));
    let steps = [
        ("b pass", "play"),
        // 20 points of territory and a prisoner
        ("w pass", "B+14.5"),
        ("mark C3", "GameOver"),
        ("b accept", "GameOver"),
        ("b propose", "GameOver"),
        ("resume", "GameOver"),
        ("b A1", "GameOver"),
    ];
    script(id, findings, &mut game, &steps);
    findings.same(id, "prisoners", game.score().prisoners(), [1, 0]);
}

/// Says that a stone at B4 of a 5×5 board is dead.
#[derive(Debug)]
struct OnlyB4;

impl Assess for OnlyB4 {
    fn dead(&self, position: &Position, _: Color) -> Vec<Point> {
        let b4 = position.topology().point("B4").unwrap();
        position.chain(b4).collect()
    }
}

pub(super) fn never_a_tie(id: &str, findings: &mut Findings) {
    let half = Points::thousandths(500);
    let mut random = Random::new(11);
    for _ in 0..100 {
        let mut game = game("playboard size=5");
        let stones = play::stones(&mut random, &mut game.position().clone());
        game.apply(&Event::SetUp { stones, to_move: random.color() }).unwrap();
        game.set_assessment(play::odd_chains());
        for _ in 0..2 {
            game.apply(&Event::Turn(game.standing().to_move, Turn::Pass)).unwrap();
        }
        findings.same(id, "somebody has won", game.outcome().unwrap().winner().is_some(), true);
        let margin = game.score().margin().abs();
        findings.same(id, "half a point", margin >= half && margin.to_string().ends_with(".5"), true);
    }
}

/// The whole cycle of L04, under other rules.
fn triple_ko(id: &str, ruleset: &str, findings: &mut Findings) {
    let entries = entries();
    let entry = entries.iter().find(|entry| entry.id == "L04").unwrap();
    let mut game = entry.game(find(ruleset).unwrap(), findings);
    entry.action(&mut game, findings);
    let start = entry.game(find(ruleset).unwrap(), findings);
    let mut start = start.clone();
    start.take_back(start.turns().len()).unwrap();
    findings.same(id, "the start is back", board(game.position()), board(start.position()));
}

pub(super) fn triple_ko_on_playboard(id: &str, findings: &mut Findings) {
    triple_ko(id, "playboard", findings);
}

pub(super) fn triple_ko_in_the_rulebook(id: &str, findings: &mut Findings) {
    triple_ko(id, "rulebook", findings);
}

pub(super) fn passing_is_always_possible(id: &str, findings: &mut Findings) {
    let mut random = Random::new(14);
    let mut game = game("playboard size=3");
    for _ in 0..200 {
        for color in Color::BOTH {
            findings.same(id, "a pass is legal", game.judge().rule(color, &Turn::Pass).is_ok(), true);
        }
        let color = game.standing().to_move;
        let turn = play::turn(&mut random, &game, color);
        if turn != Turn::Pass && game.apply(&Event::Turn(color, turn)).is_err() {
            // after a refusal, too, and it is a turn
            findings.same(id, "instead", game.apply(&Event::Turn(color, Turn::Pass)).is_ok(), true);
            game.take_back(1).unwrap();
        }
    }
}

pub(super) fn handicap(id: &str, findings: &mut Findings) {
    for n in 2..=9 {
        let mut game = game("rulebook size=9");
        let points = fixed_handicap(game.topology(), n).unwrap();
        findings.same(id, "handicap", game.apply(&Event::Handicap(points.clone())), Ok(()));
        let black = play::having(game.position(), Some(Color::Black));
        findings.same(id, "stones", names(game.topology(), &black), names(game.topology(), &points));
        script(id, findings, &mut game, &[("b A1", "NotToMove"), ("w A1", "play"), ("b B1", "play")]);
    }
}

pub(super) fn handicap_without_komi(id: &str, findings: &mut Findings) {
    let stop = [("w pass", "play"), ("b pass", "scoring"), ("w accept", "scoring")];
    let mut draw = game("rulebook size=9");
    script(id, findings, &mut draw, &[("handicap C3 G7", "play")]);
    findings.same(id, "komi", draw.komi().to_string(), text("0"));
    script(id, findings, &mut draw, &stop);
    // the stones are called dead: nothing and two prisoners for White
    script(id, findings, &mut draw, &[("mark C3 G7", "scoring"), ("w accept", "scoring"), ("b accept", "W+2")]);
    let mut draw = game("rulebook size=9");
    script(
        id,
        findings,
        &mut draw,
        &[("handicap C3 G7", "play"), ("w E5", "play"), ("b pass", "play"), ("w pass", "scoring")],
    );
    script(id, findings, &mut draw, &[("w accept", "scoring"), ("b accept", "0")]);
    findings.same(id, "nobody wins", draw.outcome().unwrap().winner(), None);
    let mut set = game("rulebook size=9 komi=0.5");
    script(id, findings, &mut set, &[("handicap C3 G7", "play")]);
    findings.same(id, "komi that was set stays", set.komi().to_string(), text("0.5"));
}

pub(super) fn dispute_in_the_rulebook(id: &str, findings: &mut Findings) {
    let mut game = game_from("rulebook size=5", "X.X.. .XX.. XX... .OO.. .....", Color::Black);
    let steps = [
        ("b pass", "play"),
        ("w pass", "scoring"),
        ("mark B2", "scoring"),
        ("b accept", "scoring"),
        ("resume", "play"),
        ("w A2", "NotToMove"),
        ("b A2", "play"),
    ];
    script(id, findings, &mut game, &steps);
    findings.same(id, "dead", dead(&game), text(""));
}

pub(super) fn both_must_accept(id: &str, findings: &mut Findings) {
    let mut game = game_from("rulebook size=5", "..X.. .OX.. ..X.. ..X.. ..X..", Color::Black);
    let steps = [
        ("b pass", "play"),
        ("w pass", "scoring"),
        ("mark B4", "scoring"),
        ("b accept", "scoring"),
        // twice by one side is not both
        ("b accept", "scoring"),
        ("w accept", "B+14.5"),
    ];
    script(id, findings, &mut game, &steps);
    findings.same(id, "prisoners", game.score().prisoners(), [1, 0]);
    let by_territory = game.score().margin_under(Counting::Territory);
    findings.same(id, "territory", by_territory.to_string(), text("14.5"));
}

pub(super) fn handicap_after_play_has_begun(id: &str, findings: &mut Findings) {
    let mut game = game("rulebook size=9");
    let steps = [
        ("b pass", "play"),
        ("handicap C3 G7", "HasBegun"),
        ("undo 1", "play"),
        ("b E5", "play"),
        ("handicap C3 G7", "BoardNotEmpty"),
        ("undo 1", "play"),
        ("handicap C3", "BadHandicap"),
        ("handicap C3 C3", "BadHandicap"),
        ("handicap C3 G7", "play"),
        ("handicap C3 G7", "BoardNotEmpty"),
    ];
    script(id, findings, &mut game, &steps);
}
