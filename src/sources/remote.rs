//! [`FileBytes`] of the objects of a store: local files by positional reads, remote objects by
//! ranged requests.

use std::io::{self, Read};
use std::path::Path as FilePath;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use corpus_bytes::file::{FileBytes, read_fully};
use corpus_bytes::local::{ByteCounter, LocalFile};
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::location::display_name;
use super::transfer::{read_range, transfer};
use crate::object_stores::credentials::{Rejection, failure};

/// Opens a file of a store. If the store is remote, the file is for threads that may block.
pub fn file_of(
    store_url: &ObjectStoreUrl,
    store: &Arc<dyn ObjectStore>,
    meta: &ObjectMeta,
) -> io::Result<Arc<dyn FileBytes>> {
    let counter = ByteCounter::default();
    if store_url.as_str().starts_with("file:") {
        let name = display_name(store_url, &meta.location);
        return Ok(Arc::new(LocalFile::open(FilePath::new(&name), counter)?));
    }
    Ok(Arc::new(RemoteFile {
        store: Arc::clone(store),
        location: meta.location.clone(),
        size: OnceLock::from(meta.size),
        runtime: Handle::current(),
        counter,
        rejection: Rejection::default(),
    }))
}

/// An object of a remote store, for threads that may block.
pub struct RemoteFile {
    pub store: Arc<dyn ObjectStore>,
    pub location: Path,
    /// Requested from the store when it is first needed.
    pub size: OnceLock<u64>,
    pub runtime: Handle,
    pub counter: ByteCounter,
    pub rejection: Rejection,
}

/// Maximum number of response chunks buffered ahead of the reader.
const MAX_BUFFERED_CHUNKS: usize = 16;

impl RemoteFile {
    /// The size, or an upper bound while it is unknown.
    fn max_size(&self) -> u64 {
        self.size.get().copied().unwrap_or(u64::MAX)
    }
}

impl FileBytes for RemoteFile {
    fn size(&self) -> u64 {
        *self.size.get_or_init(|| {
            let head = self.runtime.block_on(self.store.head(&self.location));
            // Without a size, reading shows where the file ends, or what is wrong with it.
            head.map_or(u64::MAX, |meta| meta.size)
        })
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        if offset >= self.max_size() {
            return Ok(Box::new(io::empty()));
        }
        let (sender, receiver) = mpsc::channel(MAX_BUFFERED_CHUNKS);
        let transfer = transfer(
            Arc::clone(&self.store),
            self.location.clone(),
            offset,
            sender,
            Arc::clone(&self.rejection),
        );
        self.runtime.spawn(transfer);
        Ok(Box::new(RemoteStream {
            chunks: receiver,
            current: Bytes::new(),
            counter: Arc::clone(&self.counter),
        }))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self
            .max_size()
            .min(offset.saturating_add(buffer.len() as u64));
        if offset >= end {
            return Ok(0);
        }
        let read = read_range(self.store.as_ref(), &self.location, offset..end);
        let bytes = match self.runtime.block_on(read) {
            Ok(bytes) => bytes,
            // A server without ranges sends the file from its beginning.
            Err(object_store::Error::NotSupported { .. }) => {
                let mut stream = self.stream(0)?;
                io::copy(&mut stream.by_ref().take(offset), &mut io::sink())?;
                return read_fully(buffer, |_, rest| stream.read(rest));
            }
            Err(error) => return Err(failure(error, &self.rejection)),
        };
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        self.counter.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

struct RemoteStream {
    chunks: mpsc::Receiver<io::Result<Bytes>>,
    current: Bytes,
    counter: ByteCounter,
}

impl Read for RemoteStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.current.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.current = chunk?,
                None => return Ok(0),
            }
            self.counter
                .fetch_add(self.current.len() as u64, Ordering::Relaxed);
        }
        let length = buffer.len().min(self.current.len());
        buffer[..length].copy_from_slice(&self.current.split_to(length));
        Ok(length)
    }
}
