//! Random games: the program agrees with the model, and no client's user is surprised.
//!
//! With `EGTP_ROOMS_LONG` set, as `scripts/sweep-rooms` does, these and the other tests of rooms take minutes, not seconds.

use super::games::{Cast, game};
use super::real::Real;
use super::text::{Speaker, Wire};

/// The program under test.
pub(super) fn program() -> impl Wire {
    Real::new()
}

/// Whether there is time for much more of everything.
pub(super) fn is_long() -> bool {
    std::env::var_os("EGTP_ROOMS_LONG").is_some()
}

fn play(cast: Cast, games: u64) {
    const ACTIONS: usize = 40;
    let games = if is_long() { games * 20 } else { games };
    let mut lines = 0;
    for seed in 0..games {
        match game(seed, ACTIONS, cast, Speaker::default(), program()) {
            Ok(more) => lines += more,
            Err(why) => panic!("game {seed}: {why}"),
        }
    }
    println!("{} actions, {lines} lines", games as usize * ACTIONS);
}

#[test]
fn clients() {
    play(Cast::Clients, 1_500);
}

#[test]
fn clients_and_special_turns() {
    play(Cast::Specials, 500);
}

#[test]
fn anybody() {
    play(Cast::Anybody, 1_500);
}

#[test]
fn anybody_after_a_handicap() {
    play(Cast::Handicap, 500);
}
