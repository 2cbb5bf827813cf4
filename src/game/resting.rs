//! Games that nobody looks at for a while.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use super::play::Start;
use super::{Assess, Game, Phase, Standing};
use crate::board::{Color, Point, Topology};
use crate::rules::{Ending, Points, Ruleset, Selection, SpecialTurn, Turn};

/// The most turns of a game that rests: they are made again in some tenths of a millisecond.
const MOST_TURNS: usize = 1_000;

/// A game that can be put to rest: all that is kept then is what happened, and the game is made again from it when it is
/// next looked at. A game of 100 turns takes some hundred bytes so, instead of twenty thousand.
#[derive(Debug)]
pub struct Resting {
    awake: Option<Box<Game>>,
    folded: Folded,
}

impl Resting {
    /// A game that is awake.
    pub fn new(game: Game) -> Resting {
        Resting { folded: Folded::shell(&game), awake: Some(Box::new(game)) }
    }

    /// Puts the game to rest, if what happened in it can be written down as a list of turns: one in which play was never
    /// stopped. To wake a very long one would take too long.
    pub fn rest(&mut self) {
        if let Some(game) = &self.awake
            && game.turns().len() <= MOST_TURNS
            && let Some(folded) = Folded::new(game)
        {
            self.folded = folded;
            self.awake = None;
        }
    }

    /// The name of the rules, what may happen, and how many turns were made; the game need not wake for it.
    pub fn glance(&self) -> (&'static str, Phase, usize) {
        match &self.awake {
            Some(game) => (game.ruleset().name, game.standing().phase, game.turns().len()),
            None => (self.folded.ruleset.name, self.folded.standing.phase, self.folded.turns.len()),
        }
    }

    /// What happens when play stops; the game need not wake for it.
    pub fn ending(&self) -> Ending {
        self.awake.as_ref().map_or(self.folded.ruleset.ending, |game| game.ruleset().ending)
    }

    /// Whether the game rests.
    pub fn rests(&self) -> bool {
        self.awake.is_none()
    }
}

impl Deref for Resting {
    type Target = Game;

    #[inline]
    fn deref(&self) -> &Game {
        match &self.awake {
            Some(game) => game,
            None => self.folded.seen.get_or_init(|| Box::new(self.folded.unfold())),
        }
    }
}

impl DerefMut for Resting {
    #[inline]
    fn deref_mut(&mut self) -> &mut Game {
        let folded = &mut self.folded;
        self.awake.get_or_insert_with(|| folded.seen.take().unwrap_or_else(|| Box::new(folded.unfold())))
    }
}

/// What happened in a game.
#[derive(Debug)]
struct Folded {
    topology: Arc<Topology>,
    ruleset: Ruleset,
    start: Start,
    komi: Option<Points>,
    handicap: usize,
    free_order: bool,
    assess: Arc<dyn Assess>,
    standing: Standing,
    /// A turn each: a point or one of the marks below, and the colour.
    turns: Box<[u16]>,
    /// The special turns, in order.
    special: Box<[SpecialTurn]>,
    /// The game, if somebody has looked at it since, but not changed it.
    seen: OnceLock<Box<Game>>,
}

const WHITE: u16 = 0x8000;
const PASS: u16 = 0x7fff;
const SPECIAL: u16 = 0x7ffe;

impl Folded {
    /// Everything but the turns.
    fn shell(game: &Game) -> Folded {
        Folded {
            topology: game.topology().clone(),
            ruleset: game.ruleset,
            start: game.start().clone(),
            komi: game.komi,
            handicap: game.handicap(),
            free_order: game.free_order(),
            assess: game.assess.clone(),
            standing: game.standing.clone(),
            turns: Box::default(),
            special: Box::default(),
            seen: OnceLock::new(),
        }
    }

    fn new(game: &Game) -> Option<Folded> {
        let mut special = Vec::new();
        let turns = game.turns().iter().map(|record| {
            let turn = match &record.turn {
                Turn::Play(point) => point.index() as u16,
                Turn::Pass => PASS,
                Turn::Special(turn) => {
                    special.push(SpecialTurn::clone(turn));
                    SPECIAL
                }
            };
            let color = if record.color == Color::White { WHITE } else { 0 };
            record.is_plain().then_some(turn | color)
        });
        let turns = turns.collect::<Option<_>>()?;
        Some(Folded { turns, special: special.into(), ..Folded::shell(game) })
    }

    fn unfold(&self) -> Game {
        let selection = Selection { ruleset: self.ruleset, shape: self.topology.shape(), komi: self.komi };
        let mut game = Game::on(self.topology.clone(), selection);
        game.set_free_order(self.free_order);
        game.set_assessment(self.assess.clone());
        let mut special = self.special.iter();
        let turns = self.turns.iter().map(|&turn| {
            let color = if turn & WHITE == 0 { Color::Black } else { Color::White };
            let turn = match turn & !WHITE {
                PASS => Turn::Pass,
                SPECIAL => special.next().map_or(Turn::Pass, |turn| Turn::Special(Box::new(turn.clone()))),
                point => Turn::Play(Point::from_index(point as usize)),
            };
            (color, turn)
        });
        game.go_through(self.start.clone(), self.handicap, turns, self.standing.clone());
        game
    }
}
