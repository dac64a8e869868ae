//! Tests columns of all types, in queries and in results.

use super::super::find::{Search, SearchOptions};
use super::super::options::IndexOptions;
use super::super::value::{ColumnType, StoredValue, Value};
use super::{TestIndex, build_parts, defaults, names};

pub fn typed() -> TestIndex {
    use ColumnType::{Boolean, Double, Integer, Text, Timestamp};
    let columns = [
        ("url", Text),
        ("title", Text),
        ("document", Text),
        ("lang", Text),
        ("pages", Integer),
        ("share", Double),
        ("ok", Boolean),
        ("date", Timestamp),
    ];
    let day = 86_400_000_000;
    let row = |url, title, text, lang, pages, share, ok: Option<bool>, date| {
        [
            Value::Text(url),
            Value::Text(title),
            text,
            Value::Text(lang),
            Value::Integer(pages),
            Value::Double(share),
            ok.map_or(Value::Null, |ok| Value::Integer(i64::from(ok))),
            Value::Integer(date),
        ]
    };
    // 2020-01-01, 2020-02-01, and noon of 2021-06-15.
    let rows = [
        row(
            "http://a/1",
            "Cats",
            Value::Text("about dogs"),
            "en",
            -5,
            0.5,
            Some(true),
            18_262 * day,
        ),
        row(
            "http://a/2",
            "Dogs",
            Value::Text("about cats"),
            "en",
            7,
            1.5,
            Some(false),
            18_293 * day,
        ),
        row(
            "http://b/3",
            "Katzen",
            Value::Null,
            "de",
            12,
            -2.0,
            None,
            18_793 * day + day / 2,
        ),
    ];
    let rows: Vec<&[Value<'_>]> = rows.iter().map(|row| row.as_slice()).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let options = IndexOptions {
        exact: names("lang"),
        ..defaults()
    };
    build_parts(&path, &columns, &options, &[&rows]).unwrap();
    let search = Search::open(&[path]).unwrap();
    TestIndex { folder, search }
}

#[test]
fn fields_name_columns() {
    let made = typed();
    assert_eq!(made.ids("cats"), ["http://a/1", "http://a/2"]);
    assert_eq!(made.ids("title:cats"), ["http://a/1"]);
    assert_eq!(made.ids("document:cats"), ["http://a/2"]);
    assert_eq!(
        made.ids("TITLE:(cats OR dogs)"),
        ["http://a/1", "http://a/2"]
    );
    assert_eq!(made.ids("title:kat*"), ["http://b/3"]);
    assert_eq!(made.ids("lang:de"), ["http://b/3"]);
    assert_eq!(made.ids("cats lang:en -title:cats"), ["http://a/2"]);
    assert_eq!(made.ids("url:http://a/*"), ["http://a/1", "http://a/2"]);
    assert_eq!(made.ids("url:\"http://b/3\""), ["http://b/3"]);
    assert_eq!(made.ids("url:http://a"), Vec::<String>::new());
    assert_eq!(
        made.ids("url:[http://a/2 TO *]"),
        ["http://a/2", "http://b/3"]
    );
}

