//! Counts of all turns: `perft.json`.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use egtp::board::{Color, Point, Shape, Topology};
use egtp::rules::{Judge, Repetition, Ruleset, SpecialTurn, Turn, affordable, find};
use serde::Deserialize;

use crate::data::{Findings, color, load, repetition, shape, stones};

#[derive(Deserialize)]
struct Perft {
    entries: Vec<Entry>,
    special_turn_census: Census,
}

#[derive(Deserialize)]
struct Entry {
    topology: String,
    ko: String,
    suicide_allowed: bool,
    special_turns: bool,
    two_passes_end: bool,
    position: String,
    to_move: String,
    /// By depth: sequences of that many turns, and those of them that end with two passes.
    perft: BTreeMap<usize, u64>,
    ended_at_depth: BTreeMap<usize, u64>,
}

#[derive(Deserialize)]
struct Census {
    entries: Vec<CensusEntry>,
}

#[derive(Deserialize)]
struct CensusEntry {
    position: String,
    topology: String,
    board: String,
    to_move: String,
    n: usize,
    legal_special_turns: u64,
    capturing: u64,
    distinct_boards: usize,
}

/// A judge of these rules on an empty board.
pub(super) fn judge(shape: Shape, repetition: Repetition, suicide: bool, special: bool) -> Judge {
    let ruleset = Ruleset { repetition, suicide, special, ..find("enhanced").unwrap() };
    Judge::new(Arc::new(Topology::new(shape)), ruleset)
}

/// Every choice of `k` of these points.
fn choices(points: &[Point], k: usize) -> Vec<Vec<Point>> {
    if k == 0 {
        return vec![Vec::new()];
    }
    let last_with = |(i, &point): (usize, &Point)| {
        let rest = choices(&points[..i], k - 1).into_iter();
        rest.map(move |mut some| {
            some.push(point);
            some
        })
    };
    points.iter().enumerate().flat_map(last_with).collect()
}

/// Every special turn of `n` stones that is well formed, those included that suicide or repetition forbids.
fn special_turns(judge: &Judge, color: Color, n: usize) -> Vec<Turn> {
    let position = judge.position();
    let own: Vec<Point> = position.topology().points().filter(|&p| position.at(p) == Some(color)).collect();
    let mut turns = Vec::new();
    for pay in choices(&own, n * n) {
        let free = |p: &Point| position.at(*p).is_none() || pay.contains(p);
        let free: Vec<Point> = position.topology().points().filter(free).collect();
        let places = choices(&free, n).into_iter();
        turns.extend(places.map(|place| Turn::Special(Box::new(SpecialTurn { place, pay: pay.clone() }))));
    }
    turns
}

/// A walk over all sequences of turns up to a depth.
struct Walk {
    special: bool,
    two_passes_end: bool,
    /// By depth, from 1.
    sequences: Vec<u64>,
    ended: Vec<u64>,
}

impl Walk {
    /// All turns from here, `depth` turns after the start, of which the last `passes` were passes.
    fn from(&mut self, judge: &mut Judge, color: Color, depth: usize, passes: usize) {
        if depth == self.sequences.len() || self.two_passes_end && passes == 2 {
            return;
        }
        self.step(judge, color, depth, &Turn::Pass, passes + 1);
        for point in judge.position().topology().clone().points() {
            self.step(judge, color, depth, &Turn::Play(point), 0);
        }
        if self.special {
            let most = affordable(judge.position(), color);
            let turns: Vec<Turn> = (2..=most).flat_map(|n| special_turns(judge, color, n)).collect();
            for turn in turns {
                self.step(judge, color, depth, &turn, 0);
            }
        }
    }

    #[inline]
    fn step(&mut self, judge: &mut Judge, color: Color, depth: usize, turn: &Turn, passes: usize) {
        let Ok(legal) = judge.rule(color, turn) else { return };
        self.sequences[depth] += 1;
        self.ended[depth] += u64::from(passes >= 2);
        // the last turns of a sequence are only ruled on
        if depth + 1 < self.sequences.len() {
            judge.carry_out(legal);
            self.from(judge, color.other(), depth + 1, passes);
            assert!(judge.take_back());
        }
    }
}

fn walk(entry: &Entry, findings: &mut Findings) -> u64 {
    let mut judge = judge(shape(&entry.topology), repetition(&entry.ko), entry.suicide_allowed, entry.special_turns);
    let color = color(&entry.to_move);
    if entry.position != "empty" {
        let stones = stones(judge.position().topology(), &entry.position);
        judge.restart(stones, color);
    }
    let start = judge.position().clone();
    let depth = *entry.perft.keys().last().unwrap();
    let mut walk = Walk {
        special: entry.special_turns,
        two_passes_end: entry.two_passes_end,
        sequences: vec![0; depth],
        ended: vec![0; depth],
    };
    walk.from(&mut judge, color, 0, 0);
    let id = format!(
        "{} {} suicide {} special {} ends {} from {}",
        entry.topology, entry.ko, entry.suicide_allowed, entry.special_turns, entry.two_passes_end, entry.position
    );
    for (&depth, &expected) in &entry.perft {
        findings.same(&id, &format!("depth {depth}"), walk.sequences[depth - 1], expected);
    }
    for (&depth, &expected) in &entry.ended_at_depth {
        findings.same(&id, &format!("ended at depth {depth}"), walk.ended[depth - 1], expected);
    }
    findings.same(&id, "the start", judge.position() == &start && judge.position().hash() == start.hash(), true);
    walk.sequences.iter().sum()
}

/// Every entry whose topology begins with these words. All of them are of one of the three kinds tested below.
fn all(kind: &str) {
    let mut findings = Findings::default();
    let file: Perft = load("perft");
    let entries: Vec<&Entry> = file.entries.iter().filter(|entry| entry.topology.starts_with(kind)).collect();
    let known = |entry: &Entry| ["rect ", "torus ", "hex "].iter().any(|kind| entry.topology.starts_with(kind));
    assert!(file.entries.iter().all(known));
    let turns: u64 = entries.iter().map(|entry| walk(entry, &mut findings)).sum();
    println!("{kind}: {} entries, {} numbers, {turns} turns", entries.len(), findings.checks());
    findings.finish();
}

#[test]
fn perft_on_rectangles() {
    all("rect ");
}

#[test]
fn perft_on_tori() {
    all("torus ");
}

#[test]
fn perft_on_hexagons() {
    all("hex ");
}

#[test]
fn special_turn_census() {
    let mut findings = Findings::default();
    for entry in load::<Perft>("perft").special_turn_census.entries {
        let mut judge = judge(shape(&entry.topology), Repetition::Positional, false, true);
        let color = color(&entry.to_move);
        let stones = stones(judge.position().topology(), &entry.board);
        judge.restart(stones, color);
        let (mut count, mut capturing, mut boards) = (0, 0, HashSet::new());
        for turn in special_turns(&judge, color, entry.n) {
            let Ok(legal) = judge.rule(color, &turn) else { continue };
            let captures = judge.captures(&legal).len();
            let taken = judge.carry_out(legal);
            assert_eq!((taken.captured, taken.own), (captures, 0), "{turn:?}");
            count += 1;
            capturing += u64::from(captures > 0);
            boards.insert(judge.position().stones().to_vec());
            assert!(judge.take_back());
        }
        let id = format!("{} n = {}", entry.position, entry.n);
        findings.same(&id, "legal special turns", count, entry.legal_special_turns);
        findings.same(&id, "capturing", capturing, entry.capturing);
        findings.same(&id, "distinct boards", boards.len(), entry.distinct_boards);
    }
    findings.finish();
}
