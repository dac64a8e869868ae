//! Describes a format that `COPY` writes, and adapts it to DataFusion.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::file_options::file_type::GetExt;
use datafusion::common::{Result, Statistics, not_impl_err, plan_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};

use crate::options::{FormatOption, Options};
use crate::settings::CorpusSettings;
use crate::sources::formats::files::FilesFormat;
use crate::sources::scan::RecordSource;

/// A format that `COPY` writes.
pub trait SinkFormat: Debug + Send + Sync + 'static {
    /// The name after `STORED AS`.
    fn name(&self) -> &'static str;

    /// The extension of the files that are written into a folder. `COPY … TO 'x.extension'` selects
    /// the format by it.
    fn extension(&self) -> &'static str;

    /// Describes the written files, and the columns that they are made from.
    fn description(&self) -> &'static str;

    fn options(&self) -> &'static [FormatOption] {
        &[]
    }

    /// Whether files are held back until the whole copy has succeeded.
    fn is_held_back(&self) -> bool {
        true
    }

    /// Whether rows are written in the order of the query, whatever the number of threads.
    fn keeps_order(&self) -> bool {
        false
    }

    /// Returns the format for one query, if it depends on how the columns are computed.
    fn for_query(&self, _query: &LogicalPlan) -> Option<Arc<dyn SinkFormat>> {
        None
    }

    /// Returns the sink for rows with this schema. Columns and options that it cannot use are
    /// errors.
    fn sink(
        &self,
        schema: &SchemaRef,
        options: &Options,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>>;
}

/// Registers a format with DataFusion, under its name or under its extension.
#[derive(Debug)]
pub struct SinkFactory {
    format: Arc<dyn SinkFormat>,
    found_by: &'static str,
}

impl SinkFactory {
    /// The factory of a format for one statement.
    pub fn of(format: Arc<dyn SinkFormat>) -> Self {
        let found_by = format.name();
        Self { format, found_by }
    }

    /// Returns a factory for the name of the format, and one for its extension.
    pub fn all(format: Arc<dyn SinkFormat>) -> Vec<Self> {
        let mut ways = vec![format.name(), format.extension()];
        ways.dedup_by_key(|way| way.to_ascii_lowercase());
        let factory = |found_by| Self {
            format: Arc::clone(&format),
            found_by,
        };
        ways.into_iter().map(factory).collect()
    }
}

impl GetExt for SinkFactory {
    fn get_ext(&self) -> String {
        self.found_by.to_ascii_lowercase()
    }
}

impl FileFormatFactory for SinkFactory {
    fn create(
        &self,
        _session: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        let options = Options::check(self.format.name(), self.format.options(), options)?;
        Ok(Arc::new(WrittenFormat {
            format: Arc::clone(&self.format),
            options,
        }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(WrittenFormat {
            format: Arc::clone(&self.format),
            options: Options::default(),
        })
    }
}

/// The writing half of a format; `sources` has the reading half.
#[derive(Debug)]
struct WrittenFormat {
    format: Arc<dyn SinkFormat>,
    options: Options,
}

impl WrittenFormat {
    fn not_read<T>(&self) -> Result<T> {
        let name = self.format.name();
        let formats = crate::sources::formats::formats();
        let mut formats = formats.iter();
        if formats.any(|format| format.name().eq_ignore_ascii_case(name)) {
            plan_err!(
                "{name} is not read as a table of files: write FROM read_{}('…')",
                name.to_lowercase()
            )
        } else {
            plan_err!("{name} files are only written: read CSV or Parquet instead")
        }
    }
}

#[async_trait]
impl FileFormat for WrittenFormat {
    fn get_ext(&self) -> String {
        self.format.extension().to_owned()
    }

    fn get_ext_with_compression(&self, _compression: &FileCompressionType) -> Result<String> {
        Ok(self.get_ext())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _session: &dyn Session,
        _store: &Arc<dyn ObjectStore>,
        _objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.not_read()
    }

    async fn infer_stats(
        &self,
        _session: &dyn Session,
        _store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        _object: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&schema))
    }

    async fn create_physical_plan(
        &self,
        _session: &dyn Session,
        _config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.not_read()
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        _session: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if config.insert_op != InsertOp::Append {
            let format = self.format.name();
            return not_impl_err!("files of {format} are not overwritten in place");
        }
        let sink = self.format.sink(&input.schema(), &self.options, config)?;
        Ok(Arc::new(DataSinkExec::new(input, sink, order)))
    }

    /// Never called, because this half is not used for tables.
    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        let settings = CorpusSettings::default();
        let format = Arc::new(FilesFormat::files());
        Arc::new(RecordSource::new(format, table_schema, settings))
    }
}
