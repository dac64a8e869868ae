//! Names the file in the errors of DataFusion's readers of Parquet and Arrow, which know only the
//! page or message that is damaged.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNodeRecursion};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    ArrowSource, FileOpener, FileScanConfig, FileScanConfigBuilder, FileSource, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan};
use datafusion_datasource::morsel::{Morsel, MorselPlan, MorselPlanner, Morselizer};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;

use super::float_bounds::WithoutFloatMaximums;
use super::spellings::AnySpelling;
use crate::sources::location::display_name;
use crate::tree_walk::TreeWalk;

/// The start of DataFusion's error for a file whose name ends in `.arrow` and that is not Arrow.
const NOT_ARROW: &str = "Failed to parse Arrow file";

/// Replaces the sources of Parquet and Arrow. It runs after all rules that change these sources.
#[derive(Debug)]
pub struct NameFiles;

impl PhysicalOptimizerRule for NameFiles {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        with_names(plan)
    }

    fn name(&self) -> &str {
        "name_files"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Returns the plan with scans of Parquet and Arrow whose errors name the file.
pub fn with_names(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    plan.transform_up_dyn(&mut |plan| {
        let scan = plan.downcast_ref::<DataSourceExec>();
        let found = scan.and_then(|scan| {
            let arrow = scan.downcast_to_file_source::<ArrowSource>();
            let arrow = arrow.map(|(config, _)| (config, Arc::clone(config.file_source())));
            arrow.or_else(|| {
                let (config, source) = scan.downcast_to_file_source::<ParquetSource>()?;
                Some((config, without_float_maximums(source)))
            })
        });
        Ok(match found {
            None => Transformed::no(plan),
            Some((config, source)) => {
                let named = NamedFiles { source };
                let config = FileScanConfigBuilder::from(config.clone());
                let config = config.with_source(Arc::new(named));
                let config = config
                    .with_expr_adapter(Some(Arc::new(AnySpelling)))
                    .build();
                Transformed::yes(DataSourceExec::from_data_source(config) as _)
            }
        })
    })
    .data()
}

/// A source of Parquet files whose readers do not skip NaN.
fn without_float_maximums(source: &ParquetSource) -> Arc<dyn FileSource> {
    let mut source = source.clone();
    if let Some(readers) = source.parquet_file_reader_factory() {
        let readers = Arc::new(WithoutFloatMaximums(Arc::clone(readers)));
        source = source.with_parquet_file_reader_factory(readers);
    }
    Arc::new(source)
}

/// A source of DataFusion's, with the names of files in its errors.
pub struct NamedFiles {
    pub source: Arc<dyn FileSource>,
}

impl FileSource for NamedFiles {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        self.source.create_file_opener(store, config, partition)
    }

    fn create_morselizer(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Box<dyn Morselizer>> {
        Ok(Box::new(Named {
            inner: self.source.create_morselizer(store, config, partition)?,
            files: config.object_store_url.clone(),
        }))
    }

    fn table_schema(&self) -> &TableSchema {
        self.source.table_schema()
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(Self {
            source: self.source.with_batch_size(batch_size),
        })
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.source.filter()
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

    fn reorder_files(&self, files: Vec<PartitionedFile>) -> Vec<PartitionedFile> {
        self.source.reorder_files(files)
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.source.apply_expressions(f)
    }
}

#[derive(Debug)]
struct Named {
    inner: Box<dyn Morselizer>,
    /// The store of the files.
    files: ObjectStoreUrl,
}

impl Morselizer for Named {
    fn plan_file(&self, file: PartitionedFile) -> Result<Box<dyn MorselPlanner>> {
        let name: Arc<str> = Arc::from(display_name(&self.files, &file.object_meta.location));
        let inner = named(self.inner.plan_file(file), &name)?;
        Ok(Box::new(NamedPlanner { inner, name }))
    }
}

#[derive(Debug)]
struct NamedPlanner {
    inner: Box<dyn MorselPlanner>,
    name: Arc<str>,
}

impl MorselPlanner for NamedPlanner {
    fn plan(self: Box<Self>) -> Result<Option<MorselPlan>> {
        let Self { inner, name } = *self;
        let Some(mut plan) = named(inner.plan(), &name)? else {
            return Ok(None);
        };
        let planner = |inner, name: &Arc<str>| -> Box<dyn MorselPlanner> {
            let name = Arc::clone(name);
            Box::new(Self { inner, name })
        };
        let morsels = plan.take_morsels().into_iter().map(|inner| {
            let name = Arc::clone(&name);
            Box::new(NamedMorsel { inner, name }) as Box<dyn Morsel>
        });
        let morsels = morsels.collect();
        let planners = plan.take_ready_planners().into_iter();
        let planners = planners.map(|inner| planner(inner, &name)).collect();
        let mut result = MorselPlan::new()
            .with_morsels(morsels)
            .with_planners(planners);
        if let Some(pending) = plan.take_pending_planner() {
            result.set_pending_planner(async move {
                let inner = named(pending.await, &name)?;
                Ok(planner(inner, &name))
            });
        }
        Ok(Some(result))
    }
}

#[derive(Debug)]
struct NamedMorsel {
    inner: Box<dyn Morsel>,
    name: Arc<str>,
}

impl Morsel for NamedMorsel {
    fn into_stream(self: Box<Self>) -> BoxStream<'static, Result<RecordBatch>> {
        let Self { inner, name } = *self;
        let batches = inner.into_stream();
        batches
            .map_err(move |error| with_name(error, &name))
            .boxed()
    }
}

fn named<T>(result: Result<T>, name: &str) -> Result<T> {
    result.map_err(|error| with_name(error, name))
}

/// Adds the name of the file to an error about its content. Expressions that the reader evaluates
/// fail with other errors.
pub fn with_name(error: DataFusionError, name: &str) -> DataFusionError {
    let is_damage = match error.find_root() {
        DataFusionError::ParquetError(_) => true,
        DataFusionError::ArrowError(error, _) => matches!(
            **error,
            ArrowError::ParquetError(_) | ArrowError::IpcError(_) | ArrowError::IoError(..)
        ),
        DataFusionError::Internal(text) => text.starts_with(NOT_ARROW),
        _ => false,
    };
    if is_damage && !error.to_string().contains(name) {
        error.context(format!("cannot read '{name}'"))
    } else {
        error
    }
}
