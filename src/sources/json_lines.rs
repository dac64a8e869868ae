//! The names that files of JSON lines have besides `.json`. DataFusion knows only that one.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{GetExt, Result};
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};

/// The endings, without a dot.
const ENDINGS: [&str; 2] = ["jsonl", "ndjson"];

/// DataFusion's format under another ending.
#[derive(Debug)]
pub struct JsonLines {
    ending: &'static str,
    json: JsonFormatFactory,
}

impl JsonLines {
    /// One for each ending.
    pub fn all() -> impl Iterator<Item = Self> {
        ENDINGS.into_iter().map(|ending| Self {
            ending,
            json: JsonFormatFactory::new(),
        })
    }
}

impl GetExt for JsonLines {
    fn get_ext(&self) -> String {
        self.ending.to_owned()
    }
}

impl FileFormatFactory for JsonLines {
    fn create(
        &self,
        session: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        self.json.create(session, options)
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        FileFormatFactory::default(&self.json)
    }
}
