//! `egtp draw`: a position of a file.

use anyhow::{Context, bail};

use super::args::DrawArgs;
use crate::record::{ReadOptions, draw_game, read_tree, sgf};
use crate::server::read;

/// The position as SVG.
pub(super) fn svg(args: &DrawArgs) -> anyhow::Result<String> {
    let rules = args.rules;
    let shown = args.file.display();
    let bytes = read(&args.file).with_context(|| format!("cannot read {shown}"))?;
    let trees = sgf::parse(&sgf::decode(&bytes)).with_context(|| format!("{shown}"))?;
    let tree = args.game.checked_sub(1).and_then(|i| trees.get(i));
    let tree = tree.with_context(|| format!("{shown} has {} games; --game counts from 1", trees.len()))?;
    let options =
        ReadOptions { rules, free_order: true, before_turn: args.turn.map(|n| n + 1), ..ReadOptions::default() };
    let reading = read_tree(tree, &options);
    if let Some(problem) = reading.problem {
        bail!("{shown}:{}: {problem}", problem.line);
    }
    let made = reading.dropped + reading.game.turns().len();
    match args.turn {
        Some(turn) if made < turn => bail!("{shown} has only {made} turns"),
        _ => Ok(draw_game(&reading.game, args.strips)),
    }
}
