//! The named rulesets. Adding one is adding an entry; nothing else in the program knows a name.
//!
//! Sources: Enhanced Go (Peace Cat Games, after Ian Joiner); Go, toroidal Go and HexGo on Little Golem; the AGA's
//! rules of Go; Go on Playboard; a general rulebook; Tromp and Taylor's rules; KataGo's rules of the other names.

use super::{Counting, Ending, KomiRule, Points, Repetition, Ruleset, Sizes};
use crate::board::Kind;

const fn komi(thousandths: i32) -> KomiRule {
    KomiRule { size: None, counting: None, komi: Points::thousandths(thousandths) }
}

/// The general rulebook, from which the others differ.
const RULEBOOK: Ruleset = Ruleset {
    name: "rulebook",
    aliases: &[],
    about: "the general rulebook: territory (or counting=area), ko, dead stones by agreement, handicap",
    beyond: "",
    kind: Kind::Rect,
    sizes: Sizes::Square(&[19, 13, 9]),
    komi: &[KomiRule { counting: Some(Counting::Area), ..komi(7500) }, komi(6500)],
    repetition: Repetition::Ko,
    suicide: false,
    counting: Counting::Territory,
    ending: Ending::Agreement,
    special: false,
    pass_stones: false,
    handicap: true,
    resign: true,
    takeback: true,
};

/// Little Golem's Go on the square board.
const LITTLE_GOLEM: Ruleset = Ruleset {
    name: "littlegolem",
    about: "Go on Little Golem: territory, ko, the score is proposed and accepted",
    sizes: Sizes::Square(&[19, 9, 13, 27, 37]),
    komi: &[komi(6500)],
    ending: Ending::Proposal,
    handicap: false,
    takeback: false,
    ..RULEBOOK
};

/// Tromp and Taylor's rules, from which KataGo's others differ.
const TROMP_TAYLOR: Ruleset = Ruleset {
    name: "tromp-taylor",
    aliases: &["cgos"],
    about: "Tromp and Taylor: area, positional superko, suicide allowed, every stone left is alive",
    sizes: Sizes::Between(2, 52, 19),
    komi: &[komi(7500)],
    repetition: Repetition::Positional,
    suicide: true,
    counting: Counting::Area,
    ending: Ending::AllAlive,
    ..RULEBOOK
};

const CHINESE: Ruleset = Ruleset {
    name: "chinese",
    aliases: &[],
    about: "KataGo's chinese: area, ko",
    beyond: "White's bonus of one point for each handicap stone",
    repetition: Repetition::Ko,
    suicide: false,
    ending: Ending::Agreement,
    ..TROMP_TAYLOR
};

const JAPANESE: Ruleset = Ruleset {
    name: "japanese",
    about: "KataGo's japanese: territory, ko",
    beyond: "eyes in seki count for nothing",
    komi: &[komi(6500)],
    counting: Counting::Territory,
    ..CHINESE
};

const BGA: Ruleset = Ruleset {
    name: "bga",
    // KataGo's aga has no pass stones, and so have the files of most servers
    aliases: &["aga"],
    about: "KataGo's bga: area, situational superko",
    beyond: "White's bonus of one point for each handicap stone but the first",
    repetition: Repetition::Situational,
    ..CHINESE
};

