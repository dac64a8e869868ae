//! Arbitrary text as a query of the search index: the search terminates, and mistakes are errors
//! with a position.

#![no_main]

use std::sync::LazyLock;

use corpus_search::{
    ColumnType, IndexBuild, IndexOptions, Operator, Search, SearchError, SearchOptions, Value,
};
use libfuzzer_sys::fuzz_target;

const TEXTS: [&str; 4] = [
    "A great flood covered the plain.",
    "日本語の全文検索",
    "Straße, café; naïve coöperation",
    "a b c a b c",
];

static SEARCH: LazyLock<Search> = LazyLock::new(|| {
    let name = format!("corpus-search-fuzz-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let columns = [
        ("url", ColumnType::Text),
        ("document", ColumnType::Text),
        ("number", ColumnType::Integer),
        ("day", ColumnType::Timestamp),
    ];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind));
    let build = IndexBuild::begin(&folder, &columns, &IndexOptions::default()).unwrap();
    let mut part = build.part();
    for (number, text) in TEXTS.iter().enumerate() {
        let (url, number) = (format!("{number}.html"), number as i64);
        let row = [
            Value::Text(&url),
            Value::Text(text),
            Value::Integer(number),
            Value::Integer(number << 50),
        ];
        part.add(&row).unwrap();
    }
    let part = part.finish().unwrap();
    build.finish(vec![part]).unwrap();
    let search = Search::open(&[folder.clone()]).unwrap();
    // The mapped files stay readable.
    std::fs::remove_dir_all(folder).unwrap();
    search
});

fuzz_target!(|query: &str| {
    for operator in [Operator::And, Operator::Or] {
        let mut options = SearchOptions::default();
        options.operator = operator;
        match SEARCH.find(query, &options) {
            Ok(hits) => {
                assert!(hits.len() <= TEXTS.len());
                hits.rows().for_each(|row| assert!(row.is_ok()));
            }
            Err(SearchError::Query { position, .. }) => {
                assert!((1..=query.chars().count() + 1).contains(&position));
            }
            Err(error) => panic!("{error}"),
        }
    }
});
