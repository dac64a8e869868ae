//! The operator in physical plans.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, RecordBatch, RecordBatchOptions, UInt64Array,
};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::UserDefinedLogicalNode;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::EmissionType;
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use datafusion::physical_planner::{ExtensionPlanner, PhysicalPlanner};
use futures::StreamExt;
use tokio::sync::mpsc::Sender;

use super::call::{LateralRows, LateralTable};
use super::node::LateralNode;
use crate::boxed_methods::plan_extension;
use crate::operator::one_input;

/// A batch ends at this many bytes.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// The number of batches buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

/// Plans `LateralNode`.
#[derive(Debug)]
pub struct LateralPlanner;

impl ExtensionPlanner for LateralPlanner {
    plan_extension!(LateralPlanner, plan);
}

impl LateralPlanner {
    async fn plan(
        &self,
        planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let (Some(node), [input]) = (node.as_any().downcast_ref::<LateralNode>(), inputs) else {
            return Ok(None);
        };
        let schema = node.input.schema();
        let argument = planner.create_physical_expr(&node.argument, schema, session, context)?;
        let columns = node.columns.iter().map(|column| Arc::clone(&column.field));
        let fields = input
            .schema()
            .fields()
            .iter()
            .cloned()
            .chain(columns)
            .collect::<Vec<_>>();
        let schema = Schema::new_with_metadata(fields, input.schema().metadata().clone());
        Ok(Some(Arc::new(LateralExec::new(
            Arc::clone(input),
            Call {
                text: node.call.text.clone(),
                table: Arc::clone(&node.call.table).in_statement(session)?,
                argument,
                columns: node.columns.iter().map(|column| column.place).collect(),
                keeps_all: node.keeps_all,
            },
            Arc::new(schema),
        ))))
    }
}

#[derive(Debug, Clone)]
struct Call {
    text: String,
    table: Arc<dyn LateralTable>,
    argument: Arc<dyn PhysicalExpr>,
    /// The indexes of the columns that the query needs.
    columns: Vec<usize>,
    keeps_all: bool,
}

/// Joins each row of its input with the rows that a table function returns for it.
#[derive(Debug)]
pub struct LateralExec {
    input: Arc<dyn ExecutionPlan>,
    call: Call,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl LateralExec {
    fn new(input: Arc<dyn ExecutionPlan>, call: Call, schema: SchemaRef) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            input.output_partitioning().clone(),
            EmissionType::Incremental,
            input.boundedness(),
        );
        Self {
            input,
            call,
            schema,
            properties: Arc::new(properties),
        }
    }
}

impl DisplayAs for LateralExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.call.keeps_all { "Left" } else { "Inner" };
        write!(f, "LateralExec: {kind}, {}, columns=[", self.call.text)?;
        let inputs = self.input.schema().fields().len();
        let columns = self.schema.fields().iter().skip(inputs);
        let columns: Vec<_> = columns.map(|field| field.name().as_str()).collect();
        write!(f, "{}]", columns.join(", "))
    }
}

impl ExecutionPlan for LateralExec {
    one_input!(LateralExec, input, |exec, input| {
        Ok(Self::new(
            input,
            exec.call.clone(),
            Arc::clone(&exec.schema),
        ))
    });

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn apply_expressions(
        &self,
        f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        f(&self.call.argument)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut input = self.input.execute(partition, Arc::clone(&context))?;
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&self.schema), MAX_BUFFERED_BATCHES);
        let argument = Arc::clone(&self.call.argument);
        let mut output = Output {
            schema: Arc::clone(&self.schema),
            sender: stream.tx(),
            rows: self.call.table.rows(&self.call.columns),
            keeps_all: self.call.keeps_all,
            max_rows: context.session_config().batch_size(),
            places: Vec::new(),
            bytes: 0,
        };
        stream.spawn(async move {
            while let Some(batch) = input.next().await {
                let batch = batch?;
                let arguments = argument.evaluate(&batch)?.into_array(batch.num_rows())?;
                // A call may block on files.
                let task = SpawnedTask::spawn_blocking(move || {
                    let flow = output.add(&batch, arguments.as_string());
                    (output, flow)
                });
                let flow;
                (output, flow) = match task.join_unwind().await {
                    Ok(done) => done,
                    Err(error) => {
                        return Err(exec_datafusion_err!("a call was cancelled: {error}"));
                    }
                };
                if flow? == Flow::Unwanted {
                    break;
                }
            }
            Ok(())
        });
        Ok(stream.build())
    }
}

