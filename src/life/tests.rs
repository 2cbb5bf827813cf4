use std::collections::HashSet;

use fastrand::Rng;

use super::graph::Graph;
use super::playout::is_eye;
use super::stones::{EMPTY, Stones};
use super::verdict::assess_anew;
use super::{assess, benson, local};
use crate::board::{Color, Point, Position, Shape, Topology};

/// A position from rows, the top one first: `X`, `O`, `.`.
fn position(shape: Shape, rows: &str) -> Position {
    let topology = Topology::shared(shape);
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let mut position = Position::new(topology.clone());
    for (row, text) in rows.iter().rev().enumerate() {
        for (column, there) in text.chars().enumerate() {
            let color = match there {
                'X' => Color::Black,
                'O' => Color::White,
                _ => continue,
            };
            position.put(color, topology.at(column, row).unwrap());
        }
    }
    position
}

fn rect(rows: &str) -> Position {
    let width = rows.split_whitespace().next().unwrap().len();
    position(Shape::rect(width, rows.split_whitespace().count()).unwrap(), rows)
}

fn dead(position: &Position) -> String {
    let topology = position.topology();
    let mut names: Vec<&str> = assess(position, None).dead.iter().map(|&p| topology.name(p)).collect();
    names.sort_unstable();
    names.join(" ")
}

fn colors(position: &Position) -> Vec<u8> {
    position.stones().iter().map(|stone| stone.map_or(EMPTY, |color| color.index() as u8 + 1)).collect()
}

/// Random stones whose chains all breathe.
fn random_position(topology: &std::sync::Arc<Topology>, rng: &mut Rng) -> Position {
    let mut position = Position::new(topology.clone());
    for point in topology.points() {
        if rng.u8(..10) < 7 {
            let color = if rng.bool() { Color::Black } else { Color::White };
            position.put(color, point);
            if topology.points().any(|p| position.at(p).is_some() && !position.breathes(p)) {
                position.remove_chain(point, |_| {});
            }
        }
    }
    position
}

fn shapes() -> Vec<Shape> {
    vec![Shape::rect(4, 3).unwrap(), Shape::torus(4, 3).unwrap(), Shape::hex(2).unwrap(), Shape::rect(5, 2).unwrap()]
}

/// Whether the chain at a point can be captured by an opponent who alone plays, however long that takes.
fn can_be_captured(position: &Position, stone: Point) -> bool {
    let color = position.at(stone).unwrap();
    let mut seen = HashSet::new();
    let mut todo = vec![position.clone()];
    while let Some(position) = todo.pop() {
        for point in position.topology().points().filter(|&p| position.at(p).is_none()) {
            let outlook = position.outlook(color.other(), point);
            if !outlook.breathes {
                continue;
            }
            let mut after = position.clone();
            after.put(color.other(), point);
            let taken: Vec<Point> =
                after.topology().points().filter(|&p| after.at(p) == Some(color) && !after.breathes(p)).collect();
            if taken.contains(&stone) {
                return true;
            }
            after.lift(&taken);
            if seen.insert(after.stones().to_vec()) {
                todo.push(after);
            }
        }
    }
    false
}

/// What Benson's method says, against every line of play of an opponent who plays alone, on boards of all kinds.
#[test]
fn unconditional_life_by_brute_force() {
    let (mut lives, mut rng) = (0, Rng::with_seed(5));
    for shape in shapes() {
        let topology = Topology::shared(shape);
        let graph = Graph::new(&topology);
        for _ in 0..150 {
            let position = random_position(&topology, &mut rng);
            for color in Color::BOTH {
                let alive = benson::alive(&graph, &colors(&position), color.index() as u8 + 1);
                for point in topology.points().filter(|&p| position.at(p) == Some(color) && alive[p.index()]) {
                    assert!(!can_be_captured(&position, point), "{:?} {}", position.stones(), topology.name(point));
                    assert!(!assess(&position, None).dead.contains(&point), "alive, and called dead");
                    lives += 1;
                }
            }
        }
    }
    assert!(lives > 30, "{lives}");
}

