//! `egtp host`: a server, a room and a seat in it for the board program that started this.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio_util::sync::CancellationToken;

use super::clients::{HostArgs, word_in};
use super::open::{KeyFiles, key_path, request};
use super::run::{listen, restore, seconds, stop_on_signal, warn_of};
use crate::board::Color;
use crate::commands::Options;
use crate::record::rules_text;
use crate::room::{Key, RoomLimits, Rooms};
use crate::rules::{RULESETS, Selection};
use crate::server::bridge::{BridgeOptions, Seat, run as bridge};
use crate::server::{Metrics, Remote, TcpOptions, notice, serve_tcp};

/// Connections at one time: the other side's and some who watch.
const CONNECTIONS: usize = 100;
/// How many costly commands a guest may send in a minute.
const COSTLY: u32 = 600;
/// How long a connection that is in no room may be silent.
const IDLE: Duration = Duration::from_secs(3600);

/// Serves the room and bridges standard input and output to one's own seat; answers the exit status.
pub(super) async fn run(args: &HostArgs) -> anyhow::Result<u8> {
    let tls = args.tls.server()?;
    let listener = listen(&args.listen).await?;
    let address = listener.local_addr()?;
    // nobody else shall open rooms here
    let token = Key::random().map_err(anyhow::Error::msg)?;
    let limits = RoomLimits { token: Some(token.digest()), now: seconds, ..RoomLimits::default() };
    let metrics = Arc::new(Metrics::default());
    let rooms = Arc::new(match &args.store {
        Some(store) => restore(store, limits, &metrics)?,
        None => Rooms::new(limits),
    });
    let options = TcpOptions {
        engine: Options::new(Selection::of(RULESETS[0])),
        rooms: rooms.clone(),
        metrics,
        tls,
        max_connections: CONNECTIONS,
        max_per_address: CONNECTIONS,
        max_costly: COSTLY,
        idle: Some(IDLE),
    };
    let encrypted = options.tls.is_some();
    let stop = CancellationToken::new();
    tokio::spawn(stop_on_signal(stop.clone())?);
    let remote = Remote::within(options.clone(), stop.clone());
    // removed when this ends, unless the keys are to be used again
    let temporary = tempfile::Builder::new().prefix("egtp-").tempdir()?;
    let folder = keys_folder(args, temporary.path());
    let kept = rooms.find(&args.room);
    if let Some(room) = &kept {
        // a board program starts its engine with the same arguments each time
        if args.rules.as_deref().is_some_and(|rules| !same_rules(rules, room.rules())) {
            bail!(
                "room {} is in the store with other rules ({}); leave out --rules, or choose another --room",
                args.room,
                room.rules()
            );
        }
    } else {
        let mut files = KeyFiles::create(&folder, &args.room)?;
        files.fill(&request(&remote, &args.room, args.rules.as_deref(), Some(&token.to_string())).await?)?;
    }
    let (own, other) = (args.color(), args.color().other());
    let path = |color: Color| key_path(&folder, &args.room, color);
    let key = word_in(&path(own), "the seat's key")?;
    let seat = Seat { room: args.room.clone(), holder: Some((own, key)) };

    let server = tokio::spawn(serve_tcp(listener, options, stop.clone()));
    warn_of(address, encrypted);
    let host = if address.ip().is_unspecified() { "THIS-MACHINE".into() } else { address.ip().to_string() };
    let host = if address.is_ipv6() && host.contains(':') { format!("[{host}]") } else { host };
    let tls = if encrypted { " --tls" } else { "" };
    notice(format_args!(
        "{other} joins with: egtp join {host}:{} --room {} --seat {other} --key-file KEY{tls}",
        address.port(),
        args.room,
    ));
    notice(format_args!("where KEY is a copy of {}, which nobody else should get", path(other).display()));

    let status = tokio::select! {
        status = bridge(remote, seat, BridgeOptions { sgf: args.sgf.clone() }) => status.context("the conversation broke off")?,
        () = stop.cancelled() => 0,
    };
    stop.cancel();
    server.await.context("the server broke off")??;
    Ok(status)
}

/// Whether the rules on a command line are those of a room.
fn same_rules(words: &str, room: &str) -> bool {
    let mut words = words.split(',').filter(|word| !word.starts_with("handicap=") && !word.starts_with("seed="));
    let selection = words.next().and_then(|name| Selection::parse(name, words).ok());
    selection.is_some_and(|selection| rules_text(&selection) == room)
}

/// Where the keys are: together with the room, if that is kept.
fn keys_folder(args: &HostArgs, temporary: &Path) -> PathBuf {
    match (&args.keys, &args.store) {
        (Some(folder), _) => folder.clone(),
        (None, Some(store)) => match store.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
            _ => PathBuf::from("."),
        },
        (None, None) => temporary.into(),
    }
}
