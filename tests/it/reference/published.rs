//! Numbers from the literature, kept in `perft.json`: legal positions, and whole games on the smallest boards.

use std::sync::Arc;

use egtp::board::{Color, Point, Position, Shape, Topology};
use egtp::rules::{Judge, Repetition, Turn};
use serde::Deserialize;

use super::perft::judge;
use crate::data::{Findings, load, repetition, shape};

/// Larger boards have too many positions to be counted one by one.
const MOST_POINTS: usize = 16;
/// Games counted elsewhere that are too many to be played here.
const MOST_GAMES: u64 = 5_000_000;

#[derive(Deserialize)]
struct File {
    published: Published,
}

#[derive(Deserialize)]
struct Published {
    legal_positions: LegalPositions,
    game_counts: GameCounts,
}

#[derive(Deserialize)]
struct LegalPositions {
    computed: Vec<Count>,
}

#[derive(Deserialize)]
struct Count {
    topology: String,
    count: u64,
}

#[derive(Deserialize)]
struct GameCounts {
    table: Vec<Games>,
}

#[derive(Deserialize)]
struct Games {
    board: String,
    ko: String,
    suicide: String,
    games: u64,
}

/// Colourings of the points from `points[0]` on in which every chain breathes. A chain that cannot breathe any more,
/// however the rest is coloured, ends the search, since a point that is not coloured yet is an empty one.
fn colourings(position: &mut Position, points: &[Point]) -> u64 {
    let Some((&point, rest)) = points.split_first() else { return 1 };
    // the point stays empty for good; nothing on the board says so, and nothing needs to
    let mut count = colourings(position, rest);
    for color in Color::BOTH {
        position.put(color, point);
        let beside = position.topology().neighbours(point);
        let breathe = |p: &Point| position.at(*p).is_none() || position.breathes(*p);
        if position.breathes(point) && beside.iter().all(breathe) {
            count += colourings(position, rest);
        }
        position.lift(&[point]);
    }
    count
}

#[test]
fn legal_positions() {
    let mut findings = Findings::default();
    for entry in load::<File>("perft").published.legal_positions.computed {
        let topology = Arc::new(Topology::new(shape(&entry.topology)));
        let points: Vec<Point> = topology.points().collect();
        if points.len() <= MOST_POINTS {
            let got = colourings(&mut Position::new(topology), &points);
            findings.same(&entry.topology, "legal positions", got, entry.count);
        }
    }
    assert!(findings.checks() >= 24);
    findings.finish();
}

/// Games from here, of which the last `passes` turns were passes.
fn games(judge: &mut Judge, color: Color, passes: usize) -> u64 {
    if passes == 2 {
        return 1;
    }
    let points = judge.position().topology().points();
    let turns = std::iter::once(Turn::Pass).chain(points.map(Turn::Play));
    let mut count = 0;
    for turn in turns {
        if let Ok(legal) = judge.rule(color, &turn) {
            judge.carry_out(legal);
            count += games(judge, color.other(), if turn == Turn::Pass { passes + 1 } else { 0 });
            judge.take_back();
        }
    }
    count
}

#[test]
fn games_on_the_smallest_boards() {
    let mut findings = Findings::default();
    for entry in load::<File>("perft").published.game_counts.table {
        if entry.games > MOST_GAMES {
            continue;
        }
        let shape = if entry.board.starts_with("3-cycle") {
            Shape::torus(1, 3)
        } else {
            let (width, height) = entry.board.split_once('x').unwrap();
            Shape::rect(width.parse().unwrap(), height.parse().unwrap())
        };
        let suicides: &[bool] = match entry.suicide.split(' ').next() {
            Some("either") => &[false, true],
            Some("forbidden") => &[false],
            Some("allowed") => &[true],
            _ => panic!("{}", entry.suicide),
        };
        for &suicide in suicides {
            let rule = repetition(&entry.ko);
            assert!(matches!(rule, Repetition::Positional | Repetition::Situational), "else there is no end");
            let got = games(&mut judge(shape.unwrap(), rule, suicide, false), Color::Black, 0);
            findings.same(&format!("{} {} suicide {suicide}", entry.board, entry.ko), "games", got, entry.games);
        }
    }
    assert!(findings.checks() >= 7);
    findings.finish();
}
