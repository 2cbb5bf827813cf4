//! Positions as text.

use std::fmt::Write;

use super::vertex::column_name;
use super::{Color, Point, Position};

/// What a diagram shows beside the stones.
#[derive(Clone, Copy, Default, Debug)]
pub struct Annotations<'a> {
    /// Stones marked dead, drawn as `x` and `o`.
    pub dead: &'a [Point],
    /// Points put in parentheses: the last turn.
    pub last: &'a [Point],
    /// Lines to the right of the board, from the top.
    pub notes: &'a [String],
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

/// The board with coordinates, star points, the last turn and dead stones. The rows of a hexagon are shifted by
/// half a cell each, so that neighbours touch.
pub fn diagram(position: &Position, shown: Annotations<'_>) -> String {
    let topology = position.topology();
    let (width, height) = topology.shape().grid();
    let hex = topology.shape().kind() == super::Kind::Hex;
    let stars = topology.star_points();
    // columns of two letters need three characters each
    let wide = if width > 25 { 3 } else { 2 };
    let shift = |row: usize| if hex { height - 1 - row } else { 0 };
    let header = |row: usize| {
        let names: String = (0..width).map(|column| format!("{:>wide$}", column_name(column))).collect();
        format!("{:2$}  {}", "", names, shift(row))
    };
    let mut text = header(height - 1);
    for row in (0..height).rev() {
        write!(text, "\n{:1$}", "", shift(row)).ok();
        write!(text, "{:>2} ", row + 1).ok();
        let mut after = ' ';
        for column in 0..width {
            let point = topology.at(column, row);
            let last = point.is_some_and(|p| shown.last.contains(&p));
            let dead = point.is_some_and(|p| shown.dead.contains(&p));
            let cell = match point.map(|p| (p, position.at(p))) {
                None => ' ',
                Some((p, None)) if stars.contains(&p) => '+',
                Some((_, None)) => '.',
                Some((_, Some(Color::Black))) => {
                    if dead {
                        'x'
                    } else {
                        'X'
                    }
                }
                Some((_, Some(Color::White))) => {
                    if dead {
                        'o'
                    } else {
                        'O'
                    }
                }
            };
            write!(text, "{:1$}", "", wide - 2).ok();
            text.push(if last { '(' } else { after });
            text.push(cell);
            after = if last { ')' } else { ' ' };
        }
        write!(text, "{after}{}", row + 1).ok();
        if let Some(note) = shown.notes.get(height - 1 - row) {
            write!(text, "{:1$}{note}", "", if row + 1 < 10 { 4 } else { 3 }).ok();
        }
    }
    text.push('\n');
    text.push_str(&header(0));
    for note in shown.notes.iter().skip(height) {
        text.push('\n');
        text.push_str(note);
    }
    text
}
