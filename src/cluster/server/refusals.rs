//! Logs refused callers, at most one line per reason and interval.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use log::warn;
use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::cluster::access::Mismatch;

/// The interval between two lines about the same reason.
const INTERVAL: Duration = Duration::from_secs(30);

/// The maximum number of reasons that are logged separately.
const MAX_REASONS: usize = 64;

/// The length of the bytes that begin a connection of HTTP/2, and that of the head of a frame.
const PREFACE_BYTES: usize = 24;
const FRAME_HEAD_BYTES: usize = 9;

/// The type of the frame that begins a request.
const HEADERS: u8 = 1;

/// The maximum number of bytes before the first request of a refused caller.
const MAX_BYTES_BEFORE_REQUEST: u64 = 1024;

/// The time for the first request of a refused caller.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(1);

/// Counts of refused callers, by reason.
#[derive(Debug, Default)]
pub struct Refusals {
    lines: Mutex<HashMap<String, Line>>,
}

#[derive(Debug)]
struct Line {
    last: Instant,
    /// The callers since the last line.
    others: u64,
}

impl Refusals {
    /// Logs a refused caller.
    pub fn report(&self, address: SocketAddr, reason: &str) {
        if let Some(others) = self.count(reason, Instant::now()) {
            warn!("refused {}: {reason}{others}", address.ip());
        }
    }

    /// Logs that no connection can be accepted.
    pub fn report_failure(&self, error: &dyn fmt::Display) {
        let reason = format!("cannot accept connections: {error}");
        if let Some(others) = self.count(&reason, Instant::now()) {
            warn!("{reason}{others}");
        }
    }

    /// Informs a caller that only one end uses TLS. Logs it if the caller sends a request: the
    /// scheduler connects to a new executor without one, to see whether the port is open.
    pub async fn refuse(&self, mut stream: TcpStream, address: SocketAddr, mismatch: Mismatch) {
        // The caller may be gone.
        let _ = stream.write_all(mismatch.answer()).await;
        let mut start = Vec::new();
        // Closing a connection with unread bytes would discard the answer.
        let mut limited = (&mut stream).take(MAX_BYTES_BEFORE_REQUEST);
        let _ = timeout(REQUEST_TIMEOUT, limited.read_to_end(&mut start)).await;
        if mismatch == Mismatch::TlsToPlain || has_request(&start) {
            self.report(
                address,
                match mismatch {
                    Mismatch::TlsToPlain => "it uses TLS, and this process does not",
                    Mismatch::PlainToTls => "it does not use TLS",
                },
            );
        }
    }

    /// Returns the end of a line to log now, if it is time for one.
    fn count(&self, reason: &str, now: Instant) -> Option<String> {
        let mut lines = self.lines.lock();
        if !lines.contains_key(reason) && lines.len() >= MAX_REASONS {
            lines.retain(|_, line| now.duration_since(line.last) < INTERVAL);
            if lines.len() >= MAX_REASONS {
                return None;
            }
        }
        let Some(line) = lines.get_mut(reason) else {
            let line = Line {
                last: now,
                others: 0,
            };
            lines.insert(reason.to_owned(), line);
            return Some(String::new());
        };
        if now.duration_since(line.last) < INTERVAL {
            line.others += 1;
            return None;
        }
        let others = match std::mem::take(&mut line.others) {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        line.last = now;
        Some(others)
    }
}

/// Whether the first bytes of a connection contain a request, or are not HTTP/2.
fn has_request(bytes: &[u8]) -> bool {
    let Some((preface, mut frames)) = bytes.split_at_checked(PREFACE_BYTES) else {
        return !bytes.is_empty();
    };
    if !preface.starts_with(b"PRI ") {
        return true;
    }
    while let Some(head) = frames.first_chunk::<FRAME_HEAD_BYTES>() {
        if head[3] == HEADERS {
            return true;
        }
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        frames = frames.get(FRAME_HEAD_BYTES + length..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_one_line_per_interval() {
        let refusals = Refusals::default();
        let start = Instant::now();
        assert_eq!(refusals.count("a", start).as_deref(), Some(""));
        assert_eq!(refusals.count("a", start), None);
        assert_eq!(refusals.count("b", start).as_deref(), Some(""));
        let later = refusals.count("a", start + INTERVAL);
        assert_eq!(later.as_deref(), Some(" (and 1 more)"));
        for number in 0..10 * MAX_REASONS {
            refusals.count(&number.to_string(), start + INTERVAL);
        }
        assert_eq!(refusals.lines.lock().len(), MAX_REASONS);
    }

    #[test]
    fn a_connection_without_a_request_is_recognized() {
        let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        bytes.extend([0, 0, 1, 4, 0, 0, 0, 0, 0, 7]);
        assert!(!has_request(&bytes));
        bytes.extend([0, 0, 0, HEADERS, 0, 0, 0, 0, 1]);
        assert!(has_request(&bytes));
        assert!(has_request(b"GET / HTTP/1.1\r\n\r\n"));
        assert!(has_request(b"GET /corpus-sql HTTP/1.1\r\n\r\n"));
        assert!(!has_request(b""));
    }
}