/// Whether the query needs more rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Wanted,
    Unwanted,
}

/// The next batch.
struct Output {
    schema: SchemaRef,
    sender: Sender<Result<RecordBatch>>,
    rows: Box<dyn LateralRows>,
    keeps_all: bool,
    max_rows: usize,
    /// For each output row, the index of its input row.
    places: Vec<u64>,
    bytes: usize,
}

impl Output {
    /// Sends the joined rows for an input batch.
    fn add(&mut self, input: &RecordBatch, arguments: &LargeStringArray) -> Result<Flow> {
        let sizes = RowSizes::of(input)?;
        for (place, argument) in arguments.iter().enumerate() {
            if self.sender.is_closed() {
                return Ok(Flow::Unwanted);
            }
            let row_bytes = sizes.row(place)?;
            self.rows.begin(argument)?;
            let mut is_found = false;
            while let Some(bytes) = self.rows.append_next()? {
                is_found = true;
                if self.add_row(input, place, row_bytes + bytes)? == Flow::Unwanted {
                    return Ok(Flow::Unwanted);
                }
            }
            if !is_found && self.keeps_all {
                self.rows.append_nulls();
                self.add_row(input, place, row_bytes)?;
            }
        }
        self.send(input)
    }

    /// Counts a row, and sends the batch if it is full.
    fn add_row(&mut self, input: &RecordBatch, place: usize, bytes: usize) -> Result<Flow> {
        self.places.push(place as u64);
        self.bytes += bytes;
        if self.places.len() >= self.max_rows || self.bytes >= MAX_BATCH_BYTES {
            self.send(input)
        } else {
            Ok(Flow::Wanted)
        }
    }

    fn send(&mut self, input: &RecordBatch) -> Result<Flow> {
        if self.places.is_empty() {
            return Ok(Flow::Wanted);
        }
        self.bytes = 0;
        let places = UInt64Array::from(std::mem::take(&mut self.places));
        let mut columns = Vec::with_capacity(self.schema.fields().len());
        for column in input.columns() {
            columns.push(take(column, &places, None)?);
        }
        columns.extend(self.rows.finish()?.columns().iter().cloned());
        // A batch without columns cannot infer its number of rows.
        let options = RecordBatchOptions::new().with_row_count(Some(places.len()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?;
        Ok(match self.sender.blocking_send(Ok(batch)) {
            Ok(()) => Flow::Wanted,
            Err(_) => Flow::Unwanted,
        })
    }
}

/// The sizes of the rows of a batch.
struct RowSizes<'a> {
    flat: Vec<&'a ArrayRef>,
    /// The average size per row of the other values, such as lists. Slices of these cannot be
    /// measured, because they share their elements.
    nested: usize,
}

impl<'a> RowSizes<'a> {
    fn of(batch: &'a RecordBatch) -> Result<Self> {
        let (flat, nested): (Vec<_>, Vec<_>) = batch
            .columns()
            .iter()
            .partition(|column| column.to_data().child_data().is_empty());
        let nested = nested.into_iter().map(bytes_of).sum::<Result<usize>>()?;
        Ok(Self {
            flat,
            nested: nested / batch.num_rows().max(1),
        })
    }

    fn row(&self, place: usize) -> Result<usize> {
        let flat = self.flat.iter();
        let flat = flat.map(|column| bytes_of(&column.slice(place, 1)));
        Ok(flat.sum::<Result<usize>>()? + self.nested)
    }
}

fn bytes_of(column: &ArrayRef) -> Result<usize> {
    Ok(column.to_data().get_slice_memory_size()?)
}
