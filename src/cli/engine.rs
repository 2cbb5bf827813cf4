//! Engines to run transcripts against: this one, another program, a server.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use bytes::BytesMut;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio_util::codec::Decoder;

use crate::commands::Options;
use crate::gtp::LineCodec;
use crate::gtp::transcript::Answer;
use crate::server::{Remote, perform};
use crate::session::{Flow, Session};

/// The largest response that is read, in bytes: more than any command answers.
const MOST: usize = 16 << 20;

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
    /// Within this process, until it has quit.
    Own(Option<Box<Session>>),
    Other(Box<Peer>),
}

/// An engine at the other end of two streams.
pub(super) struct Peer {
    reader: BufReader<Box<dyn AsyncRead + Unpin>>,
    writer: Box<dyn AsyncWrite + Unpin>,
    timeout: Duration,
    /// Killed when it is dropped.
    _child: Option<Child>,
}

impl Source {
    /// A fresh engine.
    pub(super) async fn open(&self, timeout: Duration) -> anyhow::Result<Engine> {
        let peer = |reader, writer, child| {
            Engine::Other(Box::new(Peer { reader: BufReader::new(reader), writer, timeout, _child: child }))
        };
        match self {
            Source::Own(options) => Ok(Engine::Own(Some(Box::new(Session::new(**options))))),
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
                Ok(peer(Box::new(stdout), Box::new(stdin), Some(child)))
            }
            Source::Server(remote) => {
                let stream = remote.connect().await.with_context(|| format!("cannot connect to {remote}"))?;
                let (reader, writer) = tokio::io::split(stream);
                Ok(peer(Box::new(reader), Box::new(writer), None))
            }
        }
    }
}

impl Engine {
    /// Sends one command line and reads the response.
    pub(super) async fn ask(&mut self, line: &str) -> anyhow::Result<Answer> {
        let response = match self {
            Engine::Own(own) => {
                let session = own.as_mut().context("the engine has quit")?;
                let (mut input, mut out) = (BytesMut::from(line), BytesMut::new());
                let block = LineCodec::default().decode_eof(&mut input)?.context("an empty line")?;
                let line = block.lines().next().context("an empty line")?;
                match session.handle(line, &mut out) {
                    Flow::Continue => {}
                    Flow::Quit => *own = None,
                    Flow::File(job) => session.file_done(&job, perform(&job), &mut out),
                }
                String::from_utf8_lossy(&out).into_owned()
            }
            Engine::Other(peer) => {
                let timeout = peer.timeout;
                match tokio::time::timeout(timeout, peer.ask(line)).await {
                    Ok(answered) => answered?,
                    Err(_) => bail!("no answer within {} s", timeout.as_secs()),
                }
            }
        };
        Answer::parse(&response).with_context(|| format!("not a GTP response: {response:?}"))
    }
}

impl Peer {
    async fn ask(&mut self, line: &str) -> anyhow::Result<String> {
        self.writer.write_all(format!("{line}\n").as_bytes()).await.context("the engine has gone")?;
        self.writer.flush().await.context("the engine has gone")?;
        let mut response = Vec::new();
        loop {
            let before = response.len();
            let left = (MOST - before) as u64;
            if (&mut self.reader).take(left).read_until(b'\n', &mut response).await? == 0 {
                bail!("the engine ended without an answer");
            }
            if response.ends_with(b"\r\n") {
                response.truncate(response.len() - 2);
                response.push(b'\n');
            }
            let blank = &response[before..] == b"\n";
            // a blank line before the answer belongs to the one before it
            if blank && before == 0 {
                response.clear();
            } else if blank {
                return Ok(String::from_utf8_lossy(&response).into_owned());
            }
            if response.len() >= MOST {
                bail!("a response of more than {MOST} bytes");
            }
        }
    }
}
