//! Positions as text.

use std::fmt::Write;

use super::vertex::column_name;
use super::{Color, Kind, Point, Position};

/// What a diagram shows beside the stones.
#[derive(Clone, Copy, Default, Debug)]
pub struct Annotations<'a> {
    /// Stones marked dead, drawn as `x` and `o`.
    pub dead: &'a [Point],
    /// Points put in parentheses: the last turn.
    pub last: &'a [Point],
    /// Lines to the right of the board, from the top.
    pub notes: &'a [String],
    /// With a terminal's colours (256 of them).
    pub color: bool,
    /// On a torus: how many lines of the other edge are repeated round the board.
    pub strips: usize,
}

/// The rows from the top: `X`, `O`, `.`, and `?` where the grid has no point (the corners of a hexagon).
pub fn board_rows(position: &Position) -> Vec<String> {
    let topology = position.topology();
    let (width, height) = topology.shape().grid();
    let cell = |column, row| match topology.at(column, row).map(|p| position.at(p)) {
        None => '?',
        Some(None) => '.',
        Some(Some(Color::Black)) => 'X',
        Some(Some(Color::White)) => 'O',
    };
    (0..height).rev().map(|row| (0..width).map(|column| cell(column, row)).collect()).collect()
}

/// The board with coordinates, star points, the last turn and dead stones. The rows of a hexagon are shifted by half a
/// cell each, so that neighbours touch.
pub fn diagram(position: &Position, shown: Annotations<'_>) -> String {
    let topology = position.topology();
    let (width, height) = topology.shape().grid();
    let kind = topology.shape().kind();
    let strips = if kind == Kind::Torus { shown.strips } else { 0 };
    let columns = around(width, strips);
    let rows = around(height, strips);
    let mut star = vec![false; topology.len()];
    topology.star_points().iter().for_each(|p| star[p.index()] = true);
    // columns of two letters need three characters each
    let wide = if width > 25 { 3 } else { 2 };
    let shift = |row: usize| if kind == Kind::Hex { height - 1 - row } else { 0 };
    let mut names = String::new();
    for column in &columns {
        let name = column.map(column_name).unwrap_or_default();
        (name.len()..wide).for_each(|_| names.push(' '));
        names.push_str(&name);
    }
    let header = |row: usize| format!("{:2$}  {}", "", names, shift(row));
    let mut text = header(height - 1);
    let mut notes = shown.notes.iter();
    for row in rows.iter().rev() {
        text.push('\n');
        let Some(row) = *row else { continue };
        write!(text, "{:1$}{row:>2} ", "", shift(row), row = row + 1).ok();
        let mut after = ' ';
        for column in &columns {
            let point = column.and_then(|column| topology.at(column, row));
            let last = point.is_some_and(|p| shown.last.contains(&p));
            let dead = !shown.dead.is_empty() && point.is_some_and(|p| shown.dead.contains(&p));
            let cell = match point.map(|p| (p, position.at(p))) {
                None => ' ',
                Some((p, None)) if star[p.index()] => '+',
                Some((_, None)) => '.',
                Some((_, Some(Color::Black))) if dead => 'x',
                Some((_, Some(Color::Black))) => 'X',
                Some((_, Some(Color::White))) if dead => 'o',
                Some((_, Some(Color::White))) => 'O',
            };
            if wide > 2 {
                text.push(' ');
            }
            if shown.color {
                let sides = if last { "()" } else { "  " };
                paint(&mut text, after, &sides[..1], cell, point.is_some());
                after = if last { ')' } else { ' ' };
                continue;
            }
            text.push(if last { '(' } else { after });
            text.push(cell);
            after = if last { ')' } else { ' ' };
        }
        write!(text, "{after}{}", row + 1).ok();
        if let Some(note) = notes.next() {
            write!(text, "{:1$}{note}", "", if row + 1 < 10 { 4 } else { 3 }).ok();
        }
    }
    text.push('\n');
    text.push_str(&header(0));
    for note in notes {
        text.push('\n');
        text.push_str(note);
    }
    text
}

