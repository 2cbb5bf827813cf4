//! The positions a game has been through, and whether a new one repeats one of them.
//!
//! A hash finds candidates and equality decides, so that two positions with one hash are never confused. Equality
//! needs the earlier position; it is made again from a full copy at most [`SPACING`] turns before it, so that
//! a turn costs the same however long the game is.

use hashbrown::HashTable;

use super::Repetition;
use crate::board::{Color, Point, Position};

/// Turns between full copies of the board.
const SPACING: usize = 64;
/// Turns for which memory is kept from one game to the next.
const KEPT: usize = 1_024;
/// Told apart by situational superko: White is to move.
const WHITE_TO_MOVE: u64 = 0x5851_f42d_4c95_7f2d;

/// One point that a turn changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) point: Point,
    pub(super) before: Option<Color>,
    pub(super) after: Option<Color>,
}

/// The start position and the one after each turn.
#[derive(Clone, Debug)]
pub(super) struct Past {
    rule: Repetition,
    moments: Vec<Moment>,
    changes: Vec<Change>,
    copies: Vec<Box<[Option<Color>]>>,
    /// Numbers of moments, by key; each position (with superko) once.
    seen: HashTable<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Moment {
    key: u64,
    /// Where this turn's changes end.
    end: u32,
    /// Who moved; nobody before the start.
    by: Option<Color>,
    /// The position is in `seen`.
    listed: bool,
}

impl Past {
    /// A past of one position, the start.
    pub(super) fn new(rule: Repetition, start: &Position, to_move: Color) -> Past {
        let mut past =
            Past { rule, moments: Vec::new(), changes: Vec::new(), copies: Vec::new(), seen: HashTable::new() };
        past.restart(start, to_move);
        past
    }

    /// Forgets everything but a new start.
    pub(super) fn restart(&mut self, start: &Position, to_move: Color) {
        self.moments.clear();
        self.changes.clear();
        self.copies.clear();
        self.seen.clear();
        // a long game should not cost memory for ever
        self.moments.shrink_to(KEPT);
        self.changes.shrink_to(4 * KEPT);
        if self.seen.capacity() > 2 * KEPT {
            self.seen = HashTable::new();
        }
        self.push(start, None, to_move);
    }

    /// Turns since the start.
    pub(super) fn turns(&self) -> usize {
        self.moments.len() - 1
    }

    /// Says that a point changed in the turn about to be pushed.
    #[inline]
    pub(super) fn changed(&mut self, point: Point, before: Option<Color>, after: Option<Color>) {
        self.changes.push(Change { point, before, after });
    }

    /// Adds the position after a turn; its changes must have been told.
    #[inline]
    pub(super) fn push(&mut self, position: &Position, by: Option<Color>, next: Color) {
        let key = self.key(position.hash(), next);
        let number = self.moments.len();
        let end = self.changes.len() as u32;
        self.moments.push(Moment { key, end, by, listed: false });
        if number.is_multiple_of(SPACING) {
            self.copies.push(position.stones().into());
        }
        // A turn that changed the board was found to repeat nothing. One that did not may still make a situation new; a
        // position it never does.
        let before = number.checked_sub(1).map(|i| self.moments[i]);
        let new = match before {
            Some(before) if before.end == end => {
                before.key != key && self.find(key, |point| position.at(point)).is_none()
            }
            _ => true,
        };
        if self.superko() && new {
            self.moments[number].listed = true;
            self.seen.insert_unique(key, number as u32, |&n| self.moments[n as usize].key);
        }
    }

    /// Takes the last turn away and hands over what it changed.
    pub(super) fn pop(&mut self) -> Option<Vec<Change>> {
        if self.turns() == 0 {
            return None;
        }
        let last = self.moments.pop()?;
        let number = self.moments.len();
        if last.listed
            && let Ok(entry) = self.seen.find_entry(last.key, |&n| n as usize == number)
        {
            entry.remove();
        }
        self.copies.truncate(number.div_ceil(SPACING));
        let from = self.moments[number - 1].end as usize;
        Some(self.changes.split_off(from))
    }

    /// The points that a turn (from 1) changed, in order.
    pub(super) fn changes(&self, turn: usize) -> &[Change] {
        &self.changes[self.moments[turn - 1].end as usize..self.moments[turn].end as usize]
    }

    /// The turn after which the position stood that a turn by `color` would bring back against the rule; its hash
    /// and stones are given.
    #[inline]
    pub(super) fn repeated(&self, hash: u64, color: Color, after: impl Fn(Point) -> Option<Color>) -> Option<usize> {
        let key = self.key(hash, color.other());
        match self.rule {
            Repetition::None => None,
            Repetition::Ko => {
                let before = self.turns().checked_sub(1)?;
                let by_opponent = self.moments[before + 1].by == Some(color.other());
                let same = by_opponent && self.moments[before].key == key && self.equal(before, after);
                same.then_some(before)
            }
            Repetition::Positional | Repetition::Situational => self.find(key, after),
        }
    }

    fn superko(&self) -> bool {
        matches!(self.rule, Repetition::Positional | Repetition::Situational)
    }

    fn key(&self, hash: u64, next: Color) -> u64 {
        if self.rule == Repetition::Situational && next == Color::White { hash ^ WHITE_TO_MOVE } else { hash }
    }

    fn find(&self, key: u64, stones: impl Fn(Point) -> Option<Color>) -> Option<usize> {
        let same = |&n: &u32| self.moments[n as usize].key == key && self.equal(n as usize, &stones);
        self.seen.find(key, same).map(|&n| n as usize)
    }

    /// Whether these stones stood after a turn.
    #[cold]
    fn equal(&self, moment: usize, stones: impl Fn(Point) -> Option<Color>) -> bool {
        let copy = moment / SPACING;
        let mut board = self.copies[copy].clone();
        let (from, to) = (self.moments[copy * SPACING].end as usize, self.moments[moment].end as usize);
        for change in &self.changes[from..to] {
            board[change.point.index()] = change.after;
        }
        board.iter().enumerate().all(|(i, &stone)| stones(Point::from_index(i)) == stone)
    }
}
