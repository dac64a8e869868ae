//! Connections whose callers are unknown until their first admitted request.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_rustls::server::TlsStream;
use tonic::transport::server::Connected;

/// Completes when a caller that is still unknown must leave.
pub type Leave = Shared<BoxFuture<'static, ()>>;

/// The other end of a connection.
#[derive(Clone)]
pub struct Caller {
    pub address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_known: AtomicBool,
    makes_room: Notify,
}

impl Caller {
    /// Keeps the connection open, because a request was admitted.
    pub fn set_known(&self) {
        self.state.is_known.store(true, Ordering::Relaxed);
    }

    fn is_known(&self) -> bool {
        self.state.is_known.load(Ordering::Relaxed)
    }
}

/// The callers that are unknown. Their number is limited.
pub struct UnknownCallers {
    callers: Mutex<VecDeque<Arc<State>>>,
    max: usize,
    timeout: Duration,
}

impl UnknownCallers {
    pub fn new(max: usize, timeout: Duration) -> Self {
        Self {
            callers: Mutex::default(),
            max,
            timeout,
        }
    }

    /// Adds a caller. If there are too many, the one that has waited longest leaves.
    pub fn add(&self, address: SocketAddr) -> (Caller, Leave) {
        let state = Arc::new(State::default());
        let mut callers = self.callers.lock();
        callers.push_back(Arc::clone(&state));
        if callers.len() > self.max {
            // Only this list still refers to a connection that has ended.
            callers.retain(|state| {
                Arc::strong_count(state) > 1 && !state.is_known.load(Ordering::Relaxed)
            });
        }
        if callers.len() > self.max
            && let Some(oldest) = callers.pop_front()
        {
            oldest.makes_room.notify_one();
        }
        drop(callers);
        let (timeout, waiting) = (self.timeout, Arc::downgrade(&state));
        let leave = async move {
            let Some(state) = waiting.upgrade() else {
                return;
            };
            tokio::select! {
                () = sleep(timeout) => {}
                () = state.makes_room.notified() => {}
            }
        };
        (Caller { address, state }, leave.boxed().shared())
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection that ends if its caller stays unknown.
pub struct Connection {
    stream: Box<dyn Stream>,
    caller: Caller,
    leave: Option<Leave>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connection from {}", self.caller.address)
    }
}

impl Connection {
    pub fn plain(stream: TcpStream, caller: Caller) -> Self {
        Self {
            stream: Box::new(stream),
            caller,
            leave: None,
        }
    }

    pub fn tls(stream: TlsStream<TcpStream>, caller: Caller) -> Self {
        Self {
            stream: Box::new(stream),
            caller,
            leave: None,
        }
    }

    /// Sets when the caller must leave if it is still unknown.
    pub fn until(self, leave: Leave) -> Self {
        Self {
            leave: Some(leave),
            ..self
        }
    }

    fn must_leave(&mut self, context: &mut Context<'_>) -> bool {
        if self.caller.is_known() {
            self.leave = None;
        }
        let leave = self.leave.as_mut();
        // The connection wakes up once after its caller has become known.
        leave.is_some_and(|leave| leave.poll_unpin(context).is_ready())
    }
}

impl Connected for Connection {
    type ConnectInfo = Caller;

    fn connect_info(&self) -> Caller {
        self.caller.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.must_leave(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address() -> SocketAddr {
        ([127, 0, 0, 1], 1).into()
    }

    #[tokio::test]
    async fn the_oldest_unknown_caller_makes_room() {
        let unknown = UnknownCallers::new(2, Duration::from_secs(600));
        let (first, mut first_leaves) = unknown.add(address());
        let (_second, mut second_leaves) = unknown.add(address());
        assert!((&mut first_leaves).now_or_never().is_none());
        let (third, _third_leaves) = unknown.add(address());
        assert!((&mut first_leaves).now_or_never().is_some());
        assert!((&mut second_leaves).now_or_never().is_none());
        // Callers that are known or gone no longer count.
        third.set_known();
        drop(first);
        let _fourth = unknown.add(address());
        assert!((&mut second_leaves).now_or_never().is_none());
    }
}
