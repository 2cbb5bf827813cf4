//! The one table of commands, and the checks that come from it.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::FileJob;
use super::seated::{self, RoomHandler};
use super::{
    Controller, Failure, admin, gogui, kata, life, queries, records, rooms, rulesets, scoring, setup, special, state,
    turns,
};
use crate::game::{Phase, Refused};
use crate::gtp::Args;

/// A command's declaration.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// What it is called; case matters.
    pub name: &'static str,
    /// Its arguments: `COLOR MOVE`, `[N]` optional, `V…` one or more, `[V…]` any number, `|` between alternatives.
    /// The number of arguments that is accepted follows from it.
    pub params: &'static str,
    /// Further arguments are ignored, since clients send some.
    pub spare: bool,
    /// It is about the board as it is after what was only tried (`trymove`); all others do not see that.
    pub tries: bool,
    /// When it may run.
    pub phases: Phases,
    /// One line on what it does and answers.
    pub help: &'static str,
    /// What it does when the controller is in a room.
    pub(super) room: InRoom,
    /// Whether it is listed under the present rules.
    pub listed: fn(&Controller) -> bool,
    /// What it does.
    pub run: Run,
}

/// When a command may run. The rules of a turn (whose turn, play stopped) are the game's own and not repeated here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phases {
    /// Always.
    Any,
    /// Before the first turn.
    Start,
    /// In play; in scoring where the ruleset lets a stone resume play.
    Play,
    /// While dead stones are marked and accepted.
    Scoring,
    /// In scoring and when the game is over.
    Stopped,
}

/// What a command does when the controller is in a room.
#[derive(Clone, Copy, Debug)]
pub(super) enum InRoom {
    /// The same as elsewhere: it is not about a game.
    Same,
    /// It asks about the controller's own board.
    View,
    /// It asks about the official game.
    Official,
    /// It asks about the official game and shows the dead stones.
    Marks,
    /// It changes the official game, for the seat's own side.
    Act,
    /// Something of its own.
    Own(RoomHandler),
    /// Nothing, for this reason.
    Refused(&'static str),
}

/// What a command does.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Writes the text of its answer.
    Text(Handler),
    /// Needs a file, or writes the text of its answer.
    File(FileHandler),
    /// Is about rooms.
    Room(RoomsHandler),
    /// Answers and ends the session.
    Quit,
}

