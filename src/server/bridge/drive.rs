//! The bridge with its sockets.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::{Instant, sleep_until};
use tokio_util::codec::Decoder;

use super::{Bridge, Event, Responses, Seat};
use crate::gtp::LineCodec;
use crate::server::connect::{Connection, Remote};
use crate::server::files::write_whole;
use crate::server::notice;
use crate::server::stdio::{input, output};

/// The first connection must be made and the seat taken within this time; every other seat, too.
const START: Duration = Duration::from_secs(10);
/// What was asked is answered within this time after the end of input, or after the last answer.
const CLOSE: Duration = Duration::from_secs(10);
/// The same after `quit`; board programs kill those who take longer.
const QUIT: Duration = Duration::from_secs(2);
/// The first pause before another connection is made; it is doubled up to the last.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// A connection that has led to the seat for so long was a good one: the next is tried for at once.
const STEADY: Duration = Duration::from_secs(1);
/// Room made for each read, in bytes.
const READ: usize = 16_384;

/// What a bridge does beside bridging.
#[derive(Clone, Debug, Default)]
pub struct BridgeOptions {
    /// Where positions after special turns are kept; a temporary folder if nothing is said.
    pub sgf: Option<PathBuf>,
}

/// Bridges standard input and output to a room until the input ends or quits. Answers the exit status.
pub async fn run(remote: Remote, seat: Seat, options: BridgeOptions) -> io::Result<u8> {
    let room = seat.room.clone();
    let driver = Driver {
        bridge: Bridge::new(seat),
        link: Link::Resting(Instant::now()),
        responses: Responses::default(),
        attempts: 0,
        up: None,
        trouble: format!("{remote} does not answer"),
        entering: Instant::now(),
        remote,
        sgf: options.sgf,
        room,
    };
    driver.run().await
}

type Dialing = Pin<Box<dyn Future<Output = io::Result<Connection>> + Send>>;

/// The way to the server.
enum Link {
    /// Until the next attempt.
    Resting(Instant),
    Dialing(Dialing),
    Connected(Wire),
}

struct Wire {
    reader: ReadHalf<Connection>,
    writer: WriteHalf<Connection>,
    /// Everything written is on its way.
    flushed: bool,
    /// Nothing will be written any more.
    last: bool,
}

/// What has happened on the way to the server.
enum News {
    DialNow,
    Dialed(io::Result<Connection>),
    Read(io::Result<usize>),
    Wrote(io::Result<()>),
}

impl Link {
    /// Waits for news. What was not finished when this is dropped goes on the next time.
    async fn news(&mut self, outgoing: &mut BytesMut, incoming: &mut BytesMut) -> News {
        match self {
            Link::Resting(until) => {
                sleep_until(*until).await;
                News::DialNow
            }
            Link::Dialing(dialing) => News::Dialed(dialing.await),
            Link::Connected(Wire { reader, writer, flushed, last }) => {
                incoming.reserve(READ);
                *flushed &= outgoing.is_empty();
                tokio::select! {
                    read = reader.read_buf(incoming) => News::Read(read),
                    wrote = write(writer, outgoing, *last), if !*flushed => {
                        *flushed = true;
                        News::Wrote(wrote)
                    }
                }
            }
        }
    }
}

/// Writes some of the bytes; flushes, or says goodbye, when none are left.
async fn write(writer: &mut WriteHalf<Connection>, outgoing: &mut BytesMut, last: bool) -> io::Result<()> {
    while !outgoing.is_empty() {
        writer.write_buf(outgoing).await?;
    }
    if last { writer.shutdown().await } else { writer.flush().await }
}

struct Driver {
    bridge: Bridge,
    link: Link,
    responses: Responses,
    /// Connections tried since the last that led to the seat.
    attempts: u32,
    /// Since when the present connection has led to the seat.
    up: Option<Instant>,
    /// Why there is no connection.
    trouble: String,
    /// When the present attempt to take the seat began.
    entering: Instant,
    remote: Remote,
    sgf: Option<PathBuf>,
    room: String,
}

impl Driver {
    async fn run(mut self) -> io::Result<u8> {
        let (mut stdin, mut stdout) = (input(), output());
        let (mut codec, mut lines) = (LineCodec::default(), BytesMut::with_capacity(READ));
        let began = Instant::now();
        // when somebody was last heard of
        let mut heard = began;
        let mut quit = None;
        loop {
            let status = self.events();
            if !self.bridge.to_gui.is_empty() && !hand_over(&mut stdout, &mut self.bridge.to_gui).await? {
                return Ok(0);
            }
            if let Some(status) = status {
                self.say_goodbye().await;
                return Ok(status);
            }
            let limit = match () {
                () if !self.bridge.has_entered() => began + START,
                // whatever is still said
                () if self.bridge.has_quit() => *quit.get_or_insert_with(Instant::now) + QUIT,
                () if self.bridge.is_closing() => heard + CLOSE,
                () => self.entering + START,
            };
            let limited = !self.bridge.has_entered()
                || self.bridge.is_closing()
                || matches!(self.link, Link::Connected(_)) && !self.bridge.is_up();
            lines.reserve(READ);
            tokio::select! {
                read = stdin.read_buf(&mut lines), if !self.bridge.is_closing() && !self.bridge.is_full() => {
                    let ended = read? == 0;
                    heard = Instant::now();
                    while let Some(block) = if ended { codec.decode_eof(&mut lines)? } else { codec.decode(&mut lines)? } {
                        block.lines().for_each(|line| self.bridge.line(line));
                    }
                    if ended {
                        self.bridge.end_of_input();
                    }
                }
                news = self.link.news(&mut self.bridge.to_server, self.responses.buffer()) => {
                    if matches!(news, News::Read(Ok(1..))) {
                        heard = Instant::now();
                    }
                    self.take(news);
                }
                () = sleep_until(limit), if limited => self.out_of_time(),
            }
        }
    }

