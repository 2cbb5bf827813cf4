//! Random play that fills small boards up, takes stones back where they were taken, and breaks rules on purpose.

use std::sync::Arc;

use egtp::board::{Color, Point, Position, Shape};
use egtp::game::{Assess, Game};
use egtp::rules::{SpecialTurn, Turn, affordable};

/// SplitMix64: small, and the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of this number.
    pub(crate) fn new(seed: u64) -> Random {
        let mut random = Random(seed);
        // seeds that are near each other shall not give sequences that overlap
        random.0 = random.next() ^ seed.rotate_left(32);
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True so many times in a hundred.
    pub(crate) fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// So many different ones of these, or all, in any order.
    pub(crate) fn sample<T: Copy>(&mut self, from: &[T], n: usize) -> Vec<T> {
        let mut rest = from.to_vec();
        let taken = (0..n.min(from.len())).map(|_| rest.swap_remove(self.below(rest.len())));
        taken.collect()
    }

    /// Either colour.
    pub(crate) fn color(&mut self) -> Color {
        self.pick(&Color::BOTH)
    }
}

/// Points of this colour, or the empty ones.
pub(crate) fn having(position: &Position, stone: Option<Color>) -> Vec<Point> {
    position.topology().points().filter(|&p| position.at(p) == stone).collect()
}

/// A turn for a side: most of them legal.
pub(crate) fn turn(random: &mut Random, game: &Game, color: Color) -> Turn {
    let position = game.position();
    let points: Vec<Point> = position.topology().points().collect();
    let special = if game.ruleset().special { 20 } else { 2 };
    if random.percent(4) {
        return Turn::Pass;
    }
    if random.percent(special) {
        return Turn::Special(Box::new(special_turn(random, game, color)));
    }
    // where stones were just taken a stone may take back, and that may be a repetition
    let taken = game.last_captures();
    if !taken.is_empty() && random.percent(40) {
        return Turn::Play(random.pick(&taken));
    }
    let empty = having(position, None);
    let from = if random.percent(3) || empty.is_empty() { &points } else { &empty };
    Turn::Play(random.pick(from))
}

/// A special turn; often one that can be paid, and sometimes with something wrong in it, or two things.
fn special_turn(random: &mut Random, game: &Game, color: Color) -> SpecialTurn {
    let position = game.position();
    let all: Vec<Point> = position.topology().points().collect();
    let own = having(position, Some(color));
    let most = affordable(position, color);
    let n = if most >= 2 { 2 + random.below(most - 1) } else { 2 };
    let pay = random.sample(&own, n * n);
    let mut free = having(position, None);
    if random.percent(60) {
        free.extend(&pay);
    }
    let mut turn = SpecialTurn { place: random.sample(&free, n), pay };
    if !random.percent(70) {
        let faults = 1 + random.below(2);
        (0..faults).for_each(|_| spoil(random, &mut turn, &all));
    }
    turn
}

/// Puts one thing wrong.
fn spoil(random: &mut Random, turn: &mut SpecialTurn, all: &[Point]) {
    let list = if random.percent(50) { &mut turn.place } else { &mut turn.pay };
    let i = if list.is_empty() { 0 } else { random.below(list.len()) };
    match random.below(4) {
        // too many, and perhaps a point twice
        0 => list.push(random.pick(all)),
        // somewhere else: on a stone, or with a stone of the other side
        1 if !list.is_empty() => list[i] = random.pick(all),
        // one point twice
        2 if !list.is_empty() => list.push(list[i]),
        // too few
        _ => {
            list.truncate(i);
        }
    }
}

/// Some stones whose chains all breathe.
pub(crate) fn stones(random: &mut Random, position: &mut Position) -> Vec<(Color, Point)> {
    position.clear();
    let percent = random.below(90);
    for point in position.topology().clone().points() {
        if random.percent(percent) {
            position.put(random.color(), point);
        }
    }
    let breathless = |p: &Point| position.at(*p).is_some() && !position.breathes(*p);
    let breathless: Vec<Point> = position.topology().points().filter(breathless).collect();
    position.lift(&breathless);
    let stone = |p: Point| position.at(p).map(|color| (color, p));
    position.topology().points().filter_map(stone).collect()
}

/// All chains of some of the stones.
pub(crate) fn chains(random: &mut Random, position: &Position, percent: usize) -> Vec<Point> {
    let mut dead = Vec::new();
    for point in position.topology().points() {
        if position.at(point).is_some() && position.head(point) == point && random.percent(percent) {
            dead.extend(position.chain(point));
        }
    }
    dead
}

/// A judgement of life and death that is always the same and never right: the side to move has lost every chain of an
/// odd number of stones.
#[derive(Debug)]
pub(crate) struct OddChains;

impl Assess for OddChains {
    fn dead(&self, position: &Position, to_move: Color) -> Vec<Point> {
        let odd = |p: &Point| position.at(*p) == Some(to_move) && position.chain_size(*p) % 2 == 1;
        position.topology().points().filter(odd).collect()
    }
}

/// The judgement above, to be plugged in.
pub(crate) fn odd_chains() -> Arc<dyn Assess> {
    Arc::new(OddChains)
}

/// A board from 1×5 to 9×9, a small torus, or a small hexagon; small ones more often.
pub(crate) fn shape(random: &mut Random) -> Shape {
    let small = |random: &mut Random| 2 + random.below(4);
    let shape = match random.below(20) {
        0..2 => Shape::rect(1, 5 + random.below(3)),
        2..8 => Shape::rect(small(random), small(random)),
        8 => Shape::rect(5 + random.below(5), 5 + random.below(5)),
        9 => Shape::torus(1 + random.below(2), 1 + random.below(2)),
        10..15 => Shape::torus(1 + random.below(6), 3 + random.below(4)),
        15 => Shape::hex(4),
        _ => Shape::hex(2 + random.below(2)),
    };
    shape.unwrap()
}
