//! TCP: every connection is a private engine of its own, exactly as over pipes, until it enters a room.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::connect::{Connection, keep_alive};
use super::{Keeping, Limits, Metrics, Ready, TlsServer, converse};
use crate::commands::{Meter, Options};
use crate::room::Rooms;
use crate::session::Session;

/// How long connections may take to end once the server stops; those that do not read their answers are cut off then.
const GRACE: Duration = Duration::from_secs(3);
/// How long, and for how many bytes, a connection is listened to before it is closed.
const DRAIN: Duration = Duration::from_millis(500);
const DRAINED: u64 = 65_536;
/// The pause after a failed accept: usually too many open files, which a moment may heal.
const RETRY: Duration = Duration::from_millis(50);
/// The longest that a wrong key is answered late, and how long wrong keys of an address are remembered.
const LATEST: Duration = Duration::from_secs(10);
const FORGOTTEN: Duration = Duration::from_secs(600);
/// The bits of an IPv6 address within one network.
const HOUSEHOLD: u32 = 64;
/// Connections that are told at one time that there are too many; others are just closed.
const TOLD: usize = 32;
/// The most addresses that are remembered.
const ADDRESSES: usize = 100_000;

/// What a TCP server allows.
#[derive(Clone, Debug)]
pub struct TcpOptions {
    /// The private engine that each connection gets.
    pub engine: Options,
    /// The rooms that connections can enter.
    pub rooms: Arc<Rooms>,
    /// Where it is counted what they do.
    pub metrics: Arc<Metrics>,
    /// Connections are encrypted so.
    pub tls: Option<TlsServer>,
    /// Connections at one time; further ones are told so and closed.
    pub max_connections: usize,
    /// Connections from one address.
    pub max_per_address: usize,
    /// Costly commands from one address in a minute; further ones are refused.
    pub max_costly: u32,
    /// How long a connection that is in no room may be silent.
    pub idle: Option<Duration>,
}

/// What a server knows of those who connect.
#[derive(Debug, Default)]
struct Door(Mutex<HashMap<IpAddr, Visitor>>);

/// One address.
#[derive(Clone, Copy, Debug, Default)]
struct Visitor {
    connections: usize,
    wrong_keys: u32,
    last_wrong: Option<Instant>,
    /// Costly commands spent and not yet regained, at that time.
    spent: f64,
    last_spent: Option<Instant>,
}

/// By what a visitor is known: a network of IPv6 that is usually one household's or one machine's, as one address is in IPv4.
fn visitor(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => six
            .to_ipv4_mapped()
            .map_or_else(|| IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() >> HOUSEHOLD << HOUSEHOLD)), IpAddr::V4),
    }
}

/// A connection's place at the door, given up when it is dropped.
#[derive(Debug)]
pub struct Place {
    door: Arc<Door>,
    address: IpAddr,
    /// Costly commands that an address may send in a minute.
    costly_per_minute: f64,
    _permit: OwnedSemaphorePermit,
}

impl Door {
    fn visitors(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, Visitor>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in, if its address has fewer than it may.
    fn enter(self: &Arc<Door>, address: IpAddr, options: &TcpOptions, permit: OwnedSemaphorePermit) -> Option<Place> {
        let mut visitors = self.visitors();
        let visitor = visitors.entry(address).or_default();
        if visitor.connections >= options.max_per_address {
            return None;
        }
        visitor.connections += 1;
        let costly_per_minute = f64::from(options.max_costly);
        Some(Place { door: self.clone(), address, costly_per_minute, _permit: permit })
    }
}

impl Place {
    /// Wrong keys have come: how long the answer to them is to wait. It doubles with each from the same address, whatever
    /// connection it comes over, and the guesses of some minutes are remembered.
    pub(super) fn wrong_keys(&self, count: u32) -> Duration {
        let mut visitors = self.door.visitors();
        let now = Instant::now();
        let visitor = visitors.entry(self.address).or_default();
        if visitor.last_wrong.is_none_or(|last| now - last > FORGOTTEN) {
            visitor.wrong_keys = 0;
        }
        visitor.wrong_keys = visitor.wrong_keys.saturating_add(count);
        visitor.last_wrong = Some(now);
        let wrong_keys = visitor.wrong_keys;
        tracing::warn!(address = %self.address, wrong_keys, "a wrong key");
        // the first ones are slips of the keyboard
        let doublings = wrong_keys.saturating_sub(3).min(10);
        LATEST.min(Duration::from_millis(100 << doublings))
    }
}

impl Meter for Place {
    /// Those of a minute may be spent at once, by all connections of an address together; then they are regained one by one.
    fn spend(&self) -> Result<(), u64> {
        let mut visitors = self.door.visitors();
        let now = Instant::now();
        let visitor = visitors.entry(self.address).or_default();
        let passed = visitor.last_spent.map_or(0.0, |last| (now - last).as_secs_f64());
        let per_second = self.costly_per_minute / 60.0;
        visitor.spent = (visitor.spent - passed * per_second).max(0.0);
        visitor.last_spent = Some(now);
        let lacking = visitor.spent + 1.0 - self.costly_per_minute;
        if lacking > 0.0 {
            return Err((lacking / per_second).ceil() as u64);
        }
        visitor.spent += 1.0;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut visitors = self.door.visitors();
        if let Some(visitor) = visitors.get_mut(&self.address) {
            visitor.connections -= 1;
            let owes = visitor.wrong_keys > 0 || visitor.spent > 0.0;
            if visitor.connections == 0 && (!owes || visitors.len() > ADDRESSES) {
                visitors.remove(&self.address);
            }
        }
    }
}

/// Serves connections until `stop` is cancelled; then commands that have been read are answered and all connections
/// are closed.
pub async fn serve_tcp(listener: TcpListener, options: TcpOptions, stop: CancellationToken) -> io::Result<()> {
    let options = Arc::new(options);
    let places = Arc::new(Semaphore::new(options.max_connections));
    let door = Arc::new(Door::default());
    let told = Arc::new(Semaphore::new(TOLD));
    let tasks = TaskTracker::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            },
        };
        let span = tracing::info_span!("connection", %peer);
        let place = places.clone().try_acquire_owned().ok();
        let place = place.and_then(|permit| door.enter(visitor(peer.ip()), &options, permit));
        match place {
            Some(place) => {
                options.metrics.accepted.inc();
                // a token each, so that thousands do not wait at one
                drop(tasks.spawn(connection(stream, options.clone(), place, stop.child_token()).instrument(span)));
            }
            None => {
                options.metrics.turned_away.inc();
                // only so many at one time, lest those who are not let in use up what those within need
                if let Ok(permit) = told.clone().try_acquire_owned() {
                    drop(tasks.spawn(turn_away(stream, options.tls.clone(), permit).instrument(span)));
                }
            }
        }
    }
    drop(listener);
    tasks.close();
    if tokio::time::timeout(GRACE, tasks.wait()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "cut off: they did not read their answers");
    }
    Ok(())
}

