//! Positions in little space.

use crate::board::Color;

/// The stones of a position, two bits a point: a room keeps one for each turn, a view for each step of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stones(Box<[u8]>);

impl Stones {
    /// The stones by points, in order.
    pub fn of(stones: &[Option<Color>]) -> Stones {
        let code = |stone: &Option<Color>| stone.map_or(0, |color| 1 + color.index() as u8);
        let pack = |four: &[Option<Color>]| four.iter().rev().fold(0, |byte, stone| byte << 2 | code(stone));
        Stones(stones.chunks(4).map(pack).collect())
    }

    /// The stones by points again, for a board of that many points.
    pub fn unpack(&self, points: usize) -> Vec<Option<Color>> {
        let stone = |i: usize| match self.0[i / 4] >> (i % 4 * 2) & 3 {
            0 => None,
            1 => Some(Color::Black),
            _ => Some(Color::White),
        };
        (0..points).map(stone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let all = [None, Some(Color::Black), Some(Color::White)];
        for points in 0..40 {
            let stones: Vec<Option<Color>> = (0..points).map(|i| all[(i * i + points) % 3]).collect();
            assert_eq!(Stones::of(&stones).unpack(points), stones);
        }
    }
}
