//! Fetches parts of remote files before a scan reads them: many at a time, and parts close together
//! with one request.
//!
//! The requests of a scan are in the order of its files. A reader that reaches one of them starts
//! those after it. Readers may run in any order: if a request has not started when its reader needs
//! it, the reader sends it.

use std::collections::HashMap;
use std::io::{self, Read};
use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use bytes::Bytes;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record_locations::NamedRecord;
use datafusion::datasource::listing::PartitionedFile;
use object_store::path::Path;
use object_store::{Error, ObjectStore};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinSet;

use crate::object_stores::credentials::failure;
use crate::sources::indexed::paths::UnknownSize;
use crate::sources::indexed::{KnownErrors, MAX_FETCH_BYTES, RecordPlaces};
use crate::sources::remote::RemoteFile;
use crate::sources::remote::transfer::{FetchedRange, fetch_range};

/// Records with at most this gap between them are fetched by one request. With many concurrent
/// requests, a request costs about as much as this many bytes.
const MAX_GAP_BYTES: u64 = 256 << 10;

/// Records are joined to requests of at most this size. Larger requests save nothing and need
/// memory.
const MAX_JOINED_BYTES: u64 = 4 << 20;

/// The number of bytes requested first of a file that is read as a whole. Its reader takes about as
/// long to process them as the request for the rest takes.
const MAX_START_BYTES: u64 = 4 << 20;

/// The same for a file of unknown size. Most documents are not larger.
const MAX_UNKNOWN_START_BYTES: u64 = 1 << 20;

/// The part of the start after which the rest is requested. Readers that only detect the format
/// read less.
const MAX_DETECTION_BYTES: u64 = 256 << 10;

/// The maximum number of requests ahead of each reader. Each takes a connection. Web servers often
/// refuse more.
const MAX_WEB_REQUESTS: usize = 64;
const MAX_STORE_REQUESTS: usize = 256;

/// The maximum size of data that a scan has requested and that no reader has reached. Each reader
/// holds one answer in addition, so that two readers hold less than 64 MiB together with it.
const MAX_AHEAD_KIB: u32 = 48 << 10;

/// Limits on the data that a scan fetches ahead.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// Whether the content of each file is read. If not, prefetching would be mostly wasted.
    pub reads_all: bool,
    /// The number of rows that the query needs, if it is limited.
    pub limit: Option<usize>,
    /// Whether the files are on a web server.
    pub is_web: bool,
}

impl Scope {
    /// The number of requests ahead of a reader. Each request leads to at least one row.
    fn max_requests(self) -> usize {
        let most = if self.is_web {
            MAX_WEB_REQUESTS
        } else {
            MAX_STORE_REQUESTS
        };
        self.limit.map_or(most, |rows| rows.clamp(1, most))
    }
}

/// The requests of a scan.
pub struct Prefetcher {
    store: Arc<dyn ObjectStore>,
    runtime: Handle,
    scope: Scope,
    files: Vec<Arc<Path>>,
    /// The requests of each file.
    by_file: HashMap<Arc<Path>, FileRequests>,
    requests: Vec<Request>,
    budget: Arc<Semaphore>,
    /// `false` once the server has sent a whole file instead of a range of it.
    has_ranges: AtomicBool,
    /// Aborted when the last reader is gone.
    tasks: Mutex<JoinSet<()>>,
}

/// The requests of a file.
#[derive(Clone)]
struct FileRequests {
    numbers: Range<usize>,
    /// Whether the only request is for the start of a file that is read as a whole.
    is_start: bool,
}

struct Request {
    /// The number of its file.
    file: usize,
    range: Range<u64>,
    /// The number of bytes that are read before the next request.
    weight: u64,
    state: Mutex<State>,
}

enum State {
    Waiting,
    /// A task waits for memory.
    Queued,
    Started(oneshot::Receiver<Ahead>),
    /// A reader has the answer, or sends the request itself.
    Taken,
}

type Answer = object_store::Result<FetchedRange>;

/// An answer that no reader has reached.
struct Ahead {
    answer: Answer,
    /// Its share of the budget.
    _share: OwnedSemaphorePermit,
}

