//! What a turn does, and whether it may.

use std::sync::Arc;

use smallvec::SmallVec;

use super::past::{Change, Past};
use super::{Refusal, Repetition, Ruleset, SpecialTurn, Turn, affordable};
use crate::board::{Color, Outlook, Point, Position, Topology};

/// A position, the positions before it, and the rules of a turn. It does not care whose turn it is.
#[derive(Clone, Debug)]
pub struct Judge {
    position: Position,
    past: Past,
    repetition: Repetition,
    suicide: bool,
    special: bool,
}

/// A turn that the rules allow in the position it was ruled on.
#[derive(Clone, Debug)]
pub struct Legal {
    color: Color,
    step: Step,
    /// Guards against carrying out a turn in another position than it was ruled on.
    turn: usize,
}

#[derive(Clone, Debug)]
enum Step {
    Pass,
    Play(Point, Outlook),
    Changes(Box<Changes>),
}

/// All that a turn changes, worked out beforehand.
#[derive(Clone, Debug)]
struct Changes {
    stones: Vec<Option<Color>>,
    captured: Vec<Point>,
    suicided: Vec<Point>,
    hash: u64,
}

/// Stones that a turn took off, payments excepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// The opponent's.
    pub captured: usize,
    /// The side's own, where suicide is allowed.
    pub own: usize,
}

impl Judge {
    /// An empty board under the rules of a turn of `ruleset`.
    pub fn new(topology: Arc<Topology>, ruleset: Ruleset) -> Judge {
        let position = Position::new(topology);
        Judge {
            past: Past::new(ruleset.repetition, &position, Color::Black),
            position,
            repetition: ruleset.repetition,
            suicide: ruleset.suicide,
            special: ruleset.special,
        }
    }

    /// The stones on the board.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Turns since the start position.
    #[inline]
    pub fn turns(&self) -> usize {
        self.past.turns()
    }

    /// Forgets the game and starts from these stones, with this side to move.
    pub fn restart(&mut self, stones: impl IntoIterator<Item = (Color, Point)>, to_move: Color) {
        self.position.clear();
        for (color, point) in stones {
            self.position.put(color, point);
        }
        self.past.restart(&self.position, to_move);
    }

    /// Whether a side may make this turn here, all rules considered but whose turn it is.
    ///
    /// Reasons are looked for in this order: special turns at all, points named twice, n at least 2, affordable,
    /// number paid, ownership of payments, free points, suicide, repetition.
    #[inline]
    pub fn rule(&self, color: Color, turn: &Turn) -> Result<Legal, Refusal> {
        let step = match turn {
            Turn::Pass => Step::Pass,
            Turn::Play(point) => self.play(color, *point)?,
            Turn::Special(special) => {
                self.check_choice(color, special)?;
                self.changes(color, &special.place, &special.pay)?
            }
        };
        Ok(Legal { color, step, turn: self.turns() })
    }

