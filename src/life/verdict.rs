//! From many playouts to a verdict.

use fastrand::Rng;

use super::benson;
use super::graph::Graph;
use super::playout::Playout;
use super::stones::Stones;
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
    let mut dead = Vec::new();
    for point in position.topology().points() {
        if position.at(point).is_some() && position.head(point) == point {
            let color = start.color[point.index()];
            let chain: Vec<Point> = position.chain(point).collect();
            let sum: u32 = chain.iter().map(|p| stayed[p.index()]).sum();
            let survival = share(sum) / chain.len() as f32;
            if survival < threshold() && !alive[color as usize - 1][point.index()] {
                dead.extend(chain);
            }
        }
    }
    dead.sort_unstable();
    let area = ownership.iter().sum();
    Assessment { dead, ownership, area }
}

fn code(color: Color) -> u8 {
    color.index() as u8 + 1
}
fn threshold() -> f32 {
    std::env::var("LT").ok().and_then(|t| t.parse().ok()).unwrap_or(0.5)
}
