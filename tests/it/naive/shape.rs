//! Which points a board has, and which of them are neighbours.

/// A point of the bounding grid: column from the left, row from the bottom, both from zero.
pub(crate) type Pt = (usize, usize);

/// The form of the board: width and height, or the side of a hexagon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Rect(usize, usize),
    Torus(usize, usize),
    Hex(usize),
}

impl Shape {
    /// The points of the board, row by row from the top, each row from the left.
    pub(super) fn points(self) -> Vec<Pt> {
        let (w, h) = match self {
            Shape::Rect(w, h) | Shape::Torus(w, h) => (w, h),
            Shape::Hex(s) => (2 * s - 1, 2 * s - 1),
        };
        // A hexagon lacks two corners of its grid.
        let missing = |(x, y): Pt| matches!(self, Shape::Hex(s) if x.abs_diff(y) >= s);
        let rows = (0..h).rev().flat_map(|y| (0..w).map(move |x| (x, y)));
        rows.filter(|&p| !missing(p)).collect()
    }

    /// Whether two points are neighbours.
    pub(super) fn adjacent(self, (ax, ay): Pt, (bx, by): Pt) -> bool {
        let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
        match self {
            Shape::Rect(..) => dx + dy == 1,
            // The shorter way round counts, in each direction.
            Shape::Torus(w, h) => dx.min(w - dx) + dy.min(h - dy) == 1,
            // Besides the four, one step along the rising diagonal.
            Shape::Hex(_) => dx + dy == 1 || (dx, dy) == (1, 1) && (ax < bx) == (ay < by),
        }
    }
}
