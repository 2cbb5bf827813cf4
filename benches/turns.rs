//! What a turn costs, in this process: `cargo bench`.
//!
//! For each board a random game of 5,000 turns under positional superko: the cost of a turn (ruling on it and making it)
//! in the second and the last tenth of the game, of a question for all legal points, of counting, and of taking a turn
//! back, each at the end of the game. Figures move with the machine; the ratio last/second should stay near 1.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egtp::board::{Color, Point, Shape, Topology};
use egtp::rules::{Count, Judge, Turn, find};

const TURNS: usize = 5_000;
const TENTHS: usize = 10;

/// A small generator of random numbers (SplitMix64), the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// A legal point, tried at random; nothing if a hundred were illegal.
fn legal_point(judge: &Judge, color: Color, points: &[Point], random: &mut Random) -> Option<Point> {
    (0..100).map(|_| points[random.below(points.len())]).find(|&point| judge.is_legal(color, point))
}

fn per_call(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_secs_f64() / calls as f64
}

fn main() {
    let shapes = [
        Shape::rect(9, 9),
        Shape::rect(19, 19),
        Shape::rect(37, 37),
        Shape::rect(52, 52),
        Shape::torus(17, 17),
        Shape::torus(52, 52),
        Shape::hex(8),
        Shape::hex(26),
    ];
    println!(
        "{:>12} {:>9} {:>9} {:>12} {:>12} {:>9} {:>10}",
        "board", "turn ns", "last ns", "last/second", "all_legal us", "count us", "undo us"
    );
    for shape in shapes {
        let Ok(shape) = shape else { continue };
        let Some(ruleset) = find("enhanced") else { return };
        let topology = Arc::new(Topology::new(shape));
        let points: Vec<Point> = topology.points().collect();
        let mut judge = Judge::new(topology, ruleset);
        let mut random = Random(1);
        let mut tenths = [Duration::ZERO; TENTHS];
        for i in 0..TURNS {
            let color = Color::BOTH[i % 2];
            let turn = legal_point(&judge, color, &points, &mut random).map_or(Turn::Pass, Turn::Play);
            let start = Instant::now();
            if let Ok(legal) = judge.rule(color, &turn) {
                judge.carry_out(legal);
            }
            tenths[i * TENTHS / TURNS] += start.elapsed();
        }
        let nanos = |tenth: usize| tenths[tenth].as_nanos() as f64 / (TURNS / TENTHS) as f64;
        let all_legal = per_call(200, || {
            black_box(points.iter().filter(|&&p| judge.is_legal(Color::Black, p)).count());
        });
        let count = per_call(200, || {
            black_box(Count::new(judge.position(), &[]));
        });
        let undo = per_call(1_000, || {
            black_box(judge.take_back());
        });
        println!(
            "{:>12} {:>9.0} {:>9.0} {:>12.2} {:>12.1} {:>9.1} {:>10.2}",
            format!("{} {shape}", shape.kind().name()),
            nanos(1),
            nanos(9),
            nanos(9) / nanos(1),
            all_legal * 1e6,
            count * 1e6,
            undo * 1e6
        );
    }
}
