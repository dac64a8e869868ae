//! The files of a remote index, read-only, for Tantivy.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::{Directory, HasLen};

use super::RemoteFiles;
use crate::directory::{MANAGED_FILE, NoLock};

#[derive(Debug, Clone)]
pub struct RemoteDirectory(Arc<RemoteFiles>);

impl RemoteDirectory {
    pub fn new(files: Arc<RemoteFiles>) -> Self {
        Self(files)
    }
}

struct RemoteFile {
    files: Arc<RemoteFiles>,
    name: Arc<str>,
    size: usize,
}

impl fmt::Debug for RemoteFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl HasLen for RemoteFile {
    fn len(&self) -> usize {
        self.size
    }
}

impl FileHandle for RemoteFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let range = range.start as u64..range.end as u64;
        self.files.read(&self.name, self.size as u64, range)
    }
}

fn missing(path: &Path) -> OpenReadError {
    OpenReadError::FileDoesNotExist(path.to_owned())
}

fn failed(path: &Path) -> impl Fn(io::Error) -> OpenReadError {
    move |error| OpenReadError::wrap_io_error(error, path.to_owned())
}

fn read_only() -> io::Error {
    io::ErrorKind::ReadOnlyFilesystem.into()
}

impl Directory for RemoteDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let name: Arc<str> = path.to_string_lossy().into();
        let size = self.0.size(&name).map_err(failed(path))?;
        let size = size.ok_or_else(|| missing(path))?;
        let size = usize::try_from(size).map_err(|error| failed(path)(io::Error::other(error)))?;
        Ok(Arc::new(RemoteFile {
            files: Arc::clone(&self.0),
            name,
            size,
        }))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError {
            io_error: Arc::new(read_only()),
            filepath: path.to_owned(),
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let size = self.0.size(&path.to_string_lossy());
        Ok(size.map_err(failed(path))?.is_some())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        if path == Path::new(MANAGED_FILE) {
            return Err(missing(path));
        }
        let bytes = self.0.read_all(&path.to_string_lossy());
        bytes.map_err(failed(path))?.ok_or_else(|| missing(path))
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// Readers need no lock, because no process of ours removes files there.
    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(NoLock)))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
