//! Connections to a server.

use std::fmt;
use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::tcp::{TcpOptions, connect_within};
use super::tls::TlsClient;

/// How long a connection may take to be made.
const PATIENCE: Duration = Duration::from_secs(10);
/// A connection on which nothing comes is tried after this time, so often at this interval, before it is given up.
const SILENCE: Duration = Duration::from_secs(30);
const INTERVAL: Duration = Duration::from_secs(10);
const TRIES: u32 = 3;

/// Bytes both ways, whatever is underneath.
pub trait Duplex: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Duplex for T {}

/// A connection, plain or encrypted.
pub type Connection = Box<dyn Duplex>;

/// A server to connect to.
#[derive(Clone, Debug)]
pub struct Remote(Way);

#[derive(Clone, Debug)]
enum Way {
    Tcp { address: String, tls: Option<TlsClient> },
    Within(Box<TcpOptions>, CancellationToken),
}

impl Remote {
    /// The server at this address, `HOST:PORT`.
    pub fn new(address: &str) -> Remote {
        Remote(Way::Tcp { address: address.into(), tls: None })
    }

    /// The same, encrypted.
    pub fn with_tls(address: &str, tls: TlsClient) -> Remote {
        Remote(Way::Tcp { address: address.into(), tls: Some(tls) })
    }

    /// A server within this process, until the token is cancelled. Nothing goes over a network.
    pub fn within(options: TcpOptions, stop: CancellationToken) -> Remote {
        Remote(Way::Within(Box::new(options), stop))
    }

    /// Makes a connection, unless that takes more than ten seconds.
    pub async fn connect(&self) -> io::Result<Connection> {
        let (address, tls) = match &self.0 {
            Way::Tcp { address, tls } => (address, tls),
            Way::Within(options, stop) => return Ok(connect_within(options, stop)),
        };
        let connecting = async {
            let stream = TcpStream::connect(address).await?;
            // answers are small and somebody waits for each
            stream.set_nodelay(true)?;
            keep_alive(&stream);
            // What is still on its way when this end gives the connection up must not arrive behind what is said over the
            // next one: a pass would be made twice. Answers are waited for, so nothing else is lost by it.
            stream.set_zero_linger()?;
            match tls {
                Some(tls) => Ok(Box::new(tls.connect(host(address), stream).await?) as Connection),
                None => Ok(Box::new(stream) as Connection),
            }
        };
        tokio::time::timeout(PATIENCE, connecting).await.unwrap_or_else(|elapsed| Err(elapsed.into()))
    }
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Way::Tcp { address, .. } => address,
            Way::Within(..) => "the server in this program",
        })
    }
}

/// The name of the machine, as its certificate has it.
fn host(address: &str) -> &str {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Somebody may wait on a connection for hours; that the other end has vanished must be noticed nevertheless.
pub(super) fn keep_alive(stream: &TcpStream) {
    let keepalive = TcpKeepalive::new().with_time(SILENCE).with_interval(INTERVAL);
    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "windows"))]
    let keepalive = keepalive.with_retries(TRIES);
    let socket = SockRef::from(stream);
    if let Err(error) = socket.set_tcp_keepalive(&keepalive) {
        tracing::debug!(%error, "no keepalive");
    }
    // the same for what was sent and is not acknowledged, which may take a quarter of an hour otherwise
    #[cfg(target_os = "linux")]
    if let Err(error) = socket.set_tcp_user_timeout(Some(SILENCE + INTERVAL * TRIES)) {
        tracing::debug!(%error, "no limit for unacknowledged data");
    }
}