/// Enters, leaves or opens a room.
pub(super) type RoomsHandler = fn(&mut Controller, &Args<'_>, &mut String) -> Result<Done, Failure>;

/// Asks for something to be done with a file; with nothing to be done, writes the text of the answer.
pub(super) type FileHandler = fn(&mut Controller, &Args<'_>, &mut String) -> Result<Option<FileJob>, Failure>;

/// What a command comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// The text of the answer is written.
    Answered,
    /// The command is refused, and the text says why.
    Refused,
    /// It is answered, and the session ends.
    Quit,
    /// A file is needed; then [`complete`](super::complete) goes on.
    File(Box<FileJob>),
    /// The answer will come when something has happened in the room; any other command ends the waiting.
    Wait,
    /// The answer, or that the command is to be sent again, will come when something is written down; no other command
    /// may come before.
    Busy,
}

/// Changes or asks the controller, and writes the text of the answer.
pub(super) type Handler = fn(&mut Controller, &Args<'_>, &mut String) -> Result<(), Failure>;

const NO_FILES: &str = "cannot load file: the game of a room is the room's; egtp_sgf answers it";

impl Phases {
    /// As the command reference writes it.
    pub fn name(self) -> &'static str {
        match self {
            Phases::Any => "any",
            Phases::Start => "before the first turn",
            Phases::Play => "play",
            Phases::Scoring => "scoring",
            Phases::Stopped => "scoring, finished",
        }
    }
}

impl Command {
    /// A command for any phase that is always listed.
    pub(super) const fn new(name: &'static str, params: &'static str, help: &'static str, handler: Handler) -> Command {
        Command {
            name,
            params,
            spare: false,
            tries: false,
            phases: Phases::Any,
            room: InRoom::View,
            help,
            listed: |_| true,
            run: Run::Text(handler),
        }
    }

    /// A command about rooms.
    pub(super) const fn rooms(
        name: &'static str,
        params: &'static str,
        help: &'static str,
        handler: RoomsHandler,
    ) -> Command {
        let command = Command::new(name, params, help, |_, _, _| Err(Failure::UnknownCommand));
        Command { run: Run::Room(handler), room: InRoom::Same, listed: |c| c.has_rooms(), ..command }
    }

    /// What it does in a room.
    pub(super) const fn in_room(self, room: InRoom) -> Command {
        Command { room, ..self }
    }

    /// A command about a file.
    pub(super) const fn file(
        name: &'static str,
        params: &'static str,
        help: &'static str,
        handler: FileHandler,
    ) -> Command {
        let run = Run::File(handler);
        let room = InRoom::Refused(NO_FILES);
        Command { name, params, spare: false, tries: false, phases: Phases::Any, room, help, listed: |_| true, run }
    }

    pub(super) const fn phases(self, phases: Phases) -> Command {
        Command { phases, ..self }
    }

    pub(super) const fn tries(self) -> Command {
        Command { tries: true, ..self }
    }

    pub(super) const fn spare(self) -> Command {
        Command { spare: true, ..self }
    }

    pub(super) const fn listed(self, listed: fn(&Controller) -> bool) -> Command {
        Command { listed, ..self }
    }

    pub(super) const fn quits(self) -> Command {
        Command { run: Run::Quit, room: InRoom::Same, ..self }
    }

    /// Whether it can be used where the controller is.
    pub fn is_listed(&self, controller: &Controller) -> bool {
        match self.room {
            InRoom::Refused(_) if controller.is_seated() => false,
            InRoom::Own(_) if controller.is_seated() => true,
            _ => (self.listed)(controller),
        }
    }

    /// The name with the arguments, as a usage line.
    pub fn usage(&self) -> String {
        format!("{} {}", self.name, self.params).trim_end().into()
    }

    /// The least and the largest number of arguments.
    fn arity(&self) -> (usize, usize) {
        let alternatives = self.params.split('|').map(|alternative| {
            let (mut least, mut most) = (0usize, 0usize);
            let mut optional = false;
            for word in alternative.split_whitespace() {
                optional |= word.starts_with('[');
                least += !optional as usize;
                most = most.saturating_add(if word.contains('…') { usize::MAX } else { 1 });
                optional &= !word.contains(']');
            }
            (least, if self.spare { usize::MAX } else { most })
        });
        alternatives.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
    }
}

/// All commands by family, in the order in which they are listed.
pub const FAMILIES: &[(&str, &[Command])] = &[
    ("Administration", admin::COMMANDS),
    ("Setting up a game", setup::COMMANDS),
    ("Turns", turns::COMMANDS),
    ("Questions about the board and the game", queries::COMMANDS),
    ("Special turns", special::COMMANDS),
    ("Scoring", scoring::COMMANDS),
    ("Life and death", life::COMMANDS),
    ("State", state::COMMANDS),
    ("Rulesets", rulesets::COMMANDS),
    ("KataGo's rules and positions", kata::COMMANDS),
    ("GoGui", gogui::COMMANDS),
    ("Game records", records::COMMANDS),
    ("Rooms", rooms::COMMANDS),
];

/// Every command, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|(_, commands)| commands.iter())
}

/// A command as it is looked up.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) command: &'static Command,
    least: usize,
    most: usize,
}

impl Entry {
    /// Whether it takes that many arguments.
    pub(super) fn takes(&self, arguments: usize) -> bool {
        (self.least..=self.most).contains(&arguments)
    }
}

static INDEX: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let entry = |command: &'static Command| {
        let (least, most) = command.arity();
        (command.name, Entry { command, least, most })
    };
    all().map(entry).collect()
});

/// The command of that name.
pub fn find(name: &str) -> Option<&'static Command> {
    INDEX.get(name).map(|entry| entry.command)
}

