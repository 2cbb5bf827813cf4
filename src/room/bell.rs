//! What somebody who waits leaves behind.

use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Rung when something has happened that a connection waits for. A ring is not lost if nobody listens yet.
#[derive(Debug, Default)]
pub struct Bell(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    rung: bool,
    waker: Option<Waker>,
}

impl Bell {
    /// Rings.
    pub fn ring(&self) {
        let waker = {
            let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            inner.rung = true;
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Ready once it has rung since the last time it was ready.
    pub fn poll_rung(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut inner.rung) {
            inner.waker = None;
            return Poll::Ready(());
        }
        match &mut inner.waker {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }
}
