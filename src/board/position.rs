//! Stones on a board, kept as chains.
//!
//! A chain is a circular list of its points. It knows its size, the hash of its stones and its *pseudo-liberties*:
//! pairs of one of its stones and an empty neighbour. A chain has a liberty if and only if it has a pseudo-liberty,
//! and unlike liberties their number can be kept by adding and subtracting.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Color, Few, Point, Topology};

/// Stones on a board. It may hold chains without liberties; only the rules forbid them.
#[derive(Clone, Debug)]
pub struct Position {
    topology: Arc<Topology>,
    stones: Box<[Option<Color>]>,
    /// By stone: its place in its chain.
    links: Box<[Link]>,
    /// By head.
    chains: Box<[Chain]>,
    hash: u64,
    counts: [u16; 2],
}

#[derive(Clone, Copy, Debug)]
struct Link {
    /// The point that stands for the chain.
    head: Point,
    /// The next stone of the chain, in a circle.
    next: Point,
}

/// Stands for the head of a chain that is being made anew: no board has so many points.
const NO_HEAD: Point = Point(u16::MAX);

#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    hash: u64,
    pseudo_liberties: u32,
    size: u16,
}

/// What a stone on an empty point would do.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// The opponent's chains that would lose their last liberty.
    pub captures: Few,
    /// The stone's own chain would have a liberty, or capture one.
    pub breathes: bool,
    /// The position's hash afterwards, if the stone breathes.
    pub hash: u64,
}

impl Position {
    /// The empty board.
    pub fn new(topology: Arc<Topology>) -> Position {
        let points = topology.len();
        Position {
            topology,
            stones: vec![None; points].into(),
            links: vec![Link { head: Point(0), next: Point(0) }; points].into(),
            chains: vec![Chain::default(); points].into(),
            hash: 0,
            counts: [0; 2],
        }
    }

    /// Takes all stones off.
    pub fn clear(&mut self) {
        self.stones.fill(None);
        self.hash = 0;
        self.counts = [0; 2];
    }

    /// The board under the stones.
    #[inline]
    pub fn topology(&self) -> &Arc<Topology> {
        &self.topology
    }

    /// The stone at a point.
    #[inline]
    pub fn at(&self, point: Point) -> Option<Color> {
        self.stones[point.index()]
    }

    /// All points' stones, by number of the point.
    #[inline]
    pub fn stones(&self) -> &[Option<Color>] {
        &self.stones
    }

    /// How many stones of a colour there are.
    #[inline]
    pub fn count(&self, color: Color) -> usize {
        self.counts[color.index()] as usize
    }

    /// The exclusive or of the keys of all stones: equal for equal positions, and only nearly always different
    /// for different ones.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash of one stone on the empty board.
    #[inline]
    pub fn key(&self, color: Color, point: Point) -> u64 {
        self.topology.key(color, point)
    }

    /// The point that stands for the chain of this stone; the point itself if it is empty.
    #[inline]
    pub fn head(&self, point: Point) -> Point {
        if self.at(point).is_some() { self.links[point.index()].head } else { point }
    }

