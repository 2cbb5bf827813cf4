//! Turns in words: `black D4`, `white pass`, `black special place C3 D3 pay …`.

use crate::board::{Color, Point, Topology};
use crate::rules::{SpecialTurn, Turn};

/// A turn with its colour, in words.
pub fn turn_text(topology: &Topology, color: Color, turn: &Turn) -> String {
    let names = |points: &[Point]| points.iter().map(|&p| format!(" {}", topology.name(p))).collect::<String>();
    let turn = match turn {
        Turn::Play(point) => topology.name(*point).into(),
        Turn::Special(special) => format!("special place{} pay{}", names(&special.place), names(&special.pay)),
        Turn::Pass => "pass".into(),
    };
    format!("{color} {turn}")
}

/// The turn that [`turn_text`] wrote; `None` if the words are no turn on this board.
pub fn parse_turn(topology: &Topology, text: &str) -> Option<(Color, Turn)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    let color = Color::BOTH.into_iter().find(|color| color.name() == *first)?;
    let points = |words: &[&str]| words.iter().map(|word| topology.point(word).ok()).collect::<Option<Vec<Point>>>();
    let turn = match rest {
        ["pass"] => Turn::Pass,
        ["special", "place", points_of @ ..] => {
            let pay = points_of.iter().position(|word| *word == "pay")?;
            let (place, pay) = (points(&points_of[..pay])?, points(&points_of[pay + 1..])?);
            Turn::Special(Box::new(SpecialTurn { place, pay }))
        }
        [vertex] => Turn::Play(topology.point(vertex).ok()?),
        _ => return None,
    };
    Some((color, turn))
}