impl Prefetcher {
    /// Plans the requests for these files, in this order. `None` if there is at most one.
    pub fn new<'a>(
        store: &Arc<dyn ObjectStore>,
        files: impl Iterator<Item = &'a PartitionedFile>,
        scope: Scope,
    ) -> Option<Arc<Self>> {
        let mut prefetcher = Self {
            store: Arc::clone(store),
            runtime: Handle::try_current().ok()?,
            scope,
            files: Vec::new(),
            by_file: HashMap::new(),
            requests: Vec::new(),
            budget: Arc::new(Semaphore::new(MAX_AHEAD_KIB as usize)),
            has_ranges: AtomicBool::new(true),
            tasks: Mutex::default(),
        };
        for file in files {
            let location = &file.object_meta.location;
            let size = file.object_meta.size;
            if let Some(RecordPlaces(records)) = file.extension() {
                prefetcher.add(location, join_ranges(records), None);
            } else if file.extension::<UnknownSize>().is_some() {
                let start = 0..MAX_UNKNOWN_START_BYTES;
                prefetcher.add(location, iter::once(start), Some(MAX_UNKNOWN_START_BYTES));
            } else if scope.reads_all && is_whole(file) {
                let start = 0..size.min(MAX_START_BYTES);
                prefetcher.add(location, iter::once(start), Some(size));
            }
        }
        (prefetcher.requests.len() > 1).then(|| Arc::new(prefetcher))
    }

    /// Adds the requests for a file. `whole` is its size if only its start is requested.
    fn add(
        &mut self,
        path: &Path,
        ranges: impl IntoIterator<Item = Range<u64>>,
        whole: Option<u64>,
    ) {
        if self.by_file.contains_key(path) {
            return;
        }
        let start = self.requests.len();
        let file = self.files.len();
        self.requests
            .extend(ranges.into_iter().map(|range| Request {
                file,
                weight: whole.unwrap_or(range.end - range.start),
                range,
                state: Mutex::new(State::Waiting),
            }));
        if self.requests.len() == start {
            return;
        }
        let path = Arc::new(path.clone());
        self.files.push(Arc::clone(&path));
        let requests = FileRequests {
            numbers: start..self.requests.len(),
            is_start: whole.is_some(),
        };
        self.by_file.insert(path, requests);
    }

    /// Starts to fetch parts of a file, and returns the file with these parts.
    pub fn open(self: &Arc<Self>, file: RemoteFile) -> Arc<dyn FileBytes> {
        let Some(requests) = self.by_file.get(&file.location).cloned() else {
            return Arc::new(file);
        };
        self.start_from(requests.numbers.start);
        Arc::new(FetchedFile {
            file: Arc::new(file),
            prefetcher: Arc::clone(self),
            requests,
            current: Mutex::new(None),
        })
    }

    /// Starts requests from this one on: the next one, and others that are read soon.
    fn start_from(self: &Arc<Self>, first: usize) {
        if !self.has_ranges.load(Ordering::Relaxed) {
            return;
        }
        let mut tasks = self.tasks.lock();
        while tasks.try_join_next().is_some() {}
        let end = (first + self.scope.max_requests()).min(self.requests.len());
        let mut before = 0;
        for number in first..end {
            let request = &self.requests[number];
            if before >= u64::from(MAX_AHEAD_KIB) << 10 {
                break;
            }
            before += request.weight;
            let mut state = request.state.lock();
            if !matches!(*state, State::Waiting) {
                continue;
            }
            *state = State::Queued;
            let task = send(
                Arc::downgrade(self),
                number,
                Arc::clone(&self.budget),
                kib(&request.range),
            );
            tasks.spawn_on(task, &self.runtime);
        }
    }

    /// Returns the answer to a request, for a thread that may block.
    fn take(self: &Arc<Self>, number: usize) -> Answer {
        self.start_from(number + 1);
        let request = &self.requests[number];
        let state = std::mem::replace(&mut *request.state.lock(), State::Taken);
        if let State::Started(ahead) = state
            && let Ok(ahead) = ahead.blocking_recv()
        {
            return ahead.answer;
        }
        self.runtime.block_on(fetch_range(
            self.store.as_ref(),
            &self.files[request.file],
            request.range.clone(),
        ))
    }
}

