//! Tests which columns an index has, by the columns and options of a query.

use super::super::options::IndexOptions;
use super::super::settings::{IndexSettings, Searched};
use super::super::value::ColumnType;
use super::{URL_AND_DOCUMENT, columns, defaults, names, with_language};

fn choose(with: &[(&str, ColumnType)], options: &IndexOptions) -> Result<IndexSettings, String> {
    let chosen = options.check();
    let chosen = chosen.and_then(|()| IndexSettings::choose(&columns(with), options));
    chosen.map_err(|error| error.to_string())
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
        &defaults(),
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
    let options = IndexOptions {
        id: Some(names("n, a")),
        text: Some(names("c, b")),
        store: Some(names("b")),
        exact: names("a"),
        ..defaults()
    };
    let settings = choose(&with, &options).unwrap();
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
    let id = |name| IndexOptions {
        id: Some(names(name)),
        ..defaults()
    };
    let text = |name| IndexOptions {
        text: Some(names(name)),
        ..defaults()
    };
    let stored = |name| IndexOptions {
        store: Some(names(name)),
        ..defaults()
    };
    let without_stop_words = |mut options: IndexOptions| {
        options.words.stop_words = true;
        options
    };
    type Columns<'a> = &'a [(&'a str, ColumnType)];
    let cases: [(Columns<'_>, IndexOptions, &str); 9] = [
        (
            &[("x", Text), ("text", Text)],
            defaults(),
            "OPTIONS (id 'url'), with a column of x, text",
        ),
        (
            &[("url", Text), ("x", Text)],
            defaults(),
            "OPTIONS (text 'document'), with a column of url, x",
        ),
        (
            &[("url", Text), ("n", Integer)],
            text("n"),
            "'n' is not text",
        ),
        (URL_AND_DOCUMENT, id("uri"), "id: there is no column 'uri'"),
        (
            URL_AND_DOCUMENT,
            without_stop_words(defaults()),
            "needs the option language",
        ),
        (
            URL_AND_DOCUMENT,
            without_stop_words(with_language("greek")),
            "no list of them for greek",
        ),
        (
            &[("url", Text), ("url", Text)],
            defaults(),
            "two columns have the name 'url'",
        ),
        (
            &[("url", Text), ("text", Text), ("score", Integer)],
            defaults(),
            "adds a column 'score'",
        ),
        (
            &[("url", Text), ("text", Text), ("x", Text)],
            stored("text"),
            "'x' would be neither stored nor searched",
        ),
    ];
    for (with, options, part) in cases {
        let error = choose(with, &options).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn settings_survive_writing_and_reading() {
    let mut options = with_language("german");
    options.words.stop_words = true;
    options.id = Some(names("a \"name\""));
    options.text = Some(names("t"));
    let with = [
        ("a \"name\"", ColumnType::Text),
        ("t", ColumnType::Text),
        ("n", ColumnType::Double),
    ];
    let settings = choose(&with, &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    settings.write(folder.path()).unwrap();
    assert_eq!(IndexSettings::read(folder.path()).unwrap(), settings);
}
