//! One conversation: whole lines in, answers out.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_util::codec::Decoder;
use tokio_util::sync::CancellationToken;

use super::Recorder;
use crate::gtp::LineCodec;
use crate::session::{Flow, Session};

/// How much memory a conversation may use for bytes on their way.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Room made for each read, in bytes.
    pub read: usize,
    /// Answers are written out when there are more bytes than this, even if further commands wait.
    pub write: usize,
}

impl Limits {
    /// For one conversation in a process.
    pub const STDIO: Limits = Limits { read: 65_536, write: 65_536 };
    /// For one of many.
    pub const TCP: Limits = Limits { read: 8_192, write: 16_384 };
}

/// Reads lines and answers them until the end of input, `quit`, or a stop from outside. Answers are flushed when no
/// whole line is left to be read: one write for all commands that came together. A peer that has gone is no error.
pub async fn converse<R, W>(
    reader: R,
    writer: W,
    session: &mut Session,
    limits: Limits,
    recorder: Option<Recorder>,
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
    match exchange(reader, writer, session, limits, recorder, stop).await {
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
    mut recorder: Option<Recorder>,
    stop: &CancellationToken,
) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut codec = LineCodec::default();
    let mut input = BytesMut::with_capacity(limits.read);
    let mut output = BytesMut::new();
    let mut ended = false;
    loop {
        while let Some(line) = if ended { codec.decode_eof(&mut input)? } else { codec.decode(&mut input)? } {
            let before = output.len();
            let flow = session.handle(&line, &mut output);
            if let Some(recorder) = &mut recorder {
                recorder.record(&line, &output[before..]);
            }
            if flow == Flow::Quit {
                ended = true;
                break;
            }
            if output.len() > limits.write {
                writer.write_all(&output).await?;
                output.clear();
            }
        }
        if let Some(recorder) = &mut recorder {
            recorder.flush();
        }
        if !output.is_empty() {
            writer.write_all(&output).await?;
            writer.flush().await?;
            output.clear();
        }
        if ended {
            return writer.shutdown().await;
        }
        input.reserve(limits.read);
        ended = tokio::select! {
            biased;
            read = reader.read_buf(&mut input) => read? == 0,
            () = stop.cancelled() => return writer.shutdown().await,
        };
    }
}
