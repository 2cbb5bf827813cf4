//! Just enough rules for the model: sets of points, and the whole board worked out afresh each time.

use std::collections::BTreeSet;

/// A side, or a stone of that side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Side {
    Black,
    White,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::Black, Side::White];

    pub(crate) fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::Black => "black",
            Side::White => "white",
        }
    }

    /// The side of a word of GTP.
    pub(crate) fn read(word: &str) -> Option<Side> {
        match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Side::Black),
            "w" | "white" => Some(Side::White),
            _ => None,
        }
    }
}

/// Points, numbered row by row from the top left.
pub(crate) type Points = BTreeSet<usize>;

/// The stones on a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Board {
    pub(crate) black: Points,
    pub(crate) white: Points,
}

impl Board {
    pub(crate) fn of(&self, side: Side) -> &Points {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    pub(crate) fn of_mut(&mut self, side: Side) -> &mut Points {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }

    fn new(side: Side, own: Points, other: Points) -> Board {
        match side {
            Side::Black => Board { black: own, white: other },
            Side::White => Board { black: other, white: own },
        }
    }

    /// Whose stone is there.
    pub(crate) fn at(&self, point: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.of(side).contains(&point))
    }

    pub(crate) fn occupied(&self) -> Points {
        &self.black | &self.white
    }
}

/// A rectangle of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Grid {
    pub(crate) fn points(self) -> std::ops::Range<usize> {
        0..self.width * self.height
    }

    fn neighbours(self, point: usize) -> Points {
        let (x, y) = (point % self.width, point / self.width);
        let near = |&other: &usize| x.abs_diff(other % self.width) + y.abs_diff(other / self.width) == 1;
        self.points().filter(near).collect()
    }

    /// The name of a point as GTP has it.
    pub(crate) fn name(self, point: usize) -> String {
        let column = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[point % self.width] as char;
        format!("{column}{}", self.height - point / self.width)
    }

    /// Several names, with spaces between.
    pub(crate) fn names<'a>(self, points: impl IntoIterator<Item = &'a usize>) -> String {
        points.into_iter().map(|&p| self.name(p)).collect::<Vec<_>>().join(" ")
    }

    /// The point of that name.
    pub(crate) fn read(self, name: &str) -> Option<usize> {
        self.points().find(|&p| self.name(p).eq_ignore_ascii_case(name))
    }

    /// All stones of the chain of a stone.
    pub(crate) fn chain(self, stones: &Points, stone: usize) -> Points {
        let mut chain = Points::from([stone]);
        loop {
            let more: Points = chain.iter().flat_map(|&p| self.neighbours(p)).filter(|p| stones.contains(p)).collect();
            if more.is_subset(&chain) {
                return chain;
            }
            chain.extend(more);
        }
    }

    /// The stones whose chains have no liberty.
    fn breathless(self, stones: &Points, occupied: &Points) -> Points {
        let free = |chain: &Points| chain.iter().any(|&p| !self.neighbours(p).is_subset(occupied));
        stones.iter().copied().filter(|&stone| !free(&self.chain(stones, stone))).collect()
    }

    /// The board after stones were taken off and others placed.
    pub(crate) fn after(self, board: &Board, side: Side, place: &Points, pay: &Points) -> Result<Board, &'static str> {
        if !(&(place & &board.occupied()) - pay).is_empty() {
            return Err("occupied");
        }
        if !pay.is_subset(board.of(side)) {
            return Err("not own");
        }
        let own = &(board.of(side) - pay) | place;
        let other = board.of(side.other());
        let other = other - &self.breathless(other, &(&own | other));
        if !self.breathless(&own, &(&own | &other)).is_empty() {
            return Err("suicide");
        }
        Ok(Board::new(side, own, other))
    }

    /// The board after a stone that no rule forbids but that its point is free: chains next to it that have no liberty
    /// any more come off, its own does not.
    pub(crate) fn shown(self, board: &Board, side: Side, point: usize) -> Option<Board> {
        if board.occupied().contains(&point) {
            return None;
        }
        let mut own = board.of(side).clone();
        own.insert(point);
        let mut other = board.of(side.other()).clone();
        let breathless = self.breathless(&other, &(&own | &other));
        for near in self.neighbours(point) {
            if breathless.contains(&near) {
                other = &other - &self.chain(&breathless, near);
            }
        }
        Some(Board::new(side, own, other))
    }
}
