//! A game's present position as a picture.

use super::picture::{Marks, svg};
use crate::board::{Color, Point};
use crate::game::{Game, Phase};
use crate::rules::{Owner, Turn};

/// The present position as SVG, with the last turn, dead stones and, once play has stopped, whose the points are; on a
/// torus with that many lines of the opposite edges repeated.
pub fn draw_game(game: &Game, strips: usize) -> String {
    let standing = game.standing();
    let (last, paid): (&[Point], &[Point]) = match game.turns().last().map(|record| &record.turn) {
        Some(Turn::Play(point)) => (std::slice::from_ref(point), &[]),
        Some(Turn::Special(special)) => (&special.place, &special.pay),
        _ => (&[], &[]),
    };
    let owners = game.score().count.owners;
    let owned = |color: Color| -> Vec<Point> {
        let of = |p: &Point| standing.phase != Phase::Play && owners[p.index()] == Owner::Territory(color);
        game.topology().points().filter(of).collect()
    };
    let [black, white] = Color::BOTH.map(owned);
    let turns = match game.turns().len() {
        1 => "1 turn".to_string(),
        n => format!("{n} turns"),
    };
    let title = match game.outcome() {
        Some(outcome) => format!("{turns}, {outcome}"),
        None => format!("{turns}, {} to move", standing.to_move),
    };
    let territory = [black.as_slice(), white.as_slice()];
    let marks = Marks { last, paid, numbered: last.len() > 1, dead: standing.dead(), territory, strips, title: &title };
    svg(game.position(), &marks)
}