/// Runs a command: checks that it exists, its number of arguments and the phase, then hands over to its handler, which
/// writes the text of the answer.
// What comes of it fits into registers. A larger result would be read back from memory before it is there, behind all
// that the turn has written: a tenth of the time of a turn when many games are played at once.
#[inline]
pub fn dispatch(controller: &mut Controller, name: &str, args: &Args<'_>, text: &mut String) -> Done {
    // in a stream of turns the last command comes again
    if controller.last.is_none_or(|last| last.command.name != name) {
        controller.last = INDEX.get(name);
    }
    controller.heard(name == "play");
    let Some(entry) = controller.last else {
        return refuse(Failure::UnknownCommand, controller, None, text);
    };
    let command = entry.command;
    if controller.is_seated() && !matches!(command.room, InRoom::Same) {
        let done = controller.with_guest(|controller, guest| seated::dispatch(controller, guest, entry, args, text));
        return done.unwrap_or_else(|why| refuse_because(&why, text));
    }
    let suspended = if controller.has_tries() && !command.tries { controller.suspend_tries() } else { Vec::new() };
    let result = if entry.takes(args.len()) {
        check_phase(command, controller).and_then(|()| match command.run {
            Run::Text(handler) => handler(controller, args, text).map(|()| Done::Answered),
            Run::File(handler) => {
                handler(controller, args, text).map(|job| job.map_or(Done::Answered, |job| Done::File(Box::new(job))))
            }
            Run::Room(handler) => handler(controller, args, text),
            Run::Quit => Ok(Done::Quit),
        })
    } else {
        Err(Failure::Usage)
    };
    let done = match result {
        Ok(done) => done,
        Err(failure) => refuse(failure, controller, Some(command), text),
    };
    if !suspended.is_empty() {
        controller.resume_tries(suspended);
    }
    done
}

#[cold]
fn refuse(failure: Failure, controller: &Controller, command: Option<&'static Command>, text: &mut String) -> Done {
    refuse_because(&failure.text(controller, command), text)
}

#[cold]
fn refuse_because(why: &str, text: &mut String) -> Done {
    why.clone_into(text);
    Done::Refused
}

/// Looks whether what the controller waits for has come; then the answer, or [`Done::Busy`] if its command is to be sent
/// again.
pub fn wake(controller: &mut Controller, text: &mut String) -> Option<Result<Done, String>> {
    controller.guest.as_mut().and_then(|guest| seated::wake(guest, text))
}

#[inline]
pub(super) fn check_phase(command: &Command, controller: &Controller) -> Result<(), Failure> {
    let game = controller.game();
    match (command.phases, game.standing().phase) {
        // the game itself says why a turn cannot be made now
        (Phases::Any | Phases::Play, _) => Ok(()),
        (Phases::Start, _) if game.at_start() => Ok(()),
        (Phases::Start, _) => Err(Failure::Refused(Refused::HasBegun)),
        (Phases::Scoring, Phase::Scoring) => Ok(()),
        (Phases::Scoring, Phase::Play) => Err(Failure::Refused(Refused::NotScoring)),
        (Phases::Scoring, Phase::Finished) => Err(Failure::Refused(Refused::GameOver)),
        (Phases::Stopped, Phase::Play) => Err(Failure::CannotScore),
        (Phases::Stopped, _) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_everything_is_said() {
        let commands: Vec<&Command> = all().collect();
        for (i, command) in commands.iter().enumerate() {
            assert!(commands[..i].iter().all(|other| other.name != command.name), "{} twice", command.name);
            assert!(command.help.len() > 10 && !command.help.ends_with('.'), "{}: {}", command.name, command.help);
        }
        // LizzieYzy takes an engine for one only if this is the first line of `list_commands`
        assert_eq!(commands[0].name, "protocol_version");
        assert!(commands.iter().all(|c| !c.name.contains("analyze")), "Sabaki would take it for an engine that thinks");
    }

    #[test]
    fn arity_follows_from_the_parameters() {
        let arity = |params| Command::new("x", params, "does something", |_, _, _| Ok(())).arity();
        assert_eq!(arity(""), (0, 0));
        assert_eq!(arity("COLOR MOVE"), (2, 2));
        assert_eq!(arity("N [M]"), (1, 2));
        assert_eq!(arity("V…"), (1, usize::MAX));
        assert_eq!(arity("COLOR [V…]"), (1, usize::MAX));
        assert_eq!(arity("COLOR N V… | COLOR place"), (2, usize::MAX));
        assert_eq!(arity("[COLOR V]…"), (0, usize::MAX));
    }
}
