//! From many playouts to a verdict.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fastrand::Rng;

use super::benson;
use super::graph::Graph;
use super::local;
use super::playout::Playout;
use super::stones::{EMPTY, Stones};
use crate::board::{Color, Point, Position, Shape};

/// An opinion of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// All stones of chains that are dead, in order.
    pub dead: Vec<Point>,
    /// By point, from -1, White's for certain, to 1, Black's.
    pub ownership: Vec<f32>,
    /// Black's area less White's, without komi, in points.
    pub area: f32,
}

/// Playouts, and the most moves of all of them together.
const PLAYOUTS: usize = 1_000;
const MOVES: usize = 1_500_000;
/// A chain is dead if its stones stay in fewer of the playouts than this part: they save what is dead more often than they
/// lose what is alive.
const SURVIVAL: f32 = 0.6;
/// The same position is assessed in the same way.
const SEED: u64 = 0x6c69_6665;

/// What is to be thought of a position in which this side moves next; or either side, the game being over. The last ones are
/// remembered: who asks what a pass would carry passes next, and who asks for dead stones wants the score, too.
pub fn assess(position: &Position, to_move: Option<Color>) -> Assessment {
    let shape = position.topology().shape();
    let known = recent()
        .iter()
        .find(|known| known.shape == shape && known.to_move == to_move && *known.stones == *position.stones())
        .map(|known| known.opinion.clone());
    known.unwrap_or_else(|| {
        let opinion = assess_anew(position, to_move);
        let mut recent = recent();
        recent.truncate(REMEMBERED - 1);
        recent.push_front(Known { shape, to_move, stones: position.stones().into(), opinion: opinion.clone() });
        opinion
    })
}

/// An opinion and what it is of.
struct Known {
    shape: Shape,
    to_move: Option<Color>,
    stones: Box<[Option<Color>]>,
    opinion: Assessment,
}

/// How many opinions are remembered: some hundred kilobytes of the largest boards.
const REMEMBERED: usize = 16;

fn recent() -> MutexGuard<'static, VecDeque<Known>> {
    static RECENT: Mutex<VecDeque<Known>> = Mutex::new(VecDeque::new());
    RECENT.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn assess_anew(position: &Position, to_move: Option<Color>) -> Assessment {
    let graph = Graph::new(position.topology());
    let mut start = Stones::new(&graph);
    for point in position.topology().points() {
        if let Some(color) = position.at(point) {
            start.put(code(color), point.index() as u16);
        }
    }
    let points = graph.len();
    let mut owned = vec![[0_u32; 3]; points];
    let mut stayed = vec![0_u32; points];
    let mut playout = Playout::new(start.clone());
    let mut rng = Rng::with_seed(SEED);
    let (mut games, mut moves) = (0, 0);
    while games < PLAYOUTS && moves < MOVES {
        playout.stones.copy(&start);
        let first = to_move.map_or(1 + (games % 2) as u8, code);
        moves += playout.run(first, 3 * points, &mut rng) + points;
        for point in 0..points {
            let owner = playout.owner(point as u16);
            owned[point][owner as usize] += 1;
            stayed[point] += (owner == start.color[point]) as u32;
        }
        games += 1;
    }
    let share = |count: u32| count as f32 / games as f32;
    let ownership: Vec<f32> = owned.iter().map(|[_, black, white]| share(*black) - share(*white)).collect();
    let alive = [1, 2].map(|color| benson::alive(&graph, &start.color, color));
    let mut dead = vec![false; points];
    for point in position.topology().points() {
        if position.at(point).is_some() && position.head(point) == point {
            let color = start.color[point.index()];
            let chain: Vec<Point> = position.chain(point).collect();
            let sum: u32 = chain.iter().map(|p| stayed[p.index()]).sum();
            let survival = share(sum) / chain.len() as f32;
            if survival < SURVIVAL && !alive[color as usize - 1][point.index()] {
                chain.iter().for_each(|p| dead[p.index()] = true);
            }
        }
    }
    revive_seki(&graph, &start.color, &alive, &mut dead);
    let dead = position.topology().points().filter(|p| dead[p.index()]).collect();
    let area = ownership.iter().sum();
    Assessment { dead, ownership, area }
}

/// Stones taken for dead that live in seki: in small regions of chains that have no other eye, when neither side gains by
/// attacking.
fn revive_seki(graph: &Graph, color: &[u8], alive: &[Vec<bool>; 2], dead: &mut [bool]) {
    for inside in [1, 2] {
        let encloser = 3 - inside;
        let regions =
            graph.regions(|p| color[p as usize] == EMPTY || (color[p as usize] == inside && dead[p as usize]));
        // those that nobody but the encloser touches
        let lives = |q: u16| color[q as usize] == encloser && !dead[q as usize];
        let walls = |region: &[u16]| -> Vec<u16> {
            let around = region.iter().flat_map(|&p| graph.neighbours(p)).copied();
            around.filter(|q| !region.contains(q)).collect()
        };
        let eyes: Vec<(Vec<u16>, Vec<u16>)> = regions
            .into_iter()
            .map(|region| (walls(&region), region))
            .filter(|(walls, _)| walls.iter().all(|&q| lives(q)))
            .map(|(walls, region)| (region, walls))
            .collect();
        let mut done = vec![false; eyes.len()];
        for first in 0..eyes.len() {
            if done[first] || !eyes[first].0.iter().any(|&p| color[p as usize] == inside) {
                continue;
            }
            // every chain round it, every other eye of these, every chain round that
            let (mut members, mut group) = (Vec::new(), vec![false; color.len()]);
            let mut todo = vec![first];
            done[first] = true;
            while let Some(eye) = todo.pop() {
                members.extend(&eyes[eye].0);
                for &q in &eyes[eye].1 {
                    if !group[q as usize] {
                        let chain = graph.spread(q, |r| color[r as usize] == encloser);
                        chain.iter().for_each(|&stone| group[stone as usize] = true);
                    }
                }
                for (other, (_, walls)) in eyes.iter().enumerate() {
                    if !done[other] && walls.iter().any(|&q| group[q as usize]) {
                        done[other] = true;
                        todo.push(other);
                    }
                }
            }
            if (0..color.len()).any(|q| group[q] && alive[encloser as usize - 1][q]) {
                continue;
            }
            let outcome = local::solve(graph, color, &members, inside, dead);
            if outcome.is_some_and(|o| o.encloser_first == 0 && o.inside_first == 0) {
                members.iter().for_each(|&p| dead[p as usize] = false);
            }
        }
    }
}

fn code(color: Color) -> u8 {
    color.index() as u8 + 1
}
