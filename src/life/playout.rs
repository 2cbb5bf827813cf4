//! Playouts: quick games to the end, in which neither side does what hardly anybody would do.

use fastrand::Rng;

use super::graph::NONE;
use super::stones::{EMPTY, Stones};

/// What one playout came to.
pub(super) struct Playout<'a> {
    pub(super) stones: Stones<'a>,
    /// Points looked at for a move.
    candidates: Vec<u16>,
}

/// How often, of a hundred times, a player sees what there is to do near the last move.
const SEES_NAKADE: u8 = 95;
const SEES_CAPTURE: u8 = 95;
const SEES_ESCAPE: u8 = 90;
const SEES_TWO_LIBERTIES: u8 = 70;

impl<'a> Playout<'a> {
    pub(super) fn new(stones: Stones<'a>) -> Playout<'a> {
        Playout { stones, candidates: Vec::new() }
    }

    /// Plays to the end, or for so many moves; how many it were.
    pub(super) fn run(&mut self, mut color: u8, most: usize, rng: &mut Rng) -> usize {
        let (mut last, mut passes) = (NONE, 0);
        for made in 0..most {
            let answer = self.answer(color, last, rng).or_else(|| self.anywhere(color, rng));
            match answer {
                Some(point) => {
                    self.stones.put(color, point);
                    last = point;
                    passes = 0;
                }
                None => {
                    self.stones.captured.clear();
                    self.stones.ko = NONE;
                    last = NONE;
                    passes += 1;
                    if passes == 2 {
                        return made;
                    }
                }
            }
            color = 3 - color;
        }
        most
    }

    /// Whose a point is at the end: a stone's, or of whoever alone surrounds it; nobody's is 0.
    pub(super) fn owner(&self, point: u16) -> u8 {
        let color = self.stones.color[point as usize];
        match self.stones.near(point) {
            _ if color != EMPTY => color,
            [_, black, 0] if black > 0 => 1,
            [_, 0, white] if white > 0 => 2,
            _ => EMPTY,
        }
    }

    /// Something to do about the last move.
    fn answer(&mut self, color: u8, last: u16, rng: &mut Rng) -> Option<u16> {
        if last == NONE {
            return None;
        }
        let other = 3 - color;
        if (3..=6).contains(&self.stones.captured.len())
            && rng.u8(..100) < SEES_NAKADE
            && let Some(point) = vital(&self.stones, &self.stones.captured)
            && self.sensible(color, point)
        {
            return Some(point);
        }
        let graph = self.stones.graph;
        self.candidates.clear();
        if rng.u8(..100) < SEES_CAPTURE {
            // the chain of the last stone, or what stands beside one's own chains that it touches
            if let Some(liberty) = self.stones.atari(last) {
                self.candidates.push(liberty);
            }
            for &q in graph.neighbours(last) {
                if self.stones.color[q as usize] == color && self.stones.atari(q).is_some() {
                    self.capturing(q, other);
                }
            }
            if let Some(point) = self.choose(color, rng) {
                return Some(point);
            }
        }
        self.candidates.clear();
        if rng.u8(..100) < SEES_ESCAPE {
            for &q in graph.neighbours(last) {
                if self.stones.color[q as usize] == color
                    && let Some(liberty) = self.stones.atari(q)
                    && self.breathes(color, liberty, 2)
                {
                    self.candidates.push(liberty);
                }
            }
            if let Some(point) = self.choose(color, rng) {
                return Some(point);
            }
        }
        self.candidates.clear();
        if rng.u8(..100) < SEES_TWO_LIBERTIES {
            let both = |stones: &Stones<'_>, point: u16, candidates: &mut Vec<u16>| {
                if let Some((liberties, 2)) = stones.few_liberties::<2>(point) {
                    candidates.extend(liberties);
                }
            };
            both(&self.stones, last, &mut self.candidates);
            for &q in graph.neighbours(last) {
                if self.stones.color[q as usize] == color {
                    both(&self.stones, q, &mut self.candidates);
                }
            }
            if let Some(point) = self.choose(color, rng) {
                return Some(point);
            }
        }
        None
    }

    /// Adds where chains of a colour can be captured that stand beside the chain at a point.
    fn capturing(&mut self, point: u16, other: u8) {
        let (stones, candidates) = (&self.stones, &mut self.candidates);
        stones.chain(point, |stone| {
            for &q in stones.graph.neighbours(stone) {
                if stones.color[q as usize] == other
                    && let Some(liberty) = stones.atari(q)
                {
                    candidates.push(liberty);
                }
            }
        });
    }

    /// One of the candidates that is not foolish.
    fn choose(&mut self, color: u8, rng: &mut Rng) -> Option<u16> {
        while !self.candidates.is_empty() {
            let point = self.candidates.swap_remove(rng.usize(..self.candidates.len()));
            if self.sensible(color, point) {
                return Some(point);
            }
        }
        None
    }

    /// Any point that is not foolish.
    fn anywhere(&mut self, color: u8, rng: &mut Rng) -> Option<u16> {
        let count = self.stones.empty.len();
        if count == 0 {
            return None;
        }
        let start = rng.usize(..count);
        let (before, from) = self.stones.empty.split_at(start);
        from.iter().chain(before).copied().find(|&point| self.sensible(color, point))
    }

