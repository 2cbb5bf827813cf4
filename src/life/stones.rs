//! Stones in a playout: nothing is taken back, repetition is but the simple ko, and all must be quick.
//!
//! A chain knows how many pseudo-liberties it has, their sum, and the sum of their squares. All of them are the same
//! point exactly if the square of the sum is the number times the sum of the squares: that is atari, and the sum divided by
//! the number is the liberty.

use super::graph::{Graph, NONE};

/// Empty, Black, White.
pub(super) const EMPTY: u8 = 0;

#[derive(Clone, Copy, Default, Debug)]
struct Chain {
    squares: u64,
    sum: u32,
    liberties: u32,
    size: u16,
}

/// Stones on a graph.
#[derive(Clone, Debug)]
pub(super) struct Stones<'a> {
    pub(super) graph: &'a Graph,
    /// By point: empty, black 1, white 2.
    pub(super) color: Vec<u8>,
    head: Vec<u16>,
    next: Vec<u16>,
    /// By head.
    chains: Vec<Chain>,
    /// Neighbours of each colour; empty ones first.
    near: Vec<[u8; 3]>,
    pub(super) empty: Vec<u16>,
    place: Vec<u16>,
    /// Where the next stone may not go, since it would take back at once.
    pub(super) ko: u16,
    /// What the last stone captured.
    pub(super) captured: Vec<u16>,
}

impl<'a> Stones<'a> {
    pub(super) fn new(graph: &'a Graph) -> Stones<'a> {
        let points = graph.len();
        let near = |point: usize| [graph.neighbours(point as u16).len() as u8, 0, 0];
        Stones {
            graph,
            color: vec![EMPTY; points],
            head: vec![0; points],
            next: vec![0; points],
            chains: vec![Chain::default(); points],
            near: (0..points).map(near).collect(),
            empty: (0..points as u16).collect(),
            place: (0..points as u16).collect(),
            ko: NONE,
            captured: Vec::new(),
        }
    }

    /// Becomes like another one on the same graph.
    pub(super) fn copy(&mut self, other: &Stones<'_>) {
        self.color.copy_from_slice(&other.color);
        self.head.copy_from_slice(&other.head);
        self.next.copy_from_slice(&other.next);
        self.chains.copy_from_slice(&other.chains);
        self.near.copy_from_slice(&other.near);
        self.place.copy_from_slice(&other.place);
        self.empty.clone_from(&other.empty);
        self.ko = other.ko;
        self.captured.clear();
    }

    /// Empty neighbours, black ones, white ones.
    #[inline]
    pub(super) fn near(&self, point: u16) -> [u8; 3] {
        self.near[point as usize]
    }

    #[inline]
    pub(super) fn head(&self, point: u16) -> u16 {
        self.head[point as usize]
    }

    #[inline]
    pub(super) fn size(&self, point: u16) -> usize {
        self.chains[self.head(point) as usize].size as usize
    }

    /// The only liberty of the chain at a point, if it has but one.
    #[inline]
    pub(super) fn atari(&self, point: u16) -> Option<u16> {
        let Chain { squares, sum, liberties, .. } = self.chains[self.head(point) as usize];
        (liberties > 0 && u64::from(sum) * u64::from(sum) == u64::from(liberties) * squares)
            .then(|| (sum / liberties) as u16)
    }

    /// The chain's liberties, if there are no more than fit; else none.
    pub(super) fn few_liberties<const N: usize>(&self, point: u16) -> Option<([u16; N], usize)> {
        let (mut found, mut count) = ([NONE; N], 0);
        let mut stone = point;
        loop {
            for &q in self.graph.neighbours(stone) {
                if self.color[q as usize] == EMPTY && !found[..count].contains(&q) {
                    if count == N {
                        return None;
                    }
                    found[count] = q;
                    count += 1;
                }
            }
            stone = self.next[stone as usize];
            if stone == point {
                return Some((found, count));
            }
        }
    }

    /// The next stone of the same chain, in a circle.
    #[inline]
    pub(super) fn after(&self, stone: u16) -> u16 {
        self.next[stone as usize]
    }

    /// All stones of the chain at a point.
    pub(super) fn chain(&self, point: u16, mut each: impl FnMut(u16)) {
        let mut stone = point;
        loop {
            each(stone);
            stone = self.next[stone as usize];
            if stone == point {
                break;
            }
        }
    }

    /// Puts a stone, and takes off what it captures. The caller knows that it is no suicide.
    pub(super) fn put(&mut self, color: u8, point: u16) {
        self.captured.clear();
        self.ko = NONE;
        let at = point as usize;
        let place = self.place[at] as usize;
        self.empty.swap_remove(place);
        if let Some(&moved) = self.empty.get(place) {
            self.place[moved as usize] = place as u16;
        }
        self.color[at] = color;
        self.head[at] = point;
        self.next[at] = point;
        let graph = self.graph;
        let mut chain = Chain { size: 1, ..Chain::default() };
        for &q in graph.neighbours(point) {
            let near = &mut self.near[q as usize];
            near[0] -= 1;
            near[color as usize] += 1;
            if self.color[q as usize] == EMPTY {
                chain.add(q);
            } else if q != point {
                let head = self.head[q as usize];
                self.chains[head as usize].take(point);
            }
        }
        self.chains[at] = chain;
        for &q in graph.neighbours(point) {
            if self.color[q as usize] == color {
                self.merge(self.head(point), self.head(q));
            }
        }
        for &q in graph.neighbours(point) {
            let other = self.color[q as usize];
            if other != EMPTY && other != color && self.chains[self.head(q) as usize].liberties == 0 {
                self.remove(q);
            }
        }
        if let [one] = self.captured[..]
            && self.size(point) == 1
            && self.near(point)[0] == 1
        {
            self.ko = one;
        }
    }

    fn merge(&mut self, one: u16, two: u16) {
        if one == two {
            return;
        }
        let (large, small) =
            if self.chains[one as usize].size >= self.chains[two as usize].size { (one, two) } else { (two, one) };
        let other = self.chains[small as usize];
        let chain = &mut self.chains[large as usize];
        chain.size += other.size;
        chain.liberties += other.liberties;
        chain.sum += other.sum;
        chain.squares += other.squares;
        let mut stone = small;
        loop {
            self.head[stone as usize] = large;
            stone = self.next[stone as usize];
            if stone == small {
                break;
            }
        }
        self.next.swap(large as usize, small as usize);
    }

    fn remove(&mut self, point: u16) {
        let first = self.captured.len();
        let color = self.color[point as usize];
        let mut stone = point;
        loop {
            self.captured.push(stone);
            self.color[stone as usize] = EMPTY;
            self.place[stone as usize] = self.empty.len() as u16;
            self.empty.push(stone);
            stone = self.next[stone as usize];
            if stone == point {
                break;
            }
        }
        let graph = self.graph;
        for i in first..self.captured.len() {
            let stone = self.captured[i];
            for &q in graph.neighbours(stone) {
                let near = &mut self.near[q as usize];
                near[0] += 1;
                near[color as usize] -= 1;
                if self.color[q as usize] != EMPTY {
                    let head = self.head[q as usize];
                    self.chains[head as usize].add(stone);
                }
            }
        }
    }
}

impl Chain {
    #[inline]
    fn add(&mut self, liberty: u16) {
        self.liberties += 1;
        self.sum += u32::from(liberty);
        self.squares += u64::from(liberty) * u64::from(liberty);
    }

    #[inline]
    fn take(&mut self, liberty: u16) {
        self.liberties -= 1;
        self.sum -= u32::from(liberty);
        self.squares -= u64::from(liberty) * u64::from(liberty);
    }
}
