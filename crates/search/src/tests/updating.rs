//! Tests documents whose ids are already in the index.

use std::fs;

use super::super::build::IndexBuild;
use super::super::error::Result;
use super::super::find::{Search, SearchOptions};
use super::super::options::{IndexOptions, Mode};
use super::super::value::{ColumnType, Value};
use super::{
    TestIndex, URL_AND_DOCUMENT, build_parts, build_texts, columns, defaults, ids,
    keeping_duplicates, names, with_mode,
};

/// The ids of the hits, in their order.
fn found(made: &TestIndex, query: &str) -> Vec<String> {
    let search = Search::open(&[made.path()]).unwrap();
    let mut ids = ids(&search, query, &SearchOptions::default());
    ids.sort();
    ids
}

#[test]
fn an_update_replaces_documents_with_the_same_id() {
    let made = TestIndex::of(&["first old", "second old", "third old"]);
    let built = build_texts(
        &made.path(),
        &with_mode(Mode::Update),
        &["first new", "second new"],
    );
    let built = built.unwrap();
    assert_eq!(
        (built.documents, built.replaced, built.duplicates),
        (2, 2, 0)
    );
    assert_eq!(built.total, 3);
    assert_eq!(found(&made, "new"), ["0", "1"]);
    assert_eq!(found(&made, "old"), ["2"]);
    assert_eq!(found(&made, "*"), ["0", "1", "2"]);
    // Documents with other ids are added; several rows of an id replace all documents with it.
    let rows: [[Value<'_>; 2]; 3] = [
        [Value::Text("2"), Value::Text("one part")],
        [Value::Text("2"), Value::Text("another part")],
        [Value::Text("9"), Value::Text("ninth")],
    ];
    let parts: [&[&[Value<'_>]]; 2] = [&[&rows[0], &rows[2]], &[&rows[1]]];
    let built = build_parts(
        &made.path(),
        URL_AND_DOCUMENT,
        &with_mode(Mode::Update),
        &parts,
    );
    let built = built.unwrap();
    assert_eq!((built.documents, built.replaced, built.total), (3, 1, 5));
    assert_eq!(found(&made, "part"), ["2", "2"]);
    assert_eq!(found(&made, "old"), Vec::<String>::new());
}

#[test]
fn an_update_without_an_index_creates_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let built = build_texts(&path, &with_mode(Mode::Update), &["a"]).unwrap();
    assert_eq!((built.total, built.replaced), (1, 0));
}

#[test]
fn many_updates_leave_one_document_for_each_id() {
    let made = TestIndex::of(&["text 0"; 30]);
    for run in 1..12 {
        let texts = vec![format!("text {run}"); 30];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let built = build_texts(&made.path(), &with_mode(Mode::Update), &texts).unwrap();
        assert_eq!((built.replaced, built.total), (30, 30));
        assert_eq!(found(&made, &run.to_string()).len(), 30);
        assert_eq!(found(&made, "text").len(), 30);
    }
}

#[test]
fn appended_duplicates_are_refused_or_counted() {
    let made = TestIndex::of(&["old", "old"]);
    let error = build_texts(&made.path(), &with_mode(Mode::Append), &["new"]).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("1 documents of the index have ids of new rows, such as '0'"),
        "{error}"
    );
    assert!(
        error.contains("mode 'update'") && error.contains("duplicates 'keep'"),
        "{error}"
    );
    assert_eq!(found(&made, "*"), ["0", "1"]);
    let built = build_texts(&made.path(), &keeping_duplicates(), &["new"]).unwrap();
    assert_eq!((built.duplicates, built.replaced, built.total), (1, 0, 3));
    assert_eq!(found(&made, "*"), ["0", "0", "1"]);
    // Both are replaced.
    let built = build_texts(&made.path(), &with_mode(Mode::Update), &["newest"]).unwrap();
    assert_eq!((built.replaced, built.total), (2, 2));
}

#[test]
fn ids_of_several_columns_are_compared_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let with = [
        ("url", ColumnType::Text),
        ("page", ColumnType::Integer),
        ("document", ColumnType::Text),
    ];
    let build = |mode, rows: &[(Option<&'static str>, Option<i64>)]| -> Result<_> {
        let options = IndexOptions {
            id: Some(names("url, page")),
            ..with_mode(mode)
        };
        let rows: Vec<[Value<'_>; 3]> = rows
            .iter()
            .map(|(url, page)| {
                let url = url.map_or(Value::Null, Value::Text);
                let page = page.map_or(Value::Null, Value::Integer);
                [url, page, Value::Text("text")]
            })
            .collect();
        let rows: Vec<&[Value<'_>]> = rows.iter().map(|row| row.as_slice()).collect();
        build_parts(&path, &with, &options, &[&rows])
    };
    build(
        Mode::Create,
        &[(Some("a"), Some(1)), (Some("a"), None), (None, None)],
    )
    .unwrap();
    build(
        Mode::Append,
        &[(Some("a"), Some(2)), (Some("b"), Some(1)), (None, None)],
    )
    .unwrap();
    for (page, id) in [(Some(2), "a, 2"), (None, "a, NULL")] {
        let error = build(Mode::Append, &[(Some("a"), page)]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(&format!("such as '{id}'")), "{error}");
    }
    let built = build(Mode::Update, &[(Some("a"), Some(1)), (Some("a"), None)]).unwrap();
    assert_eq!((built.replaced, built.total), (2, 6));
}

#[test]
fn an_update_that_is_not_finished_changes_nothing() {
    let made = TestIndex::of(&["old", "old"]);
    let begin = || {
        let columns = columns(URL_AND_DOCUMENT);
        IndexBuild::begin(&made.path(), &columns, &with_mode(Mode::Update)).unwrap()
    };
    // As after a kill: the segments are written, but not committed.
    let build = begin();
    let mut part = build.part();
    part.add(&[Value::Text("0"), Value::Text("new")]).unwrap();
    let finished = part.finish().unwrap();
    std::mem::forget(finished);
    drop(build);
    assert_eq!(found(&made, "old"), ["0", "1"]);
    assert_eq!(found(&made, "new"), Vec::<String>::new());
    // The next run removes its files.
    build_texts(&made.path(), &with_mode(Mode::Update), &["new"]).unwrap();
    assert_eq!(found(&made, "new"), ["0"]);
    let stores = fs::read_dir(made.path()).unwrap();
    let stores = stores.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".store")
    });
    assert_eq!(stores.count(), 2);
}

#[test]
fn combined_indexes_report_their_duplicates() {
    let (first, second) = (TestIndex::of(&["a", "b"]), TestIndex::of(&["c"]));
    let options = IndexOptions {
        combine: vec![first.path(), second.path()],
        ..defaults()
    };
    let target = first.folder.path().join("both");
    let built = build_parts(&target, URL_AND_DOCUMENT, &options, &[]).unwrap();
    assert_eq!((built.duplicates, built.total), (1, 3));
    let update = IndexOptions {
        mode: Mode::Update,
        ..options
    };
    let error = build_parts(&target, URL_AND_DOCUMENT, &update, &[]).unwrap_err();
    assert!(error.to_string().contains("combine"), "{error}");
}
