//! Tests which columns an index has, by the columns and options of a query.

use super::super::options::IndexOptions;
use super::super::settings::{IndexSettings, Searched};
use super::super::value::ColumnType;
use super::{URL_AND_DOCUMENT, columns, pairs};

fn choose(with: &[(&str, ColumnType)], options: &[(&str, &str)]) -> Result<IndexSettings, String> {
    let options = IndexOptions::parse(&pairs(options)).map_err(|error| error.to_string())?;
    IndexSettings::choose(&columns(with), &options).map_err(|error| error.to_string())
}

#[test]
fn columns_are_chosen_by_name() {
    use ColumnType::{Integer, Text};
    let settings = choose(
        &[
            ("title", Text),
            ("lang", Text),
            ("url", Text),
            ("document", Text),
            ("n", Integer),
        ],
        &[],
    )
    .unwrap();
    assert_eq!(settings.ids, [2]);
    assert_eq!(settings.texts, [3, 0]);
    let searched: Vec<_> = settings
        .columns
        .iter()
        .map(|column| column.searched)
        .collect();
    use Searched::{Exact, No, Words};
    assert_eq!(searched, [Words, No, Exact, Words, Exact]);
    assert!(settings.columns.iter().all(|column| column.stored));
}

#[test]
fn options_choose_columns() {
    use ColumnType::{Integer, Text};
    let with = [("a", Text), ("b", Text), ("c", Text), ("n", Integer)];
    let settings = choose(
        &with,
        &[
            ("id", "n, a"),
            ("text", "c,b"),
            ("store", "b"),
            ("exact", "a"),
        ],
    )
    .unwrap();
    assert_eq!(settings.ids, [3, 0]);
    assert_eq!(settings.texts, [2, 1]);
    let stored: Vec<_> = settings
        .columns
        .iter()
        .map(|column| column.stored)
        .collect();
    // Ids are always stored.
    assert_eq!(stored, [true, true, false, true]);
}

#[test]
fn errors_about_columns_and_options_say_what_to_do() {
    use ColumnType::{Integer, Text};
    type Pairs<'a, T> = &'a [(&'a str, T)];
    let cases: &[(Pairs<'_, ColumnType>, Pairs<'_, &str>, &str)] = &[
        (
            &[("x", Text), ("text", Text)],
            &[],
            "OPTIONS (id 'url'), with a column of x, text",
        ),
        (
            &[("url", Text), ("x", Text)],
            &[],
            "OPTIONS (text 'document'), with a column of url, x",
        ),
        (
            &[("url", Text), ("n", Integer)],
            &[("text", "n")],
            "'n' is not text",
        ),
        (
            URL_AND_DOCUMENT,
            &[("id", "uri")],
            "id: there is no column 'uri'",
        ),
        (
            URL_AND_DOCUMENT,
            &[("language", "klingon")],
            "english, finnish",
        ),
        (
            URL_AND_DOCUMENT,
            &[("stop_words", "remove")],
            "needs the option language",
        ),
        (
            URL_AND_DOCUMENT,
            &[("language", "greek"), ("stop_words", "remove")],
            "no list of them for greek",
        ),
        (
            URL_AND_DOCUMENT,
            &[("mode", "overwrite")],
            "'create', 'append' or 'replace'",
        ),
        (
            URL_AND_DOCUMENT,
            &[("memory", "1 MB")],
            "between '16 MB' and '4 GB'",
        ),
        (
            URL_AND_DOCUMENT,
            &[("memory", "99999999999999999999 GB")],
            "between",
        ),
        (URL_AND_DOCUMENT, &[("columns", "x")], "there are: id, text"),
        (
            &[("url", Text), ("url", Text)],
            &[],
            "two columns have the name 'url'",
        ),
        (
            &[("url", Text), ("text", Text), ("score", Integer)],
            &[],
            "adds a column 'score'",
        ),
        (
            &[("url", Text), ("text", Text), ("x", Text)],
            &[("store", "text")],
            "'x' would be neither stored nor searched",
        ),
    ];
    for (with, options, part) in cases {
        let error = choose(with, options).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn memory_is_parsed_with_its_unit() {
    let memory = |value: &str| {
        IndexOptions::parse(&pairs(&[("memory", value)]))
            .unwrap()
            .memory
    };
    assert_eq!(memory("128 MB"), 128 << 20);
    assert_eq!(memory("1gb"), 1 << 30);
    assert_eq!(memory("20000000"), 20_000_000);
}

#[test]
fn settings_survive_writing_and_reading() {
    let settings = choose(
        &[
            ("a \"name\"", ColumnType::Text),
            ("t", ColumnType::Text),
            ("n", ColumnType::Double),
        ],
        &[
            ("id", "a \"name\""),
            ("text", "t"),
            ("language", "german"),
            ("stop_words", "remove"),
        ],
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    settings.write(folder.path()).unwrap();
    assert_eq!(IndexSettings::read(folder.path()).unwrap(), settings);
}
