//! Where everything in a picture goes.
//!
//! This is the only file that knows how a hexagon's rows are shifted and where a torus is drawn twice.

use crate::board::{Kind, Point, Topology};

/// Between lines, and between the stones of a hexagon's row.
const CELL: i32 = 30;
/// Between the rows of a hexagon: √3/2 of a cell, nearly.
const ROW: i32 = 26;
/// Between the outermost lines and the edge of the picture; the coordinates are in the middle of it or so.
const MARGIN: i32 = 48;
/// Height of the line for the title.
pub(super) const TITLE: i32 = 30;

/// Where everything goes.
pub(super) struct Plan<'a> {
    pub(super) topology: &'a Topology,
    pub(super) kind: Kind,
    /// Of the grid, in lines.
    columns: i32,
    rows: i32,
    /// Lines repeated on the left and right, and above and below.
    pub(super) strips: (i32, i32),
    /// Of the picture.
    pub(super) size: (i32, i32),
    /// Left of the board and its margin: room that only the title needs.
    left: i32,
}

/// What a column or row is called, beside the board.
pub(super) struct Name {
    pub(super) place: (i32, i32),
    pub(super) text: String,
    /// The line is one that a strip repeats.
    pub(super) repeated: bool,
}

impl Plan<'_> {
    /// For this board, so many lines repeated if it is a torus, and this title, which may be empty.
    pub(super) fn new<'a>(topology: &'a Topology, strips: usize, title: &str) -> Plan<'a> {
        let kind = topology.shape().kind();
        let (columns, rows) = topology.shape().grid();
        let strips = if kind == Kind::Torus { strips } else { 0 };
        let strips = (strips.min(columns) as i32, strips.min(rows) as i32);
        let (columns, rows) = (columns as i32, rows as i32);
        let step = if kind == Kind::Hex { ROW } else { CELL };
        let wide = (columns + 2 * strips.0 - 1) * CELL + 2 * MARGIN;
        let high = (rows + 2 * strips.1 - 1) * step + 2 * MARGIN;
        let title = if title.is_empty() { (0, 0) } else { (title_width(title), TITLE) };
        let size = (wide.max(title.0), high + title.1);
        Plan { topology, kind, columns, rows, strips, size, left: (size.0 - wide) / 2 }
    }

    /// Where a column from the left and a row from the bottom meet, on the board or off it.
    fn spot(&self, column: i32, row: i32) -> (i32, i32) {
        let (x, y) = (self.left + MARGIN + column * CELL, self.rows - 1 - row);
        match self.kind {
            Kind::Rect | Kind::Torus => (x + self.strips.0 * CELL, MARGIN + (y + self.strips.1) * CELL),
            // each row is half a cell to the left of the one below; the middle one is the widest
            Kind::Hex => (x + (self.columns / 2 - row) * CELL / 2, MARGIN + y * ROW),
        }
    }

    /// Where a point is drawn: on a torus also where a strip repeats it.
    pub(super) fn spots(&self, point: Point) -> Vec<(i32, i32)> {
        let (column, row) = self.topology.place(point);
        let columns = repeats(column as i32, self.columns, self.strips.0);
        let rows = repeats(row as i32, self.rows, self.strips.1);
        rows.flat_map(|row| columns.clone().map(move |column| self.spot(column, row))).collect()
    }

    /// Where points are drawn.
    pub(super) fn spots_of(&self, points: impl Iterator<Item = Point>) -> impl Iterator<Item = (i32, i32)> {
        points.flat_map(|point| self.spots(point))
    }

    /// The board's lines, each as a part of a path.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.kind == Kind::Torus { self.endless_lines() } else { self.bounded_lines() }
    }

    /// The lines of a torus, which run on over the edges.
    fn endless_lines(&self) -> Vec<String> {
        let (left, top, right, bottom) = self.frame(self.strips);
        let across = (-self.strips.1..self.rows + self.strips.1).map(|row| self.spot(0, row).1);
        let up = (-self.strips.0..self.columns + self.strips.0).map(|column| self.spot(column, 0).0);
        let across = across.map(|y| format!("M{left} {y}H{right}"));
        across.chain(up.map(|x| format!("M{x} {top}V{bottom}"))).collect()
    }

    /// The lines of a board with edges: from each point that no line comes to, as far as there are points.
    fn bounded_lines(&self) -> Vec<String> {
        let at = |(column, row): (i32, i32)| {
            let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
            self.topology.at(column, row)
        };
        let steps: &[(i32, i32)] = if self.kind == Kind::Hex { &[(1, 0), (0, 1), (1, 1)] } else { &[(1, 0), (0, 1)] };
        let mut found = Vec::new();
        for &(dx, dy) in steps {
            for point in self.topology.points() {
                let (column, row) = self.topology.place(point);
                let (first, mut end) = ((column as i32, row as i32), (column as i32, row as i32));
                if at((first.0 - dx, first.1 - dy)).is_some() {
                    continue;
                }
                while at((end.0 + dx, end.1 + dy)).is_some() {
                    end = (end.0 + dx, end.1 + dy);
                }
                let (from, to) = (self.spot(first.0, first.1), self.spot(end.0, end.1));
                // a board one point wide would not show where its points are
                let stub = if first == end { self.spot(first.0 + dx, first.1 + dy) } else { from };
                let (x, y) = ((stub.0 - from.0) / 4, (stub.1 - from.1) / 4);
                found.push(format!("M{} {}L{} {}", from.0 - x, from.1 - y, to.0 + x, to.1 + y));
            }
        }
        found
    }

    /// Left, top, right and bottom of a frame half a cell outside the board and so many of its repeated lines.
    pub(super) fn frame(&self, strips: (i32, i32)) -> (i32, i32, i32, i32) {
        let (left, bottom) = self.spot(-strips.0, -strips.1);
        let (right, top) = self.spot(self.columns - 1 + strips.0, self.rows - 1 + strips.1);
        (left - CELL / 2, top - CELL / 2, right + CELL / 2, bottom + CELL / 2)
    }

    /// The coordinates: columns below and above, rows on the left and right.
    pub(super) fn names(&self) -> Vec<Name> {
        let mut names = Vec::new();
        let mut letters = vec![""; self.columns as usize];
        // the first and last row of each column, which on a hexagon has not all
        let mut ends = vec![(self.rows, 0); self.columns as usize];
        for point in self.topology.points() {
            let (column, row) = self.topology.place(point);
            letters[column] = self.topology.name(point).trim_end_matches(|c: char| c.is_ascii_digit());
            ends[column] = (ends[column].0.min(row as i32), ends[column].1.max(row as i32));
        }
        // along a hexagon's column, whose line leans to the left
        let beyond = if self.kind == Kind::Hex { (11, 20) } else { (0, CELL) };
        for column in -self.strips.0..self.columns + self.strips.0 {
            let own = column.rem_euclid(self.columns);
            let (low, high) = ends[own as usize];
            for (row, side) in [(low - self.strips.1, 1), (high + self.strips.1, -1)] {
                let (x, y) = self.spot(column, row);
                let place = (x + side * beyond.0, y + side * beyond.1);
                names.push(Name { place, text: letters[own as usize].into(), repeated: own != column });
            }
        }
        for row in -self.strips.1..self.rows + self.strips.1 {
            let own = row.rem_euclid(self.rows);
            let (first, last) = self.row_ends(row);
            // outside the letters at the two slanting sides that have them
            let away = |beside: bool| if self.kind == Kind::Hex && beside { CELL * 17 / 10 } else { CELL };
            let middle = self.rows / 2;
            for (column, dx) in [(first, -away(row > middle)), (last, away(row < middle))] {
                let (x, y) = self.spot(column, row);
                names.push(Name { place: (x + dx, y), text: (own + 1).to_string(), repeated: own != row });
            }
        }
        names
    }

    /// The outermost columns drawn of a row.
    fn row_ends(&self, row: i32) -> (i32, i32) {
        match self.kind {
            Kind::Rect | Kind::Torus => (-self.strips.0, self.columns - 1 + self.strips.0),
            Kind::Hex => ((row - self.columns / 2).max(0), (row + self.columns / 2).min(self.columns - 1)),
        }
    }
}

/// A line and those beside the board that repeat it.
fn repeats(line: i32, lines: i32, strips: i32) -> impl Iterator<Item = i32> + Clone {
    [line - lines, line, line + lines].into_iter().filter(move |&n| n >= -strips && n < lines + strips)
}

/// Room for a title in whatever font it will be shown, and some to both sides.
fn title_width(title: &str) -> i32 {
    title.chars().map(|c| if c.is_ascii() { 9 } else { 15 }).sum::<i32>() + 30
}
