//! Indexes whose files are read by ranges of bytes, such as those in an object store.
//!
//! ```text
//! cache      the blocks read last, within a bound
//! directory  the files of an index for Tantivy
//! ```

mod cache;
mod directory;

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use tantivy::directory::OwnedBytes;

use self::cache::BlockCache;
pub use self::directory::RemoteDirectory;
use crate::failures::Failures;

/// Read access to the files in a folder. Several threads read at a time, and may be blocked.
pub trait IndexFiles: Send + Sync {
    /// Returns the size of a file, or `None` if there is no such file.
    fn size(&self, name: &str) -> io::Result<Option<u64>>;

    /// Returns the bytes of a range, which lies within the file.
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Vec<u8>>;
}

/// An index that is not a local folder.
#[derive(Clone)]
pub struct RemoteIndex {
    /// The name of the folder, for messages.
    pub name: String,
    pub files: Arc<dyn IndexFiles>,
    /// The maximum size of the blocks that are kept in memory.
    pub cache_bytes: usize,
}

/// The files of an open index.
pub struct RemoteFiles {
    files: Arc<dyn IndexFiles>,
    cache: BlockCache,
    /// The errors of requests.
    failures: Arc<Failures>,
}

impl fmt::Debug for RemoteFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RemoteFiles")
    }
}

impl RemoteFiles {
    pub fn new(index: &RemoteIndex, failures: Arc<Failures>) -> Self {
        Self {
            files: Arc::clone(&index.files),
            cache: BlockCache::new(index.cache_bytes),
            failures,
        }
    }

    fn failed(&self, error: io::Error) -> io::Error {
        self.failures.keep(error)
    }

    fn size(&self, name: &str) -> io::Result<Option<u64>> {
        self.files.size(name).map_err(|error| self.failed(error))
    }

    /// Reads a whole file. `None` if there is no such file.
    pub fn read_all(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match self.size(name)? {
            None => Ok(None),
            Some(0) => Ok(Some(Vec::new())),
            Some(size) => self.request(name, 0..size).map(Some),
        }
    }

    fn read(&self, name: &Arc<str>, size: u64, range: Range<u64>) -> io::Result<OwnedBytes> {
        let request = |range: Range<u64>| self.request(name, range);
        let bytes = self.cache.read(name, size, range, request)?;
        Ok(OwnedBytes::new(bytes))
    }

    fn request(&self, name: &str, range: Range<u64>) -> io::Result<Vec<u8>> {
        let expected = range.end - range.start;
        let bytes = self.files.read(name, range);
        let bytes = bytes.map_err(|error| self.failed(error))?;
        if bytes.len() as u64 != expected {
            let message = format!("{name} has changed while it was read");
            return Err(self.failed(io::Error::other(message)));
        }
        Ok(bytes)
    }
}
