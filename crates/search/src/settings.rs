//! The settings of an index: its columns, and how each is indexed. They are stored in the folder of
//! the index, so that a search treats its query in the same way as the texts.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value as Json, json};
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

use super::checksums::text as checksum;
use super::error::{Result, SearchError};
use super::options::IndexOptions;
use super::value::ColumnType;
use super::words::{Language, WordRules};

/// The file of the settings. A folder without it is not an index of ours.
pub const SETTINGS_FILE: &str = "corpus-search.json";

/// The version of the folder's format. It increases when a change makes new folders unreadable for
/// older programs.
const FORMAT: u64 = 1;

/// The key of the checksum of the settings.
const SEAL: &str = "checksum";

/// Usual names of columns that identify a document, the most specific first.
const ID_NAMES: &[&str] = &[
    "id",
    "url",
    "uri",
    "target_uri",
    "path",
    "source_file",
    "file",
    "key",
    "name",
];

/// Usual names of text columns to search, the longest texts first.
const TEXT_NAMES: &[&str] = &[
    "document",
    "text",
    "content",
    "body",
    "main_text",
    "page_text",
    "title",
    "description",
];

/// The columns that every search returns.
pub const SCORE: &str = "score";
pub const SNIPPET: &str = "snippet";

/// The kinds of search on a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searched {
    No,
    /// By its words.
    Words,
    /// By the whole value, its beginning, or a range.
    Exact,
}

const SEARCHED: &[(Searched, &str)] = &[
    (Searched::No, "no"),
    (Searched::Words, "words"),
    (Searched::Exact, "exact"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: ColumnType,
    pub searched: Searched,
    pub stored: bool,
}

/// The settings of an index.
#[derive(Debug, Clone)]
pub struct IndexSettings {
    /// The columns, in the order of the query that made the index.
    pub columns: Vec<Column>,
    /// Indexes into `columns` of the columns that identify a document.
    pub ids: Vec<usize>,
    /// Indexes into `columns` of the columns that are searched unless a query names a field.
    pub texts: Vec<usize>,
    pub words: WordRules,
    /// Whether the index was built with a file of checksums. Older versions wrote none.
    pub has_sums: bool,
}

/// Settings are equal if they treat columns and words in the same way.
impl PartialEq for IndexSettings {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns
            && self.ids == other.ids
            && self.texts == other.texts
            && self.words == other.words
    }
}

impl IndexSettings {
    /// Decides how the columns of a query are indexed.
    pub fn choose(columns: &[(String, ColumnType)], options: &IndexOptions) -> Result<Self> {
        let all = Names(columns);
        all.check()?;
        let ids = match &options.id {
            Some(names) => all.indexes("id", names)?,
            None => all.first_known(ID_NAMES).into_iter().collect(),
        };
        if ids.is_empty() {
            return Err(all.missing("id", "which document a hit is", "url"));
        }
        let texts = match &options.text {
            Some(names) => all.indexes("text", names)?,
            None => all.all_known(TEXT_NAMES, &ids),
        };
        if texts.is_empty() {
            return Err(all.missing("text", "the columns to be searched", "document"));
        }
        if let Some(at) = texts.iter().find(|at| all.kind(**at) != ColumnType::Text) {
            return Err(SearchError::Settings(format!(
                "text: the column '{}' is not text",
                all.0[*at].0
            )));
        }
        let exact = all.indexes("exact", &options.exact)?;
        let stored = match &options.store {
            Some(names) => Some(all.indexes("store", names)?),
            None => None,
        };
        let columns = columns.iter().enumerate().map(|(at, (name, kind))| Column {
            name: name.clone(),
            kind: *kind,
            searched: match kind {
                ColumnType::Text if texts.contains(&at) => Searched::Words,
                ColumnType::Text if !ids.contains(&at) && !exact.contains(&at) => Searched::No,
                _ => Searched::Exact,
            },
            stored: ids.contains(&at) || stored.as_ref().is_none_or(|stored| stored.contains(&at)),
        });
        let settings = Self {
            columns: columns.collect(),
            ids,
            texts,
            words: options.words,
            has_sums: true,
        };
        settings.check_use()?;
        Ok(settings)
    }

    /// Rejects a column that is neither searched nor stored, which must be a mistake.
    fn check_use(&self) -> Result<()> {
        let useless = |column: &&Column| !column.stored && column.searched == Searched::No;
        match self.columns.iter().find(useless) {
            Some(column) => Err(SearchError::Settings(format!(
                "the column '{}' would be neither stored nor searched: name it in one of the \
                 options store, text and exact, or leave it out of the query",
                column.name
            ))),
            None => Ok(()),
        }
    }

