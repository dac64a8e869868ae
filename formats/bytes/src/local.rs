//! Files of the local disk.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::file::{FileBytes, read_fully};

/// Counts the bytes that were read from files, for progress.
pub type ByteCounter = Arc<AtomicU64>;

/// A file of the local disk.
pub struct LocalFile {
    file: Arc<File>,
    size: u64,
    counter: ByteCounter,
}

impl LocalFile {
    pub fn open(path: &Path, counter: ByteCounter) -> io::Result<Self> {
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
