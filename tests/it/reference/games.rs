//! Turns of games recorded elsewhere: `games.json`, `katago_cases.json`, `lessons.json`.

use std::collections::BTreeMap;

use egtp::board::{Color, Point, Shape};
use egtp::game::{Event, Game, Refused};
use egtp::rules::{Count, Counting, Points, Refusal, Repetition, Ruleset, Score, Selection, Turn, affordable, find};
use serde::Deserialize;

use crate::data::{Action, Findings, board, color, load, names, points, position, reason, repetition, shape, stones};

/// The rulebook with these rules of a turn; its ending lets play go on after any number of passes.
fn ruleset(repetition: Repetition, suicide: bool, special: bool) -> Ruleset {
    Ruleset { repetition, suicide, special, ..find("rulebook").unwrap() }
}

/// A game in which passes never end anything.
fn game(shape: Shape, ruleset: Ruleset) -> Game {
    let mut game = Game::new(Selection { ruleset, shape, komi: None });
    game.set_free_order(true);
    game
}

/// Makes a turn; the answer as the data would put it.
fn make(game: &mut Game, color: Color, turn: &Turn) -> Result<usize, String> {
    let before = game.standing().captured;
    match game.apply(&Event::Turn(color, turn.clone())) {
        Ok(()) => {
            let captured = game.last_captures().len();
            let gained = game.standing().captured[color.index()] - before[color.index()];
            assert_eq!(gained as usize, captured, "prisoners grow by what was captured");
            Ok(captured)
        }
        Err(Refused::Rules(refusal)) => Err(reason(refusal).to_string()),
        Err(other) => Err(format!("{other:?}")),
    }
}

/// The points where a stone would repeat a position.
fn repeating(game: &Game, color: Color) -> Vec<Point> {
    let repeats = |&p: &Point| matches!(game.judge().rule(color, &Turn::Play(p)), Err(Refusal::Repetition { .. }));
    game.topology().points().filter(repeats).collect()
}

#[derive(Deserialize)]
struct Recorded {
    id: String,
    topology: String,
    ko: String,
    suicide_allowed: bool,
    events: Vec<Recording>,
    final_board: String,
    to_move: String,
    captured_by_black: u32,
    captured_by_white: u32,
    area_black: usize,
    area_white: usize,
    territory_black: usize,
    territory_white: usize,
    refusals: BTreeMap<String, usize>,
}

/// A turn that was made or refused, or a list of what is legal.
#[derive(Deserialize)]
struct Recording {
    #[serde(flatten)]
    action: Action,
    refused: Option<String>,
    legal: Option<usize>,
    #[serde(default)]
    illegal_empty: Vec<String>,
}

fn replay(recorded: &Recorded, findings: &mut Findings) {
    let id = recorded.id.as_str();
    let mut game = game(shape(&recorded.topology), ruleset(repetition(&recorded.ko), recorded.suicide_allowed, true));
    let topology = game.topology().clone();
    let mut refusals: BTreeMap<String, usize> = recorded.refusals.keys().map(|key| (key.clone(), 0)).collect();
    for (i, event) in recorded.events.iter().enumerate() {
        let id = format!("{id} event {i}");
        let color = event.action.color();
        findings.same(&id, "side to move", game.standing().to_move, color);
        if let Some(legal) = event.legal {
            let (yes, no): (Vec<Point>, Vec<Point>) = topology
                .points()
                .filter(|&p| game.position().at(p).is_none())
                .partition(|&p| game.judge().is_legal(color, p));
            findings.same(&id, "legal points", yes.len(), legal);
            let expected = names(&topology, &points(&topology, &event.illegal_empty));
            findings.same(&id, "illegal empty points", names(&topology, &no), expected);
            continue;
        }
        let before = (board(game.position()), game.turns().len());
        let got = make(&mut game, color, &event.action.turn(&topology));
        match &event.refused {
            Some(reason) => {
                *refusals.entry(reason.clone()).or_default() += 1;
                findings.same(&id, "verdict", got, Err(reason.clone()));
                findings.same(&id, "nothing changes", (board(game.position()), game.turns().len()), before);
            }
            None => findings.same(&id, "verdict", got, Ok(event.action.captured.unwrap_or(0))),
        }
    }
    let count = Count::new(game.position(), &[]);
    let area = [0, 1].map(|side| count.stones[side] + count.territory[side]);
    findings.same(id, "final board", board(game.position()), recorded.final_board.clone());
    findings.same(id, "to move", game.standing().to_move, color(&recorded.to_move));
    let captured = [recorded.captured_by_black, recorded.captured_by_white];
    findings.same(id, "prisoners", game.standing().captured, captured);
    findings.same(id, "area", area, [recorded.area_black, recorded.area_white]);
    findings.same(id, "territory", count.territory, [recorded.territory_black, recorded.territory_white]);
    findings.same(id, "refusals", refusals, recorded.refusals.clone());
    // and back to the start, turn by turn
    game.take_back(game.turns().len()).unwrap();
    findings.same(id, "taken back", board(game.position()), ".".repeat(topology.len()));
}

