//! [`FileBytes`] of local files, by positional reads, and of remote objects, by ranged requests.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path as FilePath;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::location::display_name;
use super::record::FileBytes;
use super::transfer::{read_range, transfer};

/// Counts the bytes that were read from files, for progress.
pub type ByteCounter = Arc<AtomicU64>;

/// A file of the local disk.
pub struct LocalFile {
    file: Arc<File>,
    size: u64,
    counter: ByteCounter,
}

impl LocalFile {
    pub fn open(path: &FilePath, counter: ByteCounter) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Self {
            file: Arc::new(file),
            size: metadata.len(),
            counter,
        })
    }
}

impl FileBytes for LocalFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(LocalStream {
            file: Arc::clone(&self.file),
            position: offset,
            counter: Arc::clone(&self.counter),
        }))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        read_fully(buffer, |done, rest| {
            read_positioned(&self.file, rest, offset + done, &self.counter)
        })
    }
}

/// One file of a store. To be used on a thread that may block, if the store is remote.
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
    }))
}

/// Streams keep positions of their own, so that several can read one open file.
struct LocalStream {
    file: Arc<File>,
    position: u64,
    counter: ByteCounter,
}

impl Read for LocalStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_positioned(&self.file, buffer, self.position, &self.counter)?;
        self.position += read as u64;
        Ok(read)
    }
}

fn read_positioned(
    file: &File,
    buffer: &mut [u8],
    offset: u64,
    counter: &ByteCounter,
) -> io::Result<usize> {
    #[cfg(unix)]
    let read = std::os::unix::fs::FileExt::read_at(file, buffer, offset)?;
    #[cfg(windows)]
    let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
    counter.fetch_add(read as u64, Ordering::Relaxed);
    Ok(read)
}

/// Repeats short reads until the buffer is full or the end is reached.
fn read_fully(
    buffer: &mut [u8],
    mut read: impl FnMut(u64, &mut [u8]) -> io::Result<usize>,
) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match read(done as u64, &mut buffer[done..]) {
            Ok(0) => break,
            Ok(length) => done += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// An object of a remote store. To be used on threads that may block.
pub struct RemoteFile {
    pub store: Arc<dyn ObjectStore>,
    pub location: Path,
    /// Requested from the store when it is needed and not known yet.
    pub size: OnceLock<u64>,
    pub runtime: Handle,
    pub counter: ByteCounter,
}

/// Maximum number of response chunks buffered ahead of the reader.
const CHUNKS_AHEAD: usize = 16;

impl RemoteFile {
    /// The size, or more than that while it is unknown.
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
        let (sender, receiver) = mpsc::channel(CHUNKS_AHEAD);
        let transfer = transfer(
            Arc::clone(&self.store),
            self.location.clone(),
            offset,
            sender,
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
            Err(error) => return Err(io::Error::other(error)),
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

const SEEKABLE_BUFFER: usize = 64 << 10;

/// `Read` and `Seek` over a file of any store.
pub type SeekableFile = BufReader<Positioned>;

pub fn seekable(file: &Arc<dyn FileBytes>) -> SeekableFile {
    let file = Positioned {
        file: Arc::clone(file),
        position: 0,
    };
    BufReader::with_capacity(SEEKABLE_BUFFER, file)
}

/// A file and a place in it.
pub struct Positioned {
    file: Arc<dyn FileBytes>,
    position: u64,
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(self.position, buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Positioned {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(delta) => self.file.size().checked_add_signed(delta),
            SeekFrom::Current(delta) => self.position.checked_add_signed(delta),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
