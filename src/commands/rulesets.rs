//! Choosing rules by the referee's own names.

use std::fmt::Write;

use super::rooms;
use super::state::key_values;
use super::table::{Command, InRoom};
use super::{Controller, Failure};
use crate::gtp::Args;
use crate::rules::{RULESETS, Selection};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("egtp_rulesets", "", "the rulesets, one per line: name, two spaces, what it is", |_, _, text| {
        for ruleset in RULESETS {
            write!(text, "{}  {}", ruleset.name, ruleset.about).ok();
            if !ruleset.beyond.is_empty() {
                write!(text, "; not refereed: {}", ruleset.beyond).ok();
            }
            text.push('\n');
        }
        Ok(())
    })
    .in_room(InRoom::Same),
    Command::new(
        "egtp_rules",
        "[NAME [KEY=VALUE…]]",
        "starts a new game under a ruleset; answers the rules in force",
        rules,
    )
    .in_room(InRoom::Own(rooms::rules)),
];

fn rules(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    if let Some(name) = args.get(0) {
        if name.contains('=') {
            return Err(Failure::Syntax(format!(
                "name a ruleset first: egtp_rules {} {name}",
                controller.ruleset().name
            )));
        }
        let settings = args.words()[1..].iter().copied();
        controller.start(Selection::parse(name, settings)?);
    }
    let game = controller.game();
    let (rules, shape) = (game.ruleset(), game.shape());
    let board = [
        ("ruleset", rules.name.to_string()),
        ("topology", shape.kind().name().into()),
        ("size", shape.to_string()),
        ("komi", game.komi().to_string()),
    ];
    key_values(text, board.into_iter().chain(rules.switches().map(|(key, value)| (key, value.to_string()))));
    Ok(())
}
