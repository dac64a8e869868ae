//! Tests indexes whose files are read by ranges.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::super::checksums::{SUMS_FILE, Verify};
use super::super::find::{Row, Search, SearchOptions};
use super::super::open::IndexSource;
use super::super::remote::{IndexFiles, RemoteIndex};
use super::super::settings::SETTINGS_FILE;
use super::TestIndex;

/// The files of an index. Requests after `allowed` fail.
struct Files {
    contents: HashMap<String, Vec<u8>>,
    requested: Mutex<Vec<(String, Range<u64>)>>,
    allowed: AtomicUsize,
}

impl Files {
    fn of(made: &TestIndex) -> Self {
        let mut contents = HashMap::new();
        for entry in fs::read_dir(made.path()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if !name.ends_with(".lock") {
                contents.insert(name, fs::read(path).unwrap());
            }
        }
        Self {
            contents,
            requested: Mutex::default(),
            allowed: AtomicUsize::new(usize::MAX),
        }
    }

    fn requests(&self) -> usize {
        self.requested.lock().unwrap().len()
    }
}

impl IndexFiles for Files {
    fn size(&self, name: &str) -> io::Result<Option<u64>> {
        Ok(self.contents.get(name).map(|bytes| bytes.len() as u64))
    }

    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut requested = self.requested.lock().unwrap();
        if requested.len() >= self.allowed.load(Ordering::Relaxed) {
            return Err(io::Error::other(format!("{name}: the connection was lost")));
        }
        requested.push((name.to_owned(), range.clone()));
        Ok(self.contents[name][range.start as usize..range.end as usize].to_vec())
    }
}

fn source(files: &Arc<Files>) -> IndexSource {
    IndexSource::Remote(RemoteIndex {
        name: "store://bucket/index".to_owned(),
        files: Arc::clone(files) as Arc<dyn IndexFiles>,
        cache_bytes: 4 << 20,
    })
}

fn made() -> TestIndex {
    let texts: Vec<String> = (0..300)
        .map(|at| format!("some text {at} 日本語 word{at}"))
        .collect();
    TestIndex::of(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

const QUERIES: [&str; 6] = [
    "text",
    "word1*",
    "wird7~1",
    "\"some text\"",
    "日本",
    "url:1",
];

fn all(search: &Search) -> Result<Vec<Vec<Row>>, String> {
    let rows = |query: &&str| {
        let hits = search.find(query, &SearchOptions::default());
        let rows = hits.and_then(|hits| hits.rows().collect());
        rows.map_err(|error| error.to_string())
    };
    QUERIES.iter().map(rows).collect()
}

#[test]
fn hits_are_those_of_the_folder() {
    let made = made();
    let local = all(&Search::open(&[made.path()]).unwrap()).unwrap();
    let files = Arc::new(Files::of(&made));
    let search = Search::open_all(&[source(&files)], Verify::Used).unwrap();
    assert_eq!(all(&search).unwrap(), local);
    // Blocks in memory are not requested again.
    let requests = files.requests();
    assert_eq!(all(&search).unwrap(), local);
    assert_eq!(files.requests(), requests);
    let both = [source(&files), IndexSource::Folder(made.path())];
    let twice = all(&Search::open_all(&both, Verify::Used).unwrap()).unwrap();
    assert_eq!(twice[0].len(), 2 * local[0].len());
}

#[test]
fn a_failed_request_is_the_error_at_any_point() {
    let files = Arc::new(Files::of(&made()));
    let search = Search::open_all(&[source(&files)], Verify::Used).unwrap();
    let whole = all(&search).unwrap();
    let requests = files.requests();
    for allowed in 0..requests {
        let files = Arc::new(Files::of(&made()));
        files.allowed.store(allowed, Ordering::Relaxed);
        let search = Search::open_all(&[source(&files)], Verify::Used);
        let error = match &search {
            Ok(search) => all(search).unwrap_err(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains("store://bucket/index"), "{error}");
        assert!(error.contains("the connection was lost"), "{error}");
        // Searches work again once the connection does.
        if let Ok(search) = search {
            files.allowed.store(usize::MAX, Ordering::Relaxed);
            match all(&search) {
                Ok(rows) => assert_eq!(rows, whole),
                // A panic may have left a lock of the library unusable.
                Err(error) => assert!(error.contains("damaged"), "{error}"),
            }
        }
    }
}

#[test]
fn changed_bytes_are_errors() {
    let made = made();
    let whole = all(&Search::open(&[made.path()]).unwrap()).unwrap();
    let mut errors = 0;
    for name in Files::of(&made).contents.into_keys() {
        if name == ".managed.json" {
            continue;
        }
        for part in 0..8 {
            let mut files = Files::of(&made);
            let bytes = files.contents.get_mut(&name).unwrap();
            let at = bytes.len() * part / 8;
            bytes[at] ^= 8;
            let search = Search::open_all(&[source(&Arc::new(files))], Verify::Used);
            let found = search.map_err(|error| error.to_string());
            match found.and_then(|search| all(&search)) {
                Ok(rows) => assert_eq!(rows, whole, "{name} {at}"),
                Err(error) => {
                    assert!(error.contains("damaged"), "{name}: {error}");
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > 50, "{errors}");
}

#[test]
fn all_files_are_read_on_request() {
    let files = Arc::new(Files::of(&made()));
    let search = Search::open_all(&[source(&files)], Verify::All).unwrap();
    assert!(all(&search).is_ok());
    let requested = files.requested.lock().unwrap();
    let read: u64 = requested
        .iter()
        .map(|(_, range)| range.end - range.start)
        .sum();
    let total: usize = files.contents.values().map(Vec::len).sum();
    assert!(read > total as u64 * 9 / 10, "{read} {total}");
}

#[test]
fn missing_files_are_named() {
    let made = made();
    let names = Files::of(&made).contents.into_keys();
    for name in names.filter(|name| name != ".managed.json") {
        let mut files = Files::of(&made);
        files.contents.remove(&name);
        let search = Search::open_all(&[source(&Arc::new(files))], Verify::Used);
        let error = match search {
            Ok(search) => all(&search).unwrap_err(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains("store://bucket/index"), "{error}");
        let expected = match name.as_str() {
            SETTINGS_FILE => "there is no search index",
            SUMS_FILE => "incomplete",
            name if name.ends_with(".pos") => "damaged",
            name => name,
        };
        assert!(error.contains(expected), "{name}: {error}");
    }
}
