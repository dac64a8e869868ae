//! CSV and JSON files.
//!
//! DataFusion silently drops a JSON field that first appears after 1,000 records, and cannot divide
//! CSV into chunks if a line break is inside quotes. The formats here determine the columns
//! themselves. DataFusion still parses CSV; JSON has a separate reader.
//!
//! ```text
//! table         DataFusion's formats, with our columns and readers
//! contents      the content of files, and their names in errors
//! inflate       decompresses remote files while they arrive
//! decimals      texts of decimals with the digits that a type has
//! long_columns  detects columns with long values
//! csv           CSV
//! json          JSON
//! ```

pub mod contents;
pub mod csv;
mod decimals;
mod inflate;
pub mod json;
mod long_columns;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Result};
use datafusion::datasource::file_format::arrow::ArrowFormatFactory;
use datafusion::datasource::file_format::csv::{CsvFormat, CsvFormatFactory};
use datafusion::datasource::file_format::json::{JsonFormat, JsonFormatFactory};
use datafusion::datasource::file_format::parquet::ParquetFormatFactory;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};

use self::csv::read_options::ReadOptions;
use self::csv::{Csv, CsvForm};
use self::json::Json;
use self::table::TextTable;
use super::extensions;

/// The option of the delimiter of CSV.
const DELIMITER: &str = "format.delimiter";

/// The factory of the format for one file extension.
#[derive(Debug)]
pub struct TextTables {
    extension: &'static str,
    made_by: Arc<dyn FileFormatFactory>,
    /// Options with other defaults than in DataFusion.
    defaults: &'static [(&'static str, &'static str)],
}

impl TextTables {
    /// One factory for each extension that DataFusion does not know, or reads in another way.
    pub fn all() -> impl Iterator<Item = Self> {
        let csv = Arc::new(CsvFormatFactory::new());
        let json = Arc::new(JsonFormatFactory::new());
        let parquet = Arc::new(ParquetFormatFactory::new());
        let arrow = Arc::new(ArrowFormatFactory::new());
        let csv = Self::of(&["csv"], csv.clone(), &[]).chain(Self::of(
            extensions::TABS,
            csv,
            &[(DELIMITER, "\t")],
        ));
        csv.chain(Self::of(extensions::JSON, json, &[]))
            .chain(Self::of(&extensions::PARQUET[1..], parquet, &[]))
            .chain(Self::of(&extensions::ARROW[1..], arrow, &[]))
    }

    fn of(
        extensions: &'static [&'static str],
        made_by: Arc<dyn FileFormatFactory>,
        defaults: &'static [(&'static str, &'static str)],
    ) -> impl Iterator<Item = Self> {
        extensions.iter().map(move |extension| Self {
            extension,
            made_by: Arc::clone(&made_by),
            defaults,
        })
    }
}

impl GetExt for TextTables {
    fn get_ext(&self) -> String {
        self.extension.to_owned()
    }
}

impl FileFormatFactory for TextTables {
    fn create(
        &self,
        session: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        let mut options = options.clone();
        for (name, value) in self.defaults {
            let option = options.entry((*name).to_owned());
            option.or_insert_with(|| (*value).to_owned());
        }
        let has_delimiter = options.contains_key(DELIMITER);
        let read = ReadOptions::take(&mut options);
        let format = self.made_by.create(session, &options)?;
        Ok(table(format, has_delimiter, read))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        table(
            self.made_by.as_ref().default(),
            false,
            ReadOptions::default(),
        )
    }
}

/// Returns the form of CSV files, after a search for their columns. `None` for another format.
pub fn csv_form(format: &dyn FileFormat) -> Option<CsvForm> {
    let csv = format.downcast_ref::<TextTable<Csv>>()?;
    Some(csv.format.form())
}

/// The columns that a CSV format has found, with the type null for those without values.
pub fn csv_columns(format: &dyn FileFormat) -> Option<Schema> {
    format.downcast_ref::<TextTable<Csv>>()?.format.found()
}

/// Adds what a CSV format has learned about the columns of its files to another one.
pub fn add_long_columns(format: &dyn FileFormat, other: &dyn FileFormat) {
    if let Some(csv) = format.downcast_ref::<TextTable<Csv>>()
        && let Some(other) = other.downcast_ref::<TextTable<Csv>>()
    {
        csv.long.add(&other.long);
    }
}

/// Replaces DataFusion's format with ours.
fn table(
    format: Arc<dyn FileFormat>,
    has_delimiter: bool,
    read: ReadOptions,
) -> Arc<dyn FileFormat> {
    if let Some(json) = format.downcast_ref::<JsonFormat>() {
        let json = JsonFormat::default().with_options(json.options().clone());
        return Arc::new(TextTable::new(Json::new(json, read.ignores_errors)));
    }
    match format.downcast_ref::<CsvFormat>() {
        Some(csv) => Arc::new(TextTable::new(Csv::new(csv, has_delimiter, read))),
        None => format,
    }
}
