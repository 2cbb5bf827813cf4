//! Words as arguments: colours, vertices, moves, numbers.

use super::Failure;
use crate::board::{Color, Point, Topology, VertexError};
use crate::gtp::Args;

/// A move as `play` takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move {
    Point(Point),
    Pass,
    Resign,
}

/// A colour: `b`, `w`, `black` or `white` in either case.
pub(super) fn color(word: &str) -> Result<Color, Failure> {
    match word.as_bytes() {
        [b'b' | b'B'] => Ok(Color::Black),
        [b'w' | b'W'] => Ok(Color::White),
        _ if word.eq_ignore_ascii_case("black") => Ok(Color::Black),
        _ if word.eq_ignore_ascii_case("white") => Ok(Color::White),
        _ => Err(Failure::Usage),
    }
}

/// The colour at a place of the arguments; the table has seen that there is a word.
pub(super) fn color_at(args: &Args<'_>, index: usize) -> Result<Color, Failure> {
    args.get(index).map_or(Err(Failure::Usage), color)
}

/// A point of the board.
pub(super) fn vertex(topology: &Topology, word: &str) -> Result<Point, Failure> {
    topology.point(word).map_err(|error| Failure::vertex(word, error))
}

/// The point at a place of the arguments.
pub(super) fn vertex_at(topology: &Topology, args: &Args<'_>, index: usize) -> Result<Point, Failure> {
    vertex(topology, args.get(index).ok_or(Failure::Usage)?)
}

/// Points of the board. A word that is no vertex at all outweighs one off the board.
pub(super) fn vertices(topology: &Topology, words: &[&str]) -> Result<Vec<Point>, Failure> {
    let points: Vec<Result<Point, Failure>> = words.iter().map(|word| vertex(topology, word)).collect();
    if let Some(Err(failure)) = points.iter().find(|p| !matches!(p, Ok(_) | Err(Failure::OffBoard(_)))) {
        return Err(failure.clone());
    }
    points.into_iter().collect()
}

/// A vertex, `pass` or `resign`.
#[inline]
pub(super) fn a_move(topology: &Topology, word: &str) -> Result<Move, Failure> {
    match topology.point(word) {
        Ok(point) => Ok(Move::Point(point)),
        Err(VertexError::Syntax) if word.eq_ignore_ascii_case("pass") => Ok(Move::Pass),
        Err(VertexError::Syntax) if word.eq_ignore_ascii_case("resign") => Ok(Move::Resign),
        Err(error) => Err(Failure::vertex(word, error)),
    }
}

/// A whole number, not negative.
pub(super) fn number(word: &str) -> Result<usize, Failure> {
    let digits = word.strip_prefix('+').unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Failure::Usage);
    }
    // a number too large to be kept is too large for everything it could mean
    Ok(digits.parse().unwrap_or(usize::MAX))
}

/// The number at a place of the arguments.
pub(super) fn number_at(args: &Args<'_>, index: usize) -> Result<usize, Failure> {
    args.get(index).map_or(Err(Failure::Usage), number)
}
