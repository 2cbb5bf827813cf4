//! Counting what the random games went through.

use std::ops::AddAssign;

use egtp::rules::{Refusal, Repetition};

/// What happened in the games.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) games: usize,
    pub(super) turns: usize,
    pub(super) specials: usize,
    /// Special turns of three stones or more; that captured; that placed a stone on a point just paid; that lost stones.
    pub(super) of_specials: [usize; 4],
    pub(super) captures: usize,
    pub(super) suicides: usize,
    pub(super) taken_back: usize,
    pub(super) set_up: usize,
    /// Refused turns by reason: ko, positional, situational superko, suicide, occupied, and six of special turns.
    pub(super) refused: [usize; REASONS.len()],
    /// Points and special turns that both ruled on without playing them.
    pub(super) ruled: usize,
}

/// The reasons as the tally counts them.
const REASONS: [&str; 11] = [
    "ko",
    "positional superko",
    "situational superko",
    "suicide",
    "occupied",
    "no special turns",
    "a point named twice",
    "too few",
    "too many",
    "price",
    "not one's own",
];

/// The number of a refusal among them.
pub(super) fn number_of(refusal: Refusal) -> usize {
    match refusal {
        Refusal::Repetition { rule: Repetition::Ko, .. } => 0,
        Refusal::Repetition { rule: Repetition::Positional, .. } => 1,
        Refusal::Repetition { .. } => 2,
        Refusal::Suicide => 3,
        Refusal::NotEmpty(_) => 4,
        Refusal::NoSpecialTurns => 5,
        Refusal::NamedTwice(_) => 6,
        Refusal::TooFew => 7,
        Refusal::TooMany { .. } => 8,
        Refusal::Price { .. } => 9,
        Refusal::NotYours(..) => 10,
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.games += other.games;
        self.turns += other.turns;
        self.specials += other.specials;
        self.captures += other.captures;
        self.suicides += other.suicides;
        self.taken_back += other.taken_back;
        self.set_up += other.set_up;
        self.ruled += other.ruled;
        self.of_specials.iter_mut().zip(other.of_specials).for_each(|(n, m)| *n += m);
        self.refused.iter_mut().zip(other.refused).for_each(|(n, m)| *n += m);
    }
}

impl Tally {
    /// Two or three lines on it all.
    pub(super) fn print(&self, what: &str) {
        println!(
            "{what}: {} games, {} turns, {} special turns, {} refused as repetition, {} captures, {} suicides, \
             {} taken back, {} set up, {} ruled on besides",
            self.games,
            self.turns,
            self.specials,
            self.refused[..3].iter().sum::<usize>(),
            self.captures,
            self.suicides,
            self.taken_back,
            self.set_up,
            self.ruled
        );
        let [large, capturing, vacated, suicidal] = self.of_specials;
        println!(
            "{what}: special turns: {large} of three stones or more, {capturing} capture, {vacated} on paid points, {suicidal} lose stones"
        );
        let refused: Vec<String> = REASONS.iter().zip(self.refused).map(|(name, n)| format!("{n} {name}")).collect();
        println!("{what}: refused: {}", refused.join(", "));
    }

    /// Games in which something never happens say nothing about it.
    pub(super) fn assert_everything_occurred(&self) {
        let counts =
            [self.turns, self.specials, self.captures, self.suicides, self.taken_back, self.set_up, self.ruled];
        assert!(counts.iter().chain(&self.refused).all(|&n| n > self.games / 200), "too little of something occurred");
        assert!(self.of_specials.iter().all(|&n| n > self.games / 400), "too little of something occurred");
    }
}
