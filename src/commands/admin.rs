//! Commands about the engine and the session.

use std::fmt::Write;

use super::table::{self, Command, InRoom};
use super::{Controller, Failure};
use crate::gtp::Args;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("protocol_version", "", "the version of GTP: 2", |_, _, text| answer(text, "2")).in_room(InRoom::Same),
    Command::new("name", "", "the engine's name", |_, _, text| answer(text, env!("CARGO_PKG_NAME")))
        .in_room(InRoom::Same),
    Command::new("version", "", "the engine's version, MAJOR.MINOR.PATCH", |_, _, text| {
        answer(text, env!("CARGO_PKG_VERSION"))
    })
    .in_room(InRoom::Same),
    Command::new("known_command", "[NAME]", "whether a command can be used: true or false", known_command)
        .in_room(InRoom::Same),
    Command::new("list_commands", "", "all commands that can be used under the present rules, one per line", list)
        .in_room(InRoom::Same)
        .spare(),
    Command::new("help", "[NAME]", "what a command does, or all commands with one line each", help)
        .in_room(InRoom::Same),
    Command::new("echo", "[TEXT…]", "answers its arguments", |_, args, text| answer(text, &args.words().join(" ")))
        .in_room(InRoom::Same),
    Command::new("cputime", "", "processor time used by the program, in seconds", |controller, _, text| {
        answer(text, &format!("{:.3}", controller.cpu_seconds()))
    })
    .in_room(InRoom::Same),
    Command::new("quit", "", "ends the session, after answering", |_, _, _| Ok(())).spare().quits(),
];

/// Writes a text that is there already.
pub(super) fn answer(text: &mut String, content: &str) -> Result<(), Failure> {
    text.push_str(content);
    Ok(())
}

fn known_command(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let known = args.get(0).and_then(table::find).is_some_and(|command| command.is_listed(controller));
    answer(text, if known { "true" } else { "false" })
}

fn list(controller: &mut Controller, _: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let names: Vec<&str> = table::all().filter(|c| c.is_listed(controller)).map(|c| c.name).collect();
    answer(text, &names.join("\n"))
}

fn help(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    if let Some(name) = args.get(0) {
        let command = table::find(name).ok_or(Failure::UnknownCommand)?;
        writeln!(text, "{}\n{}", command.usage(), command.help).ok();
        writeln!(text, "phases: {}", command.phases.name()).ok();
        return Ok(());
    }
    for command in table::all().filter(|c| c.is_listed(controller)) {
        writeln!(text, "{}: {}", command.usage(), command.help).ok();
    }
    Ok(())
}
