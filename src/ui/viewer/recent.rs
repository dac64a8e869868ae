//! Caches slow results for other pages of the same document.

use std::collections::VecDeque;
use std::fs;

use datafusion::arrow::array::RecordBatch;
use parking_lot::Mutex;

use super::original::package_of;

/// The maximum number of results that are kept.
const MAX_RESULTS: usize = 8;

/// The maximum size of all of them.
const MAX_BYTES: usize = 128 << 20;

/// Results by their keys, the oldest first.
#[derive(Default)]
pub struct Recent(Mutex<VecDeque<(String, RecordBatch)>>);

impl Recent {
    pub fn find(&self, key: &str) -> Option<RecordBatch> {
        let mut results = self.0.lock();
        let at = results.iter().position(|(known, _)| known == key)?;
        let found = results.remove(at)?;
        results.push_back(found.clone());
        Some(found.1)
    }

    /// Keeps a result, unless it is too large.
    pub fn keep(&self, key: String, result: RecordBatch) {
        let size = |result: &RecordBatch| result.get_array_memory_size();
        let mut results = self.0.lock();
        results.retain(|(known, _)| *known != key);
        results.push_back((key, result));
        let mut bytes: usize = results.iter().map(|(_, result)| size(result)).sum();
        while bytes > MAX_BYTES || results.len() > MAX_RESULTS {
            let Some((_, oldest)) = results.pop_front() else {
                return;
            };
            bytes -= size(&oldest);
        }
    }
}

/// Returns the size and time of a local file or folder. `None` for others.
pub fn version(file: &str) -> Option<String> {
    let metadata = fs::metadata(package_of(file).0).ok()?;
    Some(format!(
        "{} {:?}",
        metadata.len(),
        metadata.modified().ok()?
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, StringArray};

    use super::*;

    #[test]
    fn the_last_results_are_kept() {
        let result = |bytes: usize| {
            let column: ArrayRef = Arc::new(StringArray::from(vec!["a".repeat(bytes)]));
            RecordBatch::try_from_iter([("a", column)]).unwrap()
        };
        let recent = Recent::default();
        for number in 0..MAX_RESULTS {
            recent.keep(number.to_string(), result(1));
        }
        assert!(recent.find("0").is_some());
        recent.keep("new".to_owned(), result(1));
        assert!(recent.find("0").is_some() && recent.find("1").is_none());
        recent.keep("large".to_owned(), result(MAX_BYTES + 1));
        assert!(recent.0.lock().is_empty());
    }

    #[test]
    fn a_changed_file_has_another_version() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.zip");
        fs::write(&file, "a").unwrap();
        let member = format!("{}!a.pdf", file.display());
        let first = version(&member).unwrap();
        assert_eq!(version(&member).unwrap(), first);
        fs::write(&file, "ab").unwrap();
        assert_ne!(version(&member).unwrap(), first);
        assert_eq!(version("http://example/a.pdf"), None);
    }
}
