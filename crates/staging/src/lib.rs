//! Staging folders: output is built there until it is complete.
//!
//! A staging folder is on the same file system as its target, so that renames move the output into
//! place. Its name ends in `.part-PID-NUMBER`, and it contains a file `lock` that its process keeps
//! locked. A killed process leaves its folder; the next run with the same target removes it. The
//! lock, unlike a process ID, proves whether the process is alive, because process IDs are reused.
//! A folder without a lock is removed only if it is empty: its process was killed right after it
//! created the folder or removed the lock.
//!
//! ```text
//! host  the operating system and its file systems
//! live  the folders of this process
//! ```

use std::error::Error;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

mod host;
mod live;

pub use live::{Commit, abandon_all, commit};

/// Precedes the process ID in the name of a staging folder.
const UNFINISHED: &str = ".part-";

/// The content of a staging folder: the lock, the files of a copy, the new folder, the replaced
/// folder, the replaced files, and the renames of a commit that moves several files.
const LOCK: &str = "lock";
const FILES: &str = "files";
const NEW: &str = "index";
const OLD: &str = "replaced";
const OLD_FILES: &str = "replaced-files";
const JOURNAL: &str = "journal";

/// The first line of a lock file. The second line identifies the running system.
const LOCK_HEADER: &str = "corpus-sql: unfinished output";

/// A larger file is not one of our locks.
const MAX_LOCK_BYTES: u64 = 1024;

/// The number of attempts to create a staging folder while other processes remove abandoned ones.
const MAX_ATTEMPTS: usize = 10;

/// The number of attempts to remove a staging folder in which a task may still create files.
const MAX_REMOVALS: usize = 5;

/// The maximum number of links that lead to a file, as in Linux.
const MAX_LINKS: usize = 40;

/// A file system error with its path.
#[derive(Debug)]
pub struct PathError {
    pub path: PathBuf,
    pub error: io::Error,
}

impl PathError {
    /// Returns a conversion for `map_err`.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self {
            path: path.clone(),
            error,
        }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for PathError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

pub type Result<T, E = PathError> = std::result::Result<T, E>;

/// A staging folder. Dropping it removes it with its content.
#[derive(Debug)]
pub struct Staging {
    folder: PathBuf,
    /// The parent folders created for it, innermost first.
    created_parents: Vec<PathBuf>,
    /// Keeps the folder locked until it is dropped.
    _lock: File,
}

impl Staging {
    /// Creates a staging folder next to `target`, and the missing folders above it.
    pub fn beside(target: &Path) -> Result<Self> {
        let (parent, prefix) = beside(target)?;
        let created_parents = create_parents(&parent)?;
        Self::create(&parent, &prefix, created_parents)
    }

    /// Creates a staging folder inside the folder `target`.
    pub fn inside(target: &Path) -> Result<Self> {
        Self::create(target, UNFINISHED, Vec::new())
    }

