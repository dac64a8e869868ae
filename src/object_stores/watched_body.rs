//! The body of a response, which must make progress and have the declared length.

use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use object_store::client::{HttpError, HttpErrorKind, HttpResponseBody};
use tokio::time::{Instant, Sleep};

use super::failure::{cause, failed};
use super::retries::Retries;

/// A response that delivers fewer bytes than [`MIN_PROGRESS_BYTES`] in this time has stalled. Only
/// waiting counts, because a query may take long to process what it has read.
const MAX_WAIT: Duration = Duration::from_secs(30);

const MIN_PROGRESS_BYTES: u64 = 64 << 10;

/// A body that ends with an error if it stalls, breaks off, or has another length.
pub struct WatchedBody {
    inner: HttpResponseBody,
    /// The range that the response declares, if it is a part of a file.
    part: Option<Range<u64>>,
    received: u64,
    /// The bytes received, and the time waited for them, since the last progress.
    recent: u64,
    waited: Duration,
    waiting: Option<Waiting>,
    url: String,
    retries: Arc<Retries>,
}

struct Waiting {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

impl WatchedBody {
    pub fn new(
        inner: HttpResponseBody,
        part: Option<Range<u64>>,
        url: String,
        retries: Arc<Retries>,
    ) -> Self {
        Self {
            inner,
            part,
            received: 0,
            recent: 0,
            waited: Duration::ZERO,
            waiting: None,
            url,
            retries,
        }
    }

    fn length(&self) -> Option<u64> {
        let part = self.part.as_ref()?;
        Some(part.end - part.start)
    }

    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = MAX_WAIT.saturating_sub(self.waited);
        let waiting = self.waiting.get_or_insert_with(|| Waiting {
            since: Instant::now(),
            end: Box::pin(tokio::time::sleep(left)),
        });
        waiting.end.as_mut().poll(cx)
    }

    fn progress(&mut self, bytes: u64) {
        if let Some(waiting) = self.waiting.take() {
            self.waited += waiting.since.elapsed();
        }
        self.received += bytes;
        self.recent += bytes;
        if self.recent >= MIN_PROGRESS_BYTES {
            self.recent = 0;
            self.waited = Duration::ZERO;
        }
    }

    fn error(&self, kind: HttpErrorKind, reason: String) -> HttpError {
        let Self { part, received, .. } = self;
        let ended = match part {
            Some(Range { start, end }) => format!(
                "with {} bytes at byte {start} of the file ended after {received} ({reason})",
                end - start
            ),
            None => format!("ended after {received} bytes ({reason})"),
        };
        self.retries
            .report(&self.url, &format!("a response {ended}"));
        failed(kind, format!("the response from {} {ended}", self.url))
    }
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) else {
            ready!(self.wait(cx));
            let reason = format!("it stalled for {} seconds", MAX_WAIT.as_secs());
            return Poll::Ready(Some(Err(self.error(HttpErrorKind::Timeout, reason))));
        };
        match frame {
            Some(Ok(frame)) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                self.progress(bytes as u64);
                if self.length().is_some_and(|length| self.received > length) {
                    let reason = "it is longer than declared".to_owned();
                    return Poll::Ready(Some(Err(self.error(HttpErrorKind::Decode, reason))));
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Some(Err(error)) => {
                let error = self.error(error.kind(), cause(&error));
                Poll::Ready(Some(Err(error)))
            }
            None if self.length().is_some_and(|length| self.received < length) => {
                let reason = "it is shorter than declared".to_owned();
                Poll::Ready(Some(Err(self.error(HttpErrorKind::Interrupted, reason))))
            }
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream() && self.length().is_none_or(|length| self.received >= length)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that never delivers anything.
    struct Silent;

    impl Body for Silent {
        type Data = Bytes;
        type Error = HttpError;

        fn poll_frame(
            self: Pin<&mut Self>,
            _cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
            Poll::Pending
        }
    }

    fn watched(body: HttpResponseBody, length: Option<u64>) -> WatchedBody {
        let part = length.map(|length| 7..7 + length);
        WatchedBody::new(body, part, "http://h/a".to_owned(), Arc::default())
    }

    #[tokio::test]
    async fn a_body_has_the_declared_length() {
        for (text, length, expected) in [
            ("abc", Some(3), None),
            ("abc", None, None),
            ("", Some(0), None),
            (
                "abc",
                Some(4),
                Some("with 4 bytes at byte 7 of the file ended after 3 (it is shorter"),
            ),
            (
                "abc",
                Some(2),
                Some("with 2 bytes at byte 7 of the file ended after 3 (it is longer"),
            ),
        ] {
            let body = HttpResponseBody::new(watched(text.to_owned().into(), length));
            match (body.bytes().await, expected) {
                (Ok(bytes), None) => assert_eq!(bytes, text),
                (Err(error), Some(expected)) => {
                    let error = error.to_string();
                    assert!(error.contains(expected), "{error}");
                }
                (read, expected) => panic!("{read:?} instead of {expected:?}"),
            }
        }
    }

    #[tokio::test]
    async fn a_body_that_makes_no_progress_ends() {
        let mut body = watched(HttpResponseBody::new(Silent), None);
        body.waited = MAX_WAIT;
        body.progress(MIN_PROGRESS_BYTES - 1);
        let error = HttpResponseBody::new(body).bytes().await.unwrap_err();
        assert_eq!(error.kind(), HttpErrorKind::Timeout);
        assert!(error.to_string().contains("it stalled"), "{error}");
    }

    #[test]
    fn progress_grants_further_time() {
        let mut body = watched(HttpResponseBody::new(Silent), None);
        body.waited = MAX_WAIT;
        body.progress(MIN_PROGRESS_BYTES);
        assert_eq!(body.waited, Duration::ZERO);
    }
}
