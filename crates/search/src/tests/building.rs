use std::fs;
use std::path::Path;

use super::super::build::{Built, IndexBuild};
use super::super::find::{Search, SearchOptions};
use super::super::locations;
use super::super::options::{IndexOptions, Mode};
use super::super::settings::SETTINGS_FILE;
use super::super::value::{ColumnType, Value};
use super::{
    URL_AND_DOCUMENT, build_parts, build_texts, columns, defaults, ids, keeping_duplicates,
    with_language, with_mode,
};

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn find(folder: &Path, query: &str) -> Vec<String> {
    let search = Search::open(&[folder.to_owned()]).unwrap();
    let mut found = ids(&search, query, &SearchOptions::default());
    found.sort();
    found
}

#[test]
fn parts_become_one_segment_and_nulls_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/idx");
    let rows = [
        [Value::Text("a"), Value::Text("one text")],
        [Value::Text("b"), Value::Null],
        [Value::Null, Value::Text("another text")],
    ];
    let parts: [&[&[Value<'_>]]; 4] = [&[&rows[0]], &[], &[&rows[1]], &[&rows[2]]];
    let built = build_parts(&path, URL_AND_DOCUMENT, &defaults(), &parts).unwrap();
    assert_eq!(
        built,
        Built {
            documents: 3,
            total: 3,
            replaced: 0,
            duplicates: 0,
        }
    );
    assert_eq!(find(&path, "text"), ["Null", "a"]);
    assert_eq!(find(&path, "*"), ["Null", "a", "b"]);
    assert_eq!(entries(path.parent().unwrap()), ["idx"]);
    let segments = entries(&path)
        .iter()
        .filter(|name| name.ends_with(".store"))
        .count();
    assert_eq!(segments, 1, "{:?}", entries(&path));
}

#[test]
fn parts_work_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let options = IndexOptions::default();
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options).unwrap();
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let mut part = build.part();
                scope.spawn(move || {
                    for number in 0..100 {
                        let url = format!("{thread}-{number}");
                        let text = format!("text{number} thread{thread}");
                        part.add(&[Value::Text(&url), Value::Text(&text)]).unwrap();
                    }
                    part.finish().unwrap()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(build.finish(parts).unwrap().total, 400);
    assert_eq!(find(&path, "thread2").len(), 100);
    assert_eq!(find(&path, "text7").len(), 4);
}

#[test]
fn memory_bounds_a_segment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let options = IndexOptions {
        memory: 3 << 20,
        ..IndexOptions::default()
    };
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options).unwrap();
    let mut part = build.part();
    for number in 0..6 {
        let words: Vec<String> = (0..10_000)
            .map(|word| format!("w{number}x{word}"))
            .collect();
        let url = number.to_string();
        part.add(&[Value::Text(&url), Value::Text(&words.join(" "))])
            .unwrap();
    }
    let unfinished = entries(folder.path());
    assert_eq!(unfinished.len(), 1);
    let stores = entries(&folder.path().join(&unfinished[0]).join("index"));
    assert!(
        stores.iter().filter(|name| name.ends_with(".idx")).count() >= 2,
        "{stores:?}"
    );
    build.finish(vec![part.finish().unwrap()]).unwrap();
    assert_eq!(find(&path, "w3x9999"), ["3"]);
}

#[test]
fn an_index_without_documents_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    assert_eq!(build_texts(&path, &defaults(), &[]).unwrap().total, 0);
    assert_eq!(find(&path, "x"), Vec::<String>::new());
    assert_eq!(find(&path, "x* y~ \"a b\"*"), Vec::<String>::new());
    build_texts(&path, &with_mode(Mode::Append), &["x"]).unwrap();
    assert_eq!(find(&path, "x"), ["0"]);
}

#[test]
fn existing_content_stays_by_default() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    build_texts(&path, &defaults(), &["old"]).unwrap();
    let error = build_texts(&path, &defaults(), &["new"])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("mode 'append'") && error.contains("mode 'replace'"),
        "{error}"
    );
    let other = folder.path().join("photos");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("cat.jpg"), "x").unwrap();
    for mode in [Mode::Create, Mode::Append, Mode::Replace] {
        let error = build_texts(&other, &with_mode(mode), &["new"])
            .unwrap_err()
            .to_string();
        assert!(error.contains("other than a search index"), "{error}");
        let file = other.join("cat.jpg");
        assert!(build_texts(&file, &with_mode(mode), &["new"]).is_err());
    }
    assert_eq!(entries(folder.path()), ["idx", "photos"]);
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    build_texts(&empty, &defaults(), &["new"]).unwrap();
    assert_eq!(find(&empty, "new"), ["0"]);
}

