//! Names of points: letters without I, base 25 after Z (`AA` is the 26th column), rows from the bottom.
//!
//! KataGo, q5Go, KaTrain and LizzieYzy agree on the letters after Z.

use std::fmt;

const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// Why a word names no point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VertexError {
    /// Not of the form of a vertex.
    Syntax,
    /// A column letter I.
    LetterI,
    /// A vertex, but of a larger board.
    OffBoard,
}

impl fmt::Display for VertexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VertexError::Syntax => "not a vertex",
            VertexError::LetterI => "the columns have no letter I",
            VertexError::OffBoard => "not on the board",
        })
    }
}

impl std::error::Error for VertexError {}

/// A name of at most four bytes, kept in place so that lists are written without formatting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    len: u8,
    text: [u8; 4],
}

impl Name {
    /// The name of a column and row, both from 0, below 52.
    pub(super) fn new(column: usize, row: usize) -> Name {
        let letters = [(column >= 25).then(|| LETTERS[column / 25 - 1]), Some(LETTERS[column % 25])];
        let number = row as u8 + 1;
        let digits = [(number >= 10).then_some(b'0' + number / 10), Some(b'0' + number % 10)];
        let mut name = Name { len: 0, text: [0; 4] };
        for byte in letters.into_iter().chain(digits).flatten() {
            name.text[name.len as usize] = byte;
            name.len += 1;
        }
        name
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..self.len as usize]).unwrap_or_default()
    }
}

/// The letters of a column, counted from 0.
pub(super) fn column_name(column: usize) -> String {
    let letter = |i: usize| LETTERS[i % 25] as char;
    match column / 25 {
        0 => letter(column).to_string(),
        high => format!("{}{}", letter(high - 1), letter(column)),
    }
}

/// Column and row, both from 0, of a name in either case, or of `(x,y)` counted from the top left of a grid
/// `height` rows high (as Lizzie and LizzieYzy write it).
#[inline]
pub(super) fn parse(name: &str, height: usize) -> Result<(usize, usize), VertexError> {
    let name = name.as_bytes();
    // nearly every vertex: a letter and one or two digits
    let (letter, row) = match *name {
        [letter, a @ b'1'..=b'9'] => (letter, a - b'1'),
        [letter, a @ b'1'..=b'9', b @ b'0'..=b'9'] => (letter, (a - b'0') * 10 + b - b'1'),
        _ => return parse_any(name, height),
    };
    match letter | 32 {
        b'i' => Err(VertexError::LetterI),
        lower @ b'a'..=b'z' => Ok((LETTER_DIGITS[(lower - b'a') as usize] as usize, row as usize)),
        _ => Err(VertexError::Syntax),
    }
}

fn parse_any(name: &[u8], height: usize) -> Result<(usize, usize), VertexError> {
    if name.first() == Some(&b'(') {
        return parse_pair(name, height);
    }
    let letters = name.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (letters, digits) = name.split_at(letters);
    if letters.iter().any(|b| b | 32 == b'i') && matches!(letters.len(), 1 | 2) && number(digits).is_some() {
        return Err(VertexError::LetterI);
    }
    let digit = |b: u8| LETTER_DIGITS[(b | 32).wrapping_sub(b'a') as usize & 31] as usize;
    let column = match letters {
        [a] => digit(*a),
        [a, b] => (digit(*a) + 1) * 25 + digit(*b),
        _ => return Err(VertexError::Syntax),
    };
    match number(digits) {
        Some(0) | None => Err(VertexError::Syntax),
        Some(row) => Ok((column, row - 1)),
    }
}

/// The value of each letter from a to z; I is refused before.
const LETTER_DIGITS: [u8; 32] = {
    let mut digits = [0; 32];
    let mut i = 0;
    while i < 25 {
        digits[(LETTERS[i] - b'A') as usize] = i as u8;
        i += 1;
    }
    digits
};

fn parse_pair(name: &[u8], height: usize) -> Result<(usize, usize), VertexError> {
    let inner = name.strip_prefix(b"(").and_then(|n| n.strip_suffix(b")")).ok_or(VertexError::Syntax)?;
    let comma = inner.iter().position(|&b| b == b',').ok_or(VertexError::Syntax)?;
    let pair = (number(&inner[..comma]), number(&inner[comma + 1..]));
    let (Some(x), Some(y)) = pair else { return Err(VertexError::Syntax) };
    if y < height { Ok((x, height - 1 - y)) } else { Err(VertexError::OffBoard) }
}

/// A number of one to four digits; longer ones are off every board, so any large value serves.
fn number(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0usize, |n, d| n.saturating_mul(10).saturating_add((d - b'0') as usize)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_after_z() {
        let names = [
            (0, "A"),
            (7, "H"),
            (8, "J"),
            (24, "Z"),
            (25, "AA"),
            (26, "AB"),
            (36, "AM"),
            (49, "AZ"),
            (50, "BA"),
            (51, "BB"),
        ];
        for (column, name) in names {
            assert_eq!(column_name(column), name);
            assert_eq!(parse(&format!("{name}7"), 52), Ok((column, 6)));
            assert_eq!(parse(&format!("{}52", name.to_lowercase()), 52), Ok((column, 51)));
        }
        for column in 0..52 {
            assert_eq!(parse(Name::new(column, 51 - column).as_str(), 52), Ok((column, 51 - column)));
        }
    }

    #[test]
    fn what_is_no_vertex() {
        for name in
            ["", "D", "4", "D0", "D-1", "D4x", "ABC1", "(1;2)", "(1,2", "(,2)", "(1,)", "()", "é4", "(é,1)", "D4 "]
        {
            assert_eq!(parse(name, 9), Err(VertexError::Syntax), "{name}");
        }
        assert_eq!(parse("i5", 9), Err(VertexError::LetterI));
        assert_eq!(parse("AI5", 9), Err(VertexError::LetterI));
        assert!(parse("D99999999999999999999999", 9).is_ok(), "a vertex of some board, if not of this one");
    }

    #[test]
    fn pairs_from_the_top_left() {
        assert_eq!(parse("(0,0)", 9), Ok((0, 8)));
        assert_eq!(parse("(3,8)", 9), Ok((3, 0)));
        assert_eq!(parse("(3,9)", 9), Err(VertexError::OffBoard));
    }
}
