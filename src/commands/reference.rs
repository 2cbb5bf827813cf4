//! The command reference, made from the table.

use std::fmt::Write;

use super::FAMILIES;

/// `protocol/COMMANDS.md`: every command by family with its arguments, phases and meaning.
pub fn reference() -> String {
    let mut text = String::from(
        "# Commands\n\nMade from the command table by `egtp commands`; do not edit. What the answers look like and why a \
         command is refused stands in `SPEC.md`.\n\nArguments: `[X]` may be left out, `X…` stands for one or more, `|` \
         separates alternatives. COLOR is `b`, `w`, `black` or `white`; V and VERTEX a point; MOVE a point, `pass` or \
         `resign`; all in capitals or not.\n",
    );
    for (family, commands) in FAMILIES {
        write!(text, "\n## {family}\n\n| command | arguments | phases | what it does |\n|---|---|---|---|\n").ok();
        for command in *commands {
            let params = command.params.replace('|', "\\|");
            let params = if params.is_empty() { String::new() } else { format!("`{params}`") };
            let spare = if command.spare { "; further arguments are ignored" } else { "" };
            writeln!(text, "| `{}` | {params} | {} | {}{spare} |", command.name, command.phases.name(), command.help)
                .ok();
        }
    }
    text
}