/// Sends a request once there is memory for its answer, unless the reader has sent it already.
async fn send(prefetcher: Weak<Prefetcher>, number: usize, budget: Arc<Semaphore>, kib: u32) {
    let Ok(share) = budget.acquire_many_owned(kib).await else {
        return;
    };
    let (sender, receiver) = oneshot::channel();
    let (store, path, range) = {
        let Some(prefetcher) = prefetcher.upgrade() else {
            return;
        };
        let request = &prefetcher.requests[number];
        let mut state = request.state.lock();
        if !matches!(*state, State::Queued) {
            return;
        }
        *state = State::Started(receiver);
        drop(state);
        let path = Arc::clone(&prefetcher.files[request.file]);
        (Arc::clone(&prefetcher.store), path, request.range.clone())
    };
    let ahead = Ahead {
        answer: fetch_range(store.as_ref(), &path, range).await,
        _share: share,
    };
    // The query may have ended.
    let _ = sender.send(ahead);
}

/// Whether one reader reads a whole file.
fn is_whole(file: &PartitionedFile) -> bool {
    let size = file.object_meta.size;
    let range = file.range.as_ref();
    let is_whole = range.is_none_or(|range| range.start == 0 && range.end.max(0) as u64 >= size);
    is_whole && size > 0 && file.extension::<KnownErrors>().is_none()
}

/// Joins records that are close together. Large records and those without a length are left out:
/// they are not fetched ahead.
fn join_ranges(records: &[NamedRecord]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for record in records {
        let Some(length) = record.location.length.filter(|it| *it <= MAX_FETCH_BYTES) else {
            continue;
        };
        let start = record.location.offset;
        let end = start.saturating_add(length);
        match ranges.last_mut() {
            Some(last)
                if start <= last.end.saturating_add(MAX_GAP_BYTES)
                    && (end.max(last.end) - last.start <= MAX_JOINED_BYTES || end <= last.end) =>
            {
                last.end = last.end.max(end);
            }
            _ => ranges.push(start..end),
        }
    }
    ranges
}

/// A remote file with parts that were fetched ahead.
struct FetchedFile {
    file: Arc<RemoteFile>,
    prefetcher: Arc<Prefetcher>,
    requests: FileRequests,
    /// The part that was read last.
    current: Mutex<Option<Part>>,
}

struct Part {
    range: Range<u64>,
    answer: Answer,
}

impl FetchedFile {
    /// The number of the request that includes these bytes.
    fn request_of(&self, wanted: &Range<u64>) -> Option<usize> {
        let requests = &self.prefetcher.requests[self.requests.numbers.clone()];
        let after = requests.partition_point(|request| request.range.start <= wanted.start);
        let index = after.checked_sub(1)?;
        let includes = wanted.end <= requests[index].range.end && !self.file.is_read_whole();
        includes.then_some(self.requests.numbers.start + index)
    }

    /// Returns the answer to a request with the bytes from `offset` on. `None` if the reader has to
    /// request the bytes itself, because the server has no ranges or the file is empty.
    fn fetched(&self, number: usize, offset: u64) -> io::Result<Option<Bytes>> {
        let range = &self.prefetcher.requests[number].range;
        let mut current = self.current.lock();
        let part = match current.take().filter(|part| part.range == *range) {
            Some(part) => part,
            None => Part {
                range: range.clone(),
                answer: self.prefetcher.take(number),
            },
        };
        match &current.insert(part).answer {
            Ok(fetched) => {
                self.file.version.check(&fetched.meta)?;
                let skipped = (offset - range.start).min(fetched.bytes.len() as u64);
                Ok(Some(fetched.bytes.slice(skipped as usize..)))
            }
            Err(Error::NotSupported { .. }) => {
                self.prefetcher.has_ranges.store(false, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) if range.start == 0 && is_unsatisfiable(error) => Ok(None),
            Err(error) => Err(failure(error, &self.file.rejection)),
        }
    }
}

/// Whether a server refused a range because the file ends before it.
fn is_unsatisfiable(error: &Error) -> bool {
    error.to_string().contains("416 Range Not Satisfiable")
}

/// Reads the fetched bytes of a file, then the rest.
struct Continued {
    /// The offset of `start` in the file.
    offset: u64,
    start: io::Cursor<Bytes>,
    file: Arc<RemoteFile>,
    /// The rest, once it is requested, while the start is read.
    rest: Option<Box<dyn Read + Send>>,
}

impl Continued {
    fn rest(&mut self) -> &mut Box<dyn Read + Send> {
        let end = self.offset + self.start.get_ref().len() as u64;
        let file = &self.file;
        self.rest.get_or_insert_with(|| file.stream_from(end))
    }
}

impl Read for Continued {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let offset = self.offset + self.start.position();
        let length = self.start.read(buffer)?;
        if length > 0 || buffer.is_empty() {
            self.file.count(offset, length);
            if self.start.position() > MAX_DETECTION_BYTES {
                self.rest();
            }
            return Ok(length);
        }
        self.rest().read(buffer)
    }
}

