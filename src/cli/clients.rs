//! The arguments of the subcommands that connect to a server, and what stands in files for them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};

use crate::board::Color;
use crate::server::bridge::Seat;
use crate::server::{Remote, TlsClient, TlsServer, read};

/// Where the key is looked for if no file is named: other users can list the arguments of a program, not this.
const KEY_VARIABLE: &str = "EGTP_KEY";

/// A server.
#[derive(Args, Debug)]
pub(super) struct ServerArgs {
    /// The server
    #[arg(value_name = "HOST:PORT", value_parser = address)]
    address: String,
    /// The server encrypts connections (TLS): insist on that, and that it is the one it says it is
    #[arg(long)]
    tls: bool,
    /// Believe the certificates in this file, in PEM form, and what they signed, instead of those that the system believes
    #[arg(long, value_name = "FILE", requires = "tls")]
    tls_ca: Option<PathBuf>,
}

/// `egtp join`.
#[derive(Args, Debug)]
pub(super) struct JoinArgs {
    #[command(flatten)]
    pub(super) server: ServerArgs,
    /// The room
    #[arg(long, value_name = "ROOM", value_parser = room)]
    room: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// Keep the position after a special turn, which the board program cannot show, in this file instead of a temporary one
    #[arg(long, value_name = "FILE")]
    pub(super) sgf: Option<PathBuf>,
}

/// `egtp send`.
#[derive(Args, Debug)]
pub(super) struct SendArgs {
    #[command(flatten)]
    pub(super) server: ServerArgs,
    /// The room; without one the commands go to an engine of their own
    #[arg(long, value_name = "ROOM", value_parser = room)]
    room: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Commands, each in quotation marks
    #[arg(required = true, value_name = "COMMAND")]
    pub(super) commands: Vec<String>,
}

/// `egtp open`.
#[derive(Args, Debug)]
pub(super) struct OpenArgs {
    #[command(flatten)]
    pub(super) server: ServerArgs,
    /// The room's name: letters, digits, `.`, `-` and `_`
    #[arg(value_name = "ROOM", value_parser = room)]
    pub(super) room: String,
    /// The rules, with key=value settings after commas; also handicap=N, and seed=N for a random board
    #[arg(value_name = "NAME[,KEY=VALUE…]")]
    pub(super) rules: Option<String>,
    /// The token that the server asks for, in a file
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// Write the keys to ROOM-black.key and ROOM-white.key in this folder instead of printing them
    #[arg(long, value_name = "FOLDER")]
    pub(super) keys: Option<PathBuf>,
}

/// `egtp host`.
#[derive(Args, Debug)]
pub(super) struct HostArgs {
    /// Where the other side connects; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) listen: String,
    /// The colour to play oneself
    #[arg(long, value_name = "COLOR")]
    seat: Side,
    /// The room's name
    #[arg(long, value_name = "ROOM", value_parser = room, default_value = "game")]
    pub(super) room: String,
    /// The rules of a new room, with key=value settings after commas; also handicap=N
    #[arg(long, value_name = "NAME[,KEY=VALUE…]")]
    pub(super) rules: Option<String>,
    /// Keep the room in this file, which is made if it is not there; without it the game ends with this program
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<PathBuf>,
    /// The folder of the files with the keys; the store's folder, or a temporary one, if nothing is said
    #[arg(long, value_name = "FOLDER")]
    pub(super) keys: Option<PathBuf>,
    /// Keep the position after a special turn, which the board program cannot show, in this file instead of a temporary one
    #[arg(long, value_name = "FILE")]
    pub(super) sgf: Option<PathBuf>,
    #[command(flatten)]
    pub(super) tls: TlsArgs,
}

