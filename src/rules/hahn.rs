//! Hahn points, as Little Golem's tournaments count them: a hundred points a game, shared by the margin.

use super::Points;

/// The share of the winner and of the loser, of 100 points. Equal in a tie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hahn {
    /// Points of whoever won.
    pub winner: u32,
    /// Points of whoever lost.
    pub loser: u32,
}

/// Hahn points for a margin, or for a resignation (`None`), which counts as the largest margin. A margin between two
/// bands, as a komi of a quarter makes it, takes the lower band.
pub fn hahn_points(margin: Option<Points>) -> Hahn {
    // where each band above the first begins, in thousandths of a point
    const BANDS: [(i32, u32); 4] = [(40_500, 100), (30_500, 90), (20_500, 80), (10_500, 70)];
    let winner = match margin.map(Points::abs) {
        None => 100,
        Some(margin) if margin == Points::default() => 50,
        Some(margin) => {
            let reached = BANDS.iter().find(|(from, _)| margin >= Points::thousandths(*from));
            reached.map_or(60, |&(_, winner)| winner)
        }
    };
    Hahn { winner, loser: 100 - winner }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_and_what_lies_between() {
        let cases = [
            (0, 50),
            (250, 60),
            (500, 60),
            (10_000, 60),
            (10_250, 60),
            (10_500, 70),
            (20_000, 70),
            (20_250, 70),
            (20_500, 80),
            (30_000, 80),
            (30_500, 90),
            (40_000, 90),
            (40_250, 90),
            (40_500, 100),
            (361_000, 100),
        ];
        for (thousandths, winner) in cases {
            let margin = Points::thousandths(thousandths);
            assert_eq!(hahn_points(Some(margin)), Hahn { winner, loser: 100 - winner }, "{margin}");
            assert_eq!(hahn_points(Some(-margin)).winner, winner);
        }
        assert_eq!(hahn_points(None), Hahn { winner: 100, loser: 0 });
    }
}
