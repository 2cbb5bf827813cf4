//! What a board looks like from outside: its kind and its size.

use std::fmt;

/// The longest side of a square board or torus, in points: what SGF can name.
pub const MAX_LENGTH: usize = 52;
/// The longest side of a hexagon, in points: its grid is 51 wide, the last odd width under 52.
pub const MAX_HEX_SIDE: usize = 26;

/// The kinds of board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A rectangle with edges: the ordinary board.
    Rect,
    /// A rectangle whose opposite edges are joined.
    Torus,
    /// A hexagon of cells with up to six neighbours.
    Hex,
}

impl Kind {
    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rect => "rect",
            Kind::Torus => "torus",
            Kind::Hex => "hex",
        }
    }
}

/// A kind of board and its size. Only sizes a board can have can be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    kind: Kind,
    width: u8,
    height: u8,
}

/// Why there is no board of that size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeError(Kind);

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Rect | Kind::Torus => write!(f, "a {} is 1 to {MAX_LENGTH} points wide and high", self.0.name()),
            Kind::Hex => write!(f, "a hex board has sides of 1 to {MAX_HEX_SIDE} points"),
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// A board of `kind`; `height` must equal `width` for a hexagon, whose side both are.
    pub fn new(kind: Kind, width: usize, height: usize) -> Result<Shape, ShapeError> {
        let most = if kind == Kind::Hex { MAX_HEX_SIDE } else { MAX_LENGTH };
        let fits = (1..=most).contains(&width) && (1..=most).contains(&height);
        if !fits || kind == Kind::Hex && width != height {
            return Err(ShapeError(kind));
        }
        Ok(Shape { kind, width: width as u8, height: height as u8 })
    }

    /// An ordinary board of `width` by `height` points.
    pub fn rect(width: usize, height: usize) -> Result<Shape, ShapeError> {
        Shape::new(Kind::Rect, width, height)
    }

    /// A torus of `width` by `height` points.
    pub fn torus(width: usize, height: usize) -> Result<Shape, ShapeError> {
        Shape::new(Kind::Torus, width, height)
    }

    /// A hexagon with `side` points along each of its six sides.
    pub fn hex(side: usize) -> Result<Shape, ShapeError> {
        Shape::new(Kind::Hex, side, side)
    }

    /// The kind of board.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The board's size in points as (width, height); of a hexagon, its side twice.
    pub fn size(self) -> (usize, usize) {
        (self.width as usize, self.height as usize)
    }

    /// Columns and rows of the grid that vertices name: the size itself, or 2s − 1 for a hexagon of side s.
    pub fn grid(self) -> (usize, usize) {
        match self.kind {
            Kind::Rect | Kind::Torus => self.size(),
            Kind::Hex => (2 * self.width as usize - 1, 2 * self.width as usize - 1),
        }
    }

    /// Whether the grid has a point at this column (from the left) and row (from the bottom), both from 0.
    pub(super) fn has(self, column: usize, row: usize) -> bool {
        let (width, height) = self.grid();
        let inside = column < width && row < height;
        inside && (self.kind != Kind::Hex || column.abs_diff(row) < self.width as usize)
    }
}

impl fmt::Display for Shape {
    /// The size as the protocol writes it: `9`, `13x9` (width × height), the side of a hexagon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width == self.height {
            write!(f, "{}", self.width)
        } else {
            write!(f, "{}x{}", self.width, self.height)
        }
    }
}
