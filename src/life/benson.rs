//! Unconditional life: chains that cannot be captured although their side always passes.
//!
//! Source: D. B. Benson, "Life in the Game of Go", 1976. It speaks of neighbours only, and so of any board.

use super::graph::Graph;
use super::stones::EMPTY;

/// By point, whether there is a stone of the colour that is unconditionally alive.
pub(super) fn alive(graph: &Graph, color: &[u8], own: u8) -> Vec<bool> {
    let points = color.len();
    // chains of the colour, and regions of all else, numbered together
    let chains = graph.regions(|point| color[point as usize] == own);
    let others = graph.regions(|point| color[point as usize] != own);
    let is_chain = [vec![true; chains.len()], vec![false; others.len()]].concat();
    let parts = [chains, others].concat();
    let mut part = vec![0; points];
    for (number, members) in parts.iter().enumerate() {
        members.iter().for_each(|&point| part[point as usize] = number);
    }
    // for each region: the chains round it, and those of them that all its empty points touch
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    let mut vital: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (number, members) in parts.iter().enumerate().filter(|(number, _)| !is_chain[*number]) {
        let chains = |point: u16| {
            let mut chains: Vec<usize> =
                graph.neighbours(point).iter().map(|&q| part[q as usize]).filter(|&other| other != number).collect();
            chains.sort_unstable();
            chains.dedup();
            chains
        };
        let mut all: Option<Vec<usize>> = None;
        for &point in members {
            let here = chains(point);
            around[number].extend(&here);
            if color[point as usize] == EMPTY {
                all = Some(match all {
                    None => here,
                    Some(mut all) => {
                        all.retain(|chain| here.contains(chain));
                        all
                    }
                });
            }
        }
        around[number].sort_unstable();
        around[number].dedup();
        vital[number] = all.unwrap_or_default();
    }
    let mut living = is_chain.clone();
    let mut healthy: Vec<bool> = is_chain.iter().map(|chain| !chain).collect();
    loop {
        let mut eyes = vec![0; parts.len()];
        for (number, _) in healthy.iter().enumerate().filter(|(_, healthy)| **healthy) {
            vital[number].iter().for_each(|&chain| eyes[chain] += 1);
        }
        let dying: Vec<usize> = (0..parts.len()).filter(|&chain| living[chain] && eyes[chain] < 2).collect();
        if dying.is_empty() {
            break;
        }
        dying.iter().for_each(|&chain| living[chain] = false);
        for number in 0..parts.len() {
            healthy[number] &= around[number].iter().all(|&chain| living[chain]);
        }
    }
    (0..points).map(|point| living[part[point]]).collect()
}
