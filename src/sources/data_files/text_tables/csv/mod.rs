//! CSV files.
//!
//! ```text
//! dialect       the delimiter, the header and the escape
//! delimiter     detects the delimiter
//! header        names of columns
//! columns       the columns of files
//! read_options  options of DuckDB's reader
//! source        DataFusion's source, with our reader
//! reader        reads records
//! record_ends   finds the ends of records
//! empty_lines   NULL in files with one column
//! fitting       drops records with other numbers of fields
//! values        texts as values of the columns' types
//! ```

mod columns;
mod delimiter;
mod dialect;
mod empty_lines;
mod fitting;
mod header;
pub mod read_options;
mod reader;
mod record_ends;
pub mod source;
mod values;

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};
use parking_lot::Mutex;

pub use self::columns::{common_type, with_texts};
use self::dialect::DetectedDialect;
pub use self::header::name_columns;
use self::read_options::ReadOptions;
use self::source::with_reader;
use super::long_columns::LongColumns;
use super::table::TextFormat;

/// DataFusion's format, with our columns and our reader.
#[derive(Debug)]
pub struct Csv {
    format: CsvFormat,
    detected: DetectedDialect,
    read: ReadOptions,
    /// The columns of the files. The type of those without values is null.
    found: Mutex<Option<Schema>>,
}

impl Csv {
    pub fn new(format: &CsvFormat, has_declared_delimiter: bool, read: ReadOptions) -> Self {
        Self {
            format: CsvFormat::default().with_options(format.options().clone()),
            detected: DetectedDialect::new(format, has_declared_delimiter),
            read,
            found: Mutex::default(),
        }
    }

    /// The columns that have been found, with the type null for those without values.
    pub fn found(&self) -> Option<Schema> {
        self.found.lock().clone()
    }

    /// The format with the dialect of the files.
    fn detected(&self) -> CsvFormat {
        self.detected.applied_to(&self.format)
    }

    /// The form of the files, which is known once their columns are.
    pub fn form(&self) -> CsvForm {
        let format = self.detected();
        let options = format.options();
        CsvForm {
            delimiter: options.delimiter,
            has_header: options.has_header.unwrap_or(true),
            escape: options.escape,
        }
    }
}

/// The form of CSV files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CsvForm {
    pub delimiter: u8,
    pub has_header: bool,
    pub escape: Option<u8>,
}

#[async_trait]
impl TextFormat for Csv {
    fn inner(&self) -> &dyn FileFormat {
        &self.format
    }

    async fn columns(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
        long: &LongColumns,
    ) -> Result<SchemaRef> {
        let (detected, read) = (&self.detected, &self.read);
        let found = columns::schema(session, &self.format, detected, read, store, objects, long);
        let found = found.await?;
        let columns = with_texts(&found);
        *self.found.lock() = Some(found);
        Ok(Arc::new(columns))
    }

    fn source(&self, schema: TableSchema, _payloads: Option<Vec<bool>>) -> Arc<dyn FileSource> {
        self.detected().file_source(schema)
    }

    async fn planned(
        &self,
        session: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.detected().create_physical_plan(session, config).await
    }

    fn scan(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        payloads: Option<Vec<bool>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let has_delimiter_line = self.detected.has_delimiter_line();
        let read = ReadOptions {
            has_delimiter_line,
            ..self.read.clone()
        };
        with_reader(plan, payloads, read)
    }
}
