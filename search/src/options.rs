//! The options of `COPY … STORED AS SEARCH_INDEX`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::{Result, SearchError};
use super::locations;
use super::words::{Language, WordRules};

/// The memory that a part may fill before it writes a segment.
const DEFAULT_MEMORY: usize = 64 << 20;

/// With less, segments would have only a few documents.
const MIN_MEMORY: usize = 16 << 20;

/// With more, numbers inside a segment overflow.
const MAX_MEMORY: usize = 4 << 30;

const OPTIONS: &str = "id, text, exact, store, language, stop_words, mode, memory, combine";

/// What happens to an existing index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// It is an error.
    #[default]
    Create,
    /// The documents are added to it.
    Append,
    /// It stays until the new one is complete.
    Replace,
}

#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// The columns that identify a document.
    pub id: Option<Vec<String>>,
    /// The columns whose words are searched.
    pub text: Option<Vec<String>>,
    /// The columns whose values are searched as a whole.
    pub exact: Vec<String>,
    /// The columns that hits return; all by default.
    pub store: Option<Vec<String>>,
    pub words: WordRules,
    pub mode: Mode,
    /// The memory of each part, in bytes.
    pub memory: usize,
    /// The indexes whose documents are included.
    pub combine: Vec<PathBuf>,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            id: None,
            text: None,
            exact: Vec::new(),
            store: None,
            words: WordRules::default(),
            mode: Mode::default(),
            memory: DEFAULT_MEMORY,
            combine: Vec::new(),
        }
    }
}

impl IndexOptions {
    pub fn parse(pairs: &BTreeMap<String, String>) -> Result<Self> {
        let mut options = Self::default();
        for (name, value) in pairs {
            let value = value.trim();
            match name.as_str() {
                "id" => options.id = Some(names(value)),
                "text" => options.text = Some(names(value)),
                "exact" => options.exact = names(value),
                "store" => options.store = stored(value),
                "language" => options.words.language = language(value)?,
                "stop_words" => options.words.stop_words = stop_words(value)?,
                "mode" => options.mode = mode(value)?,
                "memory" => options.memory = memory(value)?,
                "combine" => options.combine = locations::resolve(value)?,
                _ => {
                    return Err(SearchError::Settings(format!(
                        "a search index has no option '{name}'; there are: {OPTIONS}"
                    )));
                }
            }
        }
        options.check_stop_words()?;
        Ok(options)
    }

    /// Whether any option decides what happens to the columns.
    pub fn decide_settings(&self) -> bool {
        self.id.is_some()
            || self.text.is_some()
            || self.store.is_some()
            || !self.exact.is_empty()
            || self.words != WordRules::default()
    }

    fn check_stop_words(&self) -> Result<()> {
        let words = self.words;
        if !words.stop_words {
            return Ok(());
        }
        match words.language {
            Some(language) if language.stop_words().is_some() => Ok(()),
            Some(language) => Err(SearchError::Settings(format!(
                "stop_words: there is no list of them for {}",
                language.name()
            ))),
            None => Err(SearchError::Settings(
                "stop_words needs the option language, which says whose words they are".to_owned(),
            )),
        }
    }
}

/// Splits names at commas.
fn names(value: &str) -> Vec<String> {
    value
        .split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

fn stored(value: &str) -> Option<Vec<String>> {
    match value {
        "all" => None,
        "none" => Some(Vec::new()),
        _ => Some(names(value)),
    }
}

fn language(value: &str) -> Result<Option<Language>> {
    if value.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    Language::named(value).map(Some).ok_or_else(|| {
        SearchError::Settings(format!(
            "language '{value}' is not known; there are: none, {}",
            Language::names()
        ))
    })
}

fn stop_words(value: &str) -> Result<bool> {
    match value.to_ascii_lowercase().as_str() {
        // Stop words are removed from the index.
        "remove" | "true" => Ok(true),
        "keep" | "false" => Ok(false),
        _ => Err(SearchError::Settings(format!(
            "stop_words is 'keep' (as it is without the option) or 'remove', not '{value}'"
        ))),
    }
}

fn mode(value: &str) -> Result<Mode> {
    match value.to_ascii_lowercase().as_str() {
        "create" => Ok(Mode::Create),
        "append" => Ok(Mode::Append),
        "replace" => Ok(Mode::Replace),
        _ => Err(SearchError::Settings(format!(
            "mode is 'create', 'append' or 'replace', not '{value}'"
        ))),
    }
}

/// Parses a number of bytes, or a number with MB or GB.
fn memory(value: &str) -> Result<usize> {
    let upper = value.to_ascii_uppercase();
    let units = [
        ("GB", 1usize << 30),
        ("MB", 1 << 20),
        ("KB", 1 << 10),
        ("B", 1),
        ("", 1),
    ];
    let parsed = units.iter().find_map(|(unit, factor)| {
        let number = upper.strip_suffix(unit)?.trim().parse::<usize>().ok()?;
        number.checked_mul(*factor)
    });
    match parsed {
        Some(bytes) if (MIN_MEMORY..=MAX_MEMORY).contains(&bytes) => Ok(bytes),
        _ => Err(SearchError::Settings(format!(
            "memory is between '16 MB' and '4 GB' for each part, not '{value}'"
        ))),
    }
}
