//! Tests folders without an index, indexes with damaged files, and killed runs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use corpus_bytes::random::Random;

use super::super::build::IndexBuild;
use super::super::checksums::{SUMS_FILE, Verify};
use super::super::find::{Row, Search, SearchOptions};
use super::super::open::IndexSource;
use super::super::options::IndexOptions;
use super::super::options::Mode;
use super::super::settings::SETTINGS_FILE;
use super::super::value::{ColumnType, Value};
use super::{
    TestIndex, URL_AND_DOCUMENT, build_parts, build_texts, columns, defaults, ids, with_mode,
};

fn rejected(path: &Path) -> String {
    let error = Search::open(&[path.to_owned()]).err();
    error.unwrap().to_string()
}

#[test]
fn folders_without_an_index_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    assert!(rejected(&missing).contains("no such folder"));
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(rejected(&empty).contains("not a search index"));
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(rejected(&file).contains("a file"), "{}", rejected(&file));
    assert!(Search::open(&[]).is_err());
}

#[test]
fn newer_and_damaged_settings_are_distinguished() {
    let made = TestIndex::of(&["text"]);
    let settings = made.path().join(SETTINGS_FILE);
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    assert!(rejected(&made.path()).contains("newer version"));
    for damaged in [
        "",
        "{}",
        "[]",
        &text[..text.len() / 2],
        &text.replace("words", "runes"),
    ] {
        fs::write(&settings, damaged).unwrap();
        assert!(rejected(&made.path()).contains("damaged"), "{damaged}");
    }
    // Settings of another index.
    fs::write(&settings, text.replace("document", "documents")).unwrap();
    assert!(rejected(&made.path()).contains("damaged"));
    // Older versions wrote no checksum.
    let text = text.replace("checksum", "unknown");
    fs::write(&settings, text.replace("document", "documents")).unwrap();
    assert!(Search::open(&[made.path()]).is_ok());
    let number = text.replacen("\"type\": \"text\"", "\"type\": \"integer\"", 1);
    fs::write(&settings, number).unwrap();
    assert!(rejected(&made.path()).contains("damaged"));
}

/// A copy of an index, to be damaged.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_string_lossy().ends_with(".lock"))
        .collect();
    files.sort();
    files
}

const QUERIES: [&str; 9] = [
    "text",
    "te*",
    "txt~",
    "\"some text\"",
    "日本",
    "*",
    "url:1",
    "\"some te\"*",
    "some w/2 w?rd*",
];

/// Opens an index, searches it in all ways and reads all rows: an error, or some result.
fn use_all(path: &Path) -> Result<usize, String> {
    let search = Search::open(&[path.to_owned()]).map_err(|error| error.to_string())?;
    let mut rows = 0;
    for query in QUERIES {
        for limit in [None, Some(3)] {
            let options = SearchOptions {
                limit,
                ..SearchOptions::default()
            };
            let mut hits = search
                .find(query, &options)
                .map_err(|error| error.to_string())?;
            let mut at = 0;
            while hits
                .row(at, &[0, 1], true)
                .map_err(|error| error.to_string())?
                .is_some()
            {
                at += 1;
            }
            rows += at;
        }
    }
    Ok(rows)
}

