//! Small enclosed regions, solved exactly: whether stones inside can be captured by those round them, who have nothing else
//! to live by, or whether neither side can attack the other (seki).

use std::collections::HashMap;

use super::graph::Graph;
use super::stones::EMPTY;

/// The most points that can be played on.
const MOST_POINTS: usize = 10;
/// The most positions that are looked at, and the longest line of play, before the question is given up.
const MOST_NODES: usize = 60_000;
const DEEPEST: usize = 40;
/// Enclosing chains up to this size may be captured in passing; with a larger one the whole is lost.
const SMALL: usize = 3;

/// How an enclosed region ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    /// With the enclosing side to move first: 1 if it captures what is inside and lives, 0 if both stay, -1 if it is captured.
    pub(super) encloser_first: i8,
    /// The same with the side inside to move first.
    pub(super) inside_first: i8,
}

/// A region as a graph of its own: its points first, then the enclosing chains, one node each.
struct Region {
    neighbours: Vec<Vec<u8>>,
    points: usize,
    memory: HashMap<(u64, u8, bool, bool), i8>,
}

/// A node's colour; the encloser is 1.
type Board = [u8; MOST_POINTS + 6];

/// Solves a region: `members` are its empty points and the stones of the side inside. None if it is too large, or touches
/// what it should not.
pub(super) fn solve(graph: &Graph, color: &[u8], members: &[u16], inside: u8, dead: &[bool]) -> Option<Outcome> {
    let encloser = 3 - inside;
    let mut points = members.to_vec();
    // enclosing chains: small ones can be played on once they are captured
    let mut walls: Vec<Vec<u16>> = Vec::new();
    let mut next = 0;
    while let Some(&point) = points.get(next) {
        next += 1;
        for &q in graph.neighbours(point) {
            if points.contains(&q) || walls.iter().any(|wall| wall.contains(&q)) {
                continue;
            }
            if color[q as usize] != encloser || dead[q as usize] {
                return None;
            }
            let chain = graph.spread(q, |r| color[r as usize] == encloser);
            let free = chain.iter().flat_map(|&stone| graph.neighbours(stone));
            let outside = free.filter(|&r| color[*r as usize] == EMPTY && !members.contains(r)).count();
            if chain.len() <= SMALL && outside == 0 {
                points.extend(&chain);
            } else {
                walls.push(chain);
            }
            if points.len() > MOST_POINTS || walls.len() > 6 {
                return None;
            }
        }
    }
    if walls.is_empty() {
        return None;
    }
    let nodes = points.len() + walls.len();
    let node = |q: u16| {
        let point = points.iter().position(|&p| p == q);
        point.or_else(|| walls.iter().position(|wall| wall.contains(&q)).map(|wall| points.len() + wall))
    };
    let mut neighbours = vec![Vec::new(); nodes];
    for (number, &point) in points.iter().enumerate() {
        for &q in graph.neighbours(point) {
            if let Some(other) = node(q) {
                neighbours[number].push(other as u8);
                if other >= points.len() {
                    neighbours[other].push(number as u8);
                }
            }
        }
    }
    let mut board = Board::default();
    for (number, &point) in points.iter().enumerate() {
        let there = color[point as usize];
        board[number] = if there == EMPTY { EMPTY } else { 1 + (there == inside) as u8 };
    }
    board[points.len()..nodes].fill(1);
    let mut region = Region { neighbours, points: points.len(), memory: HashMap::new() };
    let mut outcome = |first| region.value(&board, first, u8::MAX, false, 0);
    Some(Outcome { encloser_first: outcome(1)?, inside_first: outcome(2)? })
}

impl Region {
    /// The value for the encloser, or none if it takes too long to find.
    fn value(&mut self, board: &Board, mover: u8, ko: u8, passed: bool, depth: usize) -> Option<i8> {
        if depth > DEEPEST || self.memory.len() > MOST_NODES {
            return None;
        }
        let code = board[..self.points].iter().fold(0_u64, |code, &there| code * 3 + u64::from(there));
        let key = (code, ko, mover == 1, passed);
        if let Some(&value) = self.memory.get(&key) {
            return Some(value);
        }
        // what comes back to here leaves it as it is
        let standing = board[..self.points].iter().all(|&there| there != 2) as i8;
        self.memory.insert(key, standing);
        let sign = if mover == 1 { 1 } else { -1 };
        let mut best =
            if passed { sign * standing } else { sign * self.value(board, 3 - mover, u8::MAX, true, depth + 1)? };
        for point in 0..self.points as u8 {
            if best == 1 {
                break;
            }
            if board[point as usize] != EMPTY || point == ko {
                continue;
            }
            let Some((after, ko, lost)) = self.play(board, mover, point) else { continue };
            let value = if lost { -1 } else { self.value(&after, 3 - mover, ko, false, depth + 1)? };
            best = best.max(sign * value);
        }
        self.memory.insert(key, sign * best);
        Some(sign * best)
    }

    /// Puts a stone: the board after it, where retaking is forbidden, and whether an enclosing chain was captured. None if it
    /// would be suicide.
    fn play(&self, board: &Board, mover: u8, point: u8) -> Option<(Board, u8, bool)> {
        let mut after = *board;
        after[point as usize] = mover;
        let mut captured = Vec::new();
        for &q in &self.neighbours[point as usize] {
            if after[q as usize] == 3 - mover
                && let Some(chain) = self.without_liberties(&after, q)
            {
                if chain.iter().any(|&node| node as usize >= self.points) {
                    return Some((after, u8::MAX, true));
                }
                chain.iter().for_each(|&node| after[node as usize] = EMPTY);
                captured.extend(chain);
            }
        }
        if captured.is_empty() && self.without_liberties(&after, point).is_some() {
            return None;
        }
        let single = self.neighbours[point as usize].iter().all(|&q| after[q as usize] != mover);
        let ko = if captured.len() == 1 && single { captured[0] } else { u8::MAX };
        Some((after, ko, false))
    }

    /// The nodes of a chain, if it has no liberty.
    fn without_liberties(&self, board: &Board, start: u8) -> Option<Vec<u8>> {
        let mut chain = vec![start];
        let mut next = 0;
        while let Some(&node) = chain.get(next) {
            next += 1;
            for &q in &self.neighbours[node as usize] {
                match board[q as usize] {
                    EMPTY => return None,
                    there if there == board[start as usize] && !chain.contains(&q) => chain.push(q),
                    _ => {}
                }
            }
        }
        Some(chain)
    }
}
