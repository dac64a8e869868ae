//! DataFusion's formats of text files, with our columns and readers.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};

use super::long_columns::LongColumns;

/// Overrides parts of a DataFusion format.
#[async_trait]
pub trait TextFormat: Debug + Send + Sync + 'static {
    /// The DataFusion format that does the rest.
    fn inner(&self) -> &dyn FileFormat;

    /// Returns the columns of these files, and records in `long` which of them have long values.
    async fn columns(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
        long: &LongColumns,
    ) -> Result<SchemaRef>;

    /// `payloads`: which columns of the files may have long values, if it is known.
    fn source(&self, schema: TableSchema, _payloads: Option<Vec<bool>>) -> Arc<dyn FileSource> {
        self.inner().file_source(schema)
    }

    /// Plans a scan with DataFusion's format.
    async fn planned(
        &self,
        session: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.inner().create_physical_plan(session, config).await
    }

    /// Adapts the scan that DataFusion has planned.
    fn scan(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _payloads: Option<Vec<bool>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(plan)
    }

    /// Plans the writer of files.
    async fn writer(
        &self,
        input: Arc<dyn ExecutionPlan>,
        session: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let format = self.inner();
        format
            .create_writer_physical_plan(input, session, config, order)
            .await
    }
}

/// A format for DataFusion.
#[derive(Debug)]
pub struct TextTable<F> {
    pub format: F,
    pub long: LongColumns,
}

impl<F> TextTable<F> {
    pub fn new(format: F) -> Self {
        Self {
            format,
            long: LongColumns::default(),
        }
    }
}

#[async_trait]
impl<F: TextFormat> FileFormat for TextTable<F> {
    fn get_ext(&self) -> String {
        self.format.inner().get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.format.inner().get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.format.inner().compression_type()
    }

    async fn infer_schema(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let format = &self.format;
        format.columns(session, store, objects, &self.long).await
    }

    async fn infer_stats(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        let format = self.format.inner();
        format.infer_stats(session, store, schema, object).await
    }

    async fn create_physical_plan(
        &self,
        session: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = config.file_source().table_schema().file_schema();
        let payloads = self.long.payloads(schema);
        let plan = self.format.planned(session, config).await?;
        self.format.scan(plan, payloads)
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        session: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.format.writer(input, session, config, order).await
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        let payloads = self.long.payloads(schema.file_schema());
        self.format.source(schema, payloads)
    }
}
