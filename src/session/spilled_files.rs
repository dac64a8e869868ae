//! Spilled data, in files that are open only while they are written or read.
//!
//! DataFusion's own files stay open, and there is one per batch: a query that spills hundreds of
//! millions of rows would exceed the limit of open files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::{Bytes, BytesMut};
use datafusion::common::Result;
use datafusion::common::human_readable_size;
use datafusion::execution::{SpillFile, SpillWriter, TempFileFactory};
use futures::{Stream, stream};
use tokio::io::AsyncReadExt;

/// The number of bytes that are read at a time.
const CHUNK_BYTES: usize = 128 << 10;

/// Creates files in a separate folder.
pub struct SpilledFiles {
    folder: PathBuf,
    /// The maximum number of bytes of all files.
    max_bytes: u64,
    /// The number of bytes of the files that exist.
    used: Arc<AtomicU64>,
    /// The number of files created so far.
    count: AtomicU64,
}

impl SpilledFiles {
    pub fn new(folder: PathBuf, max_bytes: u64) -> Self {
        Self {
            folder,
            max_bytes,
            used: Arc::default(),
            count: AtomicU64::default(),
        }
    }
}

impl TempFileFactory for SpilledFiles {
    fn create_temp_file(&self, _description: &str) -> Result<Arc<dyn SpillFile>> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(number.to_string());
        File::create_new(&path)?;
        Ok(Arc::new(SpilledFile {
            path,
            max_bytes: self.max_bytes,
            bytes: Arc::default(),
            used: Arc::clone(&self.used),
        }))
    }
}

struct SpilledFile {
    path: PathBuf,
    max_bytes: u64,
    bytes: Arc<AtomicU64>,
    used: Arc<AtomicU64>,
}

impl SpillFile for SpilledFile {
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.load(Ordering::Relaxed))
    }

    fn read_stream(&self) -> Result<Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>> {
        let start = LazyFile::At(self.path.clone());
        Ok(Box::pin(stream::try_unfold(start, |reading| async {
            let mut file = match reading {
                LazyFile::At(path) => tokio::fs::File::open(path).await?,
                LazyFile::Open(file) => file,
            };
            let mut chunk = BytesMut::with_capacity(CHUNK_BYTES);
            let length = file.read_buf(&mut chunk).await?;
            Ok((length > 0).then(|| (chunk.freeze(), LazyFile::Open(file))))
        })))
    }

    fn open_writer(&self) -> Result<Box<dyn SpillWriter>> {
        let file = File::options().append(true).open(&self.path)?;
        Ok(Box::new(SpilledFileWriter {
            file,
            max_bytes: self.max_bytes,
            bytes: Arc::clone(&self.bytes),
            used: Arc::clone(&self.used),
        }))
    }
}

impl Drop for SpilledFile {
    fn drop(&mut self) {
        self.used
            .fetch_sub(self.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        // The folder is removed at the end of the session, with the files that are left.
        let _ = fs::remove_file(&self.path);
    }
}

/// A file that is opened when it is first read.
enum LazyFile {
    At(PathBuf),
    Open(tokio::fs::File),
}

struct SpilledFileWriter {
    file: File,
    max_bytes: u64,
    bytes: Arc<AtomicU64>,
    used: Arc<AtomicU64>,
}

impl Write for SpilledFileWriter {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let length = text.len() as u64;
        let used = self.used.fetch_add(length, Ordering::Relaxed) + length;
        if used > self.max_bytes {
            self.used.fetch_sub(length, Ordering::Relaxed);
            let limit = human_readable_size(usize::try_from(self.max_bytes).unwrap_or(usize::MAX));
            return Err(io::Error::other(format!(
                "The used disk space during the spilling process has exceeded the allowable limit \
                 of {limit}. "
            )));
        }
        self.bytes.fetch_add(length, Ordering::Relaxed);
        self.file.write_all(text)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl SpillWriter for SpilledFileWriter {
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;

    use super::*;

    #[tokio::test]
    async fn files_are_read_as_written_and_removed_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let files = SpilledFiles::new(folder.path().to_owned(), 1 << 20);
        let file = files.create_temp_file("a test").unwrap();
        let text: Vec<u8> = (0..300_000u32).map(|number| number as u8).collect();
        let mut writer = file.open_writer().unwrap();
        writer.write_all(&text[..1000]).unwrap();
        drop(writer);
        let mut writer = file.open_writer().unwrap();
        writer.write_all(&text[1000..]).unwrap();
        writer.finish().unwrap();
        drop(writer);
        assert_eq!(file.size(), Some(300_000));
        for _ in 0..2 {
            let chunks: Vec<Bytes> = file.read_stream().unwrap().try_collect().await.unwrap();
            assert!(chunks.concat() == text);
        }
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(files.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn all_files_together_have_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        let files = SpilledFiles::new(folder.path().to_owned(), 10);
        let [one, other] = [0, 1].map(|_| files.create_temp_file("a test").unwrap());
        one.open_writer().unwrap().write_all(b"123456").unwrap();
        let mut writer = other.open_writer().unwrap();
        writer.write_all(b"1234").unwrap();
        let error = writer.write_all(b"5").unwrap_err().to_string();
        assert!(
            error.contains("exceeded the allowable limit of 10"),
            "{error}"
        );
        drop(one);
        writer.write_all(b"5").unwrap();
    }
}