fn example() -> TestIndex {
    let texts: Vec<String> = (0..50)
        .map(|at| format!("some text {at} 日本語 word{at}"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    TestIndex::of(&texts)
}

#[test]
fn truncated_and_missing_files_are_errors() {
    let made = example();
    let whole = use_all(&made.path()).unwrap();
    assert!(whole > 300);
    for (number, file) in files(&made.path()).iter().enumerate() {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        // Only writers use this file.
        if name == ".managed.json" {
            continue;
        }
        let length = fs::metadata(file).unwrap().len();
        for (step, keep) in [None, Some(0), Some(length / 2), Some(length - 1)]
            .iter()
            .enumerate()
        {
            let damaged = made.folder.path().join(format!("{number}-{step}"));
            copy(&made.path(), &damaged);
            match keep {
                None => fs::remove_file(damaged.join(&name)).unwrap(),
                Some(keep) => File::options()
                    .write(true)
                    .open(damaged.join(&name))
                    .unwrap()
                    .set_len(*keep)
                    .unwrap(),
            }
            match use_all(&damaged) {
                Err(error) => assert!(error.contains(damaged.to_str().unwrap()), "{error}"),
                // Only the settings can lack their last byte, a line break, without an error.
                Ok(rows) => assert!(rows == whole && name.ends_with(".json"), "{name} {keep:?}"),
            }
        }
    }
}

/// Removes what older versions did not write.
fn make_old(path: &Path) {
    let settings = path.join(SETTINGS_FILE);
    let text = fs::read_to_string(&settings).unwrap();
    let text = text.replace("\"checksum\"", "\"unknown\"");
    fs::write(&settings, text.replace("\"sums\": true", "\"sums\": false")).unwrap();
    fs::remove_file(path.join(SUMS_FILE)).unwrap();
    let meta = path.join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    fs::write(&meta, text.replace("crc32:", "other:")).unwrap();
}

/// Flips bits and clears ranges of each file of an index with deleted documents. Counts the errors
/// by kind of file; without an error, the results equal those of the intact index.
fn damage_each(made: &TestIndex, flips: usize, is_old: bool) -> BTreeMap<String, usize> {
    let mut random = Random(1);
    let whole = rows_of_all(&made.path()).unwrap();
    let mut errors = BTreeMap::new();
    for (number, file) in files(&made.path()).iter().enumerate() {
        let name = file.file_name().unwrap().to_str().unwrap();
        let kind = name.rsplit('.').next().unwrap().to_owned();
        // Without checksums, a changed number in the list of segments cannot be noticed.
        if name == ".managed.json" || (is_old && kind == "json") {
            continue;
        }
        let bytes = fs::read(file).unwrap();
        let damaged = made.folder.path().join(format!("damaged{number}"));
        copy(&made.path(), &damaged);
        for step in 0..2 * flips {
            let mut changed = bytes.clone();
            let at = random.below(changed.len());
            if step < flips {
                changed[at] ^= 1 << random.below(8);
            } else {
                let to = (at + 1 + random.below(100)).min(changed.len());
                changed[at..to].fill(0);
            }
            if changed == bytes {
                continue;
            }
            fs::write(damaged.join(name), changed).unwrap();
            match rows_of_all(&damaged) {
                Ok(rows) => assert_eq!(rows, whole, "{name}, byte {at}"),
                Err(error) => {
                    assert!(error.contains("damaged"), "{name}: {error}");
                    *errors.entry(kind.clone()).or_default() += 1;
                }
            }
        }
        fs::remove_dir_all(damaged).unwrap();
    }
    errors
}

/// Opens an index and returns the results of all kinds of searches.
fn rows_of_all(path: &Path) -> Result<Vec<Row>, String> {
    let search = Search::open(&[path.to_owned()]).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for query in QUERIES {
        for limit in [None, Some(3)] {
            let options = SearchOptions {
                limit,
                ..SearchOptions::default()
            };
            let hits = search.find(query, &options).map_err(|e| e.to_string())?;
            for row in hits.rows() {
                rows.push(row.map_err(|error| error.to_string())?);
            }
        }
    }
    Ok(rows)
}

fn example_with_deletes() -> TestIndex {
    let made = example();
    build_texts(
        &made.path(),
        &with_mode(Mode::Update),
        &["some new text", "a third text"],
    )
    .unwrap();
    made
}

const KINDS: [&str; 7] = ["del", "fast", "fieldnorm", "idx", "pos", "store", "term"];

#[test]
fn changed_bytes_never_change_a_result() {
    let made = example_with_deletes();
    let errors = damage_each(&made, 12, false);
    assert_eq!(
        errors
            .keys()
            .filter(|kind| *kind != "json")
            .collect::<Vec<_>>(),
        KINDS
    );
    // Any change to these files is an error.
    for kind in ["json", "fieldnorm", "pos", "term", "store"] {
        assert!(errors[kind] > 20, "{errors:?}");
    }
}

#[test]
fn indexes_of_older_versions_are_checked_file_by_file() {
    let made = example_with_deletes();
    make_old(&made.path());
    let errors = damage_each(&made, 6, true);
    assert_eq!(errors.keys().collect::<Vec<_>>(), KINDS);
    // Adding documents adds the checksums, too.
    build_texts(&made.path(), &with_mode(Mode::Update), &["newest"]).unwrap();
    let sums = fs::read_to_string(made.path().join(SUMS_FILE)).unwrap();
    for file in files(&made.path()) {
        let name = file.file_name().unwrap().to_str().unwrap();
        assert_eq!(sums.contains(name), !name.ends_with(".json"), "{name}");
    }
}

#[test]
fn all_files_or_none_are_checked_on_request() {
    let made = example();
    let position = files(&made.path())
        .into_iter()
        .find(|file| file.extension().is_some_and(|kind| kind == "pos"));
    let position = position.unwrap();
    let mut bytes = fs::read(&position).unwrap();
    bytes[3] ^= 4;
    fs::write(&position, bytes).unwrap();
    let open = |verify| {
        let source = IndexSource::Folder(made.path());
        Search::open_all(&[source], verify).map_err(|error| error.to_string())
    };
    let error = open(Verify::All).unwrap_err();
    assert!(error.contains(".pos is damaged (wrong checksum"), "{error}");
    let search = open(Verify::None).unwrap();
    let hits = search.find("\"some text\"", &SearchOptions::default());
    assert!(hits.is_ok());
}

#[test]
fn a_damaged_index_is_not_extended() {
    let made = example();
    let before = files(&made.path());
    let store = before
        .iter()
        .find(|file| file.to_string_lossy().ends_with(".fast"));
    let mut bytes = fs::read(store.unwrap()).unwrap();
    bytes[10] ^= 1;
    fs::write(store.unwrap(), bytes).unwrap();
    let error = build_texts(&made.path(), &with_mode(Mode::Append), &["x"]).unwrap_err();
    assert!(error.to_string().contains(".fast is damaged"), "{error}");
    let combine = IndexOptions {
        combine: vec![made.path()],
        ..defaults()
    };
    let target = made.folder.path().join("combined");
    let error = build_texts(&target, &combine, &["x"]).unwrap_err();
    assert!(error.to_string().contains(".fast is damaged"), "{error}");
}

#[test]
fn a_read_only_index_can_be_searched() {
    let made = TestIndex::of(&["text"]);
    // A folder with the name of the lock file prevents its creation.
    let lock = made.path().join(".tantivy-meta.lock");
    let _ = fs::remove_file(&lock);
    fs::create_dir(&lock).unwrap();
    let search = Search::open(&[made.path()]).unwrap();
    assert_eq!(ids(&search, "text", &SearchOptions::default()), ["0"]);
}

#[test]
fn files_of_a_killed_run_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    // No process holds this lock.
    let dead = folder.path().join("idx.part-1-0");
    fs::create_dir_all(dead.join("index")).unwrap();
    fs::write(dead.join("lock"), "").unwrap();
    // A process holds this one.
    let alive = folder.path().join("idx.part-2-0");
    fs::create_dir_all(alive.join("index")).unwrap();
    let lock = File::create(alive.join("lock")).unwrap();
    lock.lock().unwrap();
    // The owner of these is unknown.
    let unknown = folder.path().join("idx.part-3-0");
    fs::create_dir_all(unknown.join("index")).unwrap();
    let other = folder.path().join("idx2.part-1-0");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("lock"), "").unwrap();
    build_texts(&path, &defaults(), &["text"]).unwrap();
    assert!(!dead.exists());
    assert!(alive.exists() && unknown.exists() && other.exists());
}

