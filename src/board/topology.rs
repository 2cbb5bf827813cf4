//! Which points there are, which are neighbours, and what they are called.
//!
//! This is the only file that knows how a torus wraps and what a cell of a hexagon touches. Everything else
//! works over [`Topology::neighbours`].

use std::sync::{Arc, Mutex, PoisonError};

use super::vertex::{self, Name, VertexError};
use super::{Color, Few, Kind, Point, Shape};

/// Boards that are kept for the next game on one like them.
const SHARED: usize = 8;

/// A board without stones: a graph of points with names.
#[derive(Clone, Debug)]
pub struct Topology {
    shape: Shape,
    /// Columns and rows of the grid.
    width: usize,
    height: usize,
    neighbours: Box<[Few]>,
    /// Column from the left and row from the bottom of each point, both from 0.
    places: Box<[(u8, u8)]>,
    names: Box<[Name]>,
    /// The point at each place of the grid, row by row from the bottom.
    grid: Box<[Option<Point>]>,
    /// Random numbers for hashing, by point and colour.
    keys: Box<[[u64; 2]]>,
}

impl Topology {
    /// The board of this shape.
    pub fn new(shape: Shape) -> Topology {
        Topology::with_key_bits(shape, 64)
    }

    /// The board of this shape, one for all games that are played on it at the time.
    pub fn shared(shape: Shape) -> Arc<Topology> {
        // the last ones asked for, the latest first
        static BOARDS: Mutex<Vec<Arc<Topology>>> = Mutex::new(Vec::new());
        let mut boards = BOARDS.lock().unwrap_or_else(PoisonError::into_inner);
        let found = boards.iter().position(|board| board.shape == shape);
        let board = found.map_or_else(|| Arc::new(Topology::new(shape)), |i| boards.remove(i));
        boards.truncate(SHARED - 1);
        boards.insert(0, board.clone());
        board
    }

    /// The same board with hash keys of only `bits` bits. For tests: whatever relies on hashes must stay right
    /// when most positions share one.
    pub fn with_key_bits(shape: Shape, bits: u32) -> Topology {
        let (width, height) = shape.grid();
        let mut places = Vec::new();
        let mut grid = vec![None; width * height].into_boxed_slice();
        for row in (0..height).rev() {
            for column in (0..width).filter(|&column| shape.has(column, row)) {
                grid[row * width + column] = Some(Point(places.len() as u16));
                places.push((column as u8, row as u8));
            }
        }
        let neighbours = places.iter().map(|&place| neighbours(shape, &grid, place)).collect();
        let names = places.iter().map(|&(column, row)| Name::new(column as usize, row as usize)).collect();
        let keys =
            (0..places.len() as u64).map(|i| [2 * i + 1, 2 * i + 2].map(|n| scramble(n) >> (64 - bits))).collect();
        Topology { shape, width, height, neighbours, places: places.into(), names, grid, keys }
    }

    /// Its kind and size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many points there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Never: every board has a point.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All points, row by row from the top left: the order of every list in the protocol.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> + use<> {
        (0..self.len() as u16).map(Point)
    }

    /// The points next to this one, each once, never itself.
    #[inline]
    pub fn neighbours(&self, point: Point) -> &[Point] {
        &self.neighbours[point.index()]
    }

    /// The point's name: `D4`, `AB27`.
    #[inline]
    pub fn name(&self, point: Point) -> &str {
        self.names[point.index()].as_str()
    }

    /// The point of that name, in either case; or `(x,y)`, zero-based from the top left.
    pub fn point(&self, name: &str) -> Result<Point, VertexError> {
        let (column, row) = vertex::parse(name, self.height)?;
        self.at(column, row).ok_or(VertexError::OffBoard)
    }

    /// The point at a column from the left and a row from the bottom, both from 0.
    pub fn at(&self, column: usize, row: usize) -> Option<Point> {
        if column < self.width && row < self.height { self.grid[row * self.width + column] } else { None }
    }

    /// Column from the left and row from the bottom, both from 0.
    pub fn place(&self, point: Point) -> (usize, usize) {
        let (column, row) = self.places[point.index()];
        (column as usize, row as usize)
    }

    /// The points marked on a board: lines 4 (3 below size 13) from the edges and the middle ones of an odd
    /// side, as GNU Go and the servers draw them. A hexagon has its centre.
    pub fn star_points(&self) -> Vec<Point> {
        let (width, height) = self.shape.grid();
        if self.shape.kind() == Kind::Hex {
            return self.at(width / 2, height / 2).into_iter().collect();
        }
        let (columns, rows) = (star_lines(width), star_lines(height));
        let middles = |n: usize| n % 2 == 1 && n >= 5;
        let star = |&point: &Point| {
            let (column, row) = self.place(point);
            let cross = (column == width / 2) as u8 + (row == height / 2) as u8;
            columns.contains(&column)
                && rows.contains(&row)
                && (cross != 1 || width >= 15 && height >= 15)
                && (cross == 0 || middles(width) && middles(height))
        };
        self.points().filter(star).collect()
    }

    /// The hash of one stone; a position's hash is the exclusive or of its stones'.
    #[inline]
    pub(super) fn key(&self, color: Color, point: Point) -> u64 {
        self.keys[point.index()][color.index()]
    }
}