    /// Returns Tantivy's schema. The name of a field is the index of its column.
    pub fn schema(&self) -> Schema {
        let mut schema = Schema::builder();
        for (at, column) in self.columns.iter().enumerate() {
            // SQL allows any name, Tantivy does not.
            let name = field_name(at);
            match column.kind {
                ColumnType::Text => schema.add_text_field(&name, self.text_options(at, column)),
                ColumnType::Integer | ColumnType::Boolean | ColumnType::Timestamp => {
                    schema.add_i64_field(&name, number_options(column))
                }
                ColumnType::Double => schema.add_f64_field(&name, number_options(column)),
            };
        }
        schema.build()
    }

    fn text_options(&self, at: usize, column: &Column) -> TextOptions {
        let mut options = TextOptions::default();
        if column.stored {
            options = options.set_stored();
        }
        if column.searched == Searched::Words {
            let words = TextFieldIndexing::default()
                .set_tokenizer(&self.words.tokenizer_name())
                .set_index_option(IndexRecordOption::WithFreqsAndPositions);
            options = options.set_indexing_options(words);
        }
        // Hits with the same score are ordered by their ids.
        if column.searched == Searched::Exact || self.ids.contains(&at) {
            options = options.set_fast("raw");
        }
        options
    }

    /// Returns the indexes of the stored columns, the ids first.
    pub fn shown_columns(&self) -> Vec<usize> {
        let ids = self.ids.iter().copied();
        let others = (0..self.columns.len()).filter(|at| !self.ids.contains(at));
        ids.chain(others)
            .filter(|at| self.columns[*at].stored)
            .collect()
    }

    /// Finds a column by its name, as SQL compares names: exactly, or else ignoring case.
    pub fn find(&self, name: &str) -> Option<usize> {
        let by = |same: &dyn Fn(&str) -> bool| self.columns.iter().position(|c| same(&c.name));
        by(&|known| known == name).or_else(|| by(&|known| known.eq_ignore_ascii_case(name)))
    }

