//! `egtp send`: commands from a terminal.

use std::time::Duration;

use anyhow::{Context, bail};

use super::clients::SendArgs;
use super::engine::Engine;
use super::run::print;
use crate::server::notice;

/// Some commands wait for the other side, who may be asleep.
const FOR_EVER: Duration = Duration::from_secs(365 * 86_400);

/// Runs the commands and prints the answers' texts, refusals on standard error; true if all went well.
pub(super) async fn run(args: &SendArgs) -> anyhow::Result<bool> {
    let seat = args.seat()?;
    if let Some(command) = args.commands.iter().find(|command| command.contains('\n') || !is_command(command)) {
        bail!("{command:?} is not one command");
    }
    let mut engine = Engine::connect(&args.server.remote()?, FOR_EVER).await?;
    if let Some(seat) = seat {
        let answer = engine.ask(&seat.line(None)).await?;
        if !answer.success {
            bail!("cannot be {seat}: {}", answer.text);
        }
    }
    let mut good = true;
    for command in &args.commands {
        let answer = engine.ask(command).await.with_context(|| command.clone())?;
        good &= answer.success;
        if !answer.success {
            notice(format_args!("{command}: {}", answer.text));
        } else if !answer.text.is_empty() {
            print(&format!("{}\n", answer.text))?;
        }
    }
    Ok(good)
}

/// Blank lines and comments are never answered.
fn is_command(text: &str) -> bool {
    !text.split('#').next().unwrap_or_default().trim().is_empty()
}
