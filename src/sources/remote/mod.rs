//! [`FileBytes`] of the objects of a store: local files by positional reads, remote objects by
//! ranged requests.
//!
//! Local files are read on the thread of the query, remote ones on a thread that may wait. After a
//! lost connection, the rest and some bytes before it are requested and compared. All readers of a
//! file share its `Version`: a changed file is an error, never a mixture.

pub mod transfer;

use std::io::{self, Read};
use std::path::Path as FilePath;
use std::sync::Arc;

use corpus_bytes::file::{FileBytes, read_fully};
use corpus_bytes::local::{ByteCounter, FileCounter, LocalFile};
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use self::transfer::{Chunk, fetch_range, transfer};
use super::location::display_name;
use crate::object_stores::credentials::{Rejection, failure};
use crate::object_stores::escaped_names::unescape;
use crate::object_stores::version::Version;

/// Opens a file of a store. If the store is remote, the file is for threads that may block.
pub fn file_of(
    store_url: &ObjectStoreUrl,
    store: &Arc<dyn ObjectStore>,
    meta: &ObjectMeta,
) -> io::Result<Arc<dyn FileBytes>> {
    file_at(store_url, store, &meta.location, Some(meta.size))
}

/// Opens a file of a store whose size may be unknown.
pub fn file_at(
    store_url: &ObjectStoreUrl,
    store: &Arc<dyn ObjectStore>,
    location: &Path,
    size: Option<u64>,
) -> io::Result<Arc<dyn FileBytes>> {
    let counter = ByteCounter::default();
    if store_url.as_str().starts_with("file:") {
        let name = display_name(store_url, location);
        return Ok(Arc::new(open_local(FilePath::new(&name), counter)?));
    }
    Ok(Arc::new(RemoteFile {
        store: Arc::clone(store),
        location: location.clone(),
        version: Arc::new(Version::of_size(size)),
        runtime: Handle::current(),
        counter: Arc::new(FileCounter::new(counter)),
        rejection: Rejection::default(),
        whole: Mutex::default(),
    }))
}

/// Opens a local file, whose name may be escaped.
pub fn open_local(path: &FilePath, counter: ByteCounter) -> io::Result<LocalFile> {
    match LocalFile::open(path, Arc::clone(&counter)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match unescape(path) {
            Some(path) => LocalFile::open(&path, counter),
            None => Err(error),
        },
        opened => opened,
    }
}

/// An object of a remote store, for threads that may block.
pub struct RemoteFile {
    pub store: Arc<dyn ObjectStore>,
    pub location: Path,
    /// Its size is requested from the store when it is first needed.
    pub version: Arc<Version>,
    pub runtime: Handle,
    pub counter: Arc<FileCounter>,
    pub rejection: Rejection,
    /// The response of a server without ranges, and the offset up to which it has been read.
    pub whole: Mutex<Option<(u64, Box<dyn Read + Send>)>>,
}

/// The maximum number of chunks buffered ahead of the reader. `transfer` also limits their size.
const MAX_BUFFERED_CHUNKS: usize = 64;

impl RemoteFile {
    /// Streams the bytes from `offset` on.
    pub fn stream_from(&self, offset: u64) -> Box<dyn Read + Send> {
        if offset >= self.max_size() {
            return Box::new(io::empty());
        }
        let (sender, receiver) = mpsc::channel(MAX_BUFFERED_CHUNKS);
        let transfer = transfer(
            Arc::clone(&self.store),
            self.location.clone(),
            offset,
            Arc::clone(&self.version),
            sender,
            Arc::clone(&self.rejection),
        );
        self.runtime.spawn(transfer);
        Box::new(RemoteStream {
            chunks: receiver,
            current: None,
            position: offset,
            counter: Arc::clone(&self.counter),
        })
    }

    /// Counts bytes that a query reads.
    pub fn count(&self, offset: u64, length: usize) {
        self.counter.count(offset, length);
    }

    /// Whether the server has sent the whole file instead of a range of it.
    pub fn is_read_whole(&self) -> bool {
        self.whole.lock().is_some()
    }

    /// Reads from a response with the whole file, continuing where the last read ended.
    fn read_whole_file_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut whole = self.whole.lock();
        let (mut position, mut stream) = match whole.take() {
            Some((position, stream)) if position <= offset => (position, stream),
            _ => (0, self.stream(0)?),
        };
        let skipped = offset - position;
        position += io::copy(&mut stream.by_ref().take(skipped), &mut io::sink())?;
        if position < offset {
            return Ok(0);
        }
        let length = read_fully(buffer, |_, rest| stream.read(rest))?;
        *whole = Some((position + length as u64, stream));
        Ok(length)
    }

    /// The size, or an upper bound while it is unknown.
    pub fn max_size(&self) -> u64 {
        self.version.size().unwrap_or(u64::MAX)
    }
}

impl FileBytes for RemoteFile {
    fn size(&self) -> u64 {
        self.version.size_or(|| {
            let head = self.runtime.block_on(self.store.head(&self.location));
            // Without a size, reading shows where the file ends, or what is wrong with it.
            head.map_or(u64::MAX, |meta| meta.size)
        })
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(self.stream_from(offset))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self
            .max_size()
            .min(offset.saturating_add(buffer.len() as u64));
        if offset >= end {
            return Ok(0);
        }
        if self.is_read_whole() {
            return self.read_whole_file_at(offset, buffer);
        }
        let fetch = fetch_range(self.store.as_ref(), &self.location, offset..end);
        let fetched = match self.runtime.block_on(fetch) {
            Ok(fetched) => fetched,
            // A server without ranges sends the file from its beginning.
            Err(object_store::Error::NotSupported { .. }) => {
                return self.read_whole_file_at(offset, buffer);
            }
            Err(error) => return Err(failure(&error, &self.rejection)),
        };
        self.version.check(&fetched.meta)?;
        let length = fetched.bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&fetched.bytes[..length]);
        self.count(offset, length);
        Ok(length)
    }
}

struct RemoteStream {
    chunks: mpsc::Receiver<io::Result<Chunk>>,
    current: Option<Chunk>,
    /// The offset of the next chunk in the file.
    position: u64,
    counter: Arc<FileCounter>,
}

impl Read for RemoteStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let chunk = match self.current.take().filter(|chunk| !chunk.bytes.is_empty()) {
            Some(chunk) => self.current.insert(chunk),
            None => {
                let Some(chunk) = self.chunks.blocking_recv() else {
                    return Ok(0);
                };
                let chunk = chunk?;
                self.counter.count(self.position, chunk.bytes.len());
                self.position += chunk.bytes.len() as u64;
                self.current.insert(chunk)
            }
        };
        let length = buffer.len().min(chunk.bytes.len());
        buffer[..length].copy_from_slice(&chunk.bytes.split_to(length));
        Ok(length)
    }
}
