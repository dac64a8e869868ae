//! Transfers a remote file, and resumes after lost connections.
//!
//! `object_store` resumes a response only if it has an ETag, and for three minutes. This module
//! requests the rest, with some of the bytes before it. The file must not have changed: its length,
//! these bytes, and its ETag and modification time, if the server sends them, must be the same. A
//! server without ranges sends the file from the start; then all bytes received before are
//! compared.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use libdeflater::Crc;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::object_stores::credentials::{Rejection, failure};
use crate::object_stores::readable_errors::readable;
use crate::object_stores::version::{Version, changed};

/// The text of `object_store`'s error for a store that sends the whole file instead of a part.
const WHOLE_FILE: &str = "Received non-partial response";

/// The number of bytes before a lost connection that are requested again and compared.
const OVERLAP_BYTES: usize = 16 << 10;

/// A connection that delivers fewer bytes counts as a failed attempt.
const MIN_PROGRESS_BYTES: u64 = 64 << 10;

/// The maximum number of failed attempts in a row.
const MAX_FAILED_ATTEMPTS: u32 = 5;

/// The maximum with an ETag: `object_store` then makes several attempts itself.
const MAX_FAILED_ATTEMPTS_WITH_ETAG: u32 = 1;

const FIRST_DELAY: Duration = Duration::from_millis(100);

/// The maximum size of the chunks that wait for the reader of a file.
const MAX_WAITING_BYTES: usize = 1 << 20;

/// Bytes of a file.
pub struct Chunk {
    pub bytes: Bytes,
    /// Their share of [`MAX_WAITING_BYTES`].
    _share: Option<OwnedSemaphorePermit>,
}

pub type Chunks = mpsc::Sender<io::Result<Chunk>>;

/// Sends the bytes of a file from `offset` to its end, or until the receiver is gone.
pub async fn transfer(
    store: Arc<dyn ObjectStore>,
    location: Path,
    offset: u64,
    version: Arc<Version>,
    sender: Chunks,
    rejection: Rejection,
) {
    let mut transfer = Transfer {
        store,
        location,
        offset,
        version,
        received: None,
        sender,
        room: Arc::new(Semaphore::new(MAX_WAITING_BYTES)),
        rejection,
    };
    let mut failed = 0;
    loop {
        let before = transfer.position();
        let cause = match transfer.attempt().await {
            Ok(()) | Err(StopReason::Unwanted) => return,
            Err(StopReason::Failed(error)) => return transfer.fail(error).await,
            Err(StopReason::Lost(cause)) => cause,
        };
        failed = if transfer.position().saturating_sub(before) < MIN_PROGRESS_BYTES {
            failed + 1
        } else {
            0
        };
        if failed > max_failed_attempts(transfer.received.as_ref().map(|first| &first.meta)) {
            let error = transfer.lost(&cause);
            return transfer.fail(error).await;
        }
        tokio::time::sleep(FIRST_DELAY * 2u32.pow(failed)).await;
    }
}

/// A part of a file.
#[derive(Debug)]
pub struct FetchedRange {
    /// The bytes, fewer than requested only at the end of the file.
    pub bytes: Bytes,
    /// The file that they belong to.
    pub meta: ObjectMeta,
}

/// Fetches the bytes of a range. Retries if the response breaks off.
pub async fn fetch_range(
    store: &dyn ObjectStore,
    location: &Path,
    range: Range<u64>,
) -> object_store::Result<FetchedRange> {
    let mut failed = 0;
    loop {
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            ..GetOptions::default()
        };
        let response = get(store, location, options).await?;
        let meta = response.meta.clone();
        match response.bytes().await {
            Ok(bytes) => return Ok(FetchedRange { bytes, meta }),
            Err(error) if failed >= max_failed_attempts(Some(&meta)) => return Err(error),
            Err(_) => failed += 1,
        }
        tokio::time::sleep(FIRST_DELAY * 2u32.pow(failed)).await;
    }
}

