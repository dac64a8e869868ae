//! The operator in physical plans: reads all edges, then emits the ids.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use corpus_dedup::components::{Components, Ids, IntegerIds, Labels, TextIds, TooManyNodes};
use datafusion::arrow::array::{
    ArrayRef, AsArray, Int64Array, LargeStringArray, RecordBatch, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Int64Type, SchemaRef, UInt64Type};
use datafusion::catalog::Session;
use datafusion::common::{Result, exec_datafusion_err, internal_err};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{UserDefinedLogicalNode, UserDefinedLogicalNodeCore};
use datafusion::physical_expr::{Distribution, EquivalenceProperties};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{
    BaselineMetrics, Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet,
};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, InputDistributionRequirements, Partitioning,
    PlanProperties,
};
use datafusion::physical_planner::{ExtensionPlanner, PhysicalPlanner};
use futures::StreamExt;
use tokio::sync::mpsc::Sender;

use super::NAME;
use super::node::ConnectedComponentsNode;
use crate::boxed_methods::plan_extension;
use crate::operator::{no_expressions, one_input};

/// The maximum number of rows in a batch. Rows are small here, unlike documents.
const MAX_BATCH_ROWS: usize = 8192;

/// The maximum number of batches buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

/// Plans `ConnectedComponentsNode`.
#[derive(Debug)]
pub struct ConnectedComponentsPlanner;

impl ExtensionPlanner for ConnectedComponentsPlanner {
    plan_extension!(ConnectedComponentsPlanner, plan);
}

impl ConnectedComponentsPlanner {
    async fn plan(
        &self,
        _planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        inputs: &[Arc<dyn ExecutionPlan>],
        _session: &dyn Session,
        _context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let node = node.as_any().downcast_ref::<ConnectedComponentsNode>();
        let (Some(node), [edges]) = (node, inputs) else {
            return Ok(None);
        };
        let schema = Arc::clone(UserDefinedLogicalNodeCore::schema(node).inner());
        let exec = ConnectedComponentsExec::new(Arc::clone(edges), node.max_size, schema);
        Ok(Some(Arc::new(exec)))
    }
}

#[derive(Debug)]
pub struct ConnectedComponentsExec {
    edges: Arc<dyn ExecutionPlan>,
    max_size: Option<u32>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl ConnectedComponentsExec {
    pub fn new(edges: Arc<dyn ExecutionPlan>, max_size: Option<u32>, schema: SchemaRef) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self {
            edges,
            max_size,
            schema,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// The largest allowed size of a component.
    #[cfg(feature = "cluster")]
    pub fn max_size(&self) -> Option<u32> {
        self.max_size
    }
}

impl DisplayAs for ConnectedComponentsExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("ConnectedComponentsExec")?;
        match self.max_size {
            Some(size) => write!(f, ": max_size={size}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for ConnectedComponentsExec {
    one_input!(ConnectedComponentsExec, edges, |exec, edges| {
        Ok(Self::new(edges, exec.max_size, Arc::clone(&exec.schema)))
    });

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![Distribution::SinglePartition])
    }

    no_expressions!();

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&self.schema), MAX_BUFFERED_BATCHES);
        let run = Run {
            edges: self.edges.execute(partition, Arc::clone(&context))?,
            max_size: self.max_size.unwrap_or(u32::MAX),
            schema: Arc::clone(&self.schema),
            reservation: MemoryConsumer::new(NAME).register(context.memory_pool()),
            refused: MetricBuilder::new(&self.metrics).counter("refused_edges", partition),
            metrics: BaselineMetrics::new(&self.metrics, partition),
            output: stream.tx(),
        };
        match self.schema.field(0).data_type() {
            DataType::Int64 => stream.spawn(run.all::<Signed>()),
            DataType::UInt64 => stream.spawn(run.all::<Unsigned>()),
            DataType::LargeUtf8 => stream.spawn(run.all::<Text>()),
            other => return internal_err!("{NAME} has ids of the type {other}"),
        }
        Ok(stream.build())
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

/// Reads and writes ids of an Arrow type.
trait IdColumn {
    type Ids: Ids + Send + 'static;

    fn read(column: &ArrayRef) -> impl Iterator<Item = Option<<Self::Ids as Ids>::Id<'_>>>;

    fn build<'a>(ids: impl Iterator<Item = <Self::Ids as Ids>::Id<'a>>) -> ArrayRef;
}

struct Signed;

impl IdColumn for Signed {
    type Ids = IntegerIds;

