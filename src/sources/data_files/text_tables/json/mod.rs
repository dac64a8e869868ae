//! JSON files: one record per line, one array of records, or objects over several lines.
//!
//! ```text
//! columns        the columns of files
//! shapes         the keys and types of a record
//! types          the types of columns
//! keys           the order of keys
//! large_numbers  numbers beyond DOUBLE
//! source         reads records
//! stage          changes the text of a file, chunk by chunk
//! text           prepares the text for the parser
//! value_lines    arrays, and objects over several lines
//! escapes        escapes of characters beyond ASCII
//! non_numbers    NaN and Infinity
//! mixed          lists and objects in columns of texts
//! checked        numbers and dates that keep their value
//! damage         damaged lines
//! ```

mod checked;
mod columns;
pub mod damage;
mod escapes;
mod keys;
mod large_numbers;
mod mixed;
mod non_numbers;
mod shapes;
pub mod source;
mod stage;
mod text;
mod types;
mod value_lines;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::file_options::json_writer::JsonWriterOptions;
use datafusion::common::{Result, not_impl_err};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::physical_plan::{
    FileScanConfig, FileScanConfigBuilder, FileSinkConfig, FileSource,
};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};
use parking_lot::Mutex;

use self::columns::Form;
pub use self::columns::spans_lines;
use self::source::JsonRecords;
use super::long_columns::LongColumns;
use super::table::TextFormat;
use crate::file_sink::file_sink;
use crate::file_sink::json_lines::JsonLines;
use crate::settings::{CorpusSettings, OnError};

/// DataFusion's format with our own reader.
#[derive(Debug)]
pub struct Json {
    format: JsonFormat,
    /// Whether the records of files span lines. Set by the first file, or by the first one that has
    /// an array beside files with lines.
    spans_lines: Mutex<Option<bool>>,
    /// Whether a file has records that were not searched for columns.
    has_unsearched: AtomicBool,
    /// Whether damaged lines are left out. `None` if the setting decides.
    ignores_errors: Option<bool>,
}

impl Json {
    pub fn new(format: JsonFormat, ignores_errors: Option<bool>) -> Self {
        Self {
            format,
            spans_lines: Mutex::default(),
            has_unsearched: AtomicBool::new(false),
            ignores_errors,
        }
    }

    /// Whether damaged lines are left out. Tables of JSON have no column `error` for them.
    fn leaves_out_damage(&self, session: &dyn Session) -> bool {
        let setting = || CorpusSettings::of(session.config_options()).on_error;
        self.ignores_errors
            .unwrap_or_else(|| setting() != OnError::Fail)
    }
}

/// Whether the file that an error names is an array, or has objects over several lines.
async fn names_array(
    error: &DataFusionError,
    store: &Arc<dyn ObjectStore>,
    objects: &[ObjectMeta],
) -> bool {
    let text = error.to_string();
    for object in objects {
        if text.contains(object.location.as_ref())
            && matches!(spans_lines(store, object).await, Ok(true))
        {
            return true;
        }
    }
    false
}

#[async_trait]
impl TextFormat for Json {
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
        let options = self.format.options();
        let spans_lines = match objects.first() {
            Some(first) if options.newline_delimited => spans_lines(store, first).await?,
            _ => !options.newline_delimited,
        };
        let mut spans_lines = self.spans_lines.lock().unwrap_or(spans_lines);
        let mut found = columns::schema(options, Form::of(spans_lines), store, objects).await;
        if !spans_lines && let Err(error) = &found {
            // Other files may be arrays, and a line may have several objects.
            let of_values = columns::schema(options, Form::Values, store, objects).await;
            // If the file of the error is an array, another file is damaged.
            if of_values.is_ok() || names_array(error, store, objects).await {
                (found, spans_lines) = (of_values, true);
            } else if self.leaves_out_damage(session) {
                found = columns::schema(options, Form::DamagedLines, store, objects).await;
            }
        }
        let found = found?;
        *self.spans_lines.lock() = Some(spans_lines);
        let names = found.schema.fields().iter().map(|field| field.name());
        long.extend(names.map(|name| (name.clone(), found.sizes.is_long(name))));
        self.has_unsearched
            .fetch_or(!found.is_complete, Ordering::Relaxed);
        Ok(found.schema)
    }

    fn source(&self, schema: TableSchema, payloads: Option<Vec<bool>>) -> Arc<dyn FileSource> {
        let spans_lines = *self.spans_lines.lock();
        let spans_lines = spans_lines.unwrap_or(!self.format.is_newline_delimited());
        let is_checked = payloads.is_none() || self.has_unsearched.load(Ordering::Relaxed);
        Arc::new(
            JsonRecords::new(schema, spans_lines)
                .with_payloads(payloads)
                .with_checks(is_checked),
        )
    }

    async fn planned(
        &self,
        session: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let config = match config.file_source().downcast_ref::<JsonRecords>() {
            Some(records) if self.leaves_out_damage(session) => {
                let records = Arc::new(records.clone().without_damage());
                FileScanConfigBuilder::from(config)
                    .with_source(records)
                    .build()
            }
            _ => config,
        };
        self.format.create_physical_plan(session, config).await
    }

    async fn writer(
        &self,
        input: Arc<dyn ExecutionPlan>,
        _session: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if config.insert_op != InsertOp::Append {
            return not_impl_err!("JSON files are not overwritten: write COPY … TO");
        }
        let options = JsonWriterOptions::try_from(self.format.options())?;
        let sink = file_sink(config, JsonLines(options));
        Ok(Arc::new(DataSinkExec::new(input, sink, order)))
    }
}
