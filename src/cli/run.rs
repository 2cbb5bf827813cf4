//! What each subcommand starts.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Parser;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio_util::sync::CancellationToken;
use tracing::level_filters::LevelFilter;

use super::args::{Cli, Command, Level, LogFormat, ServeArgs};
use super::{check, draw, hahn, host, join, open, referee, rooms, send};
use crate::commands::{Options, reference};
use crate::room::{Digest, RoomLimits, Rooms};
use crate::server::{
    Archive, Keeping, Metrics, Recorder, TcpOptions, notice, serve_admin, serve_stdio, serve_tcp, write_whole,
};
use crate::session::Session;
use crate::store::Store;

/// Conversations that have their turn before it is looked who else has something to say. Usually it would be 61: if each has
/// more to say than is answered in one turn, the others would wait for all these turns.
const TURNS: u32 = 8;

/// Runs the program: 0 if all is well, 1 if something failed, 2 if the arguments cannot be understood.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            notice(format_args!("{}; see --help", one_line(&error.to_string())));
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            notice(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// What clap says of a mistake before it shows the usage.
fn one_line(message: &str) -> String {
    let lines = message.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ").trim_start_matches("error: ").to_string()
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    start_log(cli.log, cli.log_format);
    match cli.command {
        None => {
            let create = |path: &std::path::PathBuf| {
                Recorder::create(path, &command_line()).with_context(|| format!("cannot record in {}", path.display()))
            };
            let open = |folder: &std::path::PathBuf| {
                Archive::create(folder).with_context(|| format!("cannot keep games in {}", folder.display()))
            };
            let keeping = Keeping {
                recorder: cli.log_gtp.as_ref().map(create).transpose()?,
                archive: cli.record.as_ref().map(open).transpose()?,
                ..Keeping::default()
            };
            let records = keeping.archive.is_some();
            let options = Options { files: true, records, color: cli.color.is_now(), ..cli.engine.options() };
            tracing::info!(rules = options.selection.ruleset.name, "an engine on standard input and output");
            let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
            let result = runtime.block_on(async {
                let stop = CancellationToken::new();
                if keeping.archive.is_some() {
                    // a game that is broken off is kept, too
                    tokio::spawn(stop_on_signal(stop.clone())?);
                }
                serve_stdio(Session::new(options), keeping, stop).await
            });
            // a thread may still wait for a terminal; nobody waits for it
            runtime.shutdown_background();
            result.context("the conversation broke off")?;
        }
        Some(Command::Serve(args)) => {
            let runtime = runtime::Builder::new_multi_thread().enable_all().event_interval(TURNS).build()?;
            runtime.block_on(serve(args))?;
        }
        Some(Command::Join(args)) => {
            let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
            let status = runtime.block_on(join::run(&args));
            // a thread may still wait for a terminal; nobody waits for it
            runtime.shutdown_background();
            return Ok(ExitCode::from(status?));
        }
        Some(Command::Host(args)) => {
            let runtime = runtime::Builder::new_multi_thread().enable_all().event_interval(TURNS).build()?;
            let status = runtime.block_on(host::run(&args));
            runtime.shutdown_background();
            return Ok(ExitCode::from(status?));
        }
        Some(Command::Send(args)) => {
            let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
            let good = runtime.block_on(send::run(&args))?;
            return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Some(Command::Open(args)) => {
            let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(open::run(&args))?;
        }
        Some(Command::Check(args)) => {
            let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
            let passed = runtime.block_on(check::run(&args))?;
            return Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Some(Command::Referee(args)) => {
            let good = referee::run(&args)?;
            return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Some(Command::Draw(args)) => {
            let svg = draw::svg(&args)?;
            match &args.output {
                None => return print(&svg),
                Some(path) => {
                    write_whole(path, svg.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?
                }
            }
        }
        Some(Command::Hahn { files }) => return print(&hahn::table(&files)?),
        Some(Command::Rooms(args)) => rooms::list(&args)?,
        Some(Command::Export(args)) => {
            let all = rooms::export(&args)?;
            return Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Some(Command::Commands) => return print(&reference()),
    }
    Ok(ExitCode::SUCCESS)
}

/// How the program was started, for a recording: its switches must be given again to check it.
fn command_line() -> String {
    std::env::args().collect::<Vec<_>>().join(" ")
}

/// Prints; a reader that stops reading is no error.
pub(super) fn print(text: &str) -> anyhow::Result<ExitCode> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn start_log(level: Level, format: LogFormat) {
    let level = match level {
        Level::Off => return,
        Level::Error => LevelFilter::ERROR,
        Level::Warn => LevelFilter::WARN,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
        Level::Trace => LevelFilter::TRACE,
    };
    let log = tracing_subscriber::fmt().with_max_level(level).log_internal_errors(false).with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().init(),
    }
}

async fn serve(args: ServeArgs) -> anyhow::Result<()> {
    let limits = RoomLimits {
        rooms: args.max_rooms as usize,
        per_seat: args.max_per_seat as usize,
        token: args.token_file.as_deref().map(token).transpose()?,
        now: seconds,
    };
    let metrics = Arc::new(Metrics::default());
    let rooms = Arc::new(match &args.store {
        Some(path) => restore(path, limits, &metrics)?,
        None => Rooms::new(limits),
    });
    metrics.watch(&rooms);
    let tls = args.tls.server()?;
    let listener = listen(&args.listen).await?;
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() && limits.token.is_none() {
        bail!("{address} can be reached from other machines: say with --token-file who may open rooms");
    }
    let admin = match &args.admin {
        Some(admin) => Some(listen_on_loopback(admin).await?),
        None => None,
    };
    let stop = CancellationToken::new();
    tokio::spawn(stop_on_signal(stop.clone())?);
    notice(format_args!("listening on {address}"));
    if let Some(admin) = admin {
        notice(format_args!("for the operator: http://{}/metrics", admin.local_addr()?));
        tokio::spawn(serve_admin(admin, metrics.clone(), stop.clone()));
    }
    warn_of(address, tls.is_some());
    if args.store.is_none() {
        notice(format_args!("rooms end with this program; --store FILE keeps them"));
    }
    let options = TcpOptions {
        engine: args.rules.options(),
        rooms,
        metrics,
        tls,
        max_connections: args.max_connections as usize,
        max_per_address: args.max_per_address as usize,
        max_costly: args.max_costly,
        idle: (args.idle > 0).then(|| Duration::from_secs(u64::from(args.idle) * 60)),
    };
    serve_tcp(listener, options, stop).await?;
    Ok(())
}

/// A socket for everybody.
pub(super) async fn listen(address: &str) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("cannot listen on {address}; choose another address with --listen"))
}

/// Who listens beyond this machine should encrypt.
pub(super) fn warn_of(address: SocketAddr, encrypted: bool) {
    if !encrypted && !address.ip().is_loopback() {
        notice(
            "warning: connections are not encrypted; who can read them on their way learns keys and can play with them: see --tls-cert",
        );
    }
}

/// The first word of a file, as it is kept.
fn token(path: &Path) -> anyhow::Result<Digest> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let word = text.split_whitespace().next().with_context(|| format!("{} is empty", path.display()))?;
    Ok(Digest::of(word))
}

/// The rooms of a store, which they go on to be written in.
pub(super) fn restore(path: &Path, limits: RoomLimits, metrics: &Arc<Metrics>) -> anyhow::Result<Rooms> {
    let store = Store::open(path)?;
    let stored = store.rooms()?;
    let rooms = Rooms::restored(limits, metrics.timed(Arc::new(store)), stored).map_err(anyhow::Error::msg);
    rooms.with_context(|| format!("cannot restore the rooms of {}", path.display()))
}

/// A socket for those who sit at this machine.
async fn listen_on_loopback(address: &str) -> anyhow::Result<TcpListener> {
    let found = tokio::net::lookup_host(address).await;
    let found: Vec<_> = found.with_context(|| format!("--admin {address} cannot be understood"))?.collect();
    if !found.iter().all(|address| address.ip().is_loopback()) {
        bail!("--admin {address} could be reached from elsewhere; use a loopback address like 127.0.0.1:9077");
    }
    let listener = TcpListener::bind(found.as_slice()).await;
    listener.with_context(|| format!("cannot listen on {address}; choose another address with --admin"))
}

/// The time, in seconds since 1970.
pub(super) fn seconds() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// Cancels the token on SIGINT or SIGTERM (Ctrl-C elsewhere). The handlers are in place when this returns.
#[cfg(unix)]
pub(super) fn stop_on_signal(stop: CancellationToken) -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stop.cancel();
        tracing::info!("stopping");
    })
}

/// Cancels the token on Ctrl-C.
#[cfg(not(unix))]
pub(super) fn stop_on_signal(stop: CancellationToken) -> io::Result<impl Future<Output = ()>> {
    Ok(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    })
}
