//! Files of the local disk.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use crate::file::{FileBytes, read_fully};

/// Counts the bytes that were read from files, for progress.
pub type ByteCounter = Arc<AtomicU64>;

/// Counts the bytes that were read from one file.
///
/// Its format is detected by its first bytes, which are then read again. The bytes from the start
/// of the file to the end of such reads are counted once.
#[derive(Debug, Default)]
pub struct FileCounter {
    /// The counter of all files.
    total: ByteCounter,
    /// The number of bytes at the start of the file that are counted.
    start: AtomicU64,
}

impl FileCounter {
    /// Creates the counter of a file, which adds to that of all files.
    pub fn new(total: ByteCounter) -> Self {
        Self {
            total,
            start: AtomicU64::new(0),
        }
    }

    /// Counts the bytes of one read.
    #[inline]
    pub fn count(&self, offset: u64, length: usize) {
        let end = offset.saturating_add(length as u64);
        let counted = self.start.load(Ordering::Relaxed);
        let new = if offset > counted {
            length as u64
        } else {
            self.start.fetch_max(end, Ordering::Relaxed);
            end.saturating_sub(counted)
        };
        self.total.fetch_add(new, Ordering::Relaxed);
    }
}

/// A file of the local disk.
pub struct LocalFile {
    file: Arc<File>,
    size: u64,
    /// `None` if the system does not report a time.
    modified: Option<SystemTime>,
    counter: Arc<FileCounter>,
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
            modified: metadata.modified().ok(),
            counter: Arc::new(FileCounter::new(counter)),
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

    fn change(&self) -> Option<String> {
        let now = self.file.metadata().ok()?;
        if now.len() != self.size {
            let before = self.size;
            return Some(format!("it had {before} bytes and now has {}", now.len()));
        }
        let is_rewritten = now.modified().ok() != self.modified;
        is_rewritten.then(|| "its time of modification differs".to_owned())
    }
}

/// A stream with its own position, so that several streams can read one open file.
struct LocalStream {
    file: Arc<File>,
    position: u64,
    counter: Arc<FileCounter>,
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
    counter: &FileCounter,
) -> io::Result<usize> {
    #[cfg(unix)]
    let read = std::os::unix::fs::FileExt::read_at(file, buffer, offset)?;
    #[cfg(windows)]
    let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
    counter.count(offset, read);
    Ok(read)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use super::*;

    #[test]
    fn bytes_that_are_read_again_for_detection_are_counted_once() {
        let total = ByteCounter::default();
        let counter = FileCounter::new(Arc::clone(&total));
        let counted = |offset, length| {
            counter.count(offset, length);
            total.load(Ordering::Relaxed)
        };
        // Detection, then the whole file.
        assert_eq!(counted(0, 76), 76);
        assert_eq!(counted(0, 50), 76);
        assert_eq!(counted(50, 30), 80);
        // A directory at the end, then the rest.
        assert_eq!(counted(900, 100), 180);
        assert_eq!(counted(80, 820), 1000);
    }

    #[test]
    fn a_file_that_grows_shrinks_or_is_rewritten_has_changed() {
        let path = std::env::temp_dir().join(format!("corpus-bytes-change-{}", std::process::id()));
        std::fs::write(&path, "content").unwrap();
        let open = || LocalFile::open(&path, ByteCounter::default()).unwrap();
        let writer = || File::options().append(true).open(&path).unwrap();
        let file = open();
        assert_eq!(file.change(), None);
        writer().write_all(b" and more").unwrap();
        let grown = "it had 7 bytes and now has 16".to_owned();
        assert_eq!(file.change(), Some(grown));

        let file = open();
        writer().set_len(3).unwrap();
        let shrunk = "it had 16 bytes and now has 3".to_owned();
        assert_eq!(file.change(), Some(shrunk));

        let file = open();
        let later = SystemTime::now() + Duration::from_secs(100);
        writer().set_modified(later).unwrap();
        assert!(file.change().is_some());

        // The open file has the old content.
        let file = open();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(file.change(), None);
    }
}
