//! Choosing rules by name and `key=value`: what `--rules` and `egtp_rules` read.

use std::fmt;

use super::{Counting, Ending, Points, RULESETS, Repetition, Ruleset, find};
use crate::board::{Kind, Shape, ShapeError};

/// The keys that can be set, in the order in which they are written.
pub const KEYS: [&str; 12] = [
    "topology",
    "size",
    "komi",
    "repetition",
    "suicide",
    "counting",
    "ending",
    "special",
    "pass_stones",
    "handicap",
    "resign",
    "takeback",
];

/// A ruleset with a board to play it on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// The rules, switches set.
    pub ruleset: Ruleset,
    /// The board.
    pub shape: Shape,
    /// Komi if one was asked for, else the ruleset's.
    pub komi: Option<Points>,
}

/// Why rules could not be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingError {
    /// There is no such ruleset.
    UnknownRuleset(String),
    /// Not of the form `key=value`.
    NotASetting(String),
    /// There is no such key.
    UnknownKey(String),
    /// The key cannot have that value; what it can have.
    BadValue(&'static str, String, String),
    /// No board of that size.
    Shape(ShapeError),
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::UnknownRuleset(name) => {
                let names: Vec<&str> = RULESETS.iter().map(|r| r.name).collect();
                write!(f, "no ruleset {name}; there are {}", names.join(" "))
            }
            SettingError::NotASetting(word) => write!(f, "{word} is not of the form key=value"),
            SettingError::UnknownKey(key) => write!(f, "no key {key}; there are {}", KEYS.join(" ")),
            SettingError::BadValue(key, value, values) => write!(f, "{key} cannot be {value}; it can be {values}"),
            SettingError::Shape(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SettingError {}

impl Selection {
    /// A ruleset on its default board.
    pub fn of(ruleset: Ruleset) -> Selection {
        let (width, height) = ruleset.sizes.default();
        let shape = Shape::new(ruleset.kind, width, height);
        // the table's defaults are checked by a test; a topology set by hand may not have the size
        let shape = shape.or(Shape::new(ruleset.kind, 8, 8)).expect("every kind of board has size 8");
        Selection { ruleset, shape, komi: None }
    }

    /// A ruleset by name, with `key=value` settings in any order.
    pub fn parse<'a>(name: &str, settings: impl Iterator<Item = &'a str>) -> Result<Selection, SettingError> {
        let ruleset = find(name).ok_or_else(|| SettingError::UnknownRuleset(name.into()))?;
        let mut selection = Selection::of(ruleset);
        let mut size = None;
        for setting in settings {
            let (key, value) = setting.split_once('=').ok_or_else(|| SettingError::NotASetting(setting.into()))?;
            if key == "size" {
                size = Some(value);
            } else {
                selection.set(key, value)?;
            }
        }
        let (width, height) = match size {
            Some(text) => parse_size(text)?,
            None => selection.shape.size(),
        };
        selection.shape = Shape::new(selection.ruleset.kind, width, height).map_err(SettingError::Shape)?;
        Ok(selection)
    }

    /// Sets any key but the size, which only means something together with the topology.
    fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let rules = &mut self.ruleset;
        match key {
            "topology" => {
                let kinds = [Kind::Rect, Kind::Torus, Kind::Hex];
                rules.kind = one_of("topology", value, &kinds.map(|k| (k.name(), k)))?;
                // another kind of board has its own usual size
                if rules.kind == Kind::Hex && self.shape.kind() != Kind::Hex {
                    self.shape = Shape::hex(8).map_err(SettingError::Shape)?;
                } else if rules.kind != Kind::Hex && self.shape.kind() == Kind::Hex {
                    self.shape = Shape::rect(9, 9).map_err(SettingError::Shape)?;
                }
            }
            "komi" => {
                let bad = |e| SettingError::BadValue("komi", value.into(), format!("{e}"));
                self.komi = Some(value.parse().map_err(bad)?);
            }
            _ => rules.set(key, value)?,
        }
        Ok(())
    }

    /// Komi of the game: the one asked for, or the ruleset's.
    pub fn komi(&self) -> Points {
        self.komi.unwrap_or_else(|| self.ruleset.komi(self.shape))
    }
}