    /// The stones of the chain at a point; nothing if it is empty.
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        let mut left = if self.at(point).is_some() { self.chains[self.head(point).index()].size } else { 0 };
        let mut stone = point;
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let found = stone;
            stone = self.links[stone.index()].next;
            Some(found)
        })
    }

    /// How many stones the chain at a point has; 0 if it is empty.
    pub fn chain_size(&self, point: Point) -> usize {
        if self.at(point).is_some() { self.chains[self.head(point).index()].size as usize } else { 0 }
    }

    /// Whether the chain of this stone has a liberty.
    #[inline]
    pub fn breathes(&self, stone: Point) -> bool {
        self.chains[self.links[stone.index()].head.index()].pseudo_liberties > 0
    }

    /// The empty points next to the chain at a point, in order; nothing if it is empty.
    pub fn liberties(&self, point: Point) -> Vec<Point> {
        let beside = |stone: Point| self.topology.neighbours(stone).iter().copied();
        let mut found: Vec<Point> = self.chain(point).flat_map(beside).filter(|&p| self.at(p).is_none()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a stone of `color` on the empty `point` would do, without putting it there.
    #[inline]
    pub fn outlook(&self, color: Color, point: Point) -> Outlook {
        let neighbours = self.topology.neighbours(point);
        let mut outlook = Outlook { captures: Few::new(), breathes: false, hash: self.hash ^ self.key(color, point) };
        for &neighbour in neighbours {
            let Some(stone) = self.at(neighbour) else {
                outlook.breathes = true;
                continue;
            };
            let head = self.links[neighbour.index()].head;
            let chain = &self.chains[head.index()];
            // the point is one of the chain's liberties; is it the only one?
            let same = |&&p: &&Point| self.at(p) == Some(stone) && self.links[p.index()].head == head;
            let pairs = if chain.pseudo_liberties > neighbours.len() as u32 {
                0
            } else {
                neighbours.iter().filter(same).count() as u32
            };
            let last = chain.pseudo_liberties == pairs;
            if stone == color {
                outlook.breathes |= !last;
            } else if last && !outlook.captures.contains(&head) {
                outlook.captures.push(head);
                outlook.hash ^= chain.hash;
                outlook.breathes = true;
            }
        }
        outlook
    }

    /// Puts a stone on an empty point and joins it to its neighbours. Takes nothing off.
    pub fn put(&mut self, color: Color, point: Point) {
        debug_assert!(self.at(point).is_none(), "a stone goes on an empty point");
        let i = point.index();
        let key = self.key(color, point);
        self.stones[i] = Some(color);
        self.counts[color.index()] += 1;
        self.hash ^= key;
        self.links[i].head = point;
        self.links[i].next = point;
        let mut empty = 0;
        // joined only after all pairs with this point are subtracted
        let mut own = Few::new();
        for &neighbour in self.topology.neighbours(point) {
            match self.stones[neighbour.index()] {
                None => empty += 1,
                Some(stone) => {
                    self.chains[self.links[neighbour.index()].head.index()].pseudo_liberties -= 1;
                    if stone == color {
                        own.push(neighbour);
                    }
                }
            }
        }
        self.chains[i] = Chain { hash: key, pseudo_liberties: empty, size: 1 };
        for &neighbour in own.iter() {
            self.join(self.links[i].head, self.links[neighbour.index()].head);
        }
    }

    fn join(&mut self, a: Point, b: Point) {
        if a == b {
            return;
        }
        let size = |head: Point| self.chains[head.index()].size;
        let (kept, gone) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        let other = self.chains[gone.index()];
        let chain = &mut self.chains[kept.index()];
        chain.hash ^= other.hash;
        chain.pseudo_liberties += other.pseudo_liberties;
        chain.size += other.size;
        let mut stone = gone;
        loop {
            self.links[stone.index()].head = kept;
            stone = self.links[stone.index()].next;
            if stone == gone {
                break;
            }
        }
        let (a, b) = (self.links[kept.index()].next, self.links[gone.index()].next);
        self.links[kept.index()].next = b;
        self.links[gone.index()].next = a;
    }

    /// Takes the whole chain of a stone off, handing over each of its points.
    pub fn remove_chain(&mut self, stone: Point, mut removed: impl FnMut(Point)) {
        let Some(color) = self.at(stone) else { return };
        let first = self.head(stone);
        self.hash ^= self.chains[first.index()].hash;
        self.counts[color.index()] -= self.chains[first.index()].size;
        let mut point = first;
        loop {
            self.stones[point.index()] = None;
            self.freed(point);
            removed(point);
            point = self.links[point.index()].next;
            if point == first {
                break;
            }
        }
    }

    /// Takes single stones off and makes chains anew of what is left of theirs.
    pub fn lift(&mut self, points: &[Point]) {
        // the stones of all chains concerned; a head that is no point says that the chain is to be made anew
        let mut stones: SmallVec<[Point; 64]> = SmallVec::new();
        for &point in points {
            if self.at(point).is_some() && self.links[point.index()].head != NO_HEAD {
                stones.extend(self.chain(point));
                let from = stones.len() - self.chain_size(point);
                stones[from..].iter().for_each(|stone| self.links[stone.index()].head = NO_HEAD);
            }
        }
        for &point in points {
            let Some(color) = self.stones[point.index()].take() else { continue };
            self.counts[color.index()] -= 1;
            self.hash ^= self.key(color, point);
            self.freed(point);
        }
        for stone in stones {
            if self.at(stone).is_some() && self.links[stone.index()].head == NO_HEAD {
                self.flood(stone);
            }
        }
    }

    /// Makes one chain of a stone and all of its colour that it is joined to.
    fn flood(&mut self, head: Point) {
        let color = self.at(head);
        let mut chain = Chain::default();
        self.links[head.index()] = Link { head, next: head };
        // the circle is also the queue of stones to be looked at: each new one goes behind the last
        let (mut stone, mut last) = (head, head);
        loop {
            chain.size += 1;
            chain.hash ^= color.map_or(0, |color| self.key(color, stone));
            for &neighbour in self.topology.neighbours(stone) {
                if self.stones[neighbour.index()].is_none() {
                    chain.pseudo_liberties += 1;
                } else if self.stones[neighbour.index()] == color && self.links[neighbour.index()].head == NO_HEAD {
                    self.links[neighbour.index()] = Link { head, next: head };
                    self.links[last.index()].next = neighbour;
                    last = neighbour;
                }
            }
            if stone == last {
                break;
            }
            stone = self.links[stone.index()].next;
        }
        self.chains[head.index()] = chain;
    }

    /// Makes the stones those given, one for each point by number; chains that stay whole are left as they are.
    pub fn replace(&mut self, stones: &[Option<Color>]) {
        let differs = |p: &Point| self.at(*p) != stones[p.index()];
        let changed: Vec<Point> = self.topology.points().filter(differs).collect();
        self.lift(&changed);
        for point in changed {
            if let Some(color) = stones[point.index()] {
                self.put(color, point);
            }
        }
    }

    /// The neighbours' chains breathe at a point where a stone was.
    fn freed(&mut self, point: Point) {
        for neighbour in self.topology.neighbours(point) {
            let head = self.links[neighbour.index()].head;
            if self.stones[neighbour.index()].is_some() && head != NO_HEAD {
                self.chains[head.index()].pseudo_liberties += 1;
            }
        }
    }
}

impl PartialEq for Position {
    /// The same stones; how their chains came about does not matter.
    fn eq(&self, other: &Position) -> bool {
        self.topology.shape() == other.topology.shape() && self.stones == other.stones
    }
}

impl Eq for Position {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Shape, board_rows};
    use proptest::prelude::*;

    /// What every chain must be, found by flooding from each stone.
    fn check(position: &Position) {
        let topology = position.topology();
        let mut hash = 0;
        for point in topology.points() {
            let Some(color) = position.at(point) else { continue };
            hash ^= position.key(color, point);
            let mut chain = vec![point];
            let mut next = 0;
            while next < chain.len() {
                for &q in topology.neighbours(chain[next]) {
                    if position.at(q) == Some(color) && !chain.contains(&q) {
                        chain.push(q);
                    }
                }
                next += 1;
            }
            let mut listed: Vec<Point> = position.chain(point).collect();
            listed.sort_unstable();
            chain.sort_unstable();
            assert_eq!(listed, chain);
            assert!(chain.iter().all(|&p| position.head(p) == position.head(point)));
            assert_eq!(position.breathes(point), !position.liberties(point).is_empty());
            let key = chain.iter().fold(0, |h, &p| h ^ position.key(color, p));
            assert_eq!(position.chains[position.head(point).index()].hash, key);
        }
        assert_eq!(position.hash(), hash);
        for color in Color::BOTH {
            assert_eq!(position.count(color), position.stones().iter().filter(|&&s| s == Some(color)).count());
        }
    }

    proptest! {
        #[test]
        fn chains_stay_right(shape in 0usize..5, steps in prop::collection::vec((0usize..400, 0u8..5), 1..120)) {
            let shapes = [Shape::rect(5, 4), Shape::torus(3, 4), Shape::torus(2, 2), Shape::hex(3), Shape::rect(1, 9)];
            let topology = Arc::new(Topology::new(shapes[shape].unwrap()));
            let mut position = Position::new(topology.clone());
            for (n, what) in steps {
                let points: Vec<Point> = topology.points().collect();
                let point = points[n % points.len()];
                match what {
                    0 => position.lift(&[point]),
                    1 => position.lift(&[point, points[(n + 1) % points.len()], points[(n / 3) % points.len()]]),
                    2 => position.remove_chain(point, |_| ()),
                    _ if position.at(point).is_none() => {
                        let color = Color::BOTH[n % 2];
                        let outlook = position.outlook(color, point);
                        position.put(color, point);
                        let taken: Vec<Point> = outlook.captures.to_vec();
                        prop_assert!(taken.iter().all(|&head| !position.breathes(head)));
                        prop_assert_eq!(outlook.breathes, position.breathes(point) || !taken.is_empty());
                        let beside = topology.neighbours(point).iter();
                        let dead = beside.filter(|&&q| position.at(q) == Some(color.other()) && !position.breathes(q));
                        prop_assert!(dead.clone().all(|&q| taken.contains(&position.head(q))));
                        taken.iter().for_each(|&head| position.remove_chain(head, |_| ()));
                        prop_assert!(!outlook.breathes || position.hash() == outlook.hash);
                    }
                    _ => {}
                }
                check(&position);
            }
            prop_assert_eq!(board_rows(&position).len(), topology.shape().grid().1);
        }
    }
}
