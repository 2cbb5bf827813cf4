//! The arguments, as clap reads them.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::clients::{HostArgs, JoinArgs, OpenArgs, SendArgs, TlsArgs};
use crate::commands::Options;
use crate::rules::{Allowance, RULESETS, Selection, SettingError};

/// A referee for two humans that Go programs can talk to.
///
/// Without a subcommand it is a GTP engine on standard input and output: attach it to a Go program, or pipe a script
/// into it. It never plays; it rules on every turn.
#[derive(Parser, Debug)]
#[command(version, about, max_term_width = 100, args_conflicts_with_subcommands = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    /// Write notices of this level and above to standard error: error, warn, info, debug or trace
    #[arg(long, global = true, value_name = "LEVEL", default_value = "off", env = "EGTP_LOG")]
    pub(super) log: Level,
    /// How these notices are written: text, or one JSON object a line
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text", env = "EGTP_LOG_FORMAT")]
    pub(super) log_format: LogFormat,
    /// Draw boards with colours; auto does so on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: When,
    /// Keep each game in this folder as SGF: when it ends, and when it is given up for another
    #[arg(long, value_name = "FOLDER")]
    pub(super) record: Option<PathBuf>,
    /// Record the conversation on standard input and output in this file, as a transcript that `egtp check` can read
    #[arg(long, value_name = "FILE")]
    pub(super) log_gtp: Option<PathBuf>,
}

/// What the engine's games are like.
#[derive(Args, Clone, Debug)]
pub(super) struct EngineArgs {
    /// The rules: a name, with key=value settings after commas, like rulebook,size=13,counting=area
    ///
    /// enhanced if nothing is said. `egtp_rulesets` lists the names, `egtp_rules` shows the keys and their present values.
    #[arg(long, value_name = "NAME[,KEY=VALUE…]", value_parser = selection)]
    rules: Option<Selection>,
    /// Allow what the ruleset refuses
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// Whether the sides must take turns; `free` also lets a turn after two passes resume play
    #[arg(long, value_name = "ORDER", default_value = "strict")]
    turn_order: TurnOrder,
    /// All of --allow and --turn-order free: for programs that set positions up with play, undo or handicap commands
    #[arg(long)]
    lenient: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Level {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

impl When {
    /// Whether that is now.
    pub(super) fn is_now(self) -> bool {
        let terminal = || std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        self == When::Always || self == When::Auto && terminal()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Allow {
    Handicap,
    Resign,
    Undo,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TurnOrder {
    Strict,
    Free,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Serve GTP over TCP: every connection is an engine of its own, as over pipes
    Serve(ServeArgs),
    /// Play in a room of a server: what a board program starts as its engine
    ///
    /// Commands on standard input go to the room, answers come back on standard output, notices go to standard error. If
    /// the connection breaks it is made again, and the board program does not notice. The key stands in a file, or in
    /// the environment variable EGTP_KEY.
    Join(JoinArgs),
    /// Play against somebody who joins over the network: server, room and one's own seat in one process
    ///
    /// What a board program starts as its engine, as with join. What the other side needs is printed on standard error.
    Host(HostArgs),
    /// Run commands on a server and print what is answered; the exit status is 1 if one was refused
    ///
    /// With --room the commands are those of a seat, or of a spectator. The key stands in a file, or in the environment
    /// variable EGTP_KEY.
    Send(SendArgs),
    /// Open a room on a server
    Open(OpenArgs),
    /// Run transcripts against this engine, another one or a server, and compare the answers
    ///
    /// A transcript is plain GTP input; what is expected of an answer stands in a comment on the line below the command:
    /// `#= text`, `#= /regular expression/`, `#? beginning of an error`, `#| a further line of the text`.
    Check(CheckArgs),
    /// Referee whole archives of SGF files: one line a game
    ///
    /// Each game is judged under its own rules (RU), or under --rules: the first turn that is not allowed is named with
    /// its number and the reason; where dead stones are marked, the count is compared with the result claimed. Files that
    /// --log-gtp recorded are judged, too. The exit status is 1 if a game is not in order.
    Referee(RefereeArgs),
    /// Draw a position of an SGF file as SVG
    Draw(DrawArgs),
    /// Count a tournament in Hahn points: a table from lines of two players and a result
    ///
    /// Lines that begin with # are left out, and a first line whose last word is result. Results are B+3.5, W+R (or T, F),
    /// 0, Draw or Jigo. SGF files give the players and results of their games. In other files a line is BLACK WHITE RESULT, like `Anna Ben B+12.5`: separated by commas or tabs if the file has some (names may
    /// then hold spaces), else by spaces. Most points come first, whatever was won and lost.
    Hahn {
        /// SGF, text or CSV files with results; of a folder, all *.sgf files below it
        #[arg(required = true, value_name = "RESULTS")]
        files: Vec<PathBuf>,
    },
    /// List the rooms of a store: name, state, events, when it was opened, rules
    ///
    /// A server may be using the store meanwhile.
    Rooms(RoomsArgs),
    /// Write the games of a store as SGF
    ///
    /// A server may be using the store meanwhile. The exit status is 1 if a game could not be written.
    Export(ExportArgs),
    /// Print the command reference, protocol/COMMANDS.md
    Commands,
}

#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    pub(super) rules: EngineArgs,
    /// Where to listen; port 0 takes any free one. The address is printed on standard error
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:6077")]
    pub(super) listen: String,
    /// Connections at one time
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) max_connections: u32,
    /// Answer an operator's HTTP requests for /healthz and /metrics here; only on loopback, since nobody is asked who he is
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) admin: Option<String>,
    /// Keep rooms in this file, which is made if it is not there; without it they end with the program
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<PathBuf>,
    /// Rooms at one time
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) max_rooms: u32,
    /// Connections at one seat, and watching one room
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) max_per_seat: u32,
    /// Connections from one address
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) max_per_address: u32,
    /// Rooms opened, and other commands that cost much, from one address in a minute; further ones are refused
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) max_costly: u32,
    /// A file whose first word opens rooms: egtp_open ROOM … token=WORD; needed when listening beyond this machine
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// Close connections that have not sent anything for so long and are in no room; 0 for never
    #[arg(long, value_name = "MINUTES", default_value_t = 1440)]
    pub(super) idle: u32,
    #[command(flatten)]
    pub(super) tls: TlsArgs,
}

