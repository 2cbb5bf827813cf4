//! The entries of `edge_cases.json` that say in prose what happens, each written out as events and answers.

mod aga;
mod enhanced;
mod little_golem;
mod rulebook;

use egtp::board::Color;
use egtp::game::{Event, Game};
use egtp::rules::Selection;

use crate::data::{Findings, board, names, points, special, stones};

/// A check of one entry, told its id.
type Check = fn(&str, &mut Findings);

/// The checks by the entries' ids.
pub(super) const BY_HAND: &[(&str, Check)] = &[
    ("E24", enhanced::mover_keeps_a_stone),
    ("E35", enhanced::resume_after_white_passed_second),
    ("E36", enhanced::resume_after_black_passed_second),
    ("E37", enhanced::two_more_passes_after_a_resume),
    ("E38", enhanced::special_turn_between_passes),
    ("E39", enhanced::marking_toggles_a_group),
    ("E40", enhanced::marking_withdraws_acceptance),
    ("E42", enhanced::resume_clears_marks),
    ("E44", enhanced::empty_board),
    ("E45", enhanced::all_dead),
    ("E47", enhanced::no_undo_no_resignation_no_handicap),
    ("E49", enhanced::history_survives_a_resume),
    ("A09", aga::pass_stones),
    ("A10", aga::white_passed_last),
    ("A11", aga::black_passed_last),
    ("A12", aga::dispute),
    ("A13", aga::four_passes),
    ("A14", aga::four_passes_ending_with_black),
    ("A19", aga::neutral_points),
    ("L08", little_golem::accept_without_proposal),
    ("L09", little_golem::accept_own_proposal),
    ("L10", little_golem::score_before_two_passes),
    ("L12", little_golem::resign_at_any_time),
    ("L13", little_golem::komi_from_the_setup),
    ("T10", little_golem::torus_komi),
    ("T11", little_golem::torus_stars),
    ("T13", little_golem::ring),
    ("X09", little_golem::hexgo_counts_area),
    ("X12", little_golem::placement_cancels_a_proposal),
    ("X13", little_golem::pass_after_a_cancelled_proposal),
    ("X15", little_golem::resign_at_any_time),
    ("X14", little_golem::a_preview_changes_nothing),
    ("R02", little_golem::random_start_is_history),
    ("P09", rulebook::seki_stays),
    ("P10", rulebook::ends_when_both_pass),
    ("P11", rulebook::never_a_tie),
    ("P13", rulebook::triple_ko_on_playboard),
    ("P14", rulebook::passing_is_always_possible),
    ("B04", rulebook::handicap),
    ("B05", rulebook::handicap_without_komi),
    ("B07", rulebook::dispute_in_the_rulebook),
    ("B08", rulebook::both_must_accept),
    ("B11", rulebook::handicap_after_play_has_begun),
    ("B12", rulebook::triple_ko_in_the_rulebook),
];

/// A game of rules as the command line has them: `enhanced size=5`.
fn game(rules: &str) -> Game {
    let mut words = rules.split(' ');
    let name = words.next().unwrap();
    Game::new(Selection::parse(name, words).unwrap())
}

/// A game from a position.
fn game_from(rules: &str, rows: &str, to_move: Color) -> Game {
    let mut game = game(rules);
    let stones = stones(game.topology(), &rows.replace(' ', ""));
    game.apply(&Event::SetUp { stones, to_move }).unwrap();
    game
}

/// An event in few words: `b D4`, `w pass`, `b special A1 B1 for C1 D1 E1 F1`, `b accept`, `b propose D4 E5`, `b resign`,
/// `mark D4`, `resume`, `undo 1`, `komi 0`, `handicap C3 G7`.
fn event(game: &Game, words: &str) -> Event {
    let words: Vec<&str> = words.split(' ').collect();
    let vertices = |names: &[&str]| points(game.topology(), names);
    let color = match words[0] {
        "b" => Color::Black,
        "w" => Color::White,
        "mark" => return Event::Mark(vertices(&words[1..])),
        "resume" => return Event::Resume,
        "undo" => return Event::TakeBack(words[1].parse().unwrap()),
        "komi" => return Event::Komi(Some(words[1].parse().unwrap())),
        "handicap" => return Event::Handicap(vertices(&words[1..])),
        other => panic!("no event: {other}"),
    };
    match words[1] {
        "accept" => Event::Accept(color),
        "propose" => Event::Propose(color, vertices(&words[2..])),
        "resign" => Event::Resign(color),
        "special" => {
            let list = |words: &[&str]| words.iter().map(|w| w.to_string()).collect::<Vec<_>>();
            let of = words.iter().position(|&w| w == "for").unwrap();
            Event::Turn(color, special(game.topology(), &list(&words[2..of]), &list(&words[of + 1..])))
        }
        vertex => Event::Turn(color, crate::data::turn(game.topology(), vertex)),
    }
}

/// Makes events happen and compares each answer: the phase (with the outcome once there is one), or the name of the
/// refusal, after which nothing may have changed.
fn script(id: &str, findings: &mut Findings, game: &mut Game, steps: &[(&str, &str)]) {
    for (i, (words, expected)) in steps.iter().enumerate() {
        let before = (game.standing().clone(), board(game.position()), game.turns().len());
        let event = event(game, words);
        let got = match game.apply(&event) {
            Ok(()) => match game.outcome() {
                Some(outcome) => outcome.to_string(),
                None => game.standing().phase.name().to_string(),
            },
            Err(refused) => {
                let after = (game.standing().clone(), board(game.position()), game.turns().len());
                findings.same(id, &format!("step {i}, {words}: nothing changes"), after, before);
                format!("{refused:?}").split([' ', '(', '{']).next().unwrap().to_string()
            }
        };
        findings.same(id, &format!("step {i}, {words}"), got, expected.to_string());
    }
}

/// The dead stones, by name.
fn dead(game: &Game) -> String {
    names(game.topology(), game.standing().dead())
}

fn totals(game: &Game) -> [String; 2] {
    game.score().totals(game.ruleset().counting).map(|points| points.to_string())
}

fn text(words: &str) -> String {
    words.to_string()
}

/// Black takes B3 at C3, White takes back at B3.
const KO: &str = "..... .XO.. XO.O. .XO.. .....";
