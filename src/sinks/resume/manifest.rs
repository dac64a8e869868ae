//! The manifest of a part, stored in the metadata of its Parquet file.

use datafusion::parquet::file::metadata::{FileMetaData, KeyValue};
use serde::{Deserialize, Serialize};

/// The key in the metadata of a Parquet file.
pub const KEY: &str = "corpus_sql";

/// The version of the manifests that this program writes and reads.
const VERSION: u32 = 1;

/// Identifies the query that wrote a file. Files of different jobs hold different results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// A hash of the plan, without the files that it reads part by part.
    pub query: String,
    /// A hash of the settings that results depend on.
    pub settings: String,
    /// A hash of the names and types of the columns.
    pub columns: String,
    /// [`corpus_udfs::REVISION`].
    pub revision: u32,
}

impl Job {
    /// Describes how another job differs.
    pub fn difference(&self, other: &Self) -> &'static str {
        if self.revision != other.revision {
            "another version of corpus-sql"
        } else if self.query != other.query || self.columns != other.columns {
            "another query"
        } else {
            "other settings"
        }
    }
}

/// A version of a file, or of a range of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Input {
    /// The path or URL.
    pub file: String,
    /// The index of the scan, in a query that reads several.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scan: usize,
    /// The first byte and the one after the last, if the file is divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(u64, u64)>,
    pub size: u64,
    /// The time of modification, in microseconds since 1970.
    pub modified: i64,
}

impl Input {
    /// The number of bytes of the file, or of the range.
    pub fn bytes(&self) -> u64 {
        match self.range {
            Some((start, end)) => end.saturating_sub(start),
            None => self.size,
        }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// An input whose rows a part contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    #[serde(flatten)]
    pub input: Input,
    /// The number of its rows in this file. The rows of the inputs are in the order of the inputs.
    pub rows: u64,
    /// The number of its unreadable records and rows with an error.
    pub errors: u64,
}

/// The manifest of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    pub job: Job,
    pub inputs: Vec<Done>,
}

impl Manifest {
    pub fn new(job: Job, inputs: Vec<Done>) -> Self {
        Self {
            version: VERSION,
            job,
            inputs,
        }
    }

    /// Reads the manifest of a Parquet file. `Ok(None)` if it has none.
    pub fn read(metadata: &FileMetaData) -> Result<Option<Self>, String> {
        let entries = metadata.key_value_metadata().into_iter().flatten();
        let Some(text) = entries
            .filter(|entry| entry.key == KEY)
            .find_map(|entry| entry.value.as_deref())
        else {
            return Ok(None);
        };
        let version: Version = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if version.version != VERSION {
            let found = version.version;
            return Err(format!(
                "its manifest has version {found}, and this program reads version {VERSION}"
            ));
        }
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The entry for the metadata of a file.
    pub fn entry(&self) -> Result<KeyValue, serde_json::Error> {
        Ok(KeyValue::new(KEY.to_owned(), self.text()?))
    }

    pub fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}
