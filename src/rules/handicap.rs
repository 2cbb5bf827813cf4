//! Where handicap stones go: GTP's fixed points, and free placement.

use crate::board::{Kind, Point, Topology};

/// The points of a fixed handicap of `n` stones, as GTP version 2 draft 2 (section 4.1.1) places them on square boards
/// of 7 to 25 points; nothing if it has none for this number and board.
pub fn fixed_handicap(topology: &Topology, n: usize) -> Option<Vec<Point>> {
    let (size, height) = topology.shape().size();
    if topology.shape().kind() != Kind::Rect || size != height || !(7..=25).contains(&size) {
        return None;
    }
    // even boards have no middle, and on 7×7 the middle would touch the corners' stones
    let most = if size % 2 == 1 && size > 7 { 9 } else { 4 };
    if !(2..=most).contains(&n) {
        return None;
    }
    let near = if size >= 13 { 3 } else { 2 };
    let (far, middle) = (size - 1 - near, size / 2);
    let corners = [(near, near), (far, far), (near, far), (far, near)];
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let mut places: Vec<(usize, usize)> = corners.into_iter().take(n).collect();
    places.extend(sides.into_iter().take(n.saturating_sub(4) / 2 * 2));
    if n >= 5 && n % 2 == 1 {
        places.push((middle, middle));
    }
    places.into_iter().map(|(column, row)| topology.at(column, row)).collect()
}

/// Points for a free handicap of `n` stones on any board: the fixed points where there are some, else star points,
/// then every point of a wide grid, then the rest, always the same.
///
/// Any `n` less than the number of points leaves every chain a liberty, since the board is connected.
pub fn free_handicap(topology: &Topology, n: usize) -> Vec<Point> {
    if let Some(points) = fixed_handicap(topology, n) {
        return points;
    }
    let mut order: Vec<Point> = topology.star_points();
    // stones spread out first: every third line from the third, then every second point of a chequerboard
    let thirds = |&p: &Point| matches!(topology.place(p), (x, y) if x % 3 == 2 && y % 3 == 2);
    let chequers = |&p: &Point| matches!(topology.place(p), (x, y) if (x + y) % 2 == 0);
    order.extend(topology.points().filter(thirds));
    order.extend(topology.points().filter(chequers));
    order.extend(topology.points());
    let mut chosen = Vec::with_capacity(n);
    let mut taken = vec![false; topology.len()];
    for point in order {
        if chosen.len() < n && !std::mem::replace(&mut taken[point.index()], true) {
            chosen.push(point);
        }
    }
    chosen
}