/// The lines that star points lie on, from 0.
fn star_lines(length: usize) -> Vec<usize> {
    let edge = if length >= 13 { 3 } else { 2 };
    match length {
        0..5 => vec![],
        5..7 => vec![length / 2],
        _ if length % 2 == 1 => vec![edge, length / 2, length - 1 - edge],
        _ => vec![edge, length - 1 - edge],
    }
}

fn neighbours(shape: Shape, grid: &[Option<Point>], (column, row): (u8, u8)) -> Few {
    let (width, height) = shape.grid();
    let (x, y) = (column as isize, row as isize);
    // from the top, left to right, so that neighbours come in the order of the points on a rectangle
    let steps: &[(isize, isize)] = match shape.kind() {
        Kind::Rect | Kind::Torus => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
        Kind::Hex => &[(0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1)],
    };
    let own = grid[y as usize * width + x as usize];
    let mut found = Few::new();
    for (dx, dy) in steps {
        let (mut x, mut y) = (x + dx, y + dy);
        if shape.kind() == Kind::Torus {
            (x, y) = (x.rem_euclid(width as isize), y.rem_euclid(height as isize));
        }
        if x < 0 || y < 0 || x >= width as isize || y >= height as isize {
            continue;
        }
        let Some(next) = grid[y as usize * width + x as usize] else { continue };
        // a torus one or two points wide meets itself
        if Some(next) != own && !found.contains(&next) {
            found.push(next);
        }
    }
    found
}

/// A number that looks random, the same on every machine (the output function of SplitMix64).
fn scramble(n: u64) -> u64 {
    let z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(shape: Shape) -> Vec<usize> {
        let topology = Topology::new(shape);
        let mut counts = vec![0; 7];
        topology.points().for_each(|p| counts[topology.neighbours(p).len()] += 1);
        counts
    }

    #[test]
    fn degrees_of_every_hexagon_and_torus() {
        assert_eq!(degrees(Shape::hex(8).unwrap()), [0, 0, 0, 6, 36, 0, 127]);
        for side in 2..=20 {
            let (edge, inner) = (6 * (side - 2), 3 * (side - 1) * (side - 2) + 1);
            assert_eq!(degrees(Shape::hex(side).unwrap()), [0, 0, 0, 6, edge, 0, inner], "hex {side}");
        }
        for (width, height) in (1..=20).flat_map(|w| (1..=20).map(move |h| (w, h))) {
            let ways = |n: usize| [0, 0, 1, 2][n.min(3)];
            let mut expected = vec![0; 7];
            expected[ways(width) + ways(height)] = width * height;
            assert_eq!(degrees(Shape::torus(width, height).unwrap()), expected, "torus {width}x{height}");
        }
    }

    #[test]
    fn neighbours_are_mutual() {
        for shape in
            [Shape::rect(5, 3), Shape::rect(1, 7), Shape::torus(2, 5), Shape::torus(1, 1), Shape::hex(1), Shape::hex(4)]
        {
            let topology = Topology::new(shape.unwrap());
            for p in topology.points() {
                assert!(topology.neighbours(p).iter().all(|&q| q != p && topology.neighbours(q).contains(&p)));
            }
        }
    }

    fn names(topology: &Topology, points: &[Point]) -> String {
        points.iter().map(|&p| topology.name(p)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn hexagons_are_named_as_gogui_draws_them() {
        let topology = Topology::new(Shape::hex(8).unwrap());
        let around = |name| names(&topology, topology.neighbours(topology.point(name).unwrap()));
        assert_eq!(around("A1"), "A2 B2 B1");
        assert_eq!(around("A8"), "B9 B8 A7");
        assert_eq!(around("P8"), "P9 O8 O7");
        assert_eq!(around("H8"), "H9 J9 G8 J8 G7 H7");
        assert_eq!(topology.point("J1"), Err(VertexError::OffBoard));
        assert_eq!(names(&topology, &topology.star_points()), "H8");
    }

    #[test]
    fn star_points_of_usual_boards() {
        let stars = |n| {
            names(
                &Topology::new(Shape::torus(n, n).unwrap()),
                &Topology::new(Shape::torus(n, n).unwrap()).star_points(),
            )
        };
        assert_eq!(stars(9), "C7 G7 E5 C3 G3");
        assert_eq!(stars(13), "D10 K10 G7 D4 K4");
        assert_eq!(stars(17), "D14 J14 O14 D9 J9 O9 D4 J4 O4");
        assert_eq!(stars(19), "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4");
        assert_eq!(stars(4), "");
    }
}
