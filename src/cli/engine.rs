//! Engines to run transcripts against: this one, another program, a server.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use bytes::{Buf, BytesMut};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio_util::codec::Decoder;

use crate::commands::Options;
use crate::gtp::LineCodec;
use crate::gtp::transcript::Answer;
use crate::room::Rooms;
use crate::server::{Remote, perform};
use crate::session::{Flow, Session};

/// The largest response that is read, in bytes: more than any command answers.
const MOST: usize = 16 << 20;

/// How long it is looked whether there is no answer yet.
const MOMENT: Duration = Duration::from_millis(150);

/// Where an engine is to be had.
#[derive(Debug)]
pub(super) enum Source {
    /// Within this process.
    Own(Box<Options>),
    /// A program and its arguments.
    Program(Vec<String>),
    /// A server.
    Server(Remote),
}

/// An engine that can be asked.
pub(super) enum Engine {
    /// Within this process, until it has quit, with what it has answered and nobody has read.
    Own(Option<Box<Session>>, BytesMut),
    Other(Box<Peer>),
}

/// An engine at the other end of two streams.
pub(super) struct Peer {
    reader: BufReader<Box<dyn AsyncRead + Unpin>>,
    writer: Box<dyn AsyncWrite + Unpin>,
    timeout: Duration,
    /// What has come of the next response.
    response: Vec<u8>,
    /// Killed when it is dropped.
    _child: Option<Child>,
}

impl Source {
    /// A fresh engine.
    pub(super) async fn open(&self, timeout: Duration, rooms: Option<&Arc<Rooms>>) -> anyhow::Result<Engine> {
        match self {
            Source::Own(options) => {
                let session = match rooms {
                    Some(rooms) => Session::with_rooms(**options, rooms.clone()),
                    None => Session::new(**options),
                };
                Ok(Engine::Own(Some(Box::new(session)), BytesMut::new()))
            }
            Source::Program(words) => {
                let [program, args @ ..] = words.as_slice() else { bail!("--engine needs a command") };
                let mut child = Command::new(program)
                    .args(args)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .kill_on_drop(true)
                    .spawn()
                    .with_context(|| format!("cannot start {program}"))?;
                let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
                    bail!("{program} has no standard input or output");
                };
                Ok(Engine::other(Box::new(stdout), Box::new(stdin), timeout, Some(child)))
            }
            Source::Server(remote) => Engine::connect(remote, timeout).await,
        }
    }
}

impl Engine {
    /// A server.
    pub(super) async fn connect(remote: &Remote, timeout: Duration) -> anyhow::Result<Engine> {
        let stream = remote.connect().await.with_context(|| format!("cannot connect to {remote}"))?;
        let (reader, writer) = tokio::io::split(stream);
        Ok(Engine::other(Box::new(reader), Box::new(writer), timeout, None))
    }

    fn other(
        reader: Box<dyn AsyncRead + Unpin>,
        writer: Box<dyn AsyncWrite + Unpin>,
        timeout: Duration,
        child: Option<Child>,
    ) -> Engine {
        let reader = BufReader::new(reader);
        Engine::Other(Box::new(Peer { reader, writer, timeout, response: Vec::new(), _child: child }))
    }

    /// Sends a command line and reads its response.
    pub(super) async fn ask(&mut self, line: &str) -> anyhow::Result<Answer> {
        self.exchange(line, false).await?.context("no answer")
    }

    /// Sends a command line, if there is one, and reads the next response. With `waits` there should be none yet; then
    /// it is looked for a moment only.
    pub(super) async fn exchange(&mut self, line: &str, waits: bool) -> anyhow::Result<Option<Answer>> {
        let response = match self {
            Engine::Own(session, out) => {
                own(session, line, out)?;
                let text = String::from_utf8_lossy(out);
                match text.find("\n\n").map(|end| text[..end].to_string()) {
                    None if waits => return Ok(None),
                    None => bail!("no answer"),
                    Some(response) => {
                        out.advance(response.len() + 2);
                        response
                    }
                }
            }
            Engine::Other(peer) => {
                peer.send(line).await?;
                let patience = if waits { MOMENT } else { peer.timeout };
                match tokio::time::timeout(patience, peer.read()).await {
                    Ok(answered) => answered?,
                    Err(_) if waits => return Ok(None),
                    Err(_) => bail!("no answer within {} s", patience.as_secs()),
                }
            }
        };
        let answer = Answer::parse(&response);
        answer.map(Some).with_context(|| format!("not a GTP response: {response:?}"))
    }
}

/// Hands a line to an engine within this process, if there is one.
fn own(engine: &mut Option<Box<Session>>, line: &str, out: &mut BytesMut) -> anyhow::Result<()> {
    let session = engine.as_mut().context("the engine has quit")?;
    // something may have happened elsewhere
    session.wake(out);
    if line.is_empty() {
        return Ok(());
    }
    let mut input = BytesMut::from(line);
    let block = LineCodec::default().decode_eof(&mut input)?.context("an empty line")?;
    let line = block.lines().next().context("an empty line")?;
    match session.handle(line, out) {
        Flow::Continue | Flow::Wait | Flow::Busy => {}
        Flow::Quit => *engine = None,
        Flow::File(job) => session.file_done(&job, perform(&job), out),
    }
    Ok(())
}

impl Peer {
    async fn send(&mut self, line: &str) -> anyhow::Result<()> {
        if line.is_empty() {
            return Ok(());
        }
        self.writer.write_all(format!("{line}\n").as_bytes()).await.context("the engine has gone")?;
        self.writer.flush().await.context("the engine has gone")
    }

    async fn read(&mut self) -> anyhow::Result<String> {
        // what has been read of a response is kept if the reading is given up
        loop {
            let response = &mut self.response;
            let left = (MOST - response.len()) as u64;
            if (&mut self.reader).take(left).read_until(b'\n', response).await? == 0 {
                bail!("the engine ended without an answer");
            }
            if response.ends_with(b"\r\n") {
                response.truncate(response.len() - 2);
                response.push(b'\n');
            }
            if *response == b"\n" {
                // a blank line before the answer belongs to the one before it
                response.clear();
            } else if response.ends_with(b"\n\n") {
                return Ok(String::from_utf8_lossy(&std::mem::take(response)).into_owned());
            }
            if response.len() >= MOST {
                bail!("a response of more than {MOST} bytes");
            }
        }
    }
}
