//! Tables: Hahn points and the places of handicap stones.

use std::collections::BTreeMap;
use std::sync::Arc;

use egtp::board::{Shape, Topology};
use egtp::rules::{Hahn, Points, fixed_handicap, hahn_points};
use serde::Deserialize;

use super::games::points_of;
use crate::data::{Findings, load};

#[derive(Deserialize)]
struct HahnFile {
    bands: Vec<Band>,
    table: Vec<Line>,
}

#[derive(Deserialize)]
struct Band {
    /// A number, or `more than 40`.
    low: serde_json::Value,
    high: Option<f64>,
    winner: u32,
    loser: u32,
}

#[derive(Deserialize)]
struct Line {
    difference: f64,
    winner_points: u32,
    loser_points: u32,
}

#[test]
fn hahn() {
    let mut findings = Findings::default();
    let file: HahnFile = load("hahn");
    for line in &file.table {
        let expected = Hahn { winner: line.winner_points, loser: line.loser_points };
        let id = format!("difference {}", line.difference);
        findings.same(&id, "shares", hahn_points(Some(points_of(line.difference))), expected);
        findings.same(&id, "White's", hahn_points(Some(-points_of(line.difference))), expected);
    }
    // every half point of every band, the last one up to the largest board
    for band in &file.bands {
        let half_points = |points: f64| (points * 2.0) as i32;
        let low = band.low.as_f64().map_or(81, half_points);
        for half in low..=band.high.map_or(2 * 52 * 52, half_points) {
            let expected = Hahn { winner: band.winner, loser: band.loser };
            findings.same(
                &format!("{half} halves"),
                "shares",
                hahn_points(Some(Points::thousandths(half * 500))),
                expected,
            );
        }
    }
    // what the data list as decided
    findings.same("tie", "shares", hahn_points(Some(Points::default())), Hahn { winner: 50, loser: 50 });
    findings.same("resignation", "shares", hahn_points(None), Hahn { winner: 100, loser: 0 });
    findings.same("10.25", "shares", hahn_points(Some(points_of(10.25))), Hahn { winner: 60, loser: 40 });
    findings.finish();
}

#[derive(Deserialize)]
struct HandicapFile {
    /// By size, then by number of stones.
    table: BTreeMap<usize, BTreeMap<usize, Vec<String>>>,
}

#[test]
fn handicap() {
    let mut findings = Findings::default();
    let file: HandicapFile = load("handicap");
    let placed = |shape, n| {
        let topology = Arc::new(Topology::new(shape));
        fixed_handicap(&topology, n)
            .map(|points| points.iter().map(|&p| topology.name(p).to_string()).collect::<Vec<_>>())
    };
    // even boards that the table leaves out and its rule covers; GNU Go places the stones of 16 so
    let more = [(16, "D4 N13 D13 N4"), (20, "D4 R17 D17 R4"), (22, "D4 T19 D19 T4"), (24, "D4 V21 D21 V4")];
    let of_rule = |size, n| {
        let names = more.iter().find(|(of, _)| *of == size && (2..=4).contains(&n)).map(|(_, names)| names)?;
        Some(names.split(' ').map(String::from).take(n).collect::<Vec<_>>())
    };
    // GTP's own sizes end at 25; the table's lines are taken as they are, and where neither has any there is none
    for size in 1..=52 {
        for n in 0..=10 {
            let expected = file.table.get(&size).and_then(|line| line.get(&n)).cloned().or_else(|| of_rule(size, n));
            let id = format!("{n} on {size}");
            findings.same(&id, "places", placed(Shape::rect(size, size).unwrap(), n), expected);
            findings.same(&id, "torus", placed(Shape::torus(size, size).unwrap(), n), None);
            if size > 1 {
                findings.same(&id, "not square", placed(Shape::rect(size, size - 1).unwrap(), n), None);
            }
        }
    }
    (1..=26)
        .for_each(|side| findings.same(&format!("hex {side}"), "places", placed(Shape::hex(side).unwrap(), 2), None));
    findings.finish();
}
