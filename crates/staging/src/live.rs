//! The staging folders of this process. A process that ends while a task is stuck removes them
//! here, because the task does not drop its own.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The folders, each with the parent folders created for it.
static FOLDERS: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());

/// Whether the folders were abandoned. A commit holds a read lock, so that it ends before the
/// folders are abandoned.
static ABANDONED: RwLock<bool> = RwLock::new(false);

/// The pause between two checks whether the commits have ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Delays [`abandon_all`] until it is dropped.
#[derive(Debug)]
pub struct Commit {
    _running: RwLockReadGuard<'static, bool>,
}

/// Begins to move output into place. Fails once the folders are abandoned.
pub fn commit() -> io::Result<Commit> {
    let running = ABANDONED.read().unwrap_or_else(PoisonError::into_inner);
    if *running {
        Err(io::Error::other("the program is ending"))
    } else {
        Ok(Commit { _running: running })
    }
}

pub(crate) fn add(folder: &Path, created_parents: &[PathBuf]) {
    folders().insert(folder.to_owned(), created_parents.to_owned());
}

pub(crate) fn remove(folder: &Path) {
    folders().remove(folder);
}

fn folders() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<PathBuf>>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all staging folders of this process, which must be about to end: no output can be moved
/// into place afterwards. Waits for running commits to complete. Commits that take longer than
/// `patience` keep their folders, and the next run with the same target completes them.
pub fn abandon_all(patience: Duration) {
    let deadline = Instant::now() + patience;
    let mut abandoned = loop {
        match ABANDONED.try_write() {
            Ok(abandoned) => break abandoned,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return,
        }
    };
    *abandoned = true;
    for (folder, created_parents) in std::mem::take(&mut *folders()) {
        super::remove(&folder, &created_parents);
    }
}
