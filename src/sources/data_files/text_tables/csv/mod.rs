//! CSV files.

mod columns;
mod delimiter;
mod header;
mod reader;
mod record_ends;
pub mod source;
mod values;

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};

use self::source::with_reader;
use super::sizes::LongColumns;
use super::table::TextFormat;

/// DataFusion's format, with our columns and our reader.
#[derive(Debug)]
pub struct Csv {
    format: CsvFormat,
    /// The delimiter that the first file shows. `None` if an option declares it.
    detected: Option<OnceLock<u8>>,
}

impl Csv {
    pub fn new(format: &CsvFormat, has_declared_delimiter: bool) -> Self {
        Self {
            format: CsvFormat::default().with_options(format.options().clone()),
            detected: (!has_declared_delimiter).then(OnceLock::new),
        }
    }

    /// The format with the delimiter of the files.
    fn detected(&self) -> CsvFormat {
        delimiter::in_format(&self.format, self.detected.as_ref())
    }
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
        let detected = self.detected.as_ref();
        columns::schema(session, &self.format, detected, store, objects, long).await
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
        with_reader(plan, payloads)
    }
}
