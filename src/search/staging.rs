//! Where an index is built until it is complete: a folder beside its target, on the same file
//! system, whose name says that it is unfinished.
//!
//! A killed run leaves that folder behind. The next one with the same target removes it, if
//! nobody holds its lock any more.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Result, SearchError};
use super::settings::SETTINGS_FILE;

/// What stands in the name of an unfinished folder.
const UNFINISHED: &str = ".part-";

/// Inside of it: the lock, the new index, and for a moment the one it replaces.
const LOCK: &str = "lock";
const NEW: &str = "index";
const OLD: &str = "replaced";

/// How often to try when others remove what looks abandoned.
const ATTEMPTS: usize = 10;

/// A folder for building; removed with all that is in it, unless it becomes the index.
#[derive(Debug)]
pub struct Staging {
    folder: PathBuf,
    target: PathBuf,
    /// An index at the target is replaced.
    replaces: bool,
    /// Held until the end.
    _lock: File,
}

/// Whether this is a folder of a run that goes on or was killed.
pub fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.contains(UNFINISHED))
}

/// What is at the place of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupied {
    /// Nothing, or an empty folder.
    No,
    ByIndex,
    ByOther,
}

impl Occupied {
    pub fn of(target: &Path) -> Result<Self> {
        let mut entries = match fs::read_dir(target) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::No),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Self::ByOther),
            Err(error) => return Err(SearchError::io(target, error)),
        };
        Ok(if target.join(SETTINGS_FILE).is_file() {
            Self::ByIndex
        } else if entries.next().is_none() {
            Self::No
        } else {
            Self::ByOther
        })
    }
}

impl Staging {
    pub fn beside(target: &Path, replaces: bool) -> Result<Self> {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let (parent, begin) = beside(target)?;
        fs::create_dir_all(&parent).map_err(|error| SearchError::io(&parent, error))?;
        for _ in 0..ATTEMPTS {
            let run = RUNS.fetch_add(1, Ordering::Relaxed);
            let folder = parent.join(format!("{begin}{}-{run}", std::process::id()));
            match Self::make(&folder, target, replaces) {
                Ok(Some(staging)) => return Ok(staging),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(SearchError::io(&folder, error)),
            }
        }
        let message = "no folder can be made beside it to build the index in";
        Err(SearchError::index(target, message))
    }

    /// None if another run took the folder for an abandoned one before it was locked.
    fn make(folder: &Path, target: &Path, replaces: bool) -> io::Result<Option<Self>> {
        fs::create_dir(folder)?;
        let path = folder.join(LOCK);
        let lock = File::create(&path)?;
        if lock.try_lock().is_err() || !path.exists() {
            return Ok(None);
        }
        let staging = Self {
            folder: folder.to_owned(),
            target: target.to_owned(),
            replaces,
            _lock: lock,
        };
        fs::create_dir(staging.path())?;
        Ok(Some(staging))
    }

    /// Where to build.
    pub fn path(&self) -> PathBuf {
        self.folder.join(NEW)
    }

    /// Puts the finished index in its place.
    pub fn finish(self) -> Result<()> {
        let target = &self.target;
        let failed = |error| SearchError::io(target, error);
        match Occupied::of(target)? {
            Occupied::No => {
                if target.exists() {
                    fs::remove_dir(target).map_err(failed)?;
                }
                fs::rename(self.path(), target).map_err(failed)?;
            }
            Occupied::ByIndex if self.replaces => {
                let old = self.folder.join(OLD);
                fs::rename(target, &old).map_err(failed)?;
                if let Err(error) = fs::rename(self.path(), target) {
                    fs::rename(&old, target).map_err(failed)?;
                    return Err(failed(error));
                }
            }
            Occupied::ByIndex | Occupied::ByOther => {
                let message = "something appeared there while the index was built";
                return Err(SearchError::index(target, message));
            }
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What stays is named as unfinished, and the next run tries again.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of a target, and how the names of its unfinished folders begin.
fn beside(target: &Path) -> Result<(PathBuf, String)> {
    let Some(name) = target.file_name().and_then(|name| name.to_str()) else {
        let message = "this cannot be the name of an index's folder";
        return Err(SearchError::index(target, message));
    };
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    Ok((parent, format!("{name}{UNFINISHED}")))
}

/// Removes the folders that killed runs with this target have left.
pub fn remove_abandoned(target: &Path) -> Result<()> {
    let (parent, begin) = beside(target)?;
    let Ok(entries) = fs::read_dir(parent) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(|name| name.starts_with(&begin)) {
            continue;
        }
        let folder = entry.path();
        // Without a lock to try, it cannot be told whether somebody is at work in it.
        let Ok(lock) = File::open(folder.join(LOCK)) else {
            continue;
        };
        if lock.try_lock().is_ok() {
            // Killed between the two renames: the new index is complete.
            if folder.join(OLD).exists() && !target.exists() {
                let _ = fs::rename(folder.join(NEW), target);
            }
            let _ = fs::remove_dir_all(&folder);
        }
    }
    Ok(())
}
