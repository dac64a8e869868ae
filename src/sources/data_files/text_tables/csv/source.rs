//! DataFusion's source of CSV files, with our reader.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::CsvOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::physical_plan::{
    CsvSource, FileOpener, FileScanConfig, FileScanConfigBuilder, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan};
use object_store::ObjectStore;

use super::read_options::ReadOptions;
use super::reader::Opener;

/// DataFusion's source, whose files our reader opens.
pub struct CsvRecords {
    pub source: Arc<dyn FileSource>,
    /// For each column, whether it may have long values. `None` if the columns are declared.
    pub payloads: Option<Vec<bool>>,
    pub read: ReadOptions,
    batch_rows: Option<usize>,
}

/// Gives a CSV scan our reader.
pub fn with_reader(
    plan: Arc<dyn ExecutionPlan>,
    payloads: Option<Vec<bool>>,
    read: ReadOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let scan = plan.downcast_ref::<DataSourceExec>();
    let scan = scan.and_then(|scan| scan.downcast_to_file_source::<CsvSource>());
    let Some((config, _)) = scan else {
        return internal_err!("expected a scan of CSV, got {}", plan.name());
    };
    let source = Arc::new(CsvRecords {
        source: Arc::clone(config.file_source()),
        payloads,
        read,
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
            read: self.read.clone(),
            batch_rows: self.batch_rows,
        })
    }
}

impl FileSource for CsvRecords {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        _partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let Some(csv) = self.source.downcast_ref::<CsvSource>() else {
            return internal_err!("expected a source of CSV, got {}", self.source.file_type());
        };
        let (Some(batch_rows), Some(projection)) = (self.batch_rows, csv.projection()) else {
            return internal_err!("CSV is read without a batch size or a projection");
        };
        let columns = csv.table_schema().file_schema();
        let projection = SplitProjection::new(columns, projection);
        let opener = Opener {
            options: options_of(csv),
            read: self.read.clone(),
            has_header: csv.has_header(),
            columns: Arc::clone(columns),
            projection: projection.file_indices.clone(),
            has_declared_columns: self.payloads.is_none(),
            batch_rows,
            files: config.object_store_url.clone(),
            store,
        };
        ProjectionOpener::try_new(projection, Arc::new(opener), columns)
    }

    fn table_schema(&self) -> &TableSchema {
        self.source.table_schema()
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(Self {
            source: self.source.with_batch_size(batch_size),
            payloads: self.payloads.clone(),
            read: self.read.clone(),
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
        // Skipped lines may reach into a second range.
        !self.read.skips_lines() && self.source.supports_repartitioning()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.source.apply_expressions(f)
    }
}

fn options_of(csv: &CsvSource) -> CsvOptions {
    CsvOptions {
        delimiter: csv.delimiter(),
        quote: csv.quote(),
        terminator: csv.terminator(),
        escape: csv.escape(),
        comment: csv.comment(),
        truncated_rows: Some(csv.truncate_rows()),
        ..CsvOptions::default()
    }
}
