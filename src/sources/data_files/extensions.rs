//! The extensions of tables, without dots: one list for reading, writing and messages.

/// The extensions of Parquet files. The first extension of a format is the usual one.
pub const PARQUET: &[&str] = &["parquet", "pq", "parq"];

/// The extensions of CSV files.
pub const CSV: &[&str] = &["csv", "tsv", "tab"];

/// The extensions of CSV files whose delimiter is a tab.
pub const TABS: &[&str] = &["tsv", "tab"];

/// The extensions of JSON files.
pub const JSON: &[&str] = &["jsonl", "json", "ndjson", "geojson"];

/// The extensions of files of Arrow's IPC format.
pub const ARROW: &[&str] = &["arrow", "feather", "ipc"];

/// The formats, by their names in `STORED AS`.
pub const FORMATS: [(&str, &[&str]); 4] = [
    ("PARQUET", PARQUET),
    ("CSV", CSV),
    ("JSON", JSON),
    ("ARROW", ARROW),
];

/// The extensions of all formats.
pub fn all() -> impl Iterator<Item = &'static str> {
    FORMATS
        .iter()
        .flat_map(|(_, extensions)| extensions.iter().copied())
}

/// Whether files with this extension may be compressed as a whole.
pub fn is_text(extension: &str) -> bool {
    CSV.contains(&extension) || JSON.contains(&extension)
}

/// The function that reads files with this extension.
pub fn function_of(extension: &str) -> Option<&'static str> {
    let functions = [
        (PARQUET, "read_parquet"),
        (CSV, "read_csv"),
        (JSON, "read_json"),
    ];
    let mut functions = functions.into_iter();
    let found = functions.find(|(extensions, _)| extensions.contains(&extension));
    found.map(|(_, function)| function)
}
