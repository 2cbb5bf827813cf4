//! Standard input and output.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::{Keeping, Limits, converse};
use crate::session::Session;

/// Answers standard input on standard output until it ends or quits, or is stopped.
///
/// Pipes are waited for directly; anything else (a terminal, a file, a socket, another system) goes through tokio's
/// thread for standard input, which costs some 30 µs a line more.
pub async fn serve_stdio(mut session: Session, keeping: Keeping, stop: CancellationToken) -> io::Result<()> {
    converse(input(), output(), &mut session, Limits::STDIO, keeping, &stop).await
}

// The pipes are opened anew: to wait for one it must not block, and with the description that the process was given,
// other processes that share it (a shell, a program that writes to the same pipe) would stop blocking, too.

pub(super) fn input() -> Box<dyn AsyncRead + Unpin> {
    #[cfg(target_os = "linux")]
    if let Ok(pipe) = tokio::net::unix::pipe::OpenOptions::new().open_receiver("/proc/self/fd/0") {
        return Box::new(pipe);
    }
    blocking(&std::io::stdin());
    Box::new(tokio::io::stdin())
}

pub(super) fn output() -> Box<dyn AsyncWrite + Unpin> {
    #[cfg(target_os = "linux")]
    if let Ok(pipe) = tokio::net::unix::pipe::OpenOptions::new().open_sender("/proc/self/fd/1") {
        return Box::new(pipe);
    }
    blocking(&std::io::stdout());
    Box::new(tokio::io::stdout())
}

/// What goes through a thread must block, and some programs hand a socket or terminal over that does not.
#[cfg(unix)]
fn blocking(stream: &impl std::os::fd::AsFd) {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(stream);
    if let Ok(flags) = flags
        && flags.contains(OFlags::NONBLOCK)
        && let Err(error) = fcntl_setfl(stream, flags - OFlags::NONBLOCK)
    {
        tracing::debug!(%error, "a stream that does not block");
    }
}

#[cfg(not(unix))]
fn blocking<T>(_: &T) {}
