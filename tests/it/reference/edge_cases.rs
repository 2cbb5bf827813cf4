//! Every entry of `edge_cases.json`: what a program can read of it here, the rest in [`by_hand`](super::by_hand).

use std::collections::{BTreeMap, BTreeSet};

use egtp::board::{Color, Shape, Topology};
use egtp::game::{Event, Game, Outcome, Refused};
use egtp::rules::{Count, Counting, Hahn, Points, Repetition, Ruleset, Score, Selection, Turn, find, hahn_points};
use serde::Deserialize;

use super::by_hand::BY_HAND;
use super::games::points_of;
use crate::data::{
    Action, Findings, Rows, board, color, load, names, points, position, reason, repetition, shape, stones,
};

/// The entry that nothing checks yet: there are no random boards.
const LEFT_OUT: [&str; 1] = ["R01"];

#[derive(Deserialize)]
pub(super) struct Entry {
    pub(super) id: String,
    system: String,
    expected: String,
    topology: Option<String>,
    ko: Option<String>,
    #[serde(default)]
    black: Vec<String>,
    #[serde(default)]
    white: Vec<String>,
    to_move: Option<String>,
    rows: Option<Rows>,
    #[serde(default)]
    moves: Vec<Action>,
    action: Option<Action>,
    verdict: Option<String>,
    reason: Option<String>,
    captured: Option<usize>,
    after: Option<Rows>,
    score: Option<Counted>,
    counts: Option<Degrees>,
    neighbours: Option<BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    games: Vec<AgaGame>,
}

#[derive(Deserialize)]
struct Counted {
    rows: Vec<String>,
    captured_by_black: Option<usize>,
    captured_by_white: Option<usize>,
    komi: Option<f64>,
    territory: Option<[usize; 2]>,
    territory_rect: Option<[usize; 2]>,
    territory_torus: Option<[usize; 2]>,
    black: Option<f64>,
    white: Option<f64>,
    result: Option<String>,
    /// The dead stones, which come off by assessment.
    dead: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Degrees {
    points: usize,
    degree6: usize,
    degree4: usize,
    degree3: usize,
}

#[derive(Deserialize)]
struct AgaGame {
    rows: Vec<String>,
    captured_by_black: usize,
    captured_by_white: usize,
    black_passes: usize,
    /// Including the one that White adds at the end.
    white_passes: usize,
    extra_white_pass: bool,
    area: [usize; 2],
    territory: [usize; 2],
    prisoners_black: usize,
    prisoners_white: usize,
    margin_area: i32,
    margin_territory: i32,
    margin_territory_without_extra_pass: i32,
}

/// The file.
pub(super) fn entries() -> Vec<Entry> {
    load("edge_cases")
}

/// The ruleset that a system of the data is.
fn ruleset(system: &str) -> Ruleset {
    let name = match system {
        "littlegolem-square" | "littlegolem-random" => "littlegolem",
        "littlegolem-torus" => "toroidal",
        "littlegolem-hexgo" => "hexgo",
        "aga-comparison" => {
            return Ruleset { repetition: Repetition::Positional, ..find("aga").unwrap() };
        }
        name => name,
    };
    find(name).unwrap_or_else(|| panic!("no ruleset for the system {system}"))
}

impl Entry {
    /// The position with its history, before the turn in question; `ruleset` usually is that of the entry's system.
    pub(super) fn game(&self, ruleset: Ruleset, findings: &mut Findings) -> Game {
        let id = self.id.as_str();
        let shape = shape(self.topology.as_deref().unwrap());
        findings.same(id, "kind of board", ruleset.kind, shape.kind());
        findings.same(id, "repetition", ruleset.repetition, repetition(self.ko.as_deref().unwrap()));
        let mut game = Game::new(Selection { ruleset, shape, komi: None });
        let topology = game.topology().clone();
        let mut stones = Vec::new();
        for (color, names) in [(Color::Black, &self.black), (Color::White, &self.white)] {
            stones.extend(points(&topology, names).into_iter().map(|p| (color, p)));
        }
        let to_move = color(self.to_move.as_deref().unwrap());
        game.apply(&Event::SetUp { stones, to_move }).unwrap();
        if let Some(rows) = &self.rows {
            findings.same(id, "rows", board(game.position()), rows.text());
        }
        for (i, action) in self.moves.iter().enumerate() {
            let got = make(&mut game, action);
            findings.same(id, &format!("move {i}"), got, format!("legal, captures {}", action.captured.unwrap()));
        }
        game
    }