    /// Returns the names of the columns that a query can name.
    pub fn searchable(&self) -> String {
        let names: Vec<_> = self
            .columns
            .iter()
            .filter(|column| column.searched != Searched::No)
            .map(|column| column.name.as_str())
            .collect();
        names.join(", ")
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(SETTINGS_FILE);
        let json = checksum::seal(&format!("{:#}\n", self.to_json()), SEAL);
        let written = fs::File::create(&path).and_then(|mut file| {
            io::Write::write_all(&mut file, json.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|error| SearchError::io(&path, error))
    }

    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(SETTINGS_FILE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(_) if !folder.exists() => {
                return Err(SearchError::index(
                    folder,
                    "there is no such folder; COPY (SELECT …) TO '…' STORED AS SEARCH_INDEX makes \
                     an index",
                ));
            }
            Err(_) if !folder.is_dir() => {
                return Err(SearchError::index(
                    folder,
                    "a search index is a folder, and this is a file",
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(SearchError::index(
                    folder,
                    format!(
                        "this folder is not a search index (it has no {SETTINGS_FILE}); COPY \
                         (SELECT …) TO '…' STORED AS SEARCH_INDEX makes one"
                    ),
                ));
            }
            Err(error) => return Err(SearchError::io(&path, error)),
        };
        Self::parse(folder, &text)
    }

    /// Parses the content of the settings file. `folder` is the index, for messages.
    pub fn parse(folder: &Path, text: &[u8]) -> Result<Self> {
        let damaged = || {
            let message = format!("{SETTINGS_FILE} is damaged: build the index again");
            SearchError::index(folder, message)
        };
        let text = std::str::from_utf8(text).map_err(|_| damaged())?;
        let json: Json = serde_json::from_str(text).map_err(|_| damaged())?;
        match json.get("format").and_then(Json::as_u64) {
            Some(format) if format > FORMAT => {
                return Err(SearchError::index(
                    folder,
                    format!(
                        "the index has format {format}, of a newer version of this program, which \
                         reads up to {FORMAT}: update the program, or build the index again"
                    ),
                ));
            }
            Some(_) if checksum::is_intact(text, SEAL) != Some(false) => {}
            Some(_) | None => return Err(damaged()),
        }
        Self::from_json(&json).ok_or_else(damaged)
    }

    fn to_json(&self) -> Json {
        let column = |column: &Column| {
            json!({
                "name": column.name,
                "type": column.kind.name(),
                "searched": searched_name(column.searched),
                "stored": column.stored,
            })
        };
        let mut json = Map::new();
        json.insert("format".to_owned(), json!(FORMAT));
        json.insert(SEAL.to_owned(), json!(checksum::OPEN));
        json.insert("sums".to_owned(), json!(self.has_sums));
        json.insert(
            "columns".to_owned(),
            self.columns.iter().map(column).collect(),
        );
        json.insert("id".to_owned(), json!(self.ids));
        json.insert("text".to_owned(), json!(self.texts));
        let language = self.words.language.map(|language| language.name());
        json.insert("language".to_owned(), json!(language));
        json.insert("stop_words".to_owned(), json!(self.words.stop_words));
        Json::Object(json)
    }

    fn from_json(json: &Json) -> Option<Self> {
        let columns: Vec<Column> = json
            .get("columns")?
            .as_array()?
            .iter()
            .map(|column| {
                let searched = column.get("searched")?.as_str()?;
                Some(Column {
                    name: column.get("name")?.as_str()?.to_owned(),
                    kind: ColumnType::named(column.get("type")?.as_str()?)?,
                    searched: SEARCHED.iter().find(|(_, name)| *name == searched)?.0,
                    stored: column.get("stored")?.as_bool()?,
                })
            })
            .collect::<Option<_>>()?;
        let indexes = |name: &str| -> Option<Vec<usize>> {
            let index = |index: &Json| {
                let index = usize::try_from(index.as_u64()?).ok()?;
                (index < columns.len()).then_some(index)
            };
            json.get(name)?.as_array()?.iter().map(index).collect()
        };
        let language = match json.get("language")? {
            Json::Null => None,
            name => Some(Language::named(name.as_str()?)?),
        };
        Some(Self {
            ids: indexes("id")?,
            texts: indexes("text")?,
            words: WordRules {
                language,
                stop_words: json.get("stop_words")?.as_bool()?,
            },
            columns,
            has_sums: json.get("sums").and_then(Json::as_bool).unwrap_or(false),
        })
    }
}

fn searched_name(searched: Searched) -> &'static str {
    let found = SEARCHED.iter().find(|(known, _)| *known == searched);
    found.map_or("no", |(_, name)| name)
}

fn number_options(column: &Column) -> NumericOptions {
    let options = NumericOptions::default().set_fast();
    if column.stored {
        options.set_stored()
    } else {
        options
    }
}

/// The name of a column's field in Tantivy's schema.
pub fn field_name(column: usize) -> String {
    format!("c{column}")
}

/// Returns the field of a column.
pub fn field(column: usize) -> Field {
    Field::from_field_id(u32::try_from(column).unwrap_or(u32::MAX))
}

/// The columns of the query, for finding names.
struct Names<'a>(&'a [(String, ColumnType)]);

impl Names<'_> {
    fn check(&self) -> Result<()> {
        for (at, (name, _)) in self.0.iter().enumerate() {
            if self.0[..at].iter().any(|(before, _)| before == name) {
                return Err(SearchError::Settings(format!(
                    "two columns have the name '{name}': rename one of them with AS"
                )));
            }
            if [SCORE, SNIPPET].contains(&name.as_str()) {
                return Err(SearchError::Settings(format!(
                    "search() adds a column '{name}': give yours another name with AS"
                )));
            }
        }
        Ok(())
    }

    fn kind(&self, at: usize) -> ColumnType {
        self.0[at].1
    }

    fn list(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(known, _)| known == name)
    }

    fn indexes(&self, option: &str, names: &[String]) -> Result<Vec<usize>> {
        let index = |name: &String| {
            self.index(name).ok_or_else(|| {
                SearchError::Settings(format!(
                    "{option}: there is no column '{name}'; the query has {}",
                    self.list()
                ))
            })
        };
        names.iter().map(index).collect()
    }

    fn first_known(&self, known: &[&str]) -> Option<usize> {
        let mut indexes = known.iter().filter_map(|name| self.index(name));
        indexes.find(|at| self.kind(*at) == ColumnType::Text || self.0[*at].0 == "id")
    }

    fn all_known(&self, known: &[&str], but: &[usize]) -> Vec<usize> {
        known
            .iter()
            .filter_map(|name| self.index(name))
            .filter(|at| self.kind(*at) == ColumnType::Text && !but.contains(at))
            .collect()
    }

    fn missing(&self, option: &str, what: &str, example: &str) -> SearchError {
        SearchError::Settings(format!(
            "a search index needs to know {what}: OPTIONS ({option} '{example}'), with a column \
             of {}",
            self.list()
        ))
    }
}
