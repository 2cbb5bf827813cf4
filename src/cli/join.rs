//! `egtp join`: a board program's way into a room.

use anyhow::Context;

use super::clients::JoinArgs;
use crate::server::bridge::{BridgeOptions, run as bridge};

/// Bridges standard input and output to the room; answers the exit status.
pub(super) async fn run(args: &JoinArgs) -> anyhow::Result<u8> {
    let options = BridgeOptions { sgf: args.sgf.clone() };
    bridge(args.server.remote()?, args.seat()?, options).await.context("the conversation broke off")
}