    fn read(column: &ArrayRef) -> impl Iterator<Item = Option<i64>> {
        column.as_primitive::<Int64Type>().iter()
    }

    fn build<'a>(ids: impl Iterator<Item = <IntegerIds as Ids>::Id<'a>>) -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(ids))
    }
}

/// Unsigned ids, mapped to signed ones in the same order.
struct Unsigned;

const HIGHEST_BIT: u64 = 1 << 63;

impl IdColumn for Unsigned {
    type Ids = IntegerIds;

    fn read(column: &ArrayRef) -> impl Iterator<Item = Option<i64>> {
        let ids = column.as_primitive::<UInt64Type>().iter();
        ids.map(|id| id.map(|id| (id ^ HIGHEST_BIT).cast_signed()))
    }

    fn build<'a>(ids: impl Iterator<Item = <IntegerIds as Ids>::Id<'a>>) -> ArrayRef {
        let ids = ids.map(|id| id.cast_unsigned() ^ HIGHEST_BIT);
        Arc::new(UInt64Array::from_iter_values(ids))
    }
}

struct Text;

impl IdColumn for Text {
    type Ids = TextIds;

    fn read(column: &ArrayRef) -> impl Iterator<Item = Option<&str>> {
        column.as_string::<i64>().iter()
    }

    fn build<'a>(ids: impl Iterator<Item = &'a str>) -> ArrayRef {
        Arc::new(LargeStringArray::from_iter_values(ids))
    }
}

/// One execution of the operator.
struct Run {
    edges: SendableRecordBatchStream,
    max_size: u32,
    schema: SchemaRef,
    reservation: MemoryReservation,
    refused: Count,
    metrics: BaselineMetrics,
    output: Sender<Result<RecordBatch>>,
}

impl Run {
    async fn all<C: IdColumn>(mut self) -> Result<()> {
        let mut components = Components::<C::Ids>::with_max_size(self.max_size);
        while let Some(edges) = self.edges.next().await {
            let timer = self.metrics.elapsed_compute().timer();
            let refused = add_edges::<C>(&mut components, &edges?);
            self.refused
                .add(refused.map_err(|error| exec_datafusion_err!("{NAME}: {error}"))?);
            self.reservation.try_resize(components.memory())?;
            timer.done();
        }
        self.reservation.try_grow(components.memory_to_finish())?;
        let timer = self.metrics.elapsed_compute().timer();
        let labels = components.finish();
        timer.done();
        self.reservation.try_resize(labels.memory())?;
        let mut start = 0;
        while start < labels.len() {
            let end = labels.len().min(start + MAX_BATCH_ROWS);
            let batch = batch::<C>(&labels, start..end, &self.schema)?;
            self.metrics.record_output(batch.num_rows());
            if self.output.send(Ok(batch)).await.is_err() {
                // The query needs no more rows.
                return Ok(());
            }
            start = end;
        }
        Ok(())
    }
}

/// Adds the edges of a batch. An edge with one NULL only adds the other id. Returns the number of
/// refused edges.
fn add_edges<C: IdColumn>(
    components: &mut Components<C::Ids>,
    edges: &RecordBatch,
) -> Result<usize, TooManyNodes> {
    let mut numbers = |column: &ArrayRef| -> Result<Vec<Option<u32>>, TooManyNodes> {
        let known: Vec<_> = C::read(column).flatten().collect();
        let mut numbers = components.add_nodes(&known)?.into_iter();
        let ids = C::read(column);
        Ok(ids.map(|id| id.and_then(|_| numbers.next())).collect())
    };
    let (first, second) = (numbers(edges.column(0))?, numbers(edges.column(1))?);
    let edges = first.into_iter().zip(second);
    Ok(components.connect_all(edges.filter_map(|(first, second)| first.zip(second))))
}

/// Returns the rows of a range of ids.
fn batch<C: IdColumn>(
    labels: &Labels<C::Ids>,
    range: Range<usize>,
    schema: &SchemaRef,
) -> Result<RecordBatch> {
    let rows = || range.clone().map(|number| labels.get(number as u32));
    let sizes = rows().map(|row| i64::try_from(row.size).unwrap_or(i64::MAX));
    let columns: Vec<ArrayRef> = vec![
        C::build(rows().map(|row| row.id)),
        C::build(rows().map(|row| row.label)),
        Arc::new(Int64Array::from_iter_values(sizes)),
        Arc::new(Int64Array::from_iter_values(
            rows().map(|row| i64::from(row.refused_edges)),
        )),
    ];
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}
