//! The version of a remote file, so that the rows of a file are never from two of them.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, OnceLock};

use object_store::ObjectMeta;
use object_store::path::Path;
use parking_lot::Mutex;

/// The version of a file, as the listing and the first response describe it.
#[derive(Debug, Default)]
pub struct Version {
    size: OnceLock<u64>,
    first: OnceLock<ObjectMeta>,
}

impl Version {
    /// Creates a version; its size is determined later if it is unknown.
    pub fn of_size(size: Option<u64>) -> Self {
        Self {
            size: size.map_or_else(OnceLock::new, OnceLock::from),
            first: OnceLock::new(),
        }
    }

    pub fn size(&self) -> Option<u64> {
        self.size.get().copied()
    }

    /// Returns the size, which `find` determines if it is unknown.
    pub fn size_or(&self, find: impl FnOnce() -> u64) -> u64 {
        *self.size.get_or_init(find)
    }

    /// Fails if a response belongs to another version.
    pub fn check(&self, response: &ObjectMeta) -> io::Result<()> {
        let size = self.size_or(|| response.size);
        let change = if size != response.size {
            Some(format!("it had {size} bytes and now has {}", response.size))
        } else {
            let first = self.first.get_or_init(|| response.clone());
            change(first, response).map(str::to_owned)
        };
        change.map_or(Ok(()), |how| Err(changed(&how)))
    }
}

/// The versions of the files of which a scan reads several ranges.
#[derive(Debug, Default)]
pub struct Versions(Mutex<HashMap<Path, Arc<Version>>>);

impl Versions {
    /// Returns the version that all ranges of a file share.
    pub fn of(&self, file: &ObjectMeta) -> Arc<Version> {
        let mut versions = self.0.lock();
        let version = versions
            .entry(file.location.clone())
            .or_insert_with(|| Arc::new(Version::of_size(Some(file.size))));
        Arc::clone(version)
    }
}

/// Describes how the headers of two responses differ.
pub fn change(first: &ObjectMeta, now: &ObjectMeta) -> Option<&'static str> {
    // A header that only one of the responses has proves nothing. A missing time is the epoch.
    let tags = first.e_tag.as_ref().zip(now.e_tag.as_ref());
    let times = [first.last_modified, now.last_modified];
    if tags.is_some_and(|(first, now)| opaque(first) != opaque(now)) {
        return Some("its ETag differs");
    }
    if times[0] != times[1] && times.iter().all(|time| time.timestamp() != 0) {
        return Some("its time of modification differs");
    }
    None
}

/// An ETag without the mark of a weak one, which a server may add to some responses only.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// The error for a file that changed between two requests.
pub fn changed(how: &str) -> io::Error {
    io::Error::other(format!(
        "the file changed on the server while it was read ({how}): run the query again"
    ))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn response(size: u64, tag: Option<&str>, seconds: i64) -> ObjectMeta {
        ObjectMeta {
            location: Path::from("a"),
            last_modified: DateTime::from_timestamp(seconds, 0).unwrap(),
            size,
            e_tag: tag.map(str::to_owned),
            version: None,
        }
    }

    #[test]
    fn responses_of_another_version_are_refused() {
        let first = response(9, Some("\"1\""), 7);
        for (now, expected) in [
            (response(9, Some("\"1\""), 7), None),
            (response(9, Some("W/\"1\""), 7), None),
            (response(9, None, 7), None),
            (response(9, Some("\"1\""), 0), None),
            (
                response(8, Some("\"1\""), 7),
                Some("it had 9 bytes and now has 8"),
            ),
            (response(9, Some("\"2\""), 7), Some("its ETag differs")),
            (
                response(9, Some("\"1\""), 8),
                Some("its time of modification differs"),
            ),
        ] {
            let version = Version::default();
            version.check(&first).unwrap();
            let found = version.check(&now).err().map(|error| error.to_string());
            match (&found, expected) {
                (None, None) => {}
                (Some(found), Some(expected)) => assert!(found.contains(expected), "{found}"),
                _ => panic!("{found:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn ranges_of_a_file_share_a_version() {
        let versions = Versions::default();
        let file = response(9, None, 7);
        versions
            .of(&file)
            .check(&response(9, Some("1"), 7))
            .unwrap();
        let other = response(9, Some("2"), 7);
        assert!(versions.of(&file).check(&other).is_err());
    }
}
