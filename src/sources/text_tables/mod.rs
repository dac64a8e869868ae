//! CSV and JSON files. DataFusion reads them, but finds their columns in the first 1,000 records.
//!
//! DataFusion silently drops a JSON field that first appears in a later record, and cannot divide
//! CSV into chunks if a line break is inside quotes. The formats here find the columns themselves.

mod csv;
mod json;
mod shapes;

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Result, Statistics};
use datafusion::datasource::file_format::csv::{CsvFormat, CsvFormatFactory};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::{JsonFormat, JsonFormatFactory};
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::{GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt};

/// The endings of JSON files, without a dot. DataFusion knows only the first.
const JSON_ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// Makes the format of files with one ending.
#[derive(Debug)]
pub struct TextTables {
    ending: &'static str,
    made_by: Arc<dyn FileFormatFactory>,
}

impl TextTables {
    /// One factory for each ending.
    pub fn all() -> impl Iterator<Item = Self> {
        let json: Arc<dyn FileFormatFactory> = Arc::new(JsonFormatFactory::new());
        let json = JSON_ENDINGS.into_iter().map(move |ending| Self {
            ending,
            made_by: Arc::clone(&json),
        });
        let csv = Self {
            ending: "csv",
            made_by: Arc::new(CsvFormatFactory::new()),
        };
        std::iter::once(csv).chain(json)
    }
}

impl GetExt for TextTables {
    fn get_ext(&self) -> String {
        self.ending.to_owned()
    }
}

impl FileFormatFactory for TextTables {
    fn create(
        &self,
        session: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        let format = self.made_by.create(session, options)?;
        Ok(Arc::new(TextTable::new(format)))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(TextTable::new(self.made_by.as_ref().default()))
    }
}

/// DataFusion's format with another way to find the columns.
#[derive(Debug)]
struct TextTable {
    format: Arc<dyn FileFormat>,
    /// The format of files that are each one JSON array, once such a file was seen.
    arrays: OnceLock<Arc<dyn FileFormat>>,
}

impl TextTable {
    fn new(format: Arc<dyn FileFormat>) -> Self {
        Self {
            format,
            arrays: OnceLock::new(),
        }
    }

    fn reading(&self) -> &Arc<dyn FileFormat> {
        self.arrays.get().unwrap_or(&self.format)
    }

    async fn json_schema(
        &self,
        session: &dyn Session,
        format: &JsonFormat,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let is_array = match objects.first() {
            Some(first) if format.is_newline_delimited() => {
                json::is_array(format, store, first).await?
            }
            _ => false,
        };
        if is_array {
            let mut options = format.options().clone();
            options.newline_delimited = false;
            let arrays = JsonFormat::default().with_options(options);
            let _ = self.arrays.set(Arc::new(arrays));
        }
        let reading: &dyn Any = self.reading().as_ref();
        match reading.downcast_ref::<JsonFormat>() {
            Some(arrays) if !arrays.is_newline_delimited() => {
                let mut options = arrays.options().clone();
                options.schema_infer_max_rec.get_or_insert(usize::MAX);
                let all = JsonFormat::default().with_options(options);
                all.infer_schema(session, store, objects).await
            }
            _ => json::schema(format, store, objects).await,
        }
    }
}

#[async_trait]
impl FileFormat for TextTable {
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
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        if let Some(json) = self.format.downcast_ref::<JsonFormat>() {
            return self.json_schema(session, json, store, objects).await;
        }
        match self.format.downcast_ref::<CsvFormat>() {
            Some(format) => csv::schema(session, format, store, objects).await,
            None => self.format.infer_schema(session, store, objects).await,
        }
    }

    async fn infer_stats(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        let format = self.reading();
        format.infer_stats(session, store, schema, object).await
    }

    async fn create_physical_plan(
        &self,
        session: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.reading().create_physical_plan(session, config).await
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
        self.reading().file_source(schema)
    }
}

/// A file that is searched for columns.
struct Contents {
    /// For errors.
    name: String,
    is_local: bool,
    /// Decompressed.
    chunks: BoxStream<'static, Result<Bytes>>,
}

impl Contents {
    async fn open(
        compression: FileCompressionType,
        store: &Arc<dyn ObjectStore>,
        object: &ObjectMeta,
    ) -> Result<Self> {
        let got = store.get(&object.location).await?;
        let is_local = matches!(got.payload, GetResultPayload::File(..));
        let chunks = got.into_stream().map_err(DataFusionError::from).boxed();
        Ok(Self {
            name: match is_local {
                true => format!("/{}", object.location),
                false => object.location.to_string(),
            },
            is_local,
            chunks: compression.convert_stream(chunks)?,
        })
    }
}

/// Adds the name of a file to an error.
fn in_file(error: DataFusionError, name: &str) -> DataFusionError {
    error.context(format!("cannot read '{name}'"))
}
