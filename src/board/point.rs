//! Points and colours.

use std::fmt;

/// A point of a board, numbered row by row from the top left. Only meaningful with the
/// [`Topology`](super::Topology) that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(pub(super) u16);

impl Point {
    /// The point's number, from 0; smaller than the number of points of its board.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The point of that number; the caller knows that its board has it.
    #[inline]
    pub(crate) fn from_index(index: usize) -> Point {
        Point(index as u16)
    }
}

/// The colour of a stone, or of the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Moves first, unless a handicap was given.
    Black,
    /// The other side.
    White,
}

impl Color {
    /// Both colours, Black first: the order of every pair indexed by colour.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The opponent.
    #[inline]
    pub fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for Black, 1 for White: an index into a pair.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// `B` or `W`, as in a result.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }

    /// `black` or `white`, as the protocol writes it.
    pub fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
