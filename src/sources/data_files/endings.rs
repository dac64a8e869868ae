//! The endings of files that are tables, without dots: one list for reading, writing and messages.

/// The endings of Parquet files. The first ending of a format is the usual one.
pub const PARQUET: &[&str] = &["parquet", "pq", "parq"];

/// The endings of CSV files.
pub const CSV: &[&str] = &["csv", "tsv", "tab"];

/// The endings of CSV files whose values have tabs between them.
pub const TABS: &[&str] = &["tsv", "tab"];

/// The endings of JSON files.
pub const JSON: &[&str] = &["jsonl", "json", "ndjson"];

/// The endings of files of Arrow's IPC format.
pub const ARROW: &[&str] = &["arrow", "feather", "ipc"];

/// The formats, by their names in `STORED AS`.
pub const FORMATS: [(&str, &[&str]); 4] = [
    ("PARQUET", PARQUET),
    ("CSV", CSV),
    ("JSON", JSON),
    ("ARROW", ARROW),
];

/// The endings of all formats.
pub fn all() -> impl Iterator<Item = &'static str> {
    FORMATS
        .iter()
        .flat_map(|(_, endings)| endings.iter().copied())
}

/// Whether files with this ending may be compressed as a whole.
pub fn is_text(ending: &str) -> bool {
    CSV.contains(&ending) || JSON.contains(&ending)
}

/// The function that reads files with this ending.
pub fn function_of(ending: &str) -> Option<&'static str> {
    let functions = [
        (PARQUET, "read_parquet"),
        (CSV, "read_csv"),
        (JSON, "read_json"),
    ];
    let mut functions = functions.into_iter();
    let found = functions.find(|(endings, _)| endings.contains(&ending));
    found.map(|(_, function)| function)
}
