//! Options of building an index.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::error::{Result, SearchError};
use super::words::WordRules;

/// The memory that a part fills by default before it writes a segment.
pub const DEFAULT_MEMORY_BYTES: usize = 64 << 20;

/// The default maximum size of merged segments. Larger segments are searched as fast, and merging
/// them costs as much as writing them.
pub const DEFAULT_MERGED_BYTES: u64 = 4 << 30;

/// The useful range of the memory of a part. With less, segments would have only a few documents.
/// With more, numbers inside a segment overflow.
pub const MEMORY_BYTES: RangeInclusive<usize> = 15 << 20..=4 << 30;

/// The treatment of an existing index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// It is an error.
    #[default]
    Create,
    /// The documents are added to it.
    Append,
    /// The documents are added to it, and replace documents with the same ids.
    Update,
    /// It is replaced when the new index is complete.
    Replace,
}

/// The treatment of new documents whose ids are already in the index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// They are an error, and the index is unchanged.
    #[default]
    Refuse,
    /// They are added.
    Keep,
}

/// The options of a build.
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
    /// The rules for words.
    pub words: WordRules,
    /// The treatment of an existing index.
    pub mode: Mode,
    pub duplicates: Duplicates,
    /// The memory of each part, in bytes. [`MEMORY_BYTES`] is the useful range.
    pub memory: usize,
    /// The maximum size of the segments that are merged into one.
    pub merged_bytes: u64,
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
            duplicates: Duplicates::default(),
            memory: DEFAULT_MEMORY_BYTES,
            merged_bytes: DEFAULT_MERGED_BYTES,
            combine: Vec::new(),
        }
    }
}

impl IndexOptions {
    /// Whether any option affects how the columns are indexed.
    pub fn decide_settings(&self) -> bool {
        self.id.is_some()
            || self.text.is_some()
            || self.store.is_some()
            || !self.exact.is_empty()
            || self.words != WordRules::default()
    }

    /// Checks that the options are compatible with each other.
    pub fn check(&self) -> Result<()> {
        match self.words {
            WordRules {
                stop_words: false, ..
            } => Ok(()),
            WordRules { language: None, .. } => Err(SearchError::Settings(
                "stop_words needs the option language, which determines the words".to_owned(),
            )),
            WordRules {
                language: Some(language),
                ..
            } if language.stop_words().is_none() => Err(SearchError::Settings(format!(
                "stop_words: there is no list of them for {}",
                language.name()
            ))),
            _ => Ok(()),
        }
    }
}
