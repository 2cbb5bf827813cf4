//! A handful of points, kept in place.

use std::ops::Deref;

use super::Point;

/// Up to six points: as many as a point has neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Few {
    len: u8,
    at: [Point; 6],
}

impl Few {
    /// None yet.
    #[inline]
    pub(super) fn new() -> Few {
        Few { len: 0, at: [Point(0); 6] }
    }

    /// Adds one; there is room, since a point has at most six neighbours.
    #[inline]
    pub(super) fn push(&mut self, point: Point) {
        self.at[self.len as usize] = point;
        self.len += 1;
    }
}

impl Deref for Few {
    type Target = [Point];

    #[inline]
    fn deref(&self) -> &[Point] {
        &self.at[..self.len as usize]
    }
}