    /// Whether a stone may be put on a point: [`rule`](Judge::rule) for an ordinary turn.
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.play(color, point).is_ok()
    }

    #[inline]
    fn play(&self, color: Color, point: Point) -> Result<Step, Refusal> {
        if self.position.at(point).is_some() {
            return Err(Refusal::NotEmpty(point));
        }
        let outlook = self.position.outlook(color, point);
        if !outlook.breathes {
            return if self.suicide { self.changes(color, &[point], &[]) } else { Err(Refusal::Suicide) };
        }
        let after = |p: Point| match self.position.at(p) {
            None if p == point => Some(color),
            Some(stone) if stone != color && outlook.captures.contains(&self.position.head(p)) => None,
            stone => stone,
        };
        match self.past.repeated(outlook.hash, color, after) {
            Some(turn) => Err(Refusal::Repetition { rule: self.repetition, turn }),
            None => Ok(Step::Play(point, outlook)),
        }
    }

    /// The part of a special turn's legality that looks only at the choice of points.
    fn check_choice(&self, color: Color, turn: &SpecialTurn) -> Result<(), Refusal> {
        if !self.special {
            return Err(Refusal::NoSpecialTurns);
        }
        let (n, given) = (turn.place.len(), turn.pay.len());
        if let Some(point) = named_twice(&turn.place).or(named_twice(&turn.pay)) {
            return Err(Refusal::NamedTwice(point));
        }
        if n < 2 {
            return Err(Refusal::TooFew);
        }
        let most = affordable(&self.position, color);
        if n > most {
            return Err(Refusal::TooMany { own: self.position.count(color), most });
        }
        if given != n * n {
            return Err(Refusal::Price { n, given });
        }
        if let Some(&point) = turn.pay.iter().find(|&&p| self.position.at(p) != Some(color)) {
            return Err(Refusal::NotYours(point, color));
        }
        let mut paid = vec![false; self.position.topology().len()];
        turn.pay.iter().for_each(|p| paid[p.index()] = true);
        let free = |p: Point| self.position.at(p).is_none() || paid[p.index()];
        match turn.place.iter().find(|&&p| !free(p)) {
            Some(&point) => Err(Refusal::NotEmpty(point)),
            None => Ok(()),
        }
    }

    /// Removes the payment, places all stones, takes the opponent's chains without liberties, then rules on own
    /// ones without and on repetition. All on a copy of the stones.
    fn changes(&self, color: Color, place: &[Point], pay: &[Point]) -> Result<Step, Refusal> {
        let mut stones = self.position.stones().to_vec();
        pay.iter().for_each(|p| stones[p.index()] = None);
        place.iter().for_each(|p| stones[p.index()] = Some(color));
        let topology = self.position.topology();
        let beside = place.iter().flat_map(|&p| topology.neighbours(p)).copied();
        let captured = take_breathless(topology, &mut stones, color.other(), beside);
        let suicided = take_breathless(topology, &mut stones, color, place.iter().copied());
        if !suicided.is_empty() && !self.suicide {
            return Err(Refusal::Suicide);
        }
        let mut hash = self.position.hash();
        for point in topology.points() {
            let (before, after) = (self.position.at(point), stones[point.index()]);
            if before != after {
                hash ^= before.map_or(0, |c| self.position.key(c, point))
                    ^ after.map_or(0, |c| self.position.key(c, point));
            }
        }
        match self.past.repeated(hash, color, |p| stones[p.index()]) {
            Some(turn) => Err(Refusal::Repetition { rule: self.repetition, turn }),
            None => Ok(Step::Changes(Box::new(Changes { stones, captured, suicided, hash }))),
        }
    }

    /// The opponent's stones that a legal turn takes, in order.
    pub fn captures(&self, legal: &Legal) -> Vec<Point> {
        let mut points: Vec<Point> = match &legal.step {
            Step::Pass => Vec::new(),
            Step::Play(_, outlook) => outlook.captures.iter().flat_map(|&head| self.position.chain(head)).collect(),
            Step::Changes(changes) => changes.captured.clone(),
        };
        points.sort_unstable();
        points
    }

    /// Does what a legal turn does. The turn must have been ruled on in this very position.
    #[inline]
    pub fn carry_out(&mut self, legal: Legal) -> Taken {
        debug_assert_eq!(legal.turn, self.turns(), "ruled on in another position");
        let color = legal.color;
        let mut taken = Taken::default();
        match legal.step {
            Step::Pass => {}
            Step::Play(point, outlook) => {
                self.position.put(color, point);
                self.past.changed(point, None, Some(color));
                for &head in outlook.captures.iter() {
                    self.position.remove_chain(head, |p| {
                        taken.captured += 1;
                        self.past.changed(p, Some(color.other()), None);
                    });
                }
                debug_assert_eq!(self.position.hash(), outlook.hash);
            }
            Step::Changes(changes) => {
                taken = Taken { captured: changes.captured.len(), own: changes.suicided.len() };
                for point in self.position.topology().clone().points() {
                    let (before, after) = (self.position.at(point), changes.stones[point.index()]);
                    if before != after {
                        self.past.changed(point, before, after);
                    }
                }
                self.position.replace(&changes.stones);
                debug_assert_eq!(self.position.hash(), changes.hash);
            }
        }
        self.past.push(&self.position, Some(color), color.other());
        taken
    }

    /// The points of the opponent that a turn (from 1) took: those it turned from `color`'s opponent to empty.
    pub fn captured_in(&self, turn: usize, color: Color) -> Vec<Point> {
        let taken = |c: &&Change| c.before == Some(color.other()) && c.after.is_none();
        let mut points: Vec<Point> = self.past.changes(turn).iter().filter(taken).map(|c| c.point).collect();
        points.sort_unstable();
        points
    }

    /// Takes the last turn back; false if there is none.
    pub fn take_back(&mut self) -> bool {
        let Some(changes) = self.past.pop() else { return false };
        let gone: SmallVec<[Point; 8]> = changes.iter().filter(|c| c.after.is_some()).map(|c| c.point).collect();
        self.position.lift(&gone);
        for change in changes {
            if let Some(color) = change.before {
                self.position.put(color, change.point);
            }
        }
        true
    }
}

fn named_twice(points: &[Point]) -> Option<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// Takes the chains of `color` without liberties at these points off and lists their stones in order. Chains of one
/// colour do not breathe through each other, so the order in which they are looked at does not matter.
fn take_breathless(
    topology: &Topology,
    stones: &mut [Option<Color>],
    color: Color,
    points: impl Iterator<Item = Point>,
) -> Vec<Point> {
    let mut seen = vec![false; stones.len()];
    let mut taken = Vec::new();
    for start in points {
        if stones[start.index()] != Some(color) || seen[start.index()] {
            continue;
        }
        let mut chain = vec![start];
        let mut breathes = false;
        seen[start.index()] = true;
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            next += 1;
            for &beside in topology.neighbours(stone) {
                match stones[beside.index()] {
                    None => breathes = true,
                    Some(other) if other == color && !seen[beside.index()] => {
                        seen[beside.index()] = true;
                        chain.push(beside);
                    }
                    Some(_) => {}
                }
            }
        }
        if !breathes {
            taken.extend(chain);
        }
    }
    // only now: a chain taken off must not let its neighbour breathe
    taken.iter().for_each(|p| stones[p.index()] = None);
    taken.sort_unstable();
    taken
}
