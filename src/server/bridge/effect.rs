//! What a command does to a view and to the room's game, as far as the bridge must know it.

use crate::gtp::Args;

/// What a command does when it is answered with `=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing that anybody else sees, and the same when it is done again.
    Nothing,
    /// A turn, or a stone on the view only.
    Play,
    /// The other side's turn is put on the view.
    Genmove,
    /// The view becomes a board of its own that follows from this command alone.
    Empties,
    /// The view becomes a board of its own, changed by this command.
    Changes,
    /// Turns are put on the view: color, vertex, color, vertex, …
    Sequence,
    /// Turns are taken back from the view.
    Undo,
    /// A turn of one's own in the room's game, which becomes the view.
    Special,
    /// Play in the room's game goes on, and that game becomes the view.
    Resume,
    /// A special turn is being put together, or a turn tried: beside the view until it changes.
    Aside,
    /// Enters a room.
    Enters,
    /// Leaves the room: what follows is a private engine.
    Leaves,
    /// The session ends.
    Quit,
    /// Anything else: it may have changed something, and must not be done twice.
    Other,
}

/// Commands without any effect on a room or a view. Komi and clocks are only noted there.
const QUESTIONS: &[&str] = &[
    "all_legal",
    "captures",
    "color",
    "countlib",
    "cputime",
    "echo",
    "egtp_affordable",
    "egtp_board",
    "egtp_diagram",
    "egtp_estimate",
    "egtp_hahn",
    "egtp_marks",
    "egtp_preview",
    "egtp_preview_pass",
    "egtp_reason",
    "egtp_rooms",
    "egtp_rulesets",
    "egtp_score",
    "egtp_sgf",
    "egtp_stage_show",
    "egtp_status",
    "egtp_topology",
    "egtp_turns",
    "egtp_view",
    "egtp_wait",
    "estimate_score",
    "final_score",
    "final_status",
    "final_status_list",
    "findlib",
    "get_handicap",
    "get_komi",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-rules_board",
    "gogui-rules_board_gfx",
    "gogui-rules_board_size",
    "gogui-rules_captured_count",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-title",
    "gogui-version",
    "help",
    "is_legal",
    "kata-get-rules",
    "kgs-time_settings",
    "known_command",
    "komi",
    "last_move",
    "list_commands",
    "list_stones",
    "move_history",
    "name",
    "protocol_version",
    "query_boardsize",
    "query_orientation",
    "showboard",
    "time_left",
    "time_settings",
    "version",
];

/// Commands that ask without arguments, and with some do what must not be done twice.
const BARE_QUESTIONS: &[&str] = &["egtp_draw", "egtp_lesson", "egtp_rules", "printsgf"];

/// Commands known to change something in a way that no view can be brought back from, or to be refused in a room.
const OTHERS: &[&str] = &[
    "egtp_accept",
    "egtp_lesson_mistake",
    "egtp_lesson_show",
    "egtp_mark_dead",
    "egtp_open",
    "egtp_propose",
    "egtp_random_board",
    "kata-set-rule",
    "kata-set-rules",
    "kgs-rules",
    "loadsgf",
];

impl Effect {
    /// What the command of that name does.
    pub(super) fn of(name: &str, args: &Args<'_>) -> Effect {
        Effect::known(name, args.is_empty()).unwrap_or(Effect::Other)
    }

    fn known(name: &str, bare: bool) -> Option<Effect> {
        Some(match name {
            "play" => Effect::Play,
            "genmove" | "reg_genmove" => Effect::Genmove,
            "boardsize" | "clear_board" | "rectangular_boardsize" | "set_position" => Effect::Empties,
            "fixed_handicap" | "gogui-setup" | "gogui-setup_player" | "place_free_handicap" | "set_free_handicap" => {
                Effect::Changes
            }
            "gogui-play_sequence" => Effect::Sequence,
            "undo" | "gg-undo" => Effect::Undo,
            "egtp_special" | "egtp_stage_commit" => Effect::Special,
            "egtp_resume" => Effect::Resume,
            "egtp_stage" | "egtp_stage_cancel" | "egtp_stage_pay" | "egtp_stage_place" | "egtp_stage_size"
            | "popgo" | "trymove" => Effect::Aside,
            "egtp_sit" | "egtp_watch" => Effect::Enters,
            "egtp_leave" => Effect::Leaves,
            "quit" => Effect::Quit,
            _ if QUESTIONS.contains(&name) || bare && BARE_QUESTIONS.contains(&name) => Effect::Nothing,
            _ if OTHERS.contains(&name) || BARE_QUESTIONS.contains(&name) => Effect::Other,
            _ => return None,
        })
    }

    /// Whether it can be sent again when it is not known whether it was done.
    pub(super) fn repeats(self) -> bool {
        matches!(self, Effect::Nothing | Effect::Play | Effect::Genmove)
    }

    /// Whether a connection that has sent this has a board of its own, which begins from what it saw before.
    pub(super) fn detaches(self) -> bool {
        matches!(self, Effect::Genmove | Effect::Changes | Effect::Sequence | Effect::Undo)
    }

    /// Whether the room's game becomes the view, so that how far it has come must be asked.
    pub(super) fn catches_up(self) -> bool {
        matches!(self, Effect::Special | Effect::Resume)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;

    #[test]
    fn nothing_in_the_command_table_is_forgotten() {
        let forgotten: Vec<&str> =
            commands::all().map(|c| c.name).filter(|name| Effect::known(name, false).is_none()).collect();
        assert_eq!(forgotten, [""; 0], "say in effect.rs what these do");
    }

    #[test]
    fn what_asks_only_without_arguments() {
        let args = |words: &[&'static str]| words.iter().copied().collect::<Args<'_>>();
        assert_eq!(Effect::of("egtp_rules", &args(&[])), Effect::Nothing);
        assert_eq!(Effect::of("egtp_rules", &args(&["aga"])), Effect::Other);
        assert_eq!(Effect::of("never_heard_of", &args(&[])), Effect::Other);
        assert!(!Effect::Other.repeats());
    }
}
