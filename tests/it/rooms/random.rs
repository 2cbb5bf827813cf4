//! Random games: the program agrees with the model, no client's user is surprised.

use super::games::{Cast, game};
use super::real::Real;
use super::text::{Speaker, Wire};

/// The program under test.
pub(super) fn program() -> impl Wire {
    Real::new()
}

fn play(cast: Cast, games: u64, length: usize) {
    let mut lines = 0;
    for seed in 0..games {
        match game(seed, length, cast, Speaker::default(), program()) {
            Ok(more) => lines += more,
            Err(why) => panic!("game {seed}: {why}"),
        }
    }
    println!("{} actions, {lines} lines", games as usize * length);
}

#[test]
fn clients() {
    play(Cast::Clients, 1_500, 40);
}

#[test]
fn clients_and_special_turns() {
    play(Cast::Specials, 500, 40);
}

#[test]
fn anybody() {
    play(Cast::Anybody, 1_000, 40);
}