/// Returns all bytes of one range.
pub async fn read_range(
    store: &dyn ObjectStore,
    location: &Path,
    range: Range<u64>,
) -> object_store::Result<Bytes> {
    let fetched = fetch_range(store, location, range).await?;
    Ok(fetched.bytes)
}

/// Requests a file or a part of it. For all stores, the error is `NotSupported` if the server sends
/// the whole file instead of a part; `object_store` returns it for web servers only.
async fn get(
    store: &dyn ObjectStore,
    location: &Path,
    options: GetOptions,
) -> object_store::Result<GetResult> {
    store
        .get_opts(location, options)
        .await
        .map_err(|error| match error {
            Error::Generic { source, .. } if source.to_string().starts_with(WHOLE_FILE) => {
                Error::NotSupported { source }
            }
            error => error,
        })
}

/// The text of an error of a store for users.
fn text_of(error: &Error) -> String {
    let text = error.to_string();
    readable(&text).unwrap_or(text)
}

fn max_failed_attempts(meta: Option<&ObjectMeta>) -> u32 {
    match meta {
        Some(meta) if meta.e_tag.is_some() => MAX_FAILED_ATTEMPTS_WITH_ETAG,
        _ => MAX_FAILED_ATTEMPTS,
    }
}

struct Transfer {
    store: Arc<dyn ObjectStore>,
    location: Path,
    /// The first byte to send.
    offset: u64,
    version: Arc<Version>,
    received: Option<Received>,
    sender: Chunks,
    /// The number of bytes that may be sent before the reader takes some.
    room: Arc<Semaphore>,
    rejection: Rejection,
}

/// The bytes received so far.
struct Received {
    /// The file as the first response described it.
    meta: ObjectMeta,
    /// The offset in the file of the first byte received.
    start: u64,
    /// The offset after the last one.
    end: u64,
    /// The checksum of all these bytes.
    checksum: Crc,
    /// The last bytes: at least `OVERLAP_BYTES`, if that many were received.
    overlap: VecDeque<Bytes>,
    seam_bytes: usize,
}

/// Why an attempt ended before the end of the file.
enum StopReason {
    /// The receiver is gone.
    Unwanted,
    /// Another attempt may help.
    Lost(String),
    Failed(io::Error),
}

/// An open response, and the offset in the file where it starts.
struct OpenedRange {
    response: GetResult,
    start: u64,
}

impl Transfer {
    /// The offset in the file up to which bytes were received.
    fn position(&self) -> u64 {
        self.received
            .as_ref()
            .map_or(self.offset, |received| received.end)
    }

    async fn fail(&self, error: io::Error) {
        // The receiver may be gone; ignore the failure to send.
        let _ = self.sender.send(Err(error)).await;
    }

    fn lost(&self, cause: &str) -> io::Error {
        let at = self.position();
        let of = match &self.received {
            Some(received) => format!(" of {}", received.meta.size),
            None => String::new(),
        };
        io::Error::other(format!(
            "the connection was lost at byte {at}{of}, and all attempts to resume failed: {cause}"
        ))
    }

