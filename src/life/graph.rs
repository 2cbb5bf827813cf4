//! A board as playouts need it: neighbours in one list, and what holds the stones round a point together.

use crate::board::{Point, Topology};

/// Neighbours and shortest cycles of a board.
#[derive(Debug)]
pub(super) struct Graph {
    /// Where each point's neighbours begin in `neighbours`, and where the last one's end.
    starts: Vec<u32>,
    neighbours: Vec<u16>,
    /// The same for `links`.
    link_starts: Vec<u32>,
    links: Vec<Link>,
}

/// Two neighbours of a point that a shortest cycle through the point joins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Their numbers among the point's neighbours.
    pub(super) ends: [u8; 2],
    /// The cycle's fourth point, which cuts it if the opponent is there; [`NONE`] for a triangle, which nothing cuts.
    pub(super) cut: u16,
}

pub(super) const NONE: u16 = u16::MAX;

impl Graph {
    pub(super) fn new(topology: &Topology) -> Graph {
        let mut graph = Graph { starts: vec![0], neighbours: Vec::new(), link_starts: vec![0], links: Vec::new() };
        for point in topology.points() {
            let around = topology.neighbours(point);
            graph.neighbours.extend(around.iter().map(|p| p.index() as u16));
            graph.starts.push(graph.neighbours.len() as u32);
            for (i, &a) in around.iter().enumerate() {
                for (j, &b) in around.iter().enumerate().skip(i + 1) {
                    let ends = [i as u8, j as u8];
                    if topology.neighbours(a).contains(&b) {
                        graph.links.push(Link { ends, cut: NONE });
                        continue;
                    }
                    let between = |p: &&Point| **p != point && topology.neighbours(b).contains(p);
                    let cuts = topology.neighbours(a).iter().filter(between);
                    graph.links.extend(cuts.map(|p| Link { ends, cut: p.index() as u16 }));
                }
            }
            graph.link_starts.push(graph.links.len() as u32);
        }
        graph
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(super) fn neighbours(&self, point: u16) -> &[u16] {
        let point = point as usize;
        &self.neighbours[self.starts[point] as usize..self.starts[point + 1] as usize]
    }

    #[inline]
    pub(super) fn links(&self, point: u16) -> &[Link] {
        let point = point as usize;
        &self.links[self.link_starts[point] as usize..self.link_starts[point + 1] as usize]
    }
}
