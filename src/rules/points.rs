//! Points and komi, exactly.

use std::fmt;
use std::ops::{Add, Neg, Sub};
use std::str::FromStr;

/// A number of points, kept in thousandths: komi may have three decimals, and nothing may drift.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(i64);

/// The largest komi, in whole points either way: far more than any board is worth.
const MOST: i64 = 100_000;

/// Why a word is no number of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointsError;

impl fmt::Display for PointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from -{MOST} to {MOST} with at most three decimals")
    }
}

impl std::error::Error for PointsError {}

impl Points {
    /// From thousandths of a point.
    pub const fn thousandths(n: i32) -> Points {
        Points(n as i64)
    }

    /// Whole points.
    pub fn whole(n: usize) -> Points {
        Points(n as i64 * 1000)
    }

    /// The distance from 0.
    pub fn abs(self) -> Points {
        Points(self.0.abs())
    }

    /// This number times a fraction, rounded towards 0.
    pub fn times(self, numerator: i64, denominator: i64) -> Points {
        Points(self.0 * numerator / denominator)
    }

    /// With at least one decimal, as GNU Go writes komi: `6.5`, `0.0`.
    pub fn with_decimal(self) -> String {
        let text = self.to_string();
        if text.contains('.') { text } else { text + ".0" }
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(-self.0)
    }
}

impl fmt::Display for Points {
    /// Without superfluous decimals: `7.5`, `0`, `-3.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.abs() / 1000, self.0.abs() % 1000);
        let sign = if self.0 < 0 { "-" } else { "" };
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let part = format!("{part:03}");
        write!(f, "{sign}{whole}.{}", part.trim_end_matches('0'))
    }
}

impl FromStr for Points {
    type Err = PointsError;

    /// Reads `6.5`, `6,5` (some front ends write their locale's comma), `-3`, `+.5`, `7.`; further decimals only if 0.
    fn from_str(text: &str) -> Result<Points, PointsError> {
        let (sign, digits) = match text.as_bytes() {
            [b'-', ..] => (-1, &text[1..]),
            [b'+', ..] => (1, &text[1..]),
            _ => (1, text),
        };
        let (whole, part) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.len() + part.len() == 0 || !all_digits(whole) || !all_digits(part) {
            return Err(PointsError);
        }
        let part = part.trim_end_matches('0');
        let whole = whole.trim_start_matches('0');
        if part.len() > 3 || whole.len() > 6 {
            return Err(PointsError);
        }
        let number = |s: &str| s.bytes().fold(0i64, |n, b| n * 10 + (b - b'0') as i64);
        let thousandths = number(whole) * 1000 + number(&format!("{part:0<3}"));
        if thousandths > MOST * 1000 { Err(PointsError) } else { Ok(Points(sign * thousandths)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        let cases = [
            ("7.5", "7.5"),
            ("7,50", "7.5"),
            ("0", "0"),
            ("-0", "0"),
            ("-3.25", "-3.25"),
            (".125", "0.125"),
            ("7.", "7"),
            ("+2", "2"),
            ("007.5000", "7.5"),
            ("100000", "100000"),
            ("-100000.0", "-100000"),
        ];
        for (text, written) in cases {
            assert_eq!(text.parse::<Points>().map(|p| p.to_string()), Ok(written.to_string()), "{text}");
        }
        for text in [
            "",
            ".",
            "-",
            "nan",
            "inf",
            "1e3",
            "7.5.5",
            "7,5,5",
            "0.0625",
            "100000.001",
            "--1",
            "0x10",
            "é",
            "6 5",
            "99999999999999",
        ] {
            assert_eq!(text.parse::<Points>(), Err(PointsError), "{text}");
        }
        assert_eq!(Points::whole(0).with_decimal(), "0.0");
        assert_eq!(Points::thousandths(6250).with_decimal(), "6.25");
    }
}