    fn take(&mut self, news: News) {
        match news {
            News::DialNow => {
                let remote = self.remote.clone();
                self.link = Link::Dialing(Box::pin(async move { remote.connect().await }));
            }
            News::Dialed(Ok(connection)) => {
                let (reader, writer) = tokio::io::split(connection);
                self.link = Link::Connected(Wire { reader, writer, flushed: true, last: false });
                self.responses = Responses::default();
                self.entering = Instant::now();
                self.trouble = format!("{} does not answer", self.remote);
                self.bridge.connected();
            }
            News::Dialed(Err(error)) => {
                self.trouble = format!("cannot reach {}: {error}", self.remote);
                if error.kind() == io::ErrorKind::InvalidData && !self.bridge.has_entered() {
                    // not the server that was meant: it will not get better
                    self.bridge.give_up(&self.trouble);
                }
                self.rest();
            }
            News::Read(Ok(0)) => self.lost("the server has closed it"),
            News::Read(Ok(_)) => self.responses(),
            News::Wrote(Ok(())) => {}
            // an encrypted connection that breaks ends so
            News::Read(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                self.lost("the server has closed it");
            }
            News::Read(Err(error)) | News::Wrote(Err(error)) => self.lost(&error.to_string()),
        }
    }

    fn responses(&mut self) {
        // a response may put an end to the connection
        while matches!(self.link, Link::Connected(_)) {
            match self.responses.take() {
                Ok(Some(response)) => self.bridge.response(response),
                Ok(None) => break,
                Err(why) => return self.bridge.refused(&why),
            }
        }
        if self.bridge.is_up() {
            self.up.get_or_insert_with(Instant::now);
        }
    }

    fn lost(&mut self, why: &str) {
        self.bridge.lost(why);
        self.rest();
    }

    /// Pauses, longer each time, and not for the same time as everybody else who has lost the same server.
    fn rest(&mut self) {
        match self.up.take() {
            Some(up) if up.elapsed() >= STEADY => self.attempts = 0,
            // it is there, but not for long: not as often as possible, nor as seldom as when nothing is there
            Some(_) => self.attempts = self.attempts.min(1),
            None => {}
        }
        let pause = PAUSE.saturating_mul(1 << self.attempts.min(10)).min(LONGEST_PAUSE);
        self.attempts += 1;
        self.link = Link::Resting(Instant::now() + pause.mul_f64(0.5 + 0.5 * fastrand::f64()));
    }

    fn out_of_time(&mut self) {
        if !self.bridge.has_entered() {
            self.bridge.give_up(&self.trouble);
        } else if self.bridge.is_closing() {
            self.bridge.finish();
        } else {
            self.lost("no answer");
        }
    }

    /// Does what the bridge asks for; the exit status if it has ended.
    fn events(&mut self) -> Option<u8> {
        while let Some(event) = self.bridge.event() {
            match event {
                Event::Notice(text) => notice(text),
                Event::Sgf(sgf) => self.keep(&sgf),
                Event::Disconnect => self.rest(),
                Event::CloseWrite => {
                    if let Link::Connected(wire) = &mut self.link {
                        (wire.last, wire.flushed) = (true, false);
                    }
                }
                Event::End(status) => return Some(status),
            }
        }
        None
    }

    /// Keeps a position that the board program cannot show.
    fn keep(&mut self, sgf: &str) {
        let path = match &self.sgf {
            Some(path) => Ok(path.clone()),
            // one folder for all positions of this bridge
            None => tempfile::Builder::new().prefix("egtp-").tempdir().map(|folder| {
                let path = folder.keep().join(format!("{}.sgf", self.room));
                self.sgf.insert(path).clone()
            }),
        };
        let kept = path.and_then(|path| write_whole(&path, sgf.as_bytes()).map(|()| path));
        match kept {
            Ok(path) => notice(format_args!("the position is in {}", path.display())),
            Err(error) => notice(format_args!("the position cannot be kept: {error}; see egtp_sgf")),
        }
    }

    /// Ends the connection in good order, if that takes no time.
    async fn say_goodbye(&mut self) {
        if let Link::Connected(wire) = &mut self.link {
            let goodbye = write(&mut wire.writer, &mut self.bridge.to_server, true);
            if !matches!(tokio::time::timeout(Duration::from_millis(200), goodbye).await, Ok(Ok(()))) {
                tracing::debug!("the server did not wait for the end");
            }
        }
    }
}

/// Writes answers; false if nobody reads them any more.
async fn hand_over(stdout: &mut (impl AsyncWrite + Unpin), answers: &mut BytesMut) -> io::Result<bool> {
    let wrote = async {
        stdout.write_all(answers).await?;
        stdout.flush().await
    };
    let wrote = wrote.await;
    answers.clear();
    match wrote {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        wrote => wrote.map(|()| true),
    }
}