impl Ruleset {
    /// Sets a switch by its name in the protocol: any key but `topology`, `size` and `komi`.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        const YES: [(&str, bool); 2] = [("yes", true), ("no", false)];
        match key {
            "repetition" => {
                self.repetition = one_of("repetition", value, &Repetition::ALL.map(|r| (r.name(), r)))?;
            }
            "suicide" => self.suicide = one_of("suicide", value, &[("refused", false), ("allowed", true)])?,
            "counting" => self.counting = one_of("counting", value, &Counting::ALL.map(|c| (c.name(), c)))?,
            "ending" => self.ending = one_of("ending", value, &Ending::ALL.map(|e| (e.name(), e)))?,
            "special" => self.special = one_of("special", value, &YES)?,
            "pass_stones" => self.pass_stones = one_of("pass_stones", value, &YES)?,
            "handicap" => self.handicap = one_of("handicap", value, &YES)?,
            "resign" => self.resign = one_of("resign", value, &YES)?,
            "takeback" => self.takeback = one_of("takeback", value, &YES)?,
            _ => return Err(SettingError::UnknownKey(key.into())),
        }
        Ok(())
    }
}

fn one_of<T: Copy>(key: &'static str, value: &str, values: &[(&str, T)]) -> Result<T, SettingError> {
    let names = || values.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let found = values.iter().find(|(name, _)| *name == value);
    found.map(|(_, v)| *v).ok_or_else(|| SettingError::BadValue(key, value.into(), names()))
}

/// `9` or `13x9`.
fn parse_size(text: &str) -> Result<(usize, usize), SettingError> {
    let bad = || SettingError::BadValue("size", text.into(), "a number, or WIDTHxHEIGHT".into());
    let number = |word: &str| word.parse::<u16>().map(usize::from).map_err(|_| bad());
    match text.split_once(['x', 'X']) {
        Some((width, height)) => Ok((number(width)?, number(height)?)),
        None => number(text).map(|n| (n, n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Selection, SettingError> {
        let mut words = text.split(',');
        let name = words.next().unwrap();
        Selection::parse(name, words)
    }

    #[test]
    fn every_switch_can_be_set_by_itself() {
        for ruleset in RULESETS {
            for (key, value) in ruleset.switches() {
                let set = parse(&format!("{},{key}={value}", ruleset.name)).unwrap();
                assert_eq!(set.ruleset, *ruleset, "{key}={value} is what it was");
            }
        }
        let set = parse("rulebook,size=13x9,topology=torus,komi=0,special=yes").unwrap();
        assert_eq!(
            (set.ruleset.special, set.shape, set.komi().to_string()),
            (true, Shape::torus(13, 9).unwrap(), "0".into())
        );
        assert_eq!(parse("enhanced,topology=hex").unwrap().shape, Shape::hex(8).unwrap());
        assert_eq!(parse("hexgo,topology=rect").unwrap().shape, Shape::rect(9, 9).unwrap());
        assert_eq!(parse("enhanced,size=1x52").unwrap().shape, Shape::rect(1, 52).unwrap());
    }

    #[test]
    fn what_cannot_be_chosen_says_what_can() {
        let cases = [
            ("chess", "no ruleset chess; there are enhanced littlegolem"),
            ("enhanced,special", "special is not of the form key=value"),
            ("enhanced,colour=red", "no key colour; there are topology size komi"),
            ("enhanced,special=maybe", "special cannot be maybe; it can be yes, no"),
            ("enhanced,size=53", "a rect is 1 to 52 points wide and high"),
            ("enhanced,size=0", "a rect is 1 to 52"),
            ("enhanced,size=9x", "size cannot be 9x; it can be a number, or WIDTHxHEIGHT"),
            ("hexgo,size=9x8", "a hex board has sides of 1 to 26"),
            ("enhanced,komi=nan", "komi cannot be nan; it can be a number from -100000"),
        ];
        for (text, start) in cases {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.starts_with(start), "{text}: {message}");
        }
    }
}
