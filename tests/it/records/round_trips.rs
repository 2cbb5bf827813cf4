//! What is written comes back: the same game, and written again the same text.

use std::collections::BTreeMap;

use egtp::board::{Color, Point, Shape};
use egtp::game::{Event, Game, Outcome, Phase};
use egtp::record::{Flavour, read_sgf, write_sgf};
use egtp::rules::{Selection, Turn, find, find_alias};
use serde::Deserialize;

use super::games::{Wishes, game};
use crate::data::{board, points};
use crate::play::Random;

/// Everything about a game that its file must bring back, by what it is.
fn picture(game: &Game) -> [(&'static str, String); 10] {
    let mut stones = game.start().stones.clone();
    // handicap stones keep their order; others are a set
    if game.handicap() == 0 {
        stones.sort_unstable_by_key(|stone| stone.1);
    }
    let turns: Vec<(Color, &Turn)> = game.turns().iter().map(|record| (record.color, &record.turn)).collect();
    [
        ("shape", format!("{:?}", game.shape())),
        ("rules", format!("{:?}", game.ruleset())),
        ("board", board(game.position())),
        ("standing", format!("{:?}", game.standing())),
        ("turns", format!("{turns:?}")),
        ("komi", game.komi().to_string()),
        ("handicap", game.handicap().to_string()),
        ("start", format!("{stones:?}")),
        ("who begins", game.start().to_move.to_string()),
        ("free order", game.free_order().to_string()),
    ]
}

/// Writes and reads a game; what differs, if anything.
pub(super) fn difference(game: &Game, flavour: Flavour) -> Option<String> {
    let text = write_sgf(game, flavour).to_string();
    let wrong = |what: String| Some(format!("{flavour:?}: {what}\n{text}"));
    let readings = match read_sgf(text.as_bytes(), &Default::default()) {
        Ok(readings) => readings,
        Err(error) => return wrong(format!("unreadable: {error}")),
    };
    let [reading] = readings.as_slice() else { return wrong(format!("{} games", readings.len())) };
    if let Some(problem) = &reading.problem {
        return wrong(format!("line {}: {problem}", problem.line));
    }
    let (before, after) = (picture(game), picture(&reading.game));
    for ((what, before), (_, after)) in before.iter().zip(&after) {
        if before != after {
            return wrong(format!("{what}\nwas {before}\nis  {after}"));
        }
    }
    let claimed = reading.claimed.as_deref().and_then(|text| text.parse::<Outcome>().ok());
    if claimed != game.outcome() || reading.dropped != 0 {
        return wrong(format!("claimed {:?}, dropped {}", reading.claimed, reading.dropped));
    }
    let again = write_sgf(&reading.game, flavour).to_string();
    if again != text {
        return wrong(format!("written again:\n{again}"));
    }
    None
}

fn same(game: &Game) {
    for flavour in [Flavour::Plain, Flavour::Q5go] {
        if let Some(what) = difference(game, flavour) {
            panic!("{what}");
        }
    }
}

#[derive(Deserialize)]
struct Finished {
    id: String,
    size: usize,
    komi: f64,
    handicap: usize,
    ruleset: String,
    setup_black: Vec<String>,
    setup_white: Vec<String>,
    moves: String,
    result: f64,
    #[serde(default)]
    dead: Vec<String>,
}

/// The game; turns that its rules refuse are left out and counted.
fn played(finished: &Finished, refused: &mut usize) -> Game {
    let ruleset = find_alias(&finished.ruleset).unwrap_or_else(|| find("rulebook").unwrap());
    let shape = Shape::rect(finished.size, finished.size).unwrap();
    let mut game = Game::new(Selection { ruleset, shape, komi: Some(finished.komi.to_string().parse().unwrap()) });
    game.set_free_order(true);
    let topology = game.topology().clone();
    let [black, white] = [&finished.setup_black, &finished.setup_white].map(|names| points(&topology, names));
    if finished.handicap >= 2 {
        assert!(white.is_empty() && black.len() == finished.handicap, "{}", finished.id);
        game.apply(&Event::Handicap(black)).unwrap();
    } else if !black.is_empty() || !white.is_empty() {
        let of = |color, points: Vec<Point>| points.into_iter().map(move |p| (color, p));
        let stones = of(Color::Black, black).chain(of(Color::White, white)).collect();
        game.apply(&Event::SetUp { stones, to_move: Color::White }).unwrap();
    }
    let words: Vec<&str> = finished.moves.split_whitespace().collect();
    for pair in words.chunks(2) {
        let turn = crate::data::turn(&topology, pair[1]);
        if game.apply(&Event::Turn(crate::data::color(pair[0]), turn)).is_err() {
            *refused += 1;
        }
    }
    game
}

#[test]
fn finished_games() {
    let path = format!("{}/tests/data/finished_games.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut games, mut refused, mut scoring) = (0, 0, 0);
    for line in text.lines() {
        let finished: Finished = serde_json::from_str(line).unwrap();
        let mut game = played(&finished, &mut refused);
        same(&game);
        games += 1;
        if game.standing().phase != Phase::Scoring {
            continue;
        }
        // as the players left it, and once they have agreed
        let dead = points(game.topology(), &finished.dead);
        let mut heads: Vec<Point> =
            dead.into_iter().filter(|&p| game.position().at(p).is_some()).map(|p| game.position().head(p)).collect();
        heads.sort_unstable();
        heads.dedup();
        game.apply(&Event::Mark(heads)).unwrap();
        same(&game);
        game.apply(&Event::Accept(Color::White)).unwrap();
        same(&game);
        game.apply(&Event::Accept(Color::Black)).unwrap();
        same(&game);
        assert!(finished.dead.is_empty() || game.outcome().is_some() && finished.result != 0.0);
        scoring += 1;
    }
    println!("{games} games, {scoring} scored, {refused} turns refused");
    assert!(games == 373 && scoring > 300 && refused < 40, "{games} {scoring} {refused}");
}

fn game_of(rules: &str, free: bool, events: &[Event]) -> Game {
    let mut words = rules.split(' ');
    let mut game = Game::new(Selection::parse(words.next().unwrap(), words).unwrap());
    game.set_free_order(free);
    events.iter().for_each(|event| game.apply(event).unwrap());
    game
}

#[test]
fn black_begins_from_a_setup_with_a_special_turn() {
    let topology = egtp::board::Topology::new(Shape::rect(5, 5).unwrap());
    let [a1, b1, a2, b2] = ["A1", "B1", "A2", "B2"].map(|name| topology.point(name).unwrap());
    let [e4, e5, c3] = ["E4", "E5", "C3"].map(|name| topology.point(name).unwrap());
    let stones = [a1, b1, a2, b2].map(|point| (Color::Black, point)).to_vec();
    let special = egtp::rules::SpecialTurn { place: vec![e4, e5], pay: vec![a1, b1, a2, b2] };
    same(&game_of(
        "enhanced size=5",
        false,
        &[
            Event::SetUp { stones, to_move: Color::Black },
            Event::Turn(Color::Black, Turn::Special(Box::new(special))),
            Event::Turn(Color::White, Turn::Play(c3)),
        ],
    ));
}

#[test]
fn black_should_begin_from_a_setup_but_white_does() {
    let topology = egtp::board::Topology::new(Shape::rect(5, 5).unwrap());
    let [a1, c3] = ["A1", "C3"].map(|name| topology.point(name).unwrap());
    let stones = vec![(Color::Black, a1)];
    let setup = Event::SetUp { stones, to_move: Color::Black };
    same(&game_of("rulebook size=5", true, &[setup, Event::Turn(Color::White, Turn::Play(c3))]));
}

#[test]
fn resumed_and_passed_in_free_order() {
    let pass = |color| Event::Turn(color, Turn::Pass);
    let events = [pass(Color::Black), pass(Color::White), Event::Resume, pass(Color::Black)];
    same(&game_of("aga size=5", true, &events));
}

#[test]
fn a_capture_over_the_edge_for_q5go() {
    let topology = egtp::board::Topology::new(Shape::torus(5, 5).unwrap());
    let play = |(i, name): (usize, &str)| Event::Turn(Color::BOTH[i % 2], Turn::Play(topology.point(name).unwrap()));
    // on the square board Black's A2 would take A1, on the torus it does not, so that White's B5 takes B1 only there
    let names = ["B1", "A1", "A2", "C1", "E4", "B2", "D4", "B5", "D3", "B1"];
    let moves: Vec<Event> = names.into_iter().enumerate().map(play).collect();
    same(&game_of("toroidal size=5", false, &moves));
}

/// All differences of many random games, the shortest texts first.
fn random_games(seeds: std::ops::Range<u64>, wishes: Wishes) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in seeds {
        let game = game(&mut Random::new(seed ^ 0x5_67f), wishes);
        for flavour in [Flavour::Plain, Flavour::Q5go] {
            wrong.extend(difference(&game, flavour).map(|what| format!("seed {seed}: {what}")));
        }
        let mut count = |what: String| *counts.entry(what).or_default() += 1;
        let standing = game.standing();
        count(game.ruleset().name.into());
        count(format!("{} {}", game.ruleset().ending.name(), standing.phase.name()));
        count(game.shape().kind().name().into());
        for (what, is) in [
            ("handicap", game.handicap() > 0),
            ("set up", game.handicap() == 0 && !game.start().stones.is_empty()),
            ("white begins", game.handicap() == 0 && game.start().to_move == Color::White),
            ("free order", game.free_order()),
            ("special", game.turns().iter().any(|record| matches!(record.turn, Turn::Special(_)))),
            ("marks", !standing.dead().is_empty()),
            ("accepted", standing.accepted != [false; 2]),
            ("proposed", standing.proposed.is_some()),
            ("resumed", standing.resumed),
            ("resigned", matches!(standing.outcome, Some(Outcome::Resigned { .. }))),
            ("counted", matches!(standing.outcome, Some(Outcome::Counted(_)))),
            ("pass added", standing.added_pass),
        ] {
            if is {
                count(what.into());
            }
        }
    }
    wrong.sort_by_key(String::len);
    // one of each kind, and how many there are
    let kind = |what: &String| what.lines().next().unwrap().split_once(": ").unwrap().1.to_string();
    let mut kinds: BTreeMap<String, (usize, &String)> = BTreeMap::new();
    wrong.iter().for_each(|what| kinds.entry(kind(what)).or_insert((0, what)).0 += 1);
    let shown: String = kinds.values().map(|(n, what)| format!("{n} like\n{what}\n")).collect();
    assert!(wrong.is_empty(), "{} differ\n{shown}", wrong.len());
    counts
}

#[test]
fn small_games() {
    let counts = random_games(0..12_000, Wishes::default());
    println!("{counts:?}");
    assert!(counts.len() > 40 && counts.values().all(|&n| n >= 20), "{counts:?}");
}

#[test]
fn games_with_suicide_and_repetition() {
    random_games(20_000..23_000, Wishes { wild: true, ..Wishes::default() });
}

#[test]
fn games_on_large_boards() {
    random_games(30_000..30_300, Wishes { large: true, ..Wishes::default() });
}
