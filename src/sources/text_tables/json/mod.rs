//! JSON files: one record per line, or one array of records.

mod array;
mod columns;
mod escapes;
mod keys;
mod shapes;
pub mod source;
mod stage;
mod text;

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};

use self::source::JsonRecords;

/// DataFusion's format, with readers of our own.
#[derive(Debug)]
pub struct JsonTable {
    format: JsonFormat,
    /// Whether each file is an array, once a file was seen.
    is_array: OnceLock<bool>,
}

impl JsonTable {
    pub fn new(format: JsonFormat) -> Self {
        Self {
            format,
            is_array: OnceLock::new(),
        }
    }
}

#[async_trait]
impl FileFormat for JsonTable {
    fn get_ext(&self) -> String {
        self.format.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.format.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.format.compression_type()
    }

    async fn infer_schema(
        &self,
        _session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let options = self.format.options();
        let is_array = match objects.first() {
            Some(first) if options.newline_delimited => {
                columns::is_array(options.compression.into(), store, first).await?
            }
            _ => !options.newline_delimited,
        };
        let is_array = *self.is_array.get_or_init(|| is_array);
        columns::schema(options, is_array, store, objects).await
    }

    async fn infer_stats(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        let format = &self.format;
        format.infer_stats(session, store, schema, object).await
    }

    async fn create_physical_plan(
        &self,
        session: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.format.create_physical_plan(session, config).await
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        session: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let format = &self.format;
        format
            .create_writer_physical_plan(input, session, config, order)
            .await
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        let is_array = self.is_array.get().copied();
        let is_array = is_array.unwrap_or(!self.format.is_newline_delimited());
        Arc::new(JsonRecords::new(schema, is_array))
    }
}