    /// Legal, and no move that gives away what one has.
    fn sensible(&self, color: u8, point: u16) -> bool {
        let stones = &self.stones;
        if point == stones.ko {
            return false;
        }
        let [free, ..] = stones.near(point);
        let own = stones.near(point)[color as usize];
        let around = stones.graph.neighbours(point);
        if free == 0 && own as usize == around.len() {
            // an eye; a false one may be filled to save what is in atari round it
            return !is_eye(stones, color, point)
                && around.iter().any(|&q| stones.atari(q).is_some())
                && self.breathes(color, point, 2);
        }
        if free >= 2 {
            return true;
        }
        if self.breathes(color, point, 2) {
            return true;
        }
        // into atari: to capture, as a single stone, or to leave a shape that makes no two eyes
        let captures = around.iter().any(|&q| stones.color[q as usize] == 3 - color && stones.atari(q) == Some(point));
        if captures {
            return true;
        }
        if !self.breathes(color, point, 1) {
            return false;
        }
        match self.joined(color, point) {
            None => false,
            Some(chain) if chain.len() <= 2 => true,
            Some(chain) => vital(stones, &chain).is_some(),
        }
    }

    /// Whether a stone here would be in a chain with at least so many liberties, one or two.
    fn breathes(&self, color: u8, point: u16, least: usize) -> bool {
        let stones = &self.stones;
        let mut found = [NONE; 2];
        let mut count = 0;
        let mut add = |q: u16| {
            if q != point && !found[..count].contains(&q) {
                found[count] = q;
                count += 1;
            }
            count >= least
        };
        let around = stones.graph.neighbours(point);
        for &q in around {
            let there = stones.color[q as usize];
            // what is captured becomes a liberty
            let taken = there == 3 - color && stones.atari(q) == Some(point);
            if (there == EMPTY || taken) && add(q) {
                return true;
            }
        }
        for &q in around {
            if stones.color[q as usize] != color {
                continue;
            }
            match stones.atari(q) {
                Some(_) => {}
                // it has a second one beside this
                None => {
                    let mut stone = q;
                    loop {
                        for &r in stones.graph.neighbours(stone) {
                            if stones.color[r as usize] == EMPTY && add(r) {
                                return true;
                            }
                        }
                        stone = stones.after(stone);
                        if stone == q {
                            break;
                        }
                    }
                }
            }
        }
        false
    }

    /// The chain that a stone here would be part of, if it is small.
    fn joined(&self, color: u8, point: u16) -> Option<Vec<u16>> {
        const MOST: usize = 6;
        let stones = &self.stones;
        let mut chain = vec![point];
        for &q in stones.graph.neighbours(point) {
            if stones.color[q as usize] == color && !chain.contains(&q) {
                if stones.size(q) + chain.len() > MOST {
                    return None;
                }
                stones.chain(q, |stone| chain.push(stone));
            }
        }
        Some(chain)
    }
}

/// Whether an empty point with only stones of a colour round it is an eye: these are held together by chains and by
/// shortest cycles that the opponent has not cut. On the square board that is the rule of the diagonals.
pub(super) fn is_eye(stones: &Stones<'_>, color: u8, point: u16) -> bool {
    let around = stones.graph.neighbours(point);
    let all = (1_u32 << around.len()) - 1;
    let mut reached = 1_u32;
    loop {
        let before = reached;
        for link in stones.graph.links(point) {
            let ends = link.ends.map(|end| 1_u32 << end);
            let both = ends[0] | ends[1];
            if reached & both != 0
                && reached & both != both
                && (link.cut == NONE || stones.color[link.cut as usize] != 3 - color)
            {
                reached |= both;
            }
        }
        if reached == before && reached != all {
            // further apart, but one chain
            for (i, &a) in around.iter().enumerate() {
                if reached & 1 << i != 0 {
                    for (j, &b) in around.iter().enumerate() {
                        if stones.head(a) == stones.head(b) {
                            reached |= 1 << j;
                        }
                    }
                }
            }
        }
        if reached == before || reached == all {
            return reached == all;
        }
    }
}

/// The point of a small shape in which a stone of the opponent's leaves no room for two eyes, if there is one.
pub(super) fn vital(stones: &Stones<'_>, shape: &[u16]) -> Option<u16> {
    if !(3..=6).contains(&shape.len()) {
        return None;
    }
    let mut degrees = [0_u8; 6];
    for (i, &point) in shape.iter().enumerate() {
        degrees[i] = stones.graph.neighbours(point).iter().filter(|q| shape.contains(q)).count() as u8;
    }
    let centre = (0..shape.len()).max_by_key(|&i| degrees[i])?;
    let most = degrees[centre];
    let mut sorted = degrees;
    sorted[..shape.len()].sort_unstable();
    // all round one point; the square of four is alive or dead whoever moves, and dead as a shape to be left; then the
    // bulky five and the rabbity six
    let star = most as usize + 1 == shape.len();
    let nakade = matches!(sorted[..shape.len()], [2, 2, 2, 2] | [1, 2, 2, 2, 3] | [1, 1, 2, 2, 2, 4]);
    (star || nakade).then(|| shape[centre])
}
