//! TCP: every connection is a private engine of its own, exactly as over pipes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::{Keeping, Limits, converse};
use crate::commands::Options;
use crate::room::Rooms;
use crate::session::Session;

/// How long connections may take to end once the server stops; those that do not read their answers are cut off then.
const GRACE: Duration = Duration::from_secs(3);
/// How long, and for how many bytes, a connection is listened to before it is closed.
const DRAIN: Duration = Duration::from_millis(500);
const DRAINED: u64 = 65_536;
/// The pause after a failed accept: usually too many open files, which a moment may heal.
const RETRY: Duration = Duration::from_millis(50);

/// What a TCP server allows.
#[derive(Clone, Debug)]
pub struct TcpOptions {
    /// The private engine that each connection gets.
    pub engine: Options,
    /// The rooms that connections can enter.
    pub rooms: Arc<Rooms>,
    /// Connections at one time; further ones are told so and closed.
    pub max_connections: usize,
}

/// Serves connections until `stop` is cancelled; then commands that have been read are answered and all connections
/// are closed.
pub async fn serve_tcp(listener: TcpListener, options: TcpOptions, stop: CancellationToken) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(options.max_connections));
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
        match places.clone().try_acquire_owned() {
            Ok(place) => drop(tasks.spawn(connection(stream, options.clone(), place, stop.clone()).instrument(span))),
            Err(_) => drop(tasks.spawn(turn_away(stream).instrument(span))),
        }
    }
    drop(listener);
    tasks.close();
    if tokio::time::timeout(GRACE, tasks.wait()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "cut off: they did not read their answers");
    }
    Ok(())
}

async fn connection(stream: TcpStream, options: TcpOptions, place: OwnedSemaphorePermit, stop: CancellationToken) {
    tracing::info!("connected");
    // answers are small and somebody waits for each
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no TCP_NODELAY");
    }
    let (mut reader, writer) = stream.into_split();
    let mut session = Session::with_rooms(options.engine, options.rooms);
    match converse(&mut reader, writer, &mut session, Limits::TCP, Keeping::default(), &stop).await {
        Ok(()) => tracing::info!("closed"),
        Err(error) => tracing::info!(%error, "closed"),
    }
    drain(reader).await;
    drop(place);
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
async fn turn_away(mut stream: TcpStream) {
    tracing::warn!("turned away: too many connections");
    let said = stream.write_all(b"? too many connections; try again later\n\n").await;
    if said.and(stream.shutdown().await).is_err() {
        tracing::debug!("gone before it was told");
        return;
    }
    drain(stream).await;
}