#[test]
fn recorded_games() {
    let mut findings = Findings::default();
    let games: Vec<Recorded> = load("games");
    games.iter().for_each(|recorded| replay(recorded, &mut findings));
    println!("{} games, {} checks", games.len(), findings.checks());
    findings.finish();
}

#[derive(Deserialize)]
struct Katago {
    id: String,
    size: Option<[usize; 2]>,
    ko: Option<String>,
    #[serde(default)]
    suicide_allowed: bool,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    black: Vec<String>,
    #[serde(default)]
    white: Vec<String>,
    first: Option<String>,
    #[serde(default)]
    steps: Vec<Step>,
    /// All legal but the last, which is a repetition, unless `ogs_expected` says otherwise.
    #[serde(default)]
    moves: Vec<String>,
    expected: Option<String>,
    ogs_expected: Option<String>,
    #[serde(rename = "final")]
    end: Option<String>,
    area_black: Option<usize>,
    area_white: Option<usize>,
    komi: Option<f64>,
    result: Option<String>,
    plain_area_white_minus_black: Option<f64>,
    plain_territory_white_minus_black_no_prisoners: Option<f64>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(flatten)]
    action: Action,
    repetition_illegal_next: Option<Vec<String>>,
}

/// Makes turns, sides alternating; the answers.
fn alternate(game: &mut Game, moves: &[String]) -> Vec<Result<usize, String>> {
    let topology = game.topology().clone();
    let turns = moves.iter().map(|vertex| crate::data::turn(&topology, vertex));
    turns.map(|turn| make(game, game.standing().to_move, &turn)).collect()
}

fn katago(case: &Katago, findings: &mut Findings) {
    let id = case.id.as_str();
    let [width, height] = case.size.unwrap();
    let rule = repetition(case.ko.as_deref().unwrap_or("ko"));
    let mut game = game(Shape::rect(width, height).unwrap(), ruleset(rule, case.suicide_allowed, false));
    let topology = game.topology().clone();
    let to_move = case.first.as_deref().map_or(Color::Black, color);
    game.apply(&Event::SetUp { stones: stones(&topology, &case.rows.concat()), to_move }).unwrap();
    for (i, step) in case.steps.iter().enumerate() {
        let id = format!("{id} step {i}");
        findings.same(&id, "side to move", game.standing().to_move, step.action.color());
        let got = make(&mut game, step.action.color(), &step.action.turn(&topology));
        findings.same(&id, "verdict", got, Ok(step.action.captured.unwrap_or(0)));
        if let Some(expected) = &step.repetition_illegal_next {
            let got = repeating(&game, game.standing().to_move);
            findings.same(&id, "repetitions", names(&topology, &got), names(&topology, &points(&topology, expected)));
        }
    }
    if let Some(expected) = &case.expected {
        let answers = alternate(&mut game, &case.moves);
        let (last, before) = answers.split_last().unwrap();
        findings.same(id, "moves before the last are legal", before.iter().all(Result::is_ok), true);
        findings.same(id, expected, last.clone(), Err("superko".to_string()));
    }
    if let Some(end) = &case.end {
        findings.same(id, "final board", board(game.position()), end.clone());
    }
    let count = Count::new(game.position(), &[]);
    if let (Some(black), Some(white)) = (case.area_black, case.area_white) {
        let area = [0, 1].map(|side| count.stones[side] + count.territory[side]);
        findings.same(id, "area", area, [black, white]);
    }
    let Some(komi) = case.komi else { return };
    let score = Score::new(game.ruleset(), game.position(), &[], [0; 2], [0; 2], points_of(komi));
    if let Some(expected) = &case.result {
        let outcome = egtp::game::Outcome::Counted(score.margin_under(Counting::Area));
        findings.same(id, "result", outcome.to_string(), expected.clone());
    }
    if let (Some(area), Some(territory)) =
        (case.plain_area_white_minus_black, case.plain_territory_white_minus_black_no_prisoners)
    {
        findings.same(id, "area margin", -score.margin_under(Counting::Area), points_of(area));
        findings.same(id, "territory margin", -score.margin_under(Counting::Territory), points_of(territory));
    }
}

/// A number of the data, exactly.
pub(super) fn points_of(number: f64) -> Points {
    number.to_string().parse().unwrap()
}