    /// The turn in question.
    pub(super) fn action(&self, game: &mut Game, findings: &mut Findings) {
        let id = self.id.as_str();
        let before = (board(game.position()), game.standing().clone(), game.turns().len());
        let got = make(game, self.action.as_ref().unwrap());
        if self.verdict.as_deref() == Some("legal") {
            findings.same(id, "verdict", got, format!("legal, captures {}", self.captured.unwrap()));
            if let Some(after) = &self.after {
                findings.same(id, "after", board(game.position()), after.text());
            }
        } else {
            findings.same(id, "verdict", got, format!("refused: {}", self.reason.as_deref().unwrap()));
            let after = (board(game.position()), game.standing().clone(), game.turns().len());
            findings.same(id, "nothing changes", after, before);
        }
    }

    fn score(&self, counted: &Counted, findings: &mut Findings) {
        let id = self.id.as_str();
        let rows = counted.rows.concat();
        let (width, height) = (counted.rows[0].len(), counted.rows.len());
        let (rect, torus) = (Shape::rect(width, height).unwrap(), Shape::torus(width, height).unwrap());
        let expected = [(rect, counted.territory), (rect, counted.territory_rect), (torus, counted.territory_torus)];
        for (shape, expected) in expected {
            if let Some(expected) = expected {
                let got = Count::new(&position(shape, &rows), &[]).territory;
                findings.same(id, &format!("territory on a {}", shape.kind().name()), got, expected);
            }
        }
        if let Some(dead) = &counted.dead {
            return self.automatic(dead, counted, findings);
        }
        let (Some(black), Some(white)) = (counted.black, counted.white) else { return };
        let captured = [counted.captured_by_black.unwrap(), counted.captured_by_white.unwrap()];
        let ruleset = ruleset(&self.system);
        let komi = ruleset.komi(rect);
        findings.same(id, "komi", Some(komi), counted.komi.map(points_of));
        let score = Score::new(&ruleset, &position(rect, &rows), &[], captured, [0; 2], komi);
        findings.same(id, "totals", score.totals(Counting::Territory), [points_of(black), points_of(white)]);
        let result = Outcome::Counted(score.margin()).to_string();
        findings.same(id, "result", Some(result), counted.result.clone());
    }

    /// A position in which both pass, and dead stones come off.
    fn automatic(&self, dead: &[String], counted: &Counted, findings: &mut Findings) {
        let (id, rows) = (self.id.as_str(), counted.rows.concat());
        let mut game = Game::new(Selection { komi: None, ..Selection::of(ruleset(&self.system)) });
        let stones = stones(game.topology(), &rows);
        game.apply(&Event::SetUp { stones, to_move: Color::Black }).unwrap();
        for color in Color::BOTH {
            game.apply(&Event::Turn(color, Turn::Pass)).unwrap();
        }
        let expected = names(game.topology(), &points(game.topology(), dead));
        findings.same(id, "dead", names(game.topology(), game.standing().dead()), expected);
        if let (Some(black), Some(white)) = (counted.black, counted.white) {
            let totals = game.score().totals(Counting::Territory);
            findings.same(id, "totals", totals, [points_of(black), points_of(white)]);
            findings.same(id, "result", game.outcome().map(|o| o.to_string()), counted.result.clone());
        }
    }