    fn create(parent: &Path, prefix: &str, created_parents: Vec<PathBuf>) -> Result<Self> {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        for _ in 0..MAX_ATTEMPTS {
            let run = RUNS.fetch_add(1, Ordering::Relaxed);
            let folder = parent.join(format!("{prefix}{}-{run}", std::process::id()));
            match lock_new(&folder) {
                Ok(Some(lock)) => {
                    live::add(&folder, &created_parents);
                    return Ok(Self {
                        folder,
                        created_parents,
                        _lock: lock,
                    });
                }
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    remove_empty(&created_parents);
                    return Err(PathError::at(&folder)(error));
                }
            }
        }
        let message = "other processes keep removing the staging folder";
        Err(PathError::at(parent)(io::Error::other(message)))
    }

    /// The folder for the files of a copy.
    pub fn files(&self) -> PathBuf {
        self.folder.join(FILES)
    }

    /// The new content of the target.
    pub fn new_content(&self) -> PathBuf {
        self.folder.join(NEW)
    }

    /// Whether files can be renamed from here into `folder`. They cannot if it is a mount point.
    pub fn reaches(&self, folder: &Path) -> bool {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let Some((_, numbers)) = name.and_then(|name| name.rsplit_once(UNFINISHED)) else {
            return false;
        };
        // After a kill, the next run removes the probe by its name.
        let reached = folder.join(format!("{UNFINISHED}{numbers}"));
        let probe = self.folder.join("probe");
        let renamed = fs::create_dir(&probe).and_then(|()| fs::rename(&probe, &reached));
        let removed = fs::remove_dir(if renamed.is_ok() { &reached } else { &probe });
        renamed.is_ok() && unless_missing(removed).is_ok()
    }

    /// Returns the staging folder of another running process with this target, if there is one.
    pub fn other_run(&self, target: &Path) -> Result<Option<PathBuf>> {
        let (parent, prefix) = beside(target)?;
        let is_other = |folder: &PathBuf| *folder != self.folder && is_locked(folder);
        let others = staging_folders(&parent, &prefix);
        let inside = staging_folders(target, UNFINISHED);
        Ok(others.chain(inside).find(is_other))
    }

    /// Moves the new content to the target, which must be missing or an empty folder.
    pub fn place(mut self, target: &Path) -> Result<()> {
        let _commit = commit().map_err(PathError::at(target))?;
        fs::rename(self.new_content(), target).map_err(PathError::at(target))?;
        self.created_parents.clear();
        Ok(())
    }

    /// Replaces the target folder with the new content in one step. Returns `false` if the file
    /// system cannot move the folder.
    pub fn replace(&self, target: &Path) -> Result<bool> {
        let (new, failed) = (self.new_content(), PathError::at(target));
        let _commit = commit().map_err(&failed)?;
        if let Ok(old) = fs::metadata(target) {
            // Fails for a folder with another owner; the permissions then stay as created.
            let _ = fs::set_permissions(&new, old.permissions());
        }
        if host::exchange(&new, target) {
            return Ok(true);
        }
        let old = self.folder.join(OLD);
        if fs::rename(target, &old).is_err() {
            return Ok(false);
        }
        if let Err(error) = fs::rename(&new, target) {
            fs::rename(&old, target).map_err(&failed)?;
            return Err(failed(error));
        }
        Ok(true)
    }

    /// Renames staged files to their targets and removes the old ones. On an error, the renames are
    /// undone; after a kill, the next run with the same target completes them.
    pub fn move_files(mut self, moves: &[(PathBuf, PathBuf)], old: &[PathBuf]) -> Result<()> {
        let kept = self.folder.join(OLD_FILES);
        let _commit = commit().map_err(PathError::at(&kept))?;
        fs::create_dir_all(&kept).map_err(PathError::at(&kept))?;
        let aside = |number: usize| kept.join(number.to_string());
        let set_aside = old
            .iter()
            .enumerate()
            .map(|(number, path)| (path.clone(), aside(number)));
        let renames: Vec<_> = set_aside.chain(moves.iter().cloned()).collect();
        if renames.len() > 1 {
            write_journal(&self.folder, &renames)?;
        }
        for (done, (from, to)) in renames.iter().enumerate() {
            let renamed = match to.parent() {
                Some(parent) => fs::create_dir_all(parent).and_then(|()| fs::rename(from, to)),
                None => fs::rename(from, to),
            };
            if let Err(error) = renamed {
                for (from, to) in renames[..done].iter().rev() {
                    fs::rename(to, from).map_err(PathError::at(from))?;
                }
                let _ = fs::remove_file(self.folder.join(JOURNAL));
                return Err(PathError::at(to)(error));
            }
        }
        self.created_parents.clear();
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        remove(&self.folder, &self.created_parents);
        live::remove(&self.folder);
    }
}

/// Removes a staging folder, and the folders created for it. The next run removes anything that
/// remains.
fn remove(folder: &Path, created_parents: &[PathBuf]) {
    for _ in 0..MAX_REMOVALS {
        match remove_lock_last(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            _ => break,
        }
    }
    remove_empty(created_parents);
}

/// Removes a staging folder. If that fails midway, the rest still has the lock file, by which the
/// next run recognizes it. Another thread may remove the same folder. In any case, it is gone once
/// this returns without an error.
fn remove_lock_last(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            unless_missing(fs::remove_dir_all(path))?;
        } else if entry.file_name() != LOCK {
            unless_missing(fs::remove_file(path))?;
        }
    }
    unless_missing(fs::remove_file(folder.join(LOCK)))?;
    unless_missing(fs::remove_dir(folder))
}

/// Treats a missing file or folder as removed.
fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Creates and locks a staging folder. Returns `None` if another process removed it as abandoned
/// before it was locked.
fn lock_new(folder: &Path) -> io::Result<Option<File>> {
    fs::create_dir(folder)?;
    let path = folder.join(LOCK);
    let lock = match File::create_new(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        created => created?,
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Ok(None),
        // The file system has no locks. Other processes cannot lock it either, so they leave the
        // folder alone.
        Err(fs::TryLockError::Error(_)) => {}
    }
    if !path.exists() {
        return Ok(None);
    }
    let written = writeln!(&lock, "{LOCK_HEADER}\n{}", host::system())
        .and_then(|()| fs::create_dir(folder.join(FILES)))
        .and_then(|()| fs::create_dir(folder.join(NEW)));
    match written {
        Ok(()) => Ok(Some(lock)),
        Err(error) => {
            let _ = fs::remove_dir_all(folder);
            Err(error)
        }
    }
}

/// Creates a folder and its missing parents. Returns the created ones, innermost first.
fn create_parents(folder: &Path) -> Result<Vec<PathBuf>> {
    let missing: Vec<_> = folder
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
        .map(Path::to_owned)
        .collect();
    match fs::create_dir_all(folder) {
        Ok(()) => Ok(missing),
        Err(error) => {
            remove_empty(&missing);
            Err(PathError::at(folder)(error))
        }
    }
}

fn remove_empty(folders: &[PathBuf]) {
    for folder in folders {
        if unless_missing(fs::remove_dir(folder)).is_err() {
            break;
        }
    }
}

