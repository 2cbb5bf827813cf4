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

    /// The points that can be reached from one without leaving those that belong, itself first.
    pub(super) fn spread(&self, start: u16, belongs: impl Fn(u16) -> bool) -> Vec<u16> {
        let mut reached = vec![start];
        let mut seen = vec![false; self.len()];
        seen[start as usize] = true;
        let mut next = 0;
        while let Some(&point) = reached.get(next) {
            next += 1;
            for &q in self.neighbours(point) {
                if !std::mem::replace(&mut seen[q as usize], true) && belongs(q) {
                    reached.push(q);
                }
            }
        }
        reached
    }

    /// All points that belong, by connected regions.
    pub(super) fn regions(&self, belongs: impl Fn(u16) -> bool) -> Vec<Vec<u16>> {
        let mut seen = vec![false; self.len()];
        let mut regions = Vec::new();
        for start in 0..self.len() as u16 {
            if !seen[start as usize] && belongs(start) {
                let region = self.spread(start, &belongs);
                region.iter().for_each(|&point| seen[point as usize] = true);
                regions.push(region);
            }
        }
        regions
    }

    #[inline]
    pub(super) fn links(&self, point: u16) -> &[Link] {
        let point = point as usize;
        &self.links[self.link_starts[point] as usize..self.link_starts[point + 1] as usize]
    }
}
