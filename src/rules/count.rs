//! Counting a position whose dead stones are known.

use super::{Counting, Points, Ruleset};
use crate::board::{Color, Point, Position};

/// Whose a point is at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A living stone of this colour.
    Stone(Color),
    /// An empty point, or one where a dead stone was, that touches living stones of this colour only.
    Territory(Color),
    /// An empty point that touches both colours, or none.
    Neutral,
}

/// What is on the board once dead stones are off. Pairs are Black's and White's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// Living stones.
    pub stones: [usize; 2],
    /// Points surrounded.
    pub territory: [usize; 2],
    /// Points of neither.
    pub neutral: usize,
    /// Dead stones of each colour.
    pub dead: [usize; 2],
    /// By number of the point.
    pub owners: Vec<Owner>,
}

impl Count {
    /// Counts a position, the dead stones taken off first. An empty region counts for a colour if it touches living
    /// stones of that colour only, in seki as elsewhere.
    pub fn new(position: &Position, dead: &[Point]) -> Count {
        let topology = position.topology();
        let mut owners: Vec<Option<Owner>> = position.stones().iter().map(|s| s.map(Owner::Stone)).collect();
        let mut count = Count { stones: [0; 2], territory: [0; 2], neutral: 0, dead: [0; 2], owners: Vec::new() };
        for &point in dead {
            if let Some(color) = position.at(point) {
                count.dead[color.index()] += 1;
                owners[point.index()] = None;
            }
        }
        for color in Color::BOTH {
            count.stones[color.index()] = position.count(color) - count.dead[color.index()];
        }
        let mut region = Vec::with_capacity(topology.len());
        for start in topology.points() {
            if owners[start.index()].is_some() {
                continue;
            }
            // flood the region; Neutral stands for "seen" until its owner is known
            region.clear();
            region.push(start);
            owners[start.index()] = Some(Owner::Neutral);
            let mut touches = [false; 2];
            let mut next = 0;
            while let Some(&point) = region.get(next) {
                next += 1;
                for &beside in topology.neighbours(point) {
                    match owners[beside.index()] {
                        None => {
                            owners[beside.index()] = Some(Owner::Neutral);
                            region.push(beside);
                        }
                        Some(Owner::Stone(color)) => touches[color.index()] = true,
                        Some(_) => {}
                    }
                }
            }
            let owner = match touches {
                [true, false] => Owner::Territory(Color::Black),
                [false, true] => Owner::Territory(Color::White),
                _ => Owner::Neutral,
            };
            match owner {
                Owner::Territory(color) => count.territory[color.index()] += region.len(),
                _ => count.neutral += region.len(),
            }
            region.iter().for_each(|p| owners[p.index()] = Some(owner));
        }
        count.owners = owners.into_iter().map(|owner| owner.unwrap_or(Owner::Neutral)).collect();
        count
    }
}

/// A count with prisoners and komi. Pairs are Black's and White's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// How it was counted.
    pub counting: Counting,
    /// What was on the board.
    pub count: Count,
    /// Stones captured during the game by each side, pass stones excepted.
    pub captured: [usize; 2],
    /// Pass stones received by each side.
    pub pass_stones: [usize; 2],
    /// White's compensation.
    pub komi: Points,
}

impl Score {
    /// Counts a position under a ruleset.
    pub fn new(
        ruleset: &Ruleset,
        position: &Position,
        dead: &[Point],
        captured: [usize; 2],
        pass_stones: [usize; 2],
        komi: Points,
    ) -> Score {
        let count = Count::new(position, dead);
        Score { counting: ruleset.counting, count, captured, pass_stones, komi }
    }

    /// Prisoners of each side at the end: captured stones, the opponent's dead stones and pass stones.
    pub fn prisoners(&self) -> [usize; 2] {
        let [black_dead, white_dead] = self.count.dead;
        let held = |side: usize| self.captured[side] + self.pass_stones[side];
        [held(0) + white_dead, held(1) + black_dead]
    }

    /// Totals of each side under a counting, komi included.
    pub fn totals(&self, counting: Counting) -> [Points; 2] {
        let on_board = |side: usize| match counting {
            Counting::Area => self.count.stones[side] + self.count.territory[side],
            Counting::Territory => self.count.territory[side] + self.prisoners()[side],
        };
        [Points::whole(on_board(0)), Points::whole(on_board(1)) + self.komi]
    }

    /// Black's total less White's under a counting.
    pub fn margin_under(&self, counting: Counting) -> Points {
        let [black, white] = self.totals(counting);
        black - white
    }

    /// Black's total less White's under the ruleset's counting.
    pub fn margin(&self) -> Points {
        self.margin_under(self.counting)
    }
}