/// On the square board the eye test is the rule of the diagonals.
#[test]
fn eyes_are_what_the_diagonals_say() {
    let topology = Topology::shared(Shape::rect(5, 5).unwrap());
    let graph = Graph::new(&topology);
    for (rows, at, expected) in [
        ("..... ..X.. .X.X. ..X.. .....", "C3", true),
        // one diagonal may be the opponent's, in the middle
        ("..... .OX.. .X.X. ..X.. .....", "C3", true),
        ("..... .OX.. .X.X. ..XO. .....", "C3", false),
        ("..... .OXO. .X.X. ..X.. .....", "C3", false),
        // none at the edge
        ("..... ..... .X... X.... .X...", "A1", true),
        ("..... ..... XX... .X... XX...", "A2", true),
        ("..... .O... XO... .X... XX...", "A2", false),
        ("..... ..... ..... XO... .X...", "A1", false),
        ("..... ..... ..... XX... .X...", "A1", true),
        // two chains, cut twice
        (".XXX. .OXX. .X.X. .XXO. .....", "C3", false),
    ] {
        let position = rect(rows);
        let mut stones = Stones::new(&graph);
        for point in topology.points() {
            if let Some(color) = position.at(point) {
                stones.put(color.index() as u8 + 1, point.index() as u16);
            }
        }
        assert_eq!(is_eye(&stones, 1, topology.point(at).unwrap().index() as u16), expected, "{rows} {at}");
    }
}

#[test]
fn known_shapes() {
    for (rows, expected) in [
        // one eye, and two
        (".XXO..... XXXO..... OOOO..... ......... ......... ......... ......... ......... .........", "A8 B8 B9 C8 C9"),
        (".X.XO.... XXXXO.... OOOOO.... ......... ......... ......... ......... ......... .........", ""),
        // alone in somebody else's territory
        ("..X...O.. ..X...O.. ..X...O.X ..X...O.. O.X...O.. ..X...O.. ..X...O.. ..X...O.. ..X...O..", "A5 J7"),
        // four in a row live, the square of four dies
        ("....XO... XXXXXO... OOOOOO... ......... ......... ......... ......... ......... .........", ""),
        ("..XO..... ..XO..... XXXO..... OOOO..... ......... ......... ......... ......... .........", "A7 B7 C7 C8 C9"),
    ] {
        assert_eq!(dead(&rect(rows)), expected, "{rows}");
    }
}

/// No board is too small, too full or too empty.
#[test]
fn odd_boards() {
    for shape in
        [Shape::rect(1, 1), Shape::rect(2, 1), Shape::torus(1, 1), Shape::torus(2, 2), Shape::hex(1), Shape::rect(9, 9)]
    {
        let topology = Topology::shared(shape.unwrap());
        for color in [None, Some(Color::Black)] {
            let mut position = Position::new(topology.clone());
            assert_eq!(assess(&position, color).dead, []);
            // all but the last point, of one colour, and then that, too
            for point in topology.points() {
                position.put(Color::White, point);
                let opinion = assess(&position, color);
                assert!(opinion.ownership.iter().all(|share| (-1.0..=1.0).contains(share)));
                if topology.len() > 9 {
                    break;
                }
            }
        }
    }
}

/// The same position, the same verdict; and the same the other way round.
#[test]
fn always_the_same() {
    let rows = ".X.O..... XX.O..... OOOO..... ...X..... ..X.X.... ...X.O... ......O.. .....O... .........";
    let position = rect(rows);
    assert_eq!(assess(&position, Some(Color::White)), assess(&position, Some(Color::White)));
    // made anew, not remembered
    assert_eq!(assess_anew(&position, None), assess_anew(&position, None));
    let swapped = rect(&rows.replace('X', "x").replace('O', "X").replace('x', "O"));
    assert_eq!(dead(&position), dead(&swapped));
}

/// Whoever has but one small eye, and nothing else, is captured in the end; a region that touches too much is left alone.
#[test]
fn enclosed_regions() {
    for (rows, inside, at, expected) in [
        (".XXXO XXXXO OOOOO ..... .....", 2, "A5", Some((-1, -1))),
        (".OXO. XXXO. OOOO. ..... .....", 2, "A5", Some((-1, -1))),
        ("..... ..... ..... ..... OX...", 2, "B3", None),
    ] {
        let position = rect(rows);
        let (topology, color) = (position.topology().clone(), colors(&position));
        let graph = Graph::new(&topology);
        let start = topology.point(at).unwrap().index() as u16;
        let members = graph.spread(start, |q| color[q as usize] == EMPTY || color[q as usize] == inside);
        let found = local::solve(&graph, &color, &members, inside, &vec![false; color.len()]);
        let found = found.map(|outcome| (outcome.encloser_first, outcome.inside_first));
        assert_eq!(found, expected, "{rows}");
    }
}
