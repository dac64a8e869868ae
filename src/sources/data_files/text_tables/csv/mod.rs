//! CSV files.

mod columns;
mod header;
mod reader;
mod record_ends;
pub mod source;
mod values;

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};

use self::source::with_reader;
use super::sizes::LongColumns;
use super::table::TextFormat;

/// DataFusion's format, with our columns and our reader.
#[derive(Debug)]
pub struct Csv(pub CsvFormat);

#[async_trait]
impl TextFormat for Csv {
    fn inner(&self) -> &dyn FileFormat {
        &self.0
    }

    async fn columns(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
        long: &LongColumns,
    ) -> Result<SchemaRef> {
        columns::schema(session, &self.0, store, objects, long).await
    }

    fn scan(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        payloads: Option<Vec<bool>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        with_reader(plan, payloads)
    }
}
