//! One conversation: whole lines in, answers out.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_util::codec::Decoder;
use tokio_util::sync::CancellationToken;

use super::files::perform;
use super::{Archive, Recorder};
use crate::gtp::LineCodec;
use crate::session::{Flow, INTERRUPTED, Session};

/// How much memory a conversation may use for bytes on their way.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Room made for each read, in bytes.
    pub read: usize,
    /// Answers are written out when there are more bytes than this, even if further commands wait.
    pub write: usize,
    /// Lines answered in a row before others get their turn.
    pub lines: usize,
}

impl Limits {
    /// For one conversation in a process.
    pub const STDIO: Limits = Limits { read: 65_536, write: 65_536, lines: usize::MAX };
    /// For one of many.
    pub const TCP: Limits = Limits { read: 8_192, write: 16_384, lines: 16 };
}

/// What is kept of a conversation.
#[derive(Debug, Default)]
pub struct Keeping {
    /// Every line and its answer.
    pub recorder: Option<Recorder>,
    /// Every game.
    pub archive: Option<Archive>,
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
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let gone = |error: &io::Error| {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
        matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset)
    };
    let mut keeping = keeping;
    let result = exchange(reader, writer, session, limits, &mut keeping, stop).await;
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

async fn exchange<R, W>(
    mut reader: R,
    mut writer: W,
    session: &mut Session,
    limits: Limits,
    keeping: &mut Keeping,
    stop: &CancellationToken,
) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut codec = LineCodec::default();
    let mut input = BytesMut::with_capacity(limits.read);
    let mut output = BytesMut::new();
    let (mut ended, mut quit) = (false, false);
    loop {
        let mut lines = 0;
        while let Some(block) = if ended { codec.decode_eof(&mut input)? } else { codec.decode(&mut input)? } {
            for line in block.lines() {
                let before = output.len();
                let mut flow = session.handle(line, &mut output);
                while flow == Flow::Busy {
                    rung(session).await;
                    flow = session.wake(&mut output);
                }
                if let Flow::File(job) = &flow {
                    session.file_done(job, perform(job), &mut output);
                }
                if let Some(archive) = &keeping.archive {
                    archive.keep(session.take_records());
                }
                if let Some(recorder) = &mut keeping.recorder {
                    recorder.record(line, &output[before..]);
                }
                if flow == Flow::Quit {
                    quit = true;
                    break;
                }
                lines += 1;
                if lines % limits.lines == 0 {
                    tokio::task::yield_now().await;
                }
                if output.len() > limits.write {
                    writer.write_all(&output).await?;
                    output.clear();
                }
            }
            if quit {
                break;
            }
        }
        if let Some(recorder) = &mut keeping.recorder {
            recorder.flush();
        }
        if !output.is_empty() {
            writer.write_all(&output).await?;
            writer.flush().await?;
            output.clear();
        }
        if ended || quit {
            return close(&mut writer).await;
        }
        input.reserve(limits.read);
        loop {
            let waiting = session.is_waiting();
            tokio::select! {
                biased;
                read = reader.read_buf(&mut input) => {
                    ended = read? == 0;
                    if ended {
                        session.interrupt(INTERRUPTED, &mut output);
                    }
                    break;
                }
                () = rung(session), if waiting => {
                    let before = output.len();
                    let mut flow = session.wake(&mut output);
                    while flow == Flow::Busy {
                        rung(session).await;
                        flow = session.wake(&mut output);
                    }
                    if output.len() > before {
                        writer.write_all(&output).await?;
                        writer.flush().await?;
                        output.clear();
                    }
                }
                // a line that has begun is not one yet
                () = stop.cancelled() => {
                    session.interrupt(STOPPING, &mut output);
                    writer.write_all(&output).await?;
                    return close(&mut writer).await;
                }
            }
        }
    }
}

/// Why a command that waits is refused when the server stops. Programs that reconnect by themselves look for it.
pub const STOPPING: &str = "the server is stopping";

/// Until it is worth asking the session again.
async fn rung(session: &Session) {
    match session.bell() {
        Some(bell) => std::future::poll_fn(|context| bell.poll_rung(context)).await,
        None => std::future::pending().await,
    }
}

/// What was written before is on its way only once it is flushed.
async fn close(writer: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    writer.flush().await?;
    writer.shutdown().await
}
