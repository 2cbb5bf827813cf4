//! What a ruleset is: independent switches.

use super::Points;
use crate::board::{Kind, Shape};

/// A rule system. Every named one is an entry of [`RULESETS`](super::RULESETS); each switch can be set by itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ruleset {
    /// The name in the protocol.
    pub name: &'static str,
    /// What KataGo, or the `RU` of SGF files, call it, where that is another name. Case and hyphens do not matter.
    pub aliases: &'static [&'static str],
    /// One line on what it is and where it comes from.
    pub about: &'static str,
    /// What the switches cannot express of the rules of that name; empty if nothing.
    pub beyond: &'static str,
    /// The kind of board.
    pub kind: Kind,
    /// The sizes that `boardsize` accepts.
    pub sizes: Sizes,
    /// Komi by size and counting: the first rule that fits.
    pub komi: &'static [KomiRule],
    /// Which positions may not come again.
    pub repetition: Repetition,
    /// A turn may leave its own chains without liberties; they come off (Tromp–Taylor).
    pub suicide: bool,
    /// What counts at the end.
    pub counting: Counting,
    /// What two passes lead to.
    pub ending: Ending,
    /// Several stones in one turn, paid with their number squared (Enhanced Go).
    pub special: bool,
    /// Each pass gives the opponent a prisoner (AGA).
    pub pass_stones: bool,
    /// Black may place stones before the game.
    pub handicap: bool,
    /// A side may give the game up.
    pub resign: bool,
    /// Turns may be taken back.
    pub takeback: bool,
}

/// What is allowed although a ruleset refuses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allowance {
    /// Handicap is given.
    pub handicap: bool,
    /// Resignation is taken.
    pub resign: bool,
    /// Turns are taken back.
    pub takeback: bool,
}

impl Allowance {
    /// Adds what is allowed to rules.
    pub fn apply(self, ruleset: &mut Ruleset) {
        ruleset.handicap |= self.handicap;
        ruleset.resign |= self.resign;
        ruleset.takeback |= self.takeback;
    }
}

/// The sizes a ruleset is played on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sizes {
    /// Boards as wide as high, the default first; sides for hexagons.
    Square(&'static [u8]),
    /// Any width and height from the first to the second; the third is the default.
    Between(u8, u8, u8),
}

impl Sizes {
    /// The size of a new game if none is asked for, as width and height.
    pub fn default(self) -> (usize, usize) {
        let length = match self {
            Sizes::Square(sizes) => sizes.first().copied().unwrap_or(19),
            Sizes::Between(_, _, default) => default,
        };
        (length as usize, length as usize)
    }

    /// Whether the ruleset is played on this size.
    pub fn offer(self, width: usize, height: usize) -> bool {
        match self {
            Sizes::Square(sizes) => width == height && sizes.iter().any(|&size| size as usize == width),
            Sizes::Between(least, most, _) => {
                [width, height].iter().all(|n| (least as usize..=most as usize).contains(n))
            }
        }
    }

    /// In words, for a refusal: `9, 13 or 19`, `2 to 52`.
    pub fn in_words(self) -> String {
        match self {
            Sizes::Square(sizes) => {
                let mut sizes = sizes.to_vec();
                sizes.sort_unstable();
                let names: Vec<String> = sizes.iter().map(u8::to_string).collect();
                match names.split_last() {
                    Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                    _ => names.concat(),
                }
            }
            Sizes::Between(least, most, _) => format!("{least} to {most} each way"),
        }
    }
}

/// Komi for some games of a ruleset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KomiRule {
    /// Only on boards this wide and high.
    pub size: Option<u8>,
    /// Only under this counting.
    pub counting: Option<Counting>,
    /// Points for White.
    pub komi: Points,
}

/// Which earlier positions a turn may not bring back. Passes are exempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Any position may come again.
    None,
    /// Not the position before the opponent's previous turn.
    Ko,
    /// No earlier position, whoever is to move.
    Positional,
    /// No earlier position with the same side to move.
    Situational,
}

/// What counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// What happens when play stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Both mark dead chains and accept the same marking, or resume.
    Agreement,
    /// One side proposes dead chains, the other accepts, proposes anew or plays on (Little Golem).
    Proposal,
    /// Each pass carries the assessment's dead chains; the second accepts them (Little Golem's HexGo).
    PassProposal,
    /// Agreement; after a resumption two passes at once leave every stone alive; White passes last.
    Aga,
    /// Dead chains come off by assessment at the second pass.
    Automatic,
    /// Every stone is alive (Tromp–Taylor).
    AllAlive,
}

impl Repetition {
    /// All of them.
    pub const ALL: [Repetition; 4] =
        [Repetition::None, Repetition::Ko, Repetition::Positional, Repetition::Situational];

    /// The value in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Repetition::None => "none",
            Repetition::Ko => "ko",
            Repetition::Positional => "positional",
            Repetition::Situational => "situational",
        }
    }
}

impl Counting {
    /// All of them.
    pub const ALL: [Counting; 2] = [Counting::Area, Counting::Territory];

    /// The value in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Counting::Area => "area",
            Counting::Territory => "territory",
        }
    }
}

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 6] =
        [Ending::Agreement, Ending::Proposal, Ending::PassProposal, Ending::Aga, Ending::Automatic, Ending::AllAlive];

    /// The value in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Agreement => "agreement",
            Ending::Proposal => "proposal",
            Ending::PassProposal => "pass-proposal",
            Ending::Aga => "aga",
            Ending::Automatic => "automatic",
            Ending::AllAlive => "all-alive",
        }
    }

    /// Whether two passes lead to marking dead chains, rather than end the game.
    pub fn has_scoring(self) -> bool {
        matches!(self, Ending::Agreement | Ending::Proposal | Ending::Aga)
    }
}

impl Ruleset {
    /// The komi of a new game on a board of this shape.
    pub fn komi(&self, shape: Shape) -> Points {
        let (width, height) = shape.size();
        let fits = |rule: &&KomiRule| {
            rule.counting.is_none_or(|counting| counting == self.counting)
                && rule.size.is_none_or(|size| (width, height) == (size as usize, size as usize))
        };
        self.komi.iter().find(fits).map_or(Points::default(), |rule| rule.komi)
    }

    /// The switches as the protocol's keys and values, beside topology, size and komi.
    pub fn switches(&self) -> [(&'static str, &'static str); 9] {
        let yes = |on| if on { "yes" } else { "no" };
        [
            ("repetition", self.repetition.name()),
            ("suicide", if self.suicide { "allowed" } else { "refused" }),
            ("counting", self.counting.name()),
            ("ending", self.ending.name()),
            ("special", yes(self.special)),
            ("pass_stones", yes(self.pass_stones)),
            ("handicap", yes(self.handicap)),
            ("resign", yes(self.resign)),
            ("takeback", yes(self.takeback)),
        ]
    }
}