/// OGS forgets the position that was set up; counted as the rules say, it is the fourth move that repeats.
fn ogs_superko(case: &Katago, findings: &mut Findings) {
    for rule in [Repetition::Positional, Repetition::Situational, Repetition::Ko] {
        let mut game = game(Shape::rect(19, 19).unwrap(), ruleset(rule, false, false));
        let topology = game.topology().clone();
        let stones = |color, names: &[String]| points(&topology, names).into_iter().map(move |p| (color, p));
        let stones = stones(Color::Black, &case.black).chain(stones(Color::White, &case.white)).collect();
        game.apply(&Event::SetUp { stones, to_move: color(case.first.as_deref().unwrap()) }).unwrap();
        let answers = alternate(&mut game, &case.moves[..4]);
        let id = format!("{} {}", case.id, rule.name());
        findings.same(&id, "before", answers[..3].iter().all(Result::is_ok), true);
        let expected = if rule == Repetition::Ko { Ok(1) } else { Err("superko".to_string()) };
        findings.same(&id, "B19", answers[3].clone(), expected);
    }
}

#[test]
fn katago_cases() {
    let mut findings = Findings::default();
    for case in load::<Vec<Katago>>("katago_cases") {
        let before = findings.checks();
        if case.ogs_expected.is_some() {
            ogs_superko(&case, &mut findings);
        } else {
            katago(&case, &mut findings);
        }
        assert!(findings.checks() > before, "{}: nothing in it is understood", case.id);
    }
    findings.finish();
}

#[derive(Deserialize)]
struct Lesson {
    id: String,
    size: usize,
    to_move: String,
    black: Vec<String>,
    white: Vec<String>,
    diagram: Vec<String>,
    n_max: usize,
    target_group: Vec<String>,
    target_liberties: Vec<String>,
    solution: Attempt,
    mistakes: Vec<Attempt>,
}

#[derive(Deserialize)]
struct Attempt {
    n: usize,
    place: Vec<String>,
    pay: Vec<String>,
    legal: bool,
    #[serde(default)]
    reason: String,
    captured: usize,
    #[serde(default)]
    result: Vec<String>,
}

#[test]
fn lessons() {
    let mut findings = Findings::default();
    for lesson in load::<Vec<Lesson>>("lessons") {
        let id = lesson.id.as_str();
        let shape = Shape::rect(lesson.size, lesson.size).unwrap();
        let color = color(&lesson.to_move);
        let mut game = Game::new(Selection { ruleset: find("enhanced").unwrap(), shape, komi: None });
        let topology = game.topology().clone();
        let stones = stones(&topology, &lesson.diagram.concat());
        game.apply(&Event::SetUp { stones, to_move: color }).unwrap();
        let of = |color| {
            let stones: Vec<Point> = topology.points().filter(|&p| game.position().at(p) == Some(color)).collect();
            names(&topology, &stones)
        };
        let listed = |list: &[String]| names(&topology, &points(&topology, list));
        findings.same(id, "black stones", of(Color::Black), listed(&lesson.black));
        findings.same(id, "white stones", of(Color::White), listed(&lesson.white));
        findings.same(id, "n_max", affordable(game.position(), color), lesson.n_max);
        let target = topology.point(&lesson.target_group[0]).unwrap();
        let chain: Vec<Point> = game.position().chain(target).collect();
        findings.same(id, "target", names(&topology, &chain), listed(&lesson.target_group));
        let liberties = game.position().liberties(target);
        findings.same(id, "liberties", names(&topology, &liberties), listed(&lesson.target_liberties));
        assert!(lesson.solution.legal && lesson.solution.captured >= chain.len(), "{id}: the solution captures");
        for attempt in std::iter::once(&lesson.solution).chain(&lesson.mistakes) {
            let id = format!("{id} {:?} for {:?}", attempt.place, attempt.pay);
            findings.same(&id, "n", attempt.place.len(), attempt.n);
            let turn = crate::data::special(&topology, &attempt.place, &attempt.pay);
            let before = board(game.position());
            let got = make(&mut game, color, &turn);
            if attempt.legal {
                findings.same(&id, "verdict", got, Ok(attempt.captured));
                findings.same(&id, "result", board(game.position()), attempt.result.concat());
                game.take_back(1).unwrap();
            } else {
                findings.same(&id, "verdict", got, Err(attempt.reason.clone()));
            }
            findings.same(&id, "as before", board(game.position()), before);
        }
    }
    findings.finish();
}

#[test]
fn a_diagram_is_read_as_it_is_written() {
    let rows = "X.O..XXO.";
    assert_eq!(board(&position(Shape::rect(3, 3).unwrap(), rows)), rows);
    assert_eq!(board(&position(Shape::hex(2).unwrap(), "XO..XO.")), "XO..XO.");
}