/// All named rulesets, in the order in which they are listed; the first is the default.
pub const RULESETS: &[Ruleset] = &[
    Ruleset {
        name: "enhanced",
        about: "Enhanced Go: n stones in one turn for n² of one's own; area, positional superko, agreement",
        sizes: Sizes::Square(&[9, 13, 19]),
        komi: &[komi(7500)],
        repetition: Repetition::Positional,
        counting: Counting::Area,
        special: true,
        handicap: false,
        resign: false,
        takeback: false,
        ..RULEBOOK
    },
    LITTLE_GOLEM,
    Ruleset {
        name: "toroidal",
        about: "Little Golem's toroidal Go: opposite edges are joined",
        kind: Kind::Torus,
        sizes: Sizes::Square(&[11, 17]),
        komi: &[KomiRule { size: Some(17), ..komi(5500) }, komi(4500)],
        ..LITTLE_GOLEM
    },
    Ruleset {
        name: "hexgo",
        about: "Little Golem's HexGo: a hexagon of cells, area, positional superko, each pass proposes the dead",
        kind: Kind::Hex,
        sizes: Sizes::Square(&[8]),
        komi: &[komi(5500)],
        repetition: Repetition::Positional,
        counting: Counting::Area,
        ending: Ending::PassProposal,
        ..LITTLE_GOLEM
    },
    Ruleset {
        name: "aga",
        about: "the AGA's rules: area, situational superko, pass stones, White passes last, disputes",
        sizes: Sizes::Square(&[19]),
        komi: &[komi(7500)],
        repetition: Repetition::Situational,
        counting: Counting::Area,
        ending: Ending::Aga,
        pass_stones: true,
        handicap: false,
        takeback: false,
        ..RULEBOOK
    },
    Ruleset {
        name: "playboard",
        about: "Playboard's Japanese 9×9: territory, ko, dead stones come off by assessment at the second pass",
        sizes: Sizes::Square(&[9]),
        komi: &[komi(6500)],
        ending: Ending::Automatic,
        handicap: false,
        resign: false,
        takeback: false,
        ..RULEBOOK
    },
    RULEBOOK,
    TROMP_TAYLOR,
    CHINESE,
    Ruleset {
        name: "chinese-ogs",
        about: "KataGo's chinese-ogs: area, positional superko",
        repetition: Repetition::Positional,
        ..CHINESE
    },
    Ruleset {
        name: "chinese-kgs",
        about: "KataGo's chinese-kgs: area, positional superko",
        repetition: Repetition::Positional,
        ..CHINESE
    },
    JAPANESE,
    Ruleset { name: "korean", about: "KataGo's korean: territory, ko", ..JAPANESE },
    BGA,
    Ruleset { name: "french", aliases: &["ffg"], about: "KataGo's french: area, situational superko", ..BGA },
    Ruleset {
        name: "new-zealand",
        // Ing's rules, too, but for their own ko
        aliases: &["nz", "goe", "ing"],
        about: "KataGo's new-zealand: area, situational superko, suicide allowed",
        beyond: "",
        repetition: Repetition::Situational,
        suicide: true,
        ..CHINESE
    },
];

/// The ruleset of that name.
pub fn find(name: &str) -> Option<Ruleset> {
    RULESETS.iter().copied().find(|ruleset| ruleset.name == name)
}

/// The ruleset that other programs call so: by an alias, else by its name. Case and anything but letters and digits do
/// not matter.
pub fn find_alias(name: &str) -> Option<Ruleset> {
    let plain = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let wanted = plain(name);
    let by_alias = RULESETS.iter().find(|ruleset| ruleset.aliases.iter().any(|alias| plain(alias) == wanted));
    by_alias.or_else(|| RULESETS.iter().find(|ruleset| plain(ruleset.name) == wanted)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    #[test]
    fn names_are_unique_and_defaults_can_be_played() {
        for (i, ruleset) in RULESETS.iter().enumerate() {
            assert!(RULESETS[..i].iter().all(|other| other.name != ruleset.name), "{}", ruleset.name);
            let (width, height) = ruleset.sizes.default();
            assert!(ruleset.sizes.offer(width, height));
            assert!(Shape::new(ruleset.kind, width, height).is_ok());
        }
        assert_eq!(RULESETS[0].name, "enhanced");
    }

    #[test]
    fn komi_depends_on_size_and_counting() {
        let komi = |name, counting: Option<Counting>, n| {
            let ruleset = find(name).unwrap();
            let ruleset = Ruleset { counting: counting.unwrap_or(ruleset.counting), ..ruleset };
            ruleset.komi(Shape::new(ruleset.kind, n, n).unwrap()).to_string()
        };
        assert_eq!(komi("enhanced", None, 9), "7.5");
        assert_eq!(komi("rulebook", None, 19), "6.5");
        assert_eq!(komi("rulebook", Some(Counting::Area), 19), "7.5");
        assert_eq!(komi("toroidal", None, 11), "4.5");
        assert_eq!(komi("toroidal", None, 17), "5.5");
        assert_eq!(komi("toroidal", None, 5), "4.5");
        assert_eq!(komi("hexgo", None, 8), "5.5");
    }
}
