//! SGF's names of points: a letter for the column from the left, one for the row from the top, `a` to `z`, then `A` to
//! `Z`.

use crate::board::{Point, Topology};

/// The name of a point.
pub(super) fn name(topology: &Topology, point: Point) -> String {
    let (column, row) = topology.place(point);
    let height = topology.shape().grid().1;
    [column, height - 1 - row].map(letter).iter().collect()
}

fn letter(n: usize) -> char {
    (if n < 26 { b'a' + n as u8 } else { b'A' + (n - 26) as u8 }) as char
}

fn number(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some((letter - b'a') as usize),
        b'A'..=b'Z' => Some((letter - b'A') as usize + 26),
        _ => None,
    }
}

/// Column from the left and row from the top of a name, on whatever board.
fn place(name: &str) -> Option<(usize, usize)> {
    match name.trim().as_bytes() {
        [column, row] => Some((number(*column)?, number(*row)?)),
        _ => None,
    }
}

fn at(topology: &Topology, column: usize, row: usize) -> Option<Point> {
    topology.at(column, topology.shape().grid().1.checked_sub(row + 1)?)
}

/// The point of a name; `None` if it is none or not on the board.
pub(super) fn point(topology: &Topology, name: &str) -> Option<Point> {
    let (column, row) = place(name)?;
    at(topology, column, row)
}

/// Whether the value of a move is a pass: empty, or `tt` on a board of up to 19 (as older files have it).
pub(super) fn is_pass(topology: &Topology, value: &str) -> bool {
    let (width, height) = topology.shape().grid();
    value.trim().is_empty() || value.trim() == "tt" && width <= 19 && height <= 19
}

/// The points of one value of a list: a point, or a rectangle `aa:cc`, whose points off the board (of a hexagon) do not
/// count. `None` if it is neither or names a point off the board.
pub(super) fn points(topology: &Topology, value: &str) -> Option<Vec<Point>> {
    let Some((from, to)) = value.split_once(':') else { return point(topology, value).map(|p| vec![p]) };
    let ((a, b), (c, d)) = (place(from)?, place(to)?);
    let (width, height) = topology.shape().grid();
    if a.max(c) >= width || b.max(d) >= height {
        return None;
    }
    let rows = b.min(d)..=b.max(d);
    Some(rows.flat_map(|row| (a.min(c)..=a.max(c)).filter_map(move |column| at(topology, column, row))).collect())
}