/// The parent folder of a target, and the prefix of the names of its staging folders.
fn beside(target: &Path) -> Result<(PathBuf, String)> {
    let Some(name) = target.file_name().and_then(|name| name.to_str()) else {
        let message = "not a valid name for an output";
        return Err(PathError::at(target)(io::Error::other(message)));
    };
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    Ok((parent, format!("{name}{UNFINISHED}")))
}

/// Returns the file or folder that a link names, so that the link stays one.
pub fn without_link(target: &Path) -> PathBuf {
    if target.is_symlink() && !is_special(target) {
        fs::canonicalize(target).unwrap_or_else(|_| target.to_owned())
    } else {
        target.to_owned()
    }
}

/// Whether a target is a pipe, a device, or an open file such as `/dev/stdout`. A rename would
/// replace it.
pub fn is_special(target: &Path) -> bool {
    let found = target.metadata();
    found.is_ok_and(|found| !found.is_file() && !found.is_dir()) || names_open_file(target)
}

/// Opens such a target. Output goes to its end.
pub fn open_special(target: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(target)
}

fn names_open_file(target: &Path) -> bool {
    let mut path = target.to_owned();
    for _ in 0..MAX_LINKS {
        if path.starts_with("/proc") || path.starts_with("/dev/fd") {
            return true;
        }
        let Ok(named) = fs::read_link(&path) else {
            return false;
        };
        path = path.parent().unwrap_or(&path).join(named);
    }
    false
}

/// Whether a file name belongs to a staging folder.
pub fn is_unfinished(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    name.rsplit_once(UNFINISHED)
        .and_then(|(_, numbers)| numbers.split_once('-'))
        .is_some_and(|(pid, run)| is_number(pid) && is_number(run))
}

/// Removes the staging folders that killed runs with this target left next to it and inside it.
pub fn remove_abandoned(target: &Path) -> Result<()> {
    let (parent, prefix) = beside(target)?;
    remove_abandoned_in(&parent, &prefix, target);
    remove_abandoned_in(target, UNFINISHED, target);
    Ok(())
}

fn remove_abandoned_in(parent: &Path, prefix: &str, target: &Path) {
    for folder in staging_folders(parent, prefix) {
        remove_if_abandoned(&folder, target);
    }
}

/// The folders that have the names of staging folders of one target.
fn staging_folders(parent: &Path, prefix: &str) -> impl Iterator<Item = PathBuf> {
    let is_ours = move |name: &str| name.starts_with(prefix) && is_unfinished(name);
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    entries
        .filter(move |entry| entry.file_name().to_str().is_some_and(is_ours))
        .map(|entry| entry.path())
}

/// Whether a process keeps the lock of a staging folder.
fn is_locked(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

/// Removes a staging folder unless its process may be alive. Only a lock file proves that a folder
/// with content is a staging folder.
fn remove_if_abandoned(folder: &Path, target: &Path) {
    let Ok(mut lock) = File::open(folder.join(LOCK)) else {
        // Fails unless the folder is empty. Its process, if alive, creates another folder.
        let _ = fs::remove_dir(folder);
        return;
    };
    if lock.try_lock().is_err() || !is_lock(&mut lock, folder) {
        return;
    }
    // The process was killed between the two renames of a replacement: the new content is complete.
    if folder.join(OLD).exists() && !target.exists() {
        let _ = fs::rename(folder.join(NEW), target);
    }
    if let Some(renames) = read_journal(folder) {
        for (from, to) in renames {
            // Files renamed before the kill no longer exist here.
            if from.exists() && fs::rename(&from, &to).is_err() {
                return;
            }
        }
    }
    let _ = remove_lock_last(folder);
}

/// Whether a locked file is the lock of a process that has ended. A process killed right after
/// creating the file leaves it empty.
fn is_lock(lock: &mut File, folder: &Path) -> bool {
    let mut text = String::new();
    let read = lock.take(MAX_LOCK_BYTES).read_to_string(&mut text);
    let mut lines = text.lines();
    let (header, system) = (lines.next(), lines.next());
    match (read, header) {
        (Ok(0), _) => true,
        // A lock that names another system counts as abandoned only on a local disk, where no other
        // machine can hold it.
        (Ok(_), Some(LOCK_HEADER)) => {
            system == Some(&host::system()) || host::is_local_disk(folder)
        }
        _ => false,
    }
}

/// Writes the renames of a commit before they start.
fn write_journal(folder: &Path, renames: &[(PathBuf, PathBuf)]) -> Result<()> {
    let path = folder.join(JOURNAL);
    let failed = PathError::at(&path);
    let text = serde_json::to_vec(renames).map_err(|error| failed(error.into()))?;
    let unfinished = path.with_extension("new");
    fs::write(&unfinished, text).map_err(&failed)?;
    fs::rename(&unfinished, &path).map_err(&failed)
}

fn read_journal(folder: &Path) -> Option<Vec<(PathBuf, PathBuf)>> {
    serde_json::from_slice(&fs::read(folder.join(JOURNAL)).ok()?).ok()
}

#[cfg(test)]
mod tests;
