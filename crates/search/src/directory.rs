//! Reads an index without write access.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, FileSlice, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::{Directory, TantivyError};

/// The list of the files of an index, which only writers need.
pub const MANAGED_FILE: &str = ".managed.json";

/// The files of an index. Tantivy takes a lock even for reading, which requires write access.
/// Without write access, no process of ours can remove files, so no lock is needed.
#[derive(Debug, Clone)]
pub struct ReadDirectory(MmapDirectory);

impl ReadDirectory {
    pub fn open(folder: &Path) -> Result<Self, TantivyError> {
        Ok(Self(MmapDirectory::open(folder)?))
    }
}

impl Directory for ReadDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn open_read(&self, path: &Path) -> Result<FileSlice, OpenReadError> {
        self.0.open_read(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.0.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.0.acquire_lock(lock) {
            Err(LockError::IoError(_)) => Ok(DirectoryLock::from(Box::new(NoLock))),
            result => result,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}

/// A replacement for a lock that cannot be taken or is not needed.
pub struct NoLock;
