//! The files of an index, checked when they are read.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};

use super::file::{BlockSums, CheckedFile, FileSums};
use super::{Checksums, Verify, text};
use crate::failures::Failures;

/// The file with the segments of an index, which each commit replaces.
pub const META_FILE: &str = "meta.json";

/// The key of its checksum: Tantivy keeps the value of this key for its callers.
const META_SEAL: &str = "payload";

/// A directory that verifies checksums on reading and computes them on writing.
#[derive(Debug, Clone)]
pub struct CheckedDirectory {
    pub directory: Box<dyn Directory>,
    pub checksums: Arc<Checksums>,
    pub verify: Verify,
    pub failures: Arc<Failures>,
    /// Whether a file without checksums of blocks is checked as a whole.
    pub whole_files: bool,
}

impl CheckedDirectory {
    fn failed(&self, path: &Path, message: &str) -> OpenReadError {
        let message = format!(
            "{} is damaged ({message}): build the index again, or copy it again",
            path.display()
        );
        let error = io::Error::new(io::ErrorKind::InvalidData, message);
        OpenReadError::wrap_io_error(self.failures.keep(error), path.to_owned())
    }
}

impl Directory for CheckedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let file = self.directory.get_file_handle(path)?;
        if self.verify == Verify::None {
            return Ok(file);
        }
        let name = path.to_string_lossy();
        let sums = match self.checksums.of(&name) {
            Some(sums) if !sums.has_size(file.len()) => {
                return Err(self.failed(path, "it has another size"));
            }
            Some(sums) => sums,
            None if self.whole_files || self.verify == Verify::All => {
                let sums = FileSums::of_footer(&file);
                Arc::new(sums.map_err(|error| self.failed(path, &error.to_string()))?)
            }
            None => return Ok(file),
        };
        Ok(Arc::new(CheckedFile {
            name: name.into_owned(),
            file,
            sums,
            failures: Arc::clone(&self.failures),
        }))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.directory.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.directory.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = self.directory.open_write(path)?.into_inner();
        let file =
            file.map_err(|error| OpenWriteError::wrap_io_error(error.into(), path.to_owned()))?;
        Ok(BufWriter::new(Box::new(SummedWriter {
            name: path.to_string_lossy().into_owned(),
            file,
            sums: BlockSums::default(),
            checksums: Arc::clone(&self.checksums),
        })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let bytes = self.directory.atomic_read(path)?;
        if path == Path::new(META_FILE) && self.verify != Verify::None {
            let text = String::from_utf8_lossy(&bytes);
            if text::is_intact(&text, META_SEAL) == Some(false) {
                return Err(self.failed(path, "wrong checksum"));
            }
        }
        Ok(bytes)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(data) {
            Ok(text) if path == Path::new(META_FILE) => {
                let sealed = text::seal_object(text, META_SEAL);
                self.directory.atomic_write(path, sealed.as_bytes())
            }
            _ => self.directory.atomic_write(path, data),
        }
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.directory.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.directory.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.directory.watch(callback)
    }
}

/// Writes a file, and keeps its checksums once it is complete.
struct SummedWriter {
    name: String,
    file: Box<dyn TerminatingWrite + Send + Sync>,
    sums: BlockSums,
    checksums: Arc<Checksums>,
}

impl Write for SummedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sums.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for SummedWriter {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        self.file.terminate_ref(token)?;
        let sums = std::mem::take(&mut self.sums).finish();
        self.checksums.insert(self.name.clone(), sums);
        Ok(())
    }
}