#[test]
fn an_abandoned_build_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let options = IndexOptions::default();
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options).unwrap();
    let mut part = build.part();
    part.add(&[Value::Text("u"), Value::Text("text")]).unwrap();
    assert!(!path.exists());
    assert_eq!(entries(folder.path()).len(), 1);
    let finished = part.finish().unwrap();
    drop(build);
    drop(finished);
    assert_eq!(entries(folder.path()), Vec::<String>::new());
}

#[test]
fn a_killed_build_leaves_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
    build_texts(&old, &defaults(), &["text"]).unwrap();
    for path in [&new, &old] {
        let options = IndexOptions {
            mode: Mode::Append,
            ..IndexOptions::default()
        };
        let build = IndexBuild::begin(path, &columns(URL_AND_DOCUMENT), &options).unwrap();
        let mut part = build.part();
        part.add(&[Value::Text("u"), Value::Text("more text")])
            .unwrap();
        // As after a kill, none of its code runs any more, not even the cleanup.
        std::mem::forget(part.finish().unwrap());
        std::mem::forget(build);
    }
    assert!(Search::open(std::slice::from_ref(&new)).is_err());
    assert!(!new.exists());
    assert_eq!(find(&old, "text"), ["0"]);
}

#[test]
fn replacing_keeps_the_old_index_until_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    build_texts(&path, &defaults(), &["old"]).unwrap();
    let options = IndexOptions {
        mode: Mode::Replace,
        ..IndexOptions::default()
    };
    let open = Search::open(std::slice::from_ref(&path)).unwrap();
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options).unwrap();
    let mut part = build.part();
    part.add(&[Value::Text("n"), Value::Text("new")]).unwrap();
    assert_eq!(find(&path, "old"), ["0"]);
    build.finish(vec![part.finish().unwrap()]).unwrap();
    assert_eq!(find(&path, "old"), Vec::<String>::new());
    assert_eq!(find(&path, "new"), ["n"]);
    // A reader that has opened the old index continues with it.
    assert_eq!(ids(&open, "old", &SearchOptions::default()), ["0"]);
    assert_eq!(entries(folder.path()), ["idx"]);
}

#[test]
fn appending_adds_all_documents_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    build_texts(&path, &with_language("english"), &["first texts"]).unwrap();
    let options = IndexOptions {
        mode: Mode::Append,
        ..IndexOptions::default()
    };
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options).unwrap();
    assert!(build.settings().words.language.is_some());
    let mut part = build.part();
    part.add(&[Value::Text("n"), Value::Text("second text")])
        .unwrap();
    let finished = part.finish().unwrap();
    assert_eq!(find(&path, "text"), ["0"]);
    // Only one run can append at a time.
    let second = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options);
    assert!(second.err().unwrap().to_string().contains("another run"));
    let built = build.finish(vec![finished]).unwrap();
    assert_eq!(
        built,
        Built {
            documents: 1,
            total: 2,
            replaced: 0,
            duplicates: 0,
        }
    );
    assert_eq!(find(&path, "text"), ["0", "n"]);
}

#[test]
fn an_abandoned_append_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    build_texts(&path, &defaults(), &["first"]).unwrap();
    let options = IndexOptions {
        mode: Mode::Append,
        ..IndexOptions::default()
    };
    let build = IndexBuild::begin(&path, &columns(URL_AND_DOCUMENT), &options).unwrap();
    let mut part = build.part();
    part.add(&[Value::Text("n"), Value::Text("second")])
        .unwrap();
    drop(part.finish().unwrap());
    drop(build);
    assert_eq!(find(&path, "second"), Vec::<String>::new());
    // The next run that adds documents removes its files.
    build_texts(&path, &keeping_duplicates(), &["third"]).unwrap();
    assert_eq!(find(&path, "*"), ["0", "0"]);
    let stores = entries(&path)
        .iter()
        .filter(|name| name.ends_with(".store"))
        .count();
    assert_eq!(stores, 2, "{:?}", entries(&path));
}

#[test]
fn many_appends_keep_few_segments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    for _ in 0..20 {
        build_texts(&path, &keeping_duplicates(), &["a text", "another"]).unwrap();
    }
    assert_eq!(find(&path, "*").len(), 40);
    let stores = entries(&path)
        .iter()
        .filter(|name| name.ends_with(".store"))
        .count();
    assert!(stores < 10, "{stores}");
}

