//! Tests whole indexes: built in a temporary folder, searched, extended, damaged.

mod building;
mod choosing;
mod damage;
mod fields;
mod finding;
mod language;
mod remote;
mod snippets;
mod updating;

use std::path::{Path, PathBuf};

use super::build::{Built, IndexBuild};
use super::error::Result;
use super::find::{Search, SearchOptions};
use super::options::{Duplicates, IndexOptions, Mode};
use super::value::{ColumnType, StoredValue, Value};
use super::words::{Language, WordRules};

pub const URL_AND_DOCUMENT: &[(&str, ColumnType)] =
    &[("url", ColumnType::Text), ("document", ColumnType::Text)];

pub fn columns(columns: &[(&str, ColumnType)]) -> Vec<(String, ColumnType)> {
    let columns = columns.iter();
    columns
        .map(|(name, kind)| ((*name).to_owned(), *kind))
        .collect()
}

/// The default options.
pub fn defaults() -> IndexOptions {
    IndexOptions::default()
}

pub fn with_mode(mode: Mode) -> IndexOptions {
    IndexOptions { mode, ..defaults() }
}

/// The options that add documents, whatever their ids are.
pub fn keeping_duplicates() -> IndexOptions {
    IndexOptions {
        duplicates: Duplicates::Keep,
        ..with_mode(Mode::Append)
    }
}

pub fn with_language(name: &str) -> IndexOptions {
    let language = Language::named(name);
    assert!(language.is_some());
    IndexOptions {
        words: WordRules {
            language,
            stop_words: false,
        },
        ..defaults()
    }
}

/// Splits column names at commas.
pub fn names(text: &str) -> Vec<String> {
    text.split(',').map(|name| name.trim().to_owned()).collect()
}

/// Builds an index with one part for each list of rows.
pub fn build_parts(
    folder: &Path,
    with: &[(&str, ColumnType)],
    options: &IndexOptions,
    parts: &[&[&[Value<'_>]]],
) -> Result<Built> {
    let build = IndexBuild::begin(folder, &columns(with), options)?;
    let mut finished = Vec::new();
    for rows in parts {
        let mut part = build.part();
        for row in *rows {
            part.add(row)?;
        }
        finished.push(part.finish()?);
    }
    build.finish(finished)
}

/// Builds an index of texts whose URLs are their numbers.
pub fn build_texts(folder: &Path, options: &IndexOptions, texts: &[&str]) -> Result<Built> {
    let urls: Vec<String> = (0..texts.len()).map(|at| format!("{at}")).collect();
    let rows: Vec<[Value<'_>; 2]> = urls
        .iter()
        .zip(texts)
        .map(|(url, text)| [Value::Text(url), Value::Text(text)])
        .collect();
    let rows: Vec<&[Value<'_>]> = rows.iter().map(|row| row.as_slice()).collect();
    build_parts(folder, URL_AND_DOCUMENT, options, &[&rows])
}

/// An index in a temporary folder, which is removed with it.
pub struct TestIndex {
    pub folder: tempfile::TempDir,
    pub search: Search,
}

impl TestIndex {
    pub fn of(texts: &[&str]) -> Self {
        Self::with(&defaults(), texts)
    }

    pub fn with(options: &IndexOptions, texts: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("idx");
        build_texts(&path, options, texts).unwrap();
        let search = Search::open(&[path]).unwrap();
        Self { folder, search }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("idx")
    }

    /// The ids of the hits in the order of the ids.
    pub fn ids(&self, query: &str) -> Vec<String> {
        let mut ids = self.ranked(query, &SearchOptions::default());
        ids.sort();
        ids
    }

    pub fn ranked(&self, query: &str, options: &SearchOptions) -> Vec<String> {
        ids(&self.search, query, options)
    }

    pub fn error(&self, query: &str) -> String {
        match self.search.find(query, &SearchOptions::default()) {
            Ok(hits) => panic!("{query} found {}", hits.len()),
            Err(error) => error.to_string(),
        }
    }

    pub fn snippet(&self, query: &str, options: &SearchOptions) -> String {
        let mut hits = self.search.find(query, options).unwrap();
        hits.row(0, &[], true).unwrap().unwrap().snippet.unwrap()
    }
}

/// The ids of hits, best first.
pub fn ids(search: &Search, query: &str, options: &SearchOptions) -> Vec<String> {
    let id = search.settings().ids.clone();
    let mut hits = search.find(query, options).unwrap();
    let mut ids = Vec::new();
    while let Some(row) = hits.row(ids.len(), &id, false).unwrap() {
        let parts = row.values.iter().map(|value| match value {
            StoredValue::Text(text) => text.clone(),
            other => format!("{other:?}"),
        });
        ids.push(parts.collect::<Vec<_>>().join("#"));
    }
    ids
}
