//! Tournaments in Hahn points, as Little Golem holds them.

use std::collections::BTreeMap;

use super::Outcome;
use crate::board::Color;
use crate::rules::hahn_points;

/// A player's games so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// Hahn points.
    pub points: u32,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games that nobody won.
    pub ties: u32,
}

/// The games of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Tournament {
    entries: BTreeMap<String, Entry>,
}

impl Outcome {
    /// Hahn points of Black and White. A resignation counts as the largest margin.
    pub fn hahn(self) -> [u32; 2] {
        let margin = match self {
            Outcome::Counted(margin) => Some(margin),
            Outcome::Resigned { .. } => None,
        };
        let points = hahn_points(margin);
        match self.winner() {
            Some(Color::White) => [points.loser, points.winner],
            _ => [points.winner, points.loser],
        }
    }
}

impl Tournament {
    /// Adds a game.
    pub fn add(&mut self, black: &str, white: &str, outcome: Outcome) {
        for (color, name) in Color::BOTH.into_iter().zip([black, white]) {
            let entry = self.entries.entry(name.into()).or_default();
            entry.points += outcome.hahn()[color.index()];
            match outcome.winner() {
                None => entry.ties += 1,
                Some(winner) if winner == color => entry.wins += 1,
                Some(_) => entry.losses += 1,
            }
        }
    }

    /// Rank, name and games of every player: most points first, whatever was won and lost. Equal points share a rank.
    pub fn table(&self) -> Vec<(usize, &str, &Entry)> {
        let mut players: Vec<(&str, &Entry)> =
            self.entries.iter().map(|(name, entry)| (name.as_str(), entry)).collect();
        // the names are in order already, and stay so among equals
        players.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.points));
        let mut rank = (1, None);
        let ranked = players.into_iter().enumerate().map(|(i, (name, entry))| {
            if rank.1 != Some(entry.points) {
                rank = (i + 1, Some(entry.points));
            }
            (rank.0, name, entry)
        });
        ranked.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_decide_and_wins_do_not() {
        let mut tournament = Tournament::default();
        // two narrow wins are worth less than a wide one and a narrow defeat
        for (black, white, result) in [("A", "B", "B+0.5"), ("C", "A", "W+1"), ("B", "C", "B+R"), ("D", "E", "0")] {
            tournament.add(black, white, result.parse().unwrap());
        }
        let table: Vec<_> = tournament.table().iter().map(|(rank, name, e)| (*rank, *name, e.points, e.wins)).collect();
        assert_eq!(table, [(1, "B", 140, 1), (2, "A", 120, 2), (3, "D", 50, 0), (3, "E", 50, 0), (5, "C", 40, 0)]);
    }
}