#[derive(Args, Debug)]
pub(super) struct RefereeArgs {
    /// Judge all games by these rules, whatever the files say; the board stays the file's
    #[arg(long, value_name = "NAME[,KEY=VALUE…]", value_parser = selection)]
    pub(super) rules: Option<Selection>,
    /// Take turns in any order
    #[arg(long)]
    pub(super) any_order: bool,
    /// One JSON object a game, for machines
    #[arg(long)]
    pub(super) json: bool,
    /// SGF files; of a folder, all *.sgf and *.gtp files below it; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct DrawArgs {
    /// The rules, whatever the file says
    #[arg(long, value_name = "NAME[,KEY=VALUE…]", value_parser = selection)]
    pub(super) rules: Option<Selection>,
    /// The SGF file
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// The position after this many turns; the last one if not given
    #[arg(long, value_name = "N")]
    pub(super) turn: Option<usize>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) game: usize,
    /// Lines of the opposite edge repeated round a torus
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) strips: usize,
    /// Where to write the drawing; standard output if not given
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) rules: EngineArgs,
    /// Run them against this command, one process for each file
    #[arg(long, value_name = "COMMAND", conflicts_with = "connect")]
    pub(super) engine: Option<String>,
    /// Run them against a server, one connection for each file
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) connect: Option<String>,
    /// How long to wait for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) timeout: u64,
    /// Show every command with its answer
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// Transcripts; of a folder, all *.gtp files in it
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct RoomsArgs {
    /// The store, as `egtp serve` keeps it
    #[arg(long, value_name = "FILE")]
    pub(super) store: PathBuf,
    /// Instead of listing the rooms, copy the store as it is now to this new file
    #[arg(long, value_name = "COPY")]
    pub(super) backup: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// The store, as `egtp serve` keeps it
    #[arg(long, value_name = "FILE")]
    pub(super) store: PathBuf,
    /// Only this room, the last one of that name
    #[arg(value_name = "ROOM", required_unless_present = "output")]
    pub(super) room: Option<String>,
    /// Write a file for each room into this folder: NAME.sgf, and NAME~1.sgf, NAME~2.sgf for earlier rooms of that name
    #[arg(long, short, value_name = "FOLDER")]
    pub(super) output: Option<PathBuf>,
}

fn selection(text: &str) -> Result<Selection, SettingError> {
    let mut words = text.split(',');
    Selection::parse(words.next().unwrap_or_default(), words)
}

impl EngineArgs {
    /// Whether anything was asked for.
    pub(super) fn is_set(&self) -> bool {
        self.rules.is_some() || self.lenient || !self.allow.is_empty() || self.turn_order == TurnOrder::Free
    }

    /// What a session is made with.
    pub(super) fn options(&self) -> Options {
        let allows = |what| self.lenient || self.allow.contains(&what);
        Options {
            allowance: Allowance {
                handicap: allows(Allow::Handicap),
                resign: allows(Allow::Resign),
                takeback: allows(Allow::Undo),
            },
            free_order: self.lenient || self.turn_order == TurnOrder::Free,
            cpu_seconds,
            ..Options::new(self.rules.unwrap_or_else(|| Selection::of(RULESETS[0])))
        }
    }
}

#[cfg(unix)]
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lenient_is_everything() {
        let options = Cli::parse_from(["egtp", "--lenient"]).engine.options();
        assert_eq!(options.allowance, Allowance { handicap: true, resign: true, takeback: true });
        assert!(options.free_order);
        let options = Cli::parse_from(["egtp", "--allow", "undo,resign", "--rules", "aga,size=9"]).engine.options();
        assert_eq!(options.allowance, Allowance { handicap: false, resign: true, takeback: true });
        assert!(!options.free_order);
        assert_eq!((options.selection.ruleset.name, options.selection.shape.to_string()), ("aga", "9".into()));
        assert!(Cli::try_parse_from(["egtp", "--rules", "aga,size=99"]).is_err());
    }
}