impl FileBytes for FetchedFile {
    fn size(&self) -> u64 {
        if self.requests.is_start
            && self.file.version.size().is_none()
            && let Some(number) = self.request_of(&(0..0))
            && self.fetched(number, 0).is_err()
        {
            // The error is reported when the file is read.
            return u64::MAX;
        }
        self.file.size()
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let start = match self.request_of(&(offset..offset)) {
            Some(number) if self.requests.is_start => self.fetched(number, offset)?,
            _ => None,
        };
        let Some(start) = start else {
            return self.file.stream(offset);
        };
        Ok(Box::new(Continued {
            offset,
            start: io::Cursor::new(start),
            file: Arc::clone(&self.file),
            rest: None,
        }))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let end = offset.saturating_add(buffer.len() as u64);
        let wanted = offset..end.min(self.file.max_size()).max(offset);
        let fetched = match self.request_of(&wanted) {
            Some(number) => self.fetched(number, offset)?,
            None => None,
        };
        let Some(start) = fetched else {
            return self.file.read_at(offset, buffer);
        };
        let length = start.len().min(buffer.len());
        buffer[..length].copy_from_slice(&start[..length]);
        self.file.count(offset, length);
        Ok(length)
    }
}

fn kib(range: &Range<u64>) -> u32 {
    let kib = (range.end - range.start).div_ceil(1 << 10);
    u32::try_from(kib).map_or(MAX_AHEAD_KIB, |kib| kib.min(MAX_AHEAD_KIB))
}

#[cfg(test)]
mod tests {
    use corpus_bytes::record_locations::RecordLocation;

    use super::*;

    /// The starts and ends of the requests for these offsets and lengths.
    fn ranges(places: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let record = |(offset, length): &(u64, u64)| {
            NamedRecord::from(RecordLocation {
                offset: *offset,
                length: (*length > 0).then_some(*length),
            })
        };
        let records: Vec<_> = places.iter().map(record).collect();
        let ranges = join_ranges(&records).into_iter();
        ranges.map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn records_close_together_are_one_request() {
        let far = 10 + MAX_GAP_BYTES;
        assert_eq!(ranges(&[(0, 10), (far, 5)]), [(0, far + 5)]);
        assert_eq!(
            ranges(&[(0, 10), (far + 1, 5)]),
            [(0, 10), (far + 1, far + 6)]
        );
        assert_eq!(ranges(&[(0, 100), (10, 5), (50, 60)]), [(0, 110)]);
        assert_eq!(
            ranges(&[(7, 0), (9, MAX_FETCH_BYTES + 1), (20, 1)]),
            [(20, 21)]
        );
    }

    #[test]
    fn requests_are_bounded() {
        let step = 1 << 20;
        let places: Vec<(u64, u64)> = (0..9).map(|number| (number * step, step)).collect();
        let joined = ranges(&places);
        assert_eq!(
            joined,
            [(0, 4 * step), (4 * step, 8 * step), (8 * step, 9 * step)]
        );
        assert_eq!(
            ranges(&[(0, MAX_FETCH_BYTES), (5, 5)]),
            [(0, MAX_FETCH_BYTES)]
        );
        assert_eq!(ranges(&[(u64::MAX, 9)]), [(u64::MAX, u64::MAX)]);
    }
}
