//! Rules as SGF files name them.

use crate::board::{Kind, Shape};
use crate::rules::{Counting, Ending, KEYS, Points, Repetition, Ruleset, Selection, find, find_alias};

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

/// The whole of a selection in the words that choose it again, komi included if it was chosen.
pub fn rules_text(selection: &Selection) -> String {
    let komi = selection.komi.map_or(String::new(), |komi| format!(" komi={komi}"));
    in_words(selection) + &komi
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
    let mut selection = known(name).map_or_else(rulebook, Selection::of);
    selection.ruleset.kind = shape.kind();
    selection.shape = shape;
    selection
}

/// Whether a value of `RU` is understood.
pub(super) fn is_known(name: &str) -> bool {
    known(name).is_some()
}

/// The rules that a value of `RU` names, in any of the forms that are seen; or KataGo's way of writing every switch,
/// `koSIMPLEscoreAREAtaxNONEsui1`.
fn known(name: &str) -> Option<Ruleset> {
    let name = name.trim();
    if let Some(switches) = name.strip_prefix("ko") {
        return katago(switches);
    }
    let lower = name.to_lowercase();
    let plain = lower.trim_end_matches("rules").trim_end_matches("rule").trim();
    let first = plain.split([' ', ',', '(']).next().unwrap_or_default();
    // aliases first: our own files say more in `EGR`
    find_alias(plain).or_else(|| find_alias(first))
}

fn katago(switches: &str) -> Option<Ruleset> {
    let (ko, rest) = switches.split_once("score")?;
    let mut ruleset = find("tromp-taylor")?;
    ruleset.ending = Ending::Agreement;
    ruleset.repetition = match ko {
        "SIMPLE" => Repetition::Ko,
        "POSITIONAL" => Repetition::Positional,
        "SITUATIONAL" => Repetition::Situational,
        _ => return None,
    };
    ruleset.counting = if rest.starts_with("AREA") { Counting::Area } else { Counting::Territory };
    ruleset.suicide = rest.contains("sui1");
    if !rest.contains("taxNONE") || rest.contains("button1") || rest.contains("whb") && !rest.contains("whb0") {
        ruleset.beyond = "a tax, a button or a bonus";
    }
    Some(ruleset)
}

/// Komi as it is meant: Fox writes hundredths, and under Chinese rules those of half of it (`KM[375]` for 7.5).
pub(super) fn komi(written: Points, ruleset: &Ruleset) -> Points {
    if written.abs() < Points::whole(100) {
        return written;
    }
    if ruleset.counting == Counting::Area { written.times(2, 100) } else { written.times(1, 100) }
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
