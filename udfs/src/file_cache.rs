//! A cache of files that functions use, such as models and word lists. Each is read once for all
//! threads and queries, and again if it has changed.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// The value of a file, and the state of the file when it was read.
struct Loaded<T> {
    value: Arc<T>,
    size: u64,
    modified: Option<SystemTime>,
}

/// Values by the paths of their files.
pub struct FileCache<T> {
    files: LazyLock<Mutex<HashMap<PathBuf, Loaded<T>>>>,
}

impl<T> FileCache<T> {
    pub const fn new() -> Self {
        Self {
            files: LazyLock::new(Mutex::default),
        }
    }

    /// Returns the value of a file. Calls `read` if the file is new or has changed. An error names
    /// the file.
    pub fn get<E: Display>(
        &self,
        path: &str,
        read: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<Arc<T>, String> {
        let failed = |error: &dyn Display| format!("'{path}': {error}");
        let path = Path::new(path);
        let metadata = fs::metadata(path).map_err(|error| failed(&error))?;
        let (size, modified) = (metadata.len(), metadata.modified().ok());
        // The lock is held while the file is read, so that other threads wait instead of reading it
        // as well.
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = files.get(path)
            && (loaded.size, loaded.modified) == (size, modified)
        {
            return Ok(Arc::clone(&loaded.value));
        }
        let value = Arc::new(read(path).map_err(|error| failed(&error))?);
        let loaded = Loaded {
            value: Arc::clone(&value),
            size,
            modified,
        };
        files.insert(path.to_owned(), loaded);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_again_only_if_it_has_changed() {
        static CACHE: FileCache<String> = FileCache::new();
        let read = |path: &Path| fs::read_to_string(path);
        let name = format!("corpus-sql-file-cache-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let text = path.to_string_lossy().into_owned();
        let missing = CACHE.get(&text, read).unwrap_err();
        assert!(missing.starts_with(&format!("'{text}': ")), "{missing}");
        fs::write(&path, "one").unwrap();
        let first = CACHE.get(&text, read).unwrap();
        let again = CACHE.get(&text, |_| Err("not read again")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        fs::write(&path, "longer").unwrap();
        assert_eq!(*CACHE.get(&text, read).unwrap(), "longer");
        fs::remove_file(&path).unwrap();
    }
}