#[test]
fn segments_larger_than_a_merge_stay_separate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let options = IndexOptions {
        merged_bytes: 1,
        ..with_mode(Mode::Append)
    };
    let row = [Value::Text("u"), Value::Text("a text")];
    let part: &[&[Value<'_>]] = &[&row];
    build_parts(&path, URL_AND_DOCUMENT, &options, &[part; 10]).unwrap();
    assert_eq!(find(&path, "*").len(), 10);
    let stores = entries(&path)
        .iter()
        .filter(|name| name.ends_with(".store"))
        .count();
    assert_eq!(stores, 10, "{:?}", entries(&path));
}

#[test]
fn appended_rows_must_match_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    build_texts(&path, &defaults(), &["first"]).unwrap();
    let other = [("url", ColumnType::Text), ("text", ColumnType::Text)];
    let row = [Value::Text("u"), Value::Text("t")];
    let error = build_parts(&path, &other, &with_mode(Mode::Append), &[&[&row]]);
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("has the columns url text, document text; this query has"),
        "{error}"
    );
    let german = IndexOptions {
        mode: Mode::Append,
        ..with_language("german")
    };
    let error = build_texts(&path, &german, &["x"]).unwrap_err().to_string();
    assert!(error.contains("another language"), "{error}");
    assert_eq!(find(&path, "*"), ["0"]);
}

#[test]
fn indexes_are_combined_with_new_documents() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b, all] = ["a", "b", "all"].map(|name| folder.path().join(name));
    build_texts(&a, &with_language("english"), &["cats", "dogs"]).unwrap();
    build_texts(&b, &with_language("english"), &["birds"]).unwrap();
    let combined = IndexOptions {
        combine: vec![a.clone(), b.clone()],
        ..defaults()
    };
    let built = build_texts(&all, &combined, &["a cat"]).unwrap();
    assert_eq!(
        built,
        Built {
            documents: 1,
            total: 4,
            replaced: 0,
            duplicates: 3,
        }
    );
    assert_eq!(find(&all, "cat"), ["0", "0"]);
    assert_eq!(find(&all, "bird"), ["0"]);
    // An index can also be combined with itself.
    let mut options = IndexOptions {
        combine: vec![a, all.clone(), b],
        mode: Mode::Replace,
        ..defaults()
    };
    assert_eq!(build_texts(&all, &options, &[]).unwrap().total, 7);
    assert_eq!(find(&all, "dog"), ["1", "1"]);
    let plain = folder.path().join("plain");
    build_texts(&plain, &defaults(), &["x"]).unwrap();
    options.combine.push(plain);
    let error = build_texts(&all, &options, &[]).unwrap_err().to_string();
    assert!(error.contains("another language"), "{error}");
    assert_eq!(entries(folder.path()), ["a", "all", "b", "plain"]);
    options.mode = Mode::Append;
    assert!(
        build_texts(&all, &options, &[])
            .unwrap_err()
            .to_string()
            .contains("replace")
    );
}

#[test]
fn empty_indexes_are_combined_too() {
    let folder = tempfile::tempdir().unwrap();
    let [a, all] = ["a", "all"].map(|name| folder.path().join(name));
    build_texts(&a, &defaults(), &[]).unwrap();
    let combined = IndexOptions {
        combine: vec![a],
        ..defaults()
    };
    let built = build_texts(&all, &combined, &["x"]).unwrap();
    assert_eq!(built.total, 1);
}

#[test]
fn locations_are_folders_lists_and_patterns() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a1", "a2", "b, c", "a3.part-1-0"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let at = |name: &str| folder.path().join(name);
    let resolve = |location: &str| {
        let location = location.replace('$', &folder.path().display().to_string());
        locations::resolve(&location).map_err(|error| error.to_string())
    };
    assert_eq!(resolve("$/a1").unwrap(), [at("a1")]);
    assert_eq!(resolve("$/a2,$/a1").unwrap(), [at("a2"), at("a1")]);
    assert_eq!(resolve("$/a*").unwrap(), [at("a1"), at("a2")]);
    assert_eq!(resolve("$/a2,$/a*").unwrap(), [at("a2"), at("a1")]);
    assert_eq!(resolve("$/b, c").unwrap(), [at("b, c")]);
    assert_eq!(resolve("$/none").unwrap(), [at("none")]);
    assert_eq!(resolve("file://$/a1").unwrap(), [at("a1")]);
    assert!(resolve("$/z*").unwrap_err().contains("no folder matches"));
    assert!(
        resolve("s3://bucket/idx")
            .unwrap_err()
            .contains("built in a local folder")
    );
    assert!(resolve(" ").unwrap_err().contains("empty"));
}

#[test]
fn the_settings_file_makes_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    build_texts(&path, &defaults(), &["x"]).unwrap();
    assert!(path.join(SETTINGS_FILE).is_file());
}

#[cfg(unix)]
#[test]
fn all_files_have_the_same_permissions() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    for mode in [Mode::Create, Mode::Update] {
        build_texts(&path, &with_mode(mode), &["one", "two"]).unwrap();
        let mode_of = |name: &String| fs::metadata(path.join(name)).unwrap().permissions().mode();
        let names = entries(&path);
        let names = names.iter().filter(|name| !name.ends_with(".lock"));
        let modes: Vec<_> = names.map(|name| (mode_of(name), name.clone())).collect();
        assert!(
            modes.iter().all(|(mode, _)| *mode == modes[0].0),
            "{modes:?}"
        );
    }
}
