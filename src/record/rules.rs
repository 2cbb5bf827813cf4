//! Rules as SGF files name them.

use crate::board::{Kind, Shape};
use crate::rules::{KEYS, Selection, find, find_alias};

/// The whole of a selection in the words that choose it again: a name and every setting.
pub(super) fn in_words(selection: &Selection) -> String {
    let rules = &selection.ruleset;
    let mut words = vec![rules.name.to_string()];
    words.push(format!("topology={}", selection.shape.kind().name()));
    words.push(format!("size={}", selection.shape));
    words.extend(rules.switches().map(|(key, value)| format!("{key}={value}")));
    debug_assert!(words.len() == KEYS.len(), "all keys but komi, and the name");
    words.join(" ")
}

/// The selection that [`in_words`] wrote.
pub(super) fn from_words(words: &str) -> Option<Selection> {
    let mut words = words.split_whitespace();
    Selection::parse(words.next()?, words).ok()
}

/// The general rulebook, on its usual board.
pub(super) fn rulebook() -> Selection {
    Selection::of(find("rulebook").expect("the rulebook is in the table"))
}

/// The selection for a value of `RU` on a board of this shape; the general rulebook if it says nothing that is known.
pub(super) fn from_name(name: &str, shape: Shape) -> Selection {
    // our own names come first: `RU[aga]` is written by us for rules with pass stones
    let ruleset = find(name.trim()).or_else(|| find_alias(name));
    let mut selection = ruleset.map_or_else(rulebook, Selection::of);
    selection.ruleset.kind = shape.kind();
    selection.shape = shape;
    selection
}

/// The shape that `SZ` says: `19`, `13:9`; the default of SGF if it says nothing.
pub(super) fn shape(size: Option<&str>, kind: Kind) -> Option<Shape> {
    let size = size.unwrap_or("19").trim();
    let number = |word: &str| word.trim().parse::<usize>().ok();
    let (width, height) = match size.split_once(':') {
        Some((width, height)) => (number(width)?, number(height)?),
        None => (number(size)?, number(size)?),
    };
    Shape::new(kind, width, height).ok()
}