/// A cell for a terminal with 256 colours: stones as discs on wood. Brackets round the last turn are red.
fn paint(text: &mut String, after: char, before: &str, cell: char, on_board: bool) {
    const WOOD: &str = "\x1b[48;5;179m";
    const PLAIN: &str = "\x1b[0m";
    if !on_board {
        text.push(after);
        text.push(cell);
        return;
    }
    let bracket = if after == ')' { ")" } else { before };
    let (color, sign) = match cell {
        'X' => (16, '●'),
        'O' => (231, '●'),
        'x' => (16, '×'),
        'o' => (231, '×'),
        '+' => (94, '+'),
        _ => (94, '·'),
    };
    write!(text, "{WOOD}\x1b[38;5;160m{bracket}\x1b[38;5;{color}m{sign}{PLAIN}").ok();
}

/// The lines to draw, from the first to the last: all, and round them `strips` lines from the other edge, each set off
/// by a gap (`None`).
fn around(length: usize, strips: usize) -> Vec<Option<usize>> {
    let strips = strips.min(length);
    let all = (0..length).map(Some);
    if strips == 0 {
        return all.collect();
    }
    let before = (length - strips..length).map(Some).chain([None]);
    let after = [None].into_iter().chain((0..strips).map(Some));
    before.chain(all).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Shape, Topology};
    use std::sync::Arc;

    fn drawn(shape: Shape, stones: &str, strips: usize, notes: &[String]) -> String {
        let topology = Arc::new(Topology::new(shape));
        let mut position = Position::new(topology.clone());
        let point = |name| topology.point(name).unwrap();
        for (i, name) in stones.split_whitespace().enumerate() {
            position.put(Color::BOTH[i % 2], point(name));
        }
        let last: Vec<Point> = stones.split_whitespace().last().map(point).into_iter().collect();
        let dead = [point("A1")];
        let text = diagram(&position, Annotations { dead: &dead, last: &last, notes, strips, color: false });
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn rectangle_with_notes() {
        let notes = ["one", "two", "three", "four"].map(String::from);
        let expected = [
            "   A B C D E",
            " 3  . . . . . 3    one",
            " 2  . . .(O). 2    two",
            " 1  x . . . . 1    three",
            "   A B C D E",
            "four",
        ];
        assert_eq!(drawn(Shape::rect(5, 3).unwrap(), "A1 D2", 0, &notes), expected.join("\n"));
    }

    #[test]
    fn colours_change_nothing_but_the_signs() {
        let topology = Arc::new(Topology::new(Shape::rect(5, 3).unwrap()));
        let mut position = Position::new(topology.clone());
        let (a1, d2) = (topology.point("A1").unwrap(), topology.point("D2").unwrap());
        position.put(Color::Black, a1);
        position.put(Color::White, d2);
        let shown = Annotations { dead: &[a1], last: &[d2], ..Annotations::default() };
        let plain = diagram(&position, shown);
        let mut colored = diagram(&position, Annotations { color: true, ..shown });
        assert!(colored.contains("\x1b[38;5;231m●"), "{colored}");
        while let Some(start) = colored.find('\x1b') {
            let end = start + colored[start..].find('m').unwrap();
            colored.replace_range(start..=end, "");
        }
        assert_eq!(colored.replace('●', "O").replace('×', "x").replace('·', "."), plain);
    }

    #[test]
    fn torus_with_its_edges_repeated() {
        let expected = [
            "   D E   A B C D E   A B",
            " 2  .(O)  . . . .(O)  . . 2",
            " 1  . .   x . . . .   x . 1",
            "",
            " 3  . .   . . . . .   . . 3",
            " 2  .(O)  . . . .(O)  . . 2",
            " 1  . .   x . . . .   x . 1",
            "",
            " 3  . .   . . . . .   . . 3",
            " 2  .(O)  . . . .(O)  . . 2",
            "   D E   A B C D E   A B",
        ];
        assert_eq!(drawn(Shape::torus(5, 3).unwrap(), "A1 E2", 2, &[]), expected.join("\n"));
    }

    #[test]
    fn hexagon_shifted_row_by_row() {
        let expected = ["   A B C", " 3    . . 3", "  2  . + . 2", "   1  x(O)  1", "     A B C"];
        assert_eq!(drawn(Shape::hex(2).unwrap(), "A1 B1", 0, &[]), expected.join("\n"));
    }
}