#[test]
fn values_and_ranges_are_found() {
    let made = typed();
    assert_eq!(made.ids("pages:7"), ["http://a/2"]);
    assert_eq!(made.ids("pages:-5"), ["http://a/1"]);
    assert_eq!(made.ids("pages:[-5 TO 7]"), ["http://a/1", "http://a/2"]);
    assert_eq!(made.ids("pages:{-5 TO 7]"), ["http://a/2"]);
    assert_eq!(made.ids("pages:>7"), ["http://b/3"]);
    assert_eq!(made.ids("pages:<=7"), ["http://a/1", "http://a/2"]);
    assert_eq!(made.ids("share:<0"), ["http://b/3"]);
    assert_eq!(made.ids("share:[0.5 TO 1.5}"), ["http://a/1"]);
    assert_eq!(made.ids("ok:true"), ["http://a/1"]);
    assert_eq!(made.ids("ok:*"), ["http://a/1", "http://a/2"]);
    assert_eq!(made.ids("-ok:*"), ["http://b/3"]);
    assert_eq!(made.ids("date:2020"), ["http://a/1", "http://a/2"]);
    assert_eq!(made.ids("date:2020-02"), ["http://a/2"]);
    assert_eq!(made.ids("date:2021-06-15"), ["http://b/3"]);
    assert_eq!(made.ids("date:\"2021-06-15 12:00:00\""), ["http://b/3"]);
    assert_eq!(made.ids("date:2021-06-15T14:00:00+02:00"), ["http://b/3"]);
    assert_eq!(made.ids("date:2021-06-15T12:00:01Z"), Vec::<String>::new());
    assert_eq!(
        made.ids("date:[2020-02-01 TO 2021]"),
        ["http://a/2", "http://b/3"]
    );
    assert_eq!(made.ids("date:>2020"), ["http://b/3"]);
    assert_eq!(made.ids("date:<2020-02"), ["http://a/1"]);
}

#[test]
fn stored_values_are_returned_unchanged() {
    let made = typed();
    let columns: Vec<usize> = made.search.columns().iter().map(|(at, _)| *at).collect();
    assert_eq!(columns, [0, 1, 2, 3, 4, 5, 6, 7]);
    let mut hits = made
        .search
        .find("katzen", &SearchOptions::default())
        .unwrap();
    let row = hits.row(0, &columns, true).unwrap().unwrap();
    let text = |text: &str| StoredValue::Text(text.to_owned());
    assert_eq!(
        row.values,
        [
            text("http://b/3"),
            text("Katzen"),
            StoredValue::Null,
            text("de"),
            StoredValue::Integer(12),
            StoredValue::Double(-2.0),
            StoredValue::Null,
            StoredValue::Integer(18_793 * 86_400_000_000 + 43_200_000_000),
        ]
    );
    assert!(row.score > 0.0);
    assert_eq!(row.snippet.unwrap(), "<b>Katzen</b>");
    assert_eq!(hits.row(1, &columns, true).unwrap(), None);
}

#[test]
fn errors_list_what_exists() {
    let made = typed();
    let error = made.error("cats author:x");
    assert!(
        error.starts_with("query, character 6: the index has no field 'author'"),
        "{error}"
    );
    assert!(
        error.contains("url, title, document, lang, pages"),
        "{error}"
    );
    assert!(made.error("pages:many").contains("expects an integer"));
    assert!(made.error("pages:1*").contains("without *"));
    assert!(made.error("ok:maybe").contains("true or false"));
    assert!(made.error("date:yesterday").contains("2024-05-31"));
    assert!(made.error("title:[a TO b]").contains("not by ranges"));
    assert!(made.error("title:*").contains("not by ranges"));
    assert!(made.error("lang:e~1").contains("without ~"));
    assert!(made.error("").contains("the query is empty"));
    assert!(made.error("?!").contains("no word"));
    assert!(made.error("e-mail~1").contains("one word"));
    let options = IndexOptions {
        id: Some(names("url")),
        text: Some(names("document")),
        ..defaults()
    };
    let made = TestIndex::with(&options, &["x"]);
    assert!(made.error("\"").contains("closing"));
}

#[test]
fn a_field_that_is_only_stored_cannot_be_queried() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let columns = [
        ("url", ColumnType::Text),
        ("document", ColumnType::Text),
        ("server", ColumnType::Text),
    ];
    let row = [Value::Text("u"), Value::Text("d"), Value::Text("nginx")];
    build_parts(&path, &columns, &defaults(), &[&[&row]]).unwrap();
    let search = Search::open(&[path]).unwrap();
    let error = search.find("server:nginx", &SearchOptions::default());
    let error = error.err().unwrap().to_string();
    assert!(error.contains("stored, but not searched"), "{error}");
}
