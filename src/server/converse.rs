//! One conversation: whole lines in, answers out.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::codec::Decoder;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use super::admin::Tally;
use super::files::perform;
use super::tcp::Place;
use super::{Archive, Metrics, Recorder};
use crate::gtp::{Block, LineCodec};
use crate::session::{Flow, INTERRUPTED, Session};

/// How much memory a conversation may use for bytes on their way.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Room made for each read, in bytes.
    pub read: usize,
    /// Answers are written out when there are more bytes than this, even if further commands wait.
    pub write: usize,
    /// How long lines are answered in a row before others get their turn.
    pub turn: Duration,
    /// How long nothing comes before the session is put to rest, so that thousands can be idle at one time.
    pub rest: Option<Duration>,
    /// How long answers may wait to be read.
    pub stall: Option<Duration>,
    /// How long nothing may come from a controller that is in no room.
    pub idle: Option<Duration>,
}

impl Limits {
    /// For one conversation in a process.
    pub const STDIO: Limits =
        Limits { read: 65_536, write: 65_536, turn: Duration::MAX, rest: None, stall: None, idle: None };
    /// For one of many.
    pub const TCP: Limits = Limits {
        read: 8_192,
        write: 16_384,
        turn: Duration::from_micros(100),
        rest: Some(Duration::from_millis(100)),
        stall: Some(Duration::from_secs(30)),
        idle: None,
    };
}

/// So many lines whose answers are no longer than this are answered before the clock is looked at.
const CHEAP_LINES: usize = 8;
const CHEAP_ANSWER: usize = 16;

/// Answers that take this long are followed by a pause of twice the time, up to the longest. It is much longer than a
/// thread may have to wait for a processor.
const MUCH_TIME: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What is kept of a conversation.
#[derive(Debug, Default)]
pub struct Keeping {
    /// Every line and its answer.
    pub recorder: Option<Recorder>,
    /// Every game.
    pub archive: Option<Archive>,
    /// The connection's place at the server's door.
    pub place: Option<Arc<Place>>,
    /// How much is said.
    pub metrics: Option<Arc<Metrics>>,
}

/// Reads lines and answers them until the end of input, `quit`, or a stop from outside. Answers are flushed when no
/// whole line is left to be read: one write for all commands that came together. A peer that has gone is no error.
pub async fn converse<R, W>(
    reader: R,
    writer: W,
    session: &mut Session,
    limits: Limits,
    keeping: Keeping,
    stop: &CancellationToken,
) -> io::Result<()>
where
    R: Ready + Unpin,
    W: AsyncWrite + Unpin,
{
    let gone = |error: &io::Error| {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
        matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset)
    };
    let mut keeping = keeping;
    let result = {
        let (input, output) = (BytesMut::new(), BytesMut::new());
        let tally = Tally::new(keeping.metrics.clone());
        Exchange { reader, writer, session, limits, keeping: &mut keeping, input, output, tally }.run(stop).await
    };
    if let Some(archive) = &keeping.archive {
        archive.keep(session.end());
    }
    match result {
        Err(error) if gone(&error) => {
            tracing::debug!(%error, "the peer has gone");
            Ok(())
        }
        result => result,
    }
}

/// One conversation on its way.
struct Exchange<'a, R, W> {
    reader: R,
    writer: W,
    session: &'a mut Session,
    limits: Limits,
    keeping: &'a mut Keeping,
    input: BytesMut,
    output: BytesMut,
    tally: Tally,
}

/// What ends a wait for input.
enum Woken {
    Input(usize),
    Bell,
    Clock,
    Stop,
}

/// How long nothing has come. To look at the clock with every line would cost more than some lines do: it is looked at
/// when it has run down, and so a pause is noticed after one to two times as long as it must last.
struct Quiet {
    since: Instant,
    /// Something has come since the clock was set.
    broken: bool,
    /// The session has been put to rest.
    rests: bool,
}

impl Quiet {
    /// Something has come.
    fn ends(&mut self, limits: &Limits, mut clock: Pin<&mut Option<Sleep>>) {
        self.broken = true;
        if std::mem::take(&mut self.rests) {
            clock.set(self.wind(limits, Instant::now()).map(sleep_until));
        }
    }

    /// Whether there has been a pause of this length.
    fn lasts(&self, limit: Option<Duration>, now: Instant) -> bool {
        limit.is_some_and(|limit| now >= self.since + limit)
    }