async fn connection(stream: TcpStream, options: Arc<TcpOptions>, place: Place, stop: CancellationToken) {
    tracing::info!("connected");
    // answers are small and somebody waits for each
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no TCP_NODELAY");
    }
    keep_alive(&stream);
    let _present = Present::new(&options.metrics);
    match &options.tls {
        None => {
            let (reader, writer) = stream.into_split();
            talk(reader, writer, &options, Some(place), &stop).await;
        }
        // apart, because it takes much more memory, which the others would set aside for nothing
        Some(tls) => Box::pin(encrypted(stream, tls, &options, place, &stop)).await,
    }
}

async fn encrypted(stream: TcpStream, tls: &TlsServer, options: &TcpOptions, place: Place, stop: &CancellationToken) {
    let accepted = tokio::select! {
        accepted = tls.accept(stream) => accepted,
        () = stop.cancelled() => return,
    };
    match accepted {
        Ok(stream) => {
            let (reader, writer) = tokio::io::split(stream);
            talk(reader, writer, options, Some(place), stop).await;
        }
        Err(error) => tracing::info!(%error, "no agreement on encryption"),
    }
}

/// A connection that never leaves the program.
pub(super) fn connect_within(options: &TcpOptions, stop: &CancellationToken) -> Connection {
    let (near, far) = tokio::io::duplex(Limits::TCP.write);
    let (options, stop) = (options.clone(), stop.clone());
    tokio::spawn(async move {
        let _present = Present::new(&options.metrics);
        let (reader, writer) = tokio::io::split(far);
        talk(reader, writer, &options, None, &stop).await;
    });
    Box::new(near)
}

/// A connection that is counted while it is there.
struct Present(Arc<Metrics>);

impl Present {
    fn new(metrics: &Arc<Metrics>) -> Present {
        metrics.connections.inc();
        Present(metrics.clone())
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.0.connections.dec();
    }
}

/// A conversation to its end.
async fn talk<R, W>(mut reader: R, writer: W, options: &TcpOptions, place: Option<Place>, stop: &CancellationToken)
where
    R: Ready + Unpin,
    W: AsyncWrite + Unpin,
{
    {
        let mut session = Session::with_rooms(options.engine, options.rooms.clone());
        let limits = Limits { idle: options.idle, ..Limits::TCP };
        let metrics = Some(options.metrics.clone());
        let place = place.map(Arc::new);
        if let Some(place) = &place {
            session.set_meter(place.clone());
        }
        let keeping = Keeping { place, metrics, ..Keeping::default() };
        match converse(&mut reader, writer, &mut session, limits, keeping, stop).await {
            Ok(()) => tracing::info!("closed"),
            Err(error) => tracing::info!(%error, "closed"),
        }
    }
    drain(reader).await;
}

/// Listens for a moment to a connection that is no longer answered: closing with unread input would let some systems
/// drop the answers that are still on their way.
async fn drain(reader: impl AsyncRead + Unpin) {
    let (mut rest, mut nowhere) = (reader.take(DRAINED), tokio::io::sink());
    if tokio::time::timeout(DRAIN, tokio::io::copy(&mut rest, &mut nowhere)).await.is_err() {
        tracing::debug!("did not close in time");
    }
}

/// The only thing ever said unasked: a client's first command fails with the reason.
async fn turn_away(stream: TcpStream, tls: Option<TlsServer>, _permit: OwnedSemaphorePermit) {
    tracing::warn!("turned away: too many connections");
    let told = match tls {
        None => say_no(stream).await,
        Some(tls) => match tls.accept(stream).await {
            Ok(stream) => say_no(stream).await,
            Err(error) => Err(error),
        },
    };
    if told.is_err() {
        tracing::debug!("gone before it was told");
    }
}

async fn say_no(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
    stream.write_all(b"? too many connections; try again later\n\n").await?;
    stream.shutdown().await?;
    drain(stream).await;
    Ok(())
}