    /// A game whose stones are all alive: passes and prisoners, under both countings, komi aside.
    fn aga_game(&self, i: usize, aga: &AgaGame, findings: &mut Findings) {
        let id = format!("{} game {i}", self.id);
        let position = position(Shape::rect(aga.rows[0].len(), aga.rows.len()).unwrap(), &aga.rows.concat());
        let extra = usize::from(aga.extra_white_pass);
        let score = |white_passes| {
            let captured = [aga.captured_by_black, aga.captured_by_white];
            let pass_stones = [white_passes, aga.black_passes];
            Score::new(&ruleset(&self.system), &position, &[], captured, pass_stones, Points::default())
        };
        let (with, without) = (score(aga.white_passes), score(aga.white_passes - extra));
        let whole = |n: i32| Points::thousandths(n * 1000);
        findings.same(&id, "area", [0, 1].map(|s| with.count.stones[s] + with.count.territory[s]), aga.area);
        findings.same(&id, "territory", with.count.territory, aga.territory);
        findings.same(&id, "prisoners", with.prisoners(), [aga.prisoners_black, aga.prisoners_white]);
        findings.same(&id, "margin by area", with.margin(), whole(aga.margin_area));
        findings.same(&id, "margin by territory", with.margin_under(Counting::Territory), whole(aga.margin_territory));
        let got = without.margin_under(Counting::Territory);
        findings.same(&id, "margin without the added pass", got, whole(aga.margin_territory_without_extra_pass));
    }

    /// Everything in the entry that a program can read.
    fn check(&self, findings: &mut Findings) {
        let id = self.id.as_str();
        if self.action.is_some() {
            let mut game = self.game(ruleset(&self.system), findings);
            self.action(&mut game, findings);
        }
        if let Some(counted) = &self.score {
            self.score(counted, findings);
        }
        // only HexGo's board is described point by point
        let hexagon = Topology::new(Shape::hex(8).unwrap());
        if let Some(degrees) = &self.counts {
            let with = |n| hexagon.points().filter(|&p| hexagon.neighbours(p).len() == n).count();
            let got = [hexagon.len(), with(6), with(4), with(3)];
            findings.same(id, "degrees", got, [degrees.points, degrees.degree6, degrees.degree4, degrees.degree3]);
        }
        for (name, expected) in self.neighbours.iter().flatten() {
            let got = names(&hexagon, hexagon.neighbours(hexagon.point(name).unwrap()));
            findings.same(id, name, got, names(&hexagon, &points(&hexagon, expected)));
        }
        for (i, game) in self.games.iter().enumerate() {
            self.aga_game(i, game, findings);
        }
        if self.system == "hahn" {
            let margin: Points = id[1..].parse().unwrap();
            let (winner, loser) = self.expected.split_once(" : ").unwrap();
            let expected = Hahn { winner: winner.parse().unwrap(), loser: loser.parse().unwrap() };
            findings.same(id, "shares", hahn_points(Some(margin)), expected);
        }
    }
}

/// Makes a turn and says what came of it.
fn make(game: &mut Game, action: &Action) -> String {
    let turn = action.turn(game.topology());
    match game.apply(&Event::Turn(action.color(), turn)) {
        Ok(()) => format!("legal, captures {}", game.last_captures().len()),
        Err(Refused::Rules(refusal)) => format!("refused: {}", reason(refusal)),
        Err(refused) => format!("refused: {refused:?}"),
    }
}

#[test]
fn every_entry_is_checked() {
    let mut findings = Findings::default();
    let mut unchecked = BTreeSet::new();
    let entries = entries();
    let all: BTreeSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(all.len(), entries.len(), "ids are unique");
    for entry in entries.iter().filter(|entry| !LEFT_OUT.contains(&entry.id.as_str())) {
        let before = findings.checks();
        entry.check(&mut findings);
        for (_, check) in BY_HAND.iter().filter(|(id, _)| *id == entry.id) {
            check(&entry.id, &mut findings);
        }
        if findings.checks() == before {
            unchecked.insert(entry.id.as_str());
        }
    }
    assert_eq!(unchecked, BTreeSet::new(), "entries that nothing checks: write them a check in by_hand");
    let ids: BTreeSet<&str> = BY_HAND.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), BY_HAND.len(), "one check by hand for each id");
    assert!(ids.is_subset(&all), "checks of no entry: {:?}", ids.difference(&all));
    assert!(LEFT_OUT.iter().all(|id| all.contains(id) && !ids.contains(id)), "what is left out exists");
    println!("{} entries, {} left out, {} checks", all.len(), LEFT_OUT.len(), findings.checks());
    findings.finish();
}
