//! From many playouts to a verdict.

use fastrand::Rng;

use super::benson;
use super::graph::Graph;
use super::local;
use super::playout::Playout;
use super::stones::{EMPTY, Stones};
use crate::board::{Color, Point, Position};

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

/// What is to be thought of a position in which this side moves next; or either side, the game being over.
pub fn assess(position: &Position, to_move: Option<Color>) -> Assessment {
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

/// Stones taken for dead that live in seki: in a small region of chains that have no other eye, when neither side gains
/// by attacking.
fn revive_seki(graph: &Graph, color: &[u8], alive: &[Vec<bool>; 2], dead: &mut [bool]) {
    for inside in [1, 2] {
        let encloser = 3 - inside;
        let open =
            |p: u16, dead: &[bool]| color[p as usize] == EMPTY || (color[p as usize] == inside && dead[p as usize]);
        let mut seen = vec![false; color.len()];
        let mut regions: Vec<Vec<u16>> = Vec::new();
        for start in 0..color.len() as u16 {
            if seen[start as usize] || !open(start, dead) {
                continue;
            }
            let mut members = vec![start];
            seen[start as usize] = true;
            let mut next = 0;
            while let Some(&point) = members.get(next) {
                next += 1;
                for &q in graph.neighbours(point) {
                    if !seen[q as usize] && open(q, dead) {
                        seen[q as usize] = true;
                        members.push(q);
                    }
                }
            }
            regions.push(members);
        }
        let walls = |members: &[u16]| {
            let mut walls: Vec<u16> = members.iter().flat_map(|&p| graph.neighbours(p)).copied().collect();
            walls.retain(|&q| !members.contains(&q));
            walls
        };
        let is_eye = |members: &[u16], dead: &[bool]| {
            walls(members).iter().all(|&q| color[q as usize] == encloser && !dead[q as usize])
        };
        for members in &regions {
            if members.len() > 10 || !members.iter().any(|&p| color[p as usize] == inside) || !is_eye(members, dead) {
                continue;
            }
            // everything that holds together with what is round it
            let mut group = vec![false; color.len()];
            for &q in &walls(members) {
                if !group[q as usize] {
                    local::chain(graph, color, q).iter().for_each(|&stone| group[stone as usize] = true);
                }
            }
            let lives = |q: u16| group[q as usize] && alive[encloser as usize - 1][q as usize];
            let other = regions.iter().any(|region| {
                region != members && is_eye(region, dead) && walls(region).iter().any(|&q| group[q as usize])
            });
            if other || (0..color.len() as u16).any(lives) {
                continue;
            }
            let outcome = local::solve(graph, color, members, inside, dead);
            if outcome.is_some_and(|o| o.encloser_first == 0 && o.inside_first == 0) {
                for &p in members {
                    dead[p as usize] = false;
                }
            }
        }
    }
}

fn code(color: Color) -> u8 {
    color.index() as u8 + 1
}