#[test]
fn a_replacement_that_was_killed_is_completed() {
    let made = TestIndex::of(&["new"]);
    let killed = made.folder.path().join("idx.part-1-0");
    fs::create_dir(&killed).unwrap();
    fs::write(killed.join("lock"), "").unwrap();
    fs::create_dir(killed.join("replaced")).unwrap();
    fs::rename(made.path(), killed.join("index")).unwrap();
    // The new index is in its place, and the next run does not replace it.
    let error = build_texts(&made.path(), &defaults(), &["x"])
        .unwrap_err()
        .to_string();
    assert!(error.contains("an index already"), "{error}");
    assert!(!killed.exists());
    let search = Search::open(&[made.path()]).unwrap();
    assert_eq!(ids(&search, "new", &SearchOptions::default()), ["0"]);
}

#[test]
fn content_that_appeared_meanwhile_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &IndexOptions::default());
    build_texts(&path, &defaults(), &["other"]).unwrap();
    let error = build.unwrap().finish(Vec::new()).unwrap_err().to_string();
    assert!(error.contains("appeared there"), "{error}");
    let search = Search::open(&[path]).unwrap();
    assert_eq!(ids(&search, "other", &SearchOptions::default()), ["0"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

struct ClearOnDrop<'a>(&'a AtomicBool);

impl Drop for ClearOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[test]
fn an_index_is_there_at_any_time_while_it_is_replaced() {
    let made = TestIndex::of(&["first"]);
    let path = made.path();
    let is_read = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut replacements = 0;
            while is_read.load(Ordering::Relaxed) || replacements < 5 {
                // The columns differ, so that files of two builds do not fit together.
                let (texts, columns): (&[&str], _) = match replacements % 2 {
                    0 => (
                        &["second", "third"],
                        [("document", ColumnType::Text), ("url", ColumnType::Text)],
                    ),
                    _ => (
                        &["first"],
                        [("url", ColumnType::Text), ("document", ColumnType::Text)],
                    ),
                };
                let rows: Vec<[Value<'_>; 2]> =
                    texts.iter().map(|text| [Value::Text(text); 2]).collect();
                let rows: Vec<&[Value<'_>]> = rows.iter().map(|row| row.as_slice()).collect();
                build_parts(&path, &columns, &with_mode(Mode::Replace), &[&rows]).unwrap();
                replacements += 1;
            }
        });
        // A failed assertion ends the writer, too.
        let _end = ClearOnDrop(&is_read);
        for _ in 0..300 {
            let search = Search::open(std::slice::from_ref(&path)).unwrap();
            let found = ids(&search, "*", &SearchOptions::default());
            assert!(
                found == ["0"] || found == ["first"] || found == ["second", "third"],
                "{found:?}"
            );
        }
    });
}

#[test]
fn a_search_completes_a_replacement_that_was_killed() {
    let made = example();
    let killed = made.folder.path().join("idx.part-1-0");
    fs::create_dir(&killed).unwrap();
    fs::write(killed.join("lock"), "").unwrap();
    fs::create_dir(killed.join("replaced")).unwrap();
    fs::rename(made.path(), killed.join("index")).unwrap();
    assert!(use_all(&made.path()).unwrap() > 300);
    assert!(!killed.exists());
}