    /// Requests the bytes that are missing, and forwards them.
    async fn attempt(&mut self) -> Result<(), StopReason> {
        let OpenedRange { response, start } = self.open().await?;
        self.version
            .check(&response.meta)
            .map_err(StopReason::Failed)?;
        let received = match &mut self.received {
            Some(received) => received,
            none => none.insert(Received::new(response.meta.clone(), start)),
        };
        let size = received.meta.size;
        let mut repeated = Repeated::new(received, start);
        let mut place = start;
        let mut chunks = response.into_stream();
        while place < size {
            let chunk = match chunks.next().await {
                Some(Ok(chunk)) => chunk,
                // `object_store` resumes by ranges, which this server does not have.
                Some(Err(Error::NotSupported { .. })) => {
                    return Err(StopReason::Lost("the response broke off".to_owned()));
                }
                Some(Err(error)) => return Err(StopReason::Lost(text_of(&error))),
                None => return Err(StopReason::Lost("the response is too short".to_owned())),
            };
            let chunk_start = place;
            place += chunk.len() as u64;
            let old = received
                .end
                .saturating_sub(chunk_start)
                .min(chunk.len() as u64);
            if !repeated.matches(chunk_start, &chunk[..old as usize], received.end) {
                return Err(StopReason::Failed(changed("its content differs")));
            }
            let new = chunk.slice(old as usize..);
            if new.is_empty() {
                continue;
            }
            let skipped = self
                .offset
                .saturating_sub(received.end)
                .min(new.len() as u64);
            received.push(new.clone());
            let bytes = new.slice(skipped as usize..);
            if bytes.is_empty() {
                continue;
            }
            let share = bytes.len().min(MAX_WAITING_BYTES) as u32;
            let _share = Arc::clone(&self.room).acquire_many_owned(share).await.ok();
            if self.sender.send(Ok(Chunk { bytes, _share })).await.is_err() {
                return Err(StopReason::Unwanted);
            }
        }
        Ok(())
    }

    /// Opens a response that starts at the overlap. A server without ranges starts at the start of
    /// the file.
    async fn open(&self) -> Result<OpenedRange, StopReason> {
        let start = match &self.received {
            Some(received) => received.end - received.seam_bytes as u64,
            None => self.offset,
        };
        let range = (start > 0).then_some(GetRange::Offset(start));
        let ranged = range.is_some();
        let options = GetOptions {
            range,
            ..GetOptions::default()
        };
        let store = self.store.as_ref();
        let (opened, start) = match get(store, &self.location, options).await {
            Err(Error::NotSupported { .. }) if ranged => {
                let whole = GetOptions::default();
                (get(store, &self.location, whole).await, 0)
            }
            opened => (opened, start),
        };
        match opened {
            Ok(response) => Ok(OpenedRange { response, start }),
            Err(error) => {
                let error = failure(&error, &self.rejection);
                Err(StopReason::Failed(match &self.received {
                    Some(_) => self.lost(&error.to_string()),
                    None => error,
                }))
            }
        }
    }
}

impl Received {
    fn new(meta: ObjectMeta, start: u64) -> Self {
        Self {
            meta,
            start,
            end: start,
            checksum: Crc::new(),
            overlap: VecDeque::new(),
            seam_bytes: 0,
        }
    }

    fn push(&mut self, chunk: Bytes) {
        self.end += chunk.len() as u64;
        self.checksum.update(&chunk);
        self.seam_bytes += chunk.len();
        self.overlap.push_back(chunk);
        while let Some(first) = self.overlap.front() {
            let rest = self.seam_bytes - first.len();
            if rest < OVERLAP_BYTES {
                break;
            }
            self.seam_bytes = rest;
            self.overlap.pop_front();
        }
    }
}

/// Bytes that a later response repeats, to be compared by checksum.
struct Repeated {
    start: u64,
    checksum: Crc,
    expected: u32,
}

impl Repeated {
    /// Prepares to compare a response that starts at `start`: at the overlap, or at or before the
    /// first byte received.
    fn new(received: &Received, start: u64) -> Self {
        let (start, expected) = if start <= received.start {
            (received.start, received.checksum.sum())
        } else {
            let mut overlap = Crc::new();
            received
                .overlap
                .iter()
                .for_each(|chunk| overlap.update(chunk));
            (start, overlap.sum())
        };
        Self {
            start,
            checksum: Crc::new(),
            expected,
        }
    }

    /// Adds the next repeated bytes, at the offset `place` of the file. Returns `false` if they
    /// reach `end` and the repeated bytes differ from those received first.
    fn matches(&mut self, place: u64, bytes: &[u8], end: u64) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let before = self.start.saturating_sub(place).min(bytes.len() as u64);
        self.checksum.update(&bytes[before as usize..]);
        place + (bytes.len() as u64) < end || self.checksum.sum() == self.expected
    }
}