/// How a server encrypts.
#[derive(Args, Debug)]
pub(super) struct TlsArgs {
    /// Encrypt connections (TLS): the server's certificate, in PEM form, with those that signed it below
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM form
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// A place in a room.
#[derive(Args, Debug)]
struct PlaceArgs {
    /// The colour to play
    #[arg(long, value_name = "COLOR", conflicts_with = "watch")]
    seat: Option<Side>,
    /// Only look on
    #[arg(long)]
    watch: bool,
    /// The seat's key, in a file; else it is taken from the environment variable EGTP_KEY
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    key_file: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    #[value(alias = "b")]
    Black,
    #[value(alias = "w")]
    White,
}

/// A host and a port.
fn address(text: &str) -> Result<String, String> {
    match text.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => Ok(text.into()),
        _ => Err("HOST:PORT, as in 127.0.0.1:6077 or example.org:6077".into()),
    }
}

impl ServerArgs {
    /// How to connect.
    pub(super) fn remote(&self) -> anyhow::Result<Remote> {
        Ok(if self.tls {
            Remote::with_tls(&self.address, TlsClient::load(self.tls_ca.as_deref())?)
        } else {
            Remote::new(&self.address)
        })
    }
}

impl TlsArgs {
    /// What to encrypt with, if at all.
    pub(super) fn server(&self) -> anyhow::Result<Option<TlsServer>> {
        Ok(match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsServer::load(certificate, key)?),
            _ => None,
        })
    }
}

impl Side {
    fn color(self) -> Color {
        match self {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

impl HostArgs {
    /// One's own colour.
    pub(super) fn color(&self) -> Color {
        self.seat.color()
    }
}

impl JoinArgs {
    /// Where to go.
    pub(super) fn seat(&self) -> anyhow::Result<Seat> {
        self.place.seat(&self.room)
    }
}

impl SendArgs {
    /// Where to go, if to a room.
    pub(super) fn seat(&self) -> anyhow::Result<Option<Seat>> {
        let PlaceArgs { seat, watch, key_file } = &self.place;
        match &self.room {
            Some(room) => self.place.seat(room).map(Some),
            None if seat.is_some() || *watch || key_file.is_some() => {
                bail!("--seat, --watch and --key-file are for a room: name it with --room")
            }
            None => Ok(None),
        }
    }
}

impl PlaceArgs {
    fn seat(&self, room: &str) -> anyhow::Result<Seat> {
        let holder = match self.seat {
            Some(side) => Some((side.color(), key(self.key_file.as_deref())?)),
            None if self.watch => None,
            None => bail!("say which seat to take: --seat black, --seat white or --watch"),
        };
        Ok(Seat { room: room.into(), holder })
    }
}

/// A room's name, which becomes part of command lines and file names.
fn room(name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    if (1..=64).contains(&name.len()) && name.chars().all(plain) {
        Ok(name.into())
    } else {
        Err("a room's name has 1 to 64 letters, digits, `.`, `-` and `_`".into())
    }
}

fn key(file: Option<&Path>) -> anyhow::Result<String> {
    match (file, std::env::var(KEY_VARIABLE)) {
        (Some(file), _) => word_in(file, "the seat's key"),
        (None, Ok(key)) => word(&key).with_context(|| format!("{KEY_VARIABLE} should hold the seat's key")),
        (None, Err(_)) => {
            bail!("the seat's key is needed: --key-file FILE, or the environment variable {KEY_VARIABLE}")
        }
    }
}

/// The first word of a file.
pub(super) fn word_in(file: &Path, what: &str) -> anyhow::Result<String> {
    let bytes = read(file).with_context(|| format!("cannot read {what} from {}", file.display()))?;
    word(&String::from_utf8_lossy(&bytes)).with_context(|| format!("{} should hold {what}", file.display()))
}

fn word(text: &str) -> anyhow::Result<String> {
    let word = text.split_whitespace().next().unwrap_or_default();
    ensure!(!word.is_empty(), "there is nothing in it");
    // else it would become something else on its way
    ensure!(word.chars().all(|c| c.is_ascii_graphic() && c != '#'), "it holds other characters than a key has");
    Ok(word.into())
}
