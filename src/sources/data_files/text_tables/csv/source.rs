//! Extends DataFusion's CSV reader: detects the compression of each file from its content, and adds
//! file names to errors.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    CsvSource, FileOpenFuture, FileOpener, FileScanConfig, FileScanConfigBuilder, FileSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;

use super::super::contents::{compression_of, in_file};
use super::header::source_for;
use super::inflated_store::InflatedStore;
use crate::sources::location::display_name;

/// DataFusion's source, with file names in its errors.
pub struct CsvRecords {
    pub source: Arc<dyn FileSource>,
    /// Which columns of the files may have long values. `None` if the columns are declared.
    pub payloads: Option<Vec<bool>>,
    batch_rows: Option<usize>,
}

/// Makes a CSV scan name the file in its errors.
pub fn with_file_names(
    plan: Arc<dyn ExecutionPlan>,
    payloads: Option<Vec<bool>>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let scan = plan.downcast_ref::<DataSourceExec>();
    let scan = scan.and_then(|scan| scan.downcast_to_file_source::<CsvSource>());
    let Some((config, _)) = scan else {
        return internal_err!("expected a scan of CSV, got {}", plan.name());
    };
    let source = Arc::new(CsvRecords {
        source: Arc::clone(config.file_source()),
        payloads,
        batch_rows: None,
    });
    let config = FileScanConfigBuilder::from(config.clone()).with_source(source);
    Ok(DataSourceExec::from_data_source(config.build()))
}

impl CsvRecords {
    fn around(&self, source: Arc<dyn FileSource>) -> Arc<dyn FileSource> {
        Arc::new(Self {
            source,
            payloads: self.payloads.clone(),
            batch_rows: self.batch_rows,
        })
    }
}

impl FileSource for CsvRecords {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let config = FileScanConfigBuilder::from(config.clone())
            .with_file_compression_type(FileCompressionType::UNCOMPRESSED)
            .build();
        Ok(Arc::new(Opener {
            source: Arc::clone(&self.source),
            has_declared_columns: self.payloads.is_none(),
            batch_rows: self.batch_rows,
            store,
            config,
            partition,
        }))
    }

    fn table_schema(&self) -> &TableSchema {
        self.source.table_schema()
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(Self {
            source: self.source.with_batch_size(batch_size),
            payloads: self.payloads.clone(),
            batch_rows: Some(batch_size),
        })
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let source = self.source.try_pushdown_projection(projection)?;
        Ok(source.map(|source| self.around(source)))
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        self.source.projection()
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        self.source.metrics()
    }

    fn file_type(&self) -> &str {
        self.source.file_type()
    }

    fn fmt_extra(&self, format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        self.source.fmt_extra(format, f)
    }

    fn supports_repartitioning(&self) -> bool {
        self.source.supports_repartitioning()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.source.apply_expressions(f)
    }
}

#[derive(Clone)]
struct Opener {
    source: Arc<dyn FileSource>,
    /// Declared columns may have other names than the headers.
    has_declared_columns: bool,
    batch_rows: Option<usize>,
    store: Arc<dyn ObjectStore>,
    config: FileScanConfig,
    partition: usize,
}

impl Opener {
    async fn open_any(
        &self,
        mut file: PartitionedFile,
    ) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let (store, object) = (&self.store, &file.object_meta);
        let own = if self.has_declared_columns {
            None
        } else {
            source_for(&self.source, self.batch_rows, store, object).await?
        };
        let source = own.as_ref().unwrap_or(&self.source);
        if compression_of(store, object).await?.is_none() {
            let store = Arc::clone(store);
            let opener = source.create_file_opener(store, &self.config, self.partition)?;
            return opener.open(file)?.await;
        }
        // The reader of the first range reads all of a compressed file.
        match file.range.take() {
            Some(range) if range.start > 0 => Ok(stream::empty().boxed()),
            _ => {
                let store = Arc::new(InflatedStore(Arc::clone(store)));
                let opener = source.create_file_opener(store, &self.config, self.partition)?;
                opener.open(file)?.await
            }
        }
    }
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let name = display_name(&self.config.object_store_url, &file.object_meta.location);
        let opener = self.clone();
        Ok(Box::pin(async move {
            let batches = opener.open_any(file).await;
            let batches = batches.map_err(|error| explained(error, &name))?;
            Ok(batches
                .map_err(move |error| explained(error, &name))
                .boxed())
        }))
    }
}

/// Adds the file's name to an error. If a value does not fit the type of its column, also explains
/// where the type comes from.
fn explained(error: DataFusionError, name: &str) -> DataFusionError {
    let is_of_another_type = matches!(
        error.find_root(),
        DataFusionError::ArrowError(error, _) if matches!(**error, ArrowError::ParseError(_))
    );
    if !is_of_another_type {
        return in_file(error, name);
    }
    error.context(format!(
        "cannot read '{name}' with the types of its first records: declare the columns in CREATE \
         EXTERNAL TABLE"
    ))
}