    /// What the clock is to be set to; that something has come is known by then.
    fn wind(&mut self, limits: &Limits, now: Instant) -> Option<Instant> {
        if std::mem::take(&mut self.broken) {
            self.since = now;
        }
        match (limits.rest, limits.idle) {
            (Some(rest), _) if !self.rests => Some(now + rest),
            (_, Some(idle)) if !self.lasts(limits.idle, now) => Some(self.since + idle),
            (_, Some(idle)) => Some(now + idle),
            (_, None) => None,
        }
    }
}

impl<R: Ready + Unpin, W: AsyncWrite + Unpin> Exchange<'_, R, W> {
    async fn run(&mut self, stop: &CancellationToken) -> io::Result<()> {
        let mut codec = LineCodec::default();
        let mut ended = false;
        let mut quiet = Quiet { since: Instant::now(), broken: false, rests: false };
        let mut clock = pin!(quiet.wind(&self.limits, Instant::now()).map(sleep_until));
        let mut stopping = pin!(stop.cancelled());
        loop {
            while let Some(block) =
                if ended { codec.decode_eof(&mut self.input)? } else { codec.decode(&mut self.input)? }
            {
                if !self.answer(&block).await? {
                    self.flush().await?;
                    return self.close().await;
                }
            }
            if let Some(recorder) = &mut self.keeping.recorder {
                recorder.flush();
            }
            self.flush().await?;
            self.tally.hand_on_many();
            if ended {
                return self.close().await;
            }
            quiet.ends(&self.limits, clock.as_mut());
            loop {
                self.tally.waits(self.session.is_waiting());
                match self.wait(quiet.rests, stopping.as_mut(), clock.as_mut().as_pin_mut()).await? {
                    Woken::Input(0) => {
                        ended = true;
                        self.session.interrupt(INTERRUPTED, &mut self.output);
                        break;
                    }
                    Woken::Input(read) => {
                        // there is more, and there may be more for ever
                        if read >= self.limits.read && self.limits.turn < Duration::MAX {
                            tokio::task::yield_now().await;
                        }
                        break;
                    }
                    Woken::Bell => {
                        let flow = self.session.wake(&mut self.output);
                        self.settle(flow).await;
                        self.tally.answered(&self.output);
                        self.flush().await?;
                        quiet.ends(&self.limits, clock.as_mut());
                    }
                    Woken::Clock => {
                        let now = Instant::now();
                        if !quiet.broken && quiet.lasts(self.limits.idle, now) && !self.session.is_seated() {
                            tracing::info!("closed: nothing was heard");
                            return self.close().await;
                        }
                        if !quiet.broken && quiet.lasts(self.limits.rest, now) {
                            self.rest();
                            quiet.rests = true;
                        }
                        clock.set(quiet.wind(&self.limits, now).map(sleep_until));
                    }
                    // a line that has begun is not one yet
                    Woken::Stop => {
                        self.session.interrupt(STOPPING, &mut self.output);
                        self.flush().await?;
                        return self.close().await;
                    }
                }
            }
        }
    }

    /// Answers whole lines; false after `quit`.
    async fn answer(&mut self, block: &Block) -> io::Result<bool> {
        let (mut begun, mut lines) = (Instant::now(), 0);
        for line in block.lines() {
            let before = self.output.len();
            // of many conversations, none may keep a thread from the others for long
            let flow = if self.keeping.place.is_some() && self.session.takes_long(&line) {
                tokio::task::block_in_place(|| self.session.handle(line, &mut self.output))
            } else {
                self.session.handle(line, &mut self.output)
            };
            let waited = flow == Flow::Busy;
            let flow = self.settle(flow).await;
            if waited {
                // others had their turn meanwhile
                begun = Instant::now();
            }
            if let Flow::File(job) = &flow {
                self.session.file_done(job, perform(job), &mut self.output);
            }
            self.tally.answered(&self.output[before..]);
            if let Some(archive) = &self.keeping.archive {
                archive.keep(self.session.take_records());
            }
            if let Some(recorder) = &mut self.keeping.recorder {
                recorder.record(line, &self.output[before..]);
            }
            if flow == Flow::Quit {
                return Ok(false);
            }
            if let Some(place) = &self.keeping.place {
                let wrong_keys = self.session.take_wrong_keys();
                if wrong_keys > 0 {
                    tokio::time::sleep(place.wrong_keys(wrong_keys)).await;
                    begun = Instant::now();
                }
            }
            // most lines are turns, and a look at the clock would take a tenth of the time of one
            lines += 1;
            if lines % CHEAP_LINES == 0 || self.output.len() > before + CHEAP_ANSWER {
                let took = begun.elapsed();
                if took >= self.limits.turn {
                    tokio::task::yield_now().await;
                    // what takes very long is made up for by a pause, so that others come first
                    if took >= MUCH_TIME && self.keeping.place.is_some() {
                        self.flush().await?;
                        tokio::time::sleep(took.saturating_mul(2).min(LONGEST_PAUSE)).await;
                    }
                    begun = Instant::now();
                }
                lines = 0;
            }
            if self.output.len() > self.limits.write {
                self.flush().await?;
            }
        }
        Ok(true)
    }

    /// Waits until what a line did is written down.
    async fn settle(&mut self, mut flow: Flow) -> Flow {
        while flow == Flow::Busy {
            rung(self.session).await;
            flow = self.session.wake(&mut self.output);
        }
        flow
    }

    /// Writes out what has been answered. A peer that does not read is given up.
    async fn flush(&mut self) -> io::Result<()> {
        if self.output.is_empty() {
            return Ok(());
        }
        let mut rest = &self.output[..];
        loop {
            // some of it; all gone once nothing is left to write or to flush
            let mut write = pin!(async {
                if rest.is_empty() { self.writer.flush().await.map(|()| 0) } else { self.writer.write(rest).await }
            });
            // hardly ever does a peer have to be waited for, and then only is a clock needed
            let wrote = match (poll_fn(|context| Poll::Ready(write.as_mut().poll(context))).await, self.limits.stall) {
                (Poll::Ready(wrote), _) => wrote?,
                (Poll::Pending, None) => write.await?,
                (Poll::Pending, Some(stall)) => match tokio::time::timeout(stall, write).await {
                    Ok(wrote) => wrote?,
                    Err(_) => {
                        return Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read its answers"));
                    }
                },
            };
            match (rest.is_empty(), wrote) {
                (true, _) => break,
                (false, 0) => return Err(io::ErrorKind::WriteZero.into()),
                (false, _) => rest = &rest[wrote..],
            }
        }
        self.output.clear();
        Ok(())
    }

    /// Takes as little memory as possible until something comes.
    fn rest(&mut self) {
        self.session.rest();
        self.tally.hand_on();
        if self.input.is_empty() {
            self.input = BytesMut::new();
        }
        self.output = BytesMut::new();
    }

    /// Waits for input, or for whatever else is to be done. While the session rests there is no buffer to read into.
    async fn wait(
        &mut self,
        rests: bool,
        stop: Pin<&mut WaitForCancellationFuture<'_>>,
        clock: Option<Pin<&mut Sleep>>,
    ) -> io::Result<Woken> {
        let (reader, input, session) = (&mut self.reader, &mut self.input, &*self.session);
        let read = async {
            if rests {
                reader.ready().await?;
            }
            input.reserve(self.limits.read);
            reader.read_buf(input).await
        };
        let clock = async {
            match clock {
                Some(clock) => clock.await,
                None => std::future::pending().await,
            }
        };
        Ok(tokio::select! {
            biased;
            () = rung(session), if session.is_waiting() => Woken::Bell,
            read = read => Woken::Input(read?),
            () = stop => Woken::Stop,
            () = clock => Woken::Clock,
        })
    }

    /// What was written before is on its way only once it is flushed.
    async fn close(&mut self) -> io::Result<()> {
        self.writer.flush().await?;
        self.writer.shutdown().await
    }
}

/// Input that can be waited for without a place to put it.
pub trait Ready: AsyncRead {
    /// Until there may be something to read; at once if that cannot be known.
    fn ready(&self) -> impl Future<Output = io::Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

impl Ready for tokio::net::tcp::OwnedReadHalf {
    async fn ready(&self) -> io::Result<()> {
        self.readable().await
    }
}

impl<T: Ready> Ready for &mut T
where
    for<'a> &'a mut T: AsyncRead,
{
    fn ready(&self) -> impl Future<Output = io::Result<()>> + Send {
        T::ready(self)
    }
}

impl Ready for Box<dyn AsyncRead + Unpin> {}

impl<T: AsyncRead + AsyncWrite> Ready for tokio::io::ReadHalf<T> {}

/// Why a command that waits is refused when the server stops. Programs that reconnect by themselves look for it.
pub const STOPPING: &str = "the server is stopping";

/// Until it is worth asking the session again.
async fn rung(session: &Session) {
    match session.bell() {
        Some(bell) => poll_fn(|context| bell.poll_rung(context)).await,
        None => std::future::pending().await,
    }
}
