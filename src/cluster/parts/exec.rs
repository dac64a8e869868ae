//! The operator that writes parts on executors.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::config::TableOptions;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use futures::{StreamExt, TryStreamExt};
use log::warn;
use prost::Message;

use super::tasks::{PartRow, WRITTEN, batch, rows, task_of};
use crate::cluster::plans::{plan_bytes, plan_of, schema_bytes, schema_of};
use crate::operator::{no_expressions, one_input};
use crate::sinks::resume::folder::Folder;
use crate::sinks::resume::parquet_options;
use crate::sinks::resume::part::{Run, Written};
use crate::sinks::resume::row_wise::RowWisePlan;
use crate::sources::scan::counters::{Counts, PlanCounters};

/// The state that all parts of a run share.
#[derive(Debug, Clone)]
pub struct SharedState {
    pub plans: Vec<RowWisePlan>,
    pub schema: SchemaRef,
    pub format_options: HashMap<String, String>,
    pub folder: TargetFolder,
    /// The target of rows with an error, and the column with the error.
    pub errors: Option<(TargetFolder, usize)>,
}

/// A folder that the client has opened.
#[derive(Clone, PartialEq, Message)]
pub struct TargetFolder {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub url: String,
    /// The folder in which local files are written before they appear.
    #[prost(string, optional, tag = "3")]
    pub staged_files: Option<String>,
}

/// Reads tasks and writes their parts.
#[derive(Debug)]
pub struct WritePartsExec {
    common: SharedState,
    tasks: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PartsNode {
    #[prost(bytes = "vec", repeated, tag = "1")]
    plans: Vec<Vec<u8>>,
    #[prost(bytes = "vec", tag = "2")]
    schema: Vec<u8>,
    #[prost(map = "string, string", tag = "3")]
    format_options: HashMap<String, String>,
    #[prost(message, optional, tag = "4")]
    folder: Option<TargetFolder>,
    #[prost(message, optional, tag = "5")]
    errors: Option<TargetFolder>,
    #[prost(uint64, tag = "6")]
    error_column: u64,
}

impl WritePartsExec {
    pub fn new(common: SharedState, tasks: Arc<dyn ExecutionPlan>) -> Self {
        let partitions = tasks.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&WRITTEN)),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self {
            common,
            tasks,
            properties: Arc::new(properties),
        }
    }

    pub fn encode(&self, codec: &dyn PhysicalExtensionCodec) -> Result<PartsNode> {
        let plans = self.common.plans.iter();
        let plans = plans.map(|plan| plan_bytes(plan.without_files()?, codec));
        let (errors, error_column) = match &self.common.errors {
            Some((place, column)) => (Some(place.clone()), *column),
            None => (None, 0),
        };
        Ok(PartsNode {
            plans: plans.collect::<Result<_>>()?,
            schema: schema_bytes(Arc::clone(&self.common.schema), codec)?,
            format_options: self.common.format_options.clone(),
            folder: Some(self.common.folder.clone()),
            errors,
            error_column: error_column as u64,
        })
    }

    pub fn decode(
        node: PartsNode,
        tasks: Arc<dyn ExecutionPlan>,
        context: &TaskContext,
        codec: &dyn PhysicalExtensionCodec,
    ) -> Result<Self> {
        let mut plans = Vec::with_capacity(node.plans.len());
        for bytes in &node.plans {
            match RowWisePlan::all(&plan_of(bytes, context, codec)?).as_deref() {
                Some([plan]) => plans.push(plan.clone()),
                _ => return internal_err!("a plan does not work row by row"),
            }
        }
        let common = SharedState {
            plans,
            schema: schema_of(&node.schema, context, codec)?,
            format_options: node.format_options,
            folder: node.folder.unwrap_or_default(),
            errors: node.errors.map(|place| (place, node.error_column as usize)),
        };
        Ok(Self::new(common, tasks))
    }
}

impl DisplayAs for WritePartsExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "WritePartsExec: {}", self.common.folder.name)
    }
}

impl ExecutionPlan for WritePartsExec {
    one_input!(WritePartsExec, tasks, |exec, tasks| {
        Ok(Self::new(exec.common.clone(), tasks))
    });

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    no_expressions!();

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let tasks = self.tasks.execute(partition, Arc::clone(&context))?;
        let run = RunningTask(Arc::new(self.common.run(context)?));
        let written = tasks
            .map(|tasks| {
                let tasks = tasks?;
                let rows = rows(&tasks)?.into_iter().map(task_of);
                Ok::<_, DataFusionError>(futures::stream::iter(rows.collect::<Vec<_>>()))
            })
            .try_flatten()
            .and_then(move |task| {
                let run = Arc::clone(&run.0);
                async move {
                    let file = task.name.clone();
                    let before = counted(&run);
                    let Written { rows, error_rows } = run.write_once(task).await?;
                    let row = PartRow::new(file, rows, error_rows, since(&before, counted(&run)));
                    batch(&WRITTEN, &[row.to_bytes()?])
                }
            });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            Arc::clone(&WRITTEN),
            written,
        )))
    }
}

/// The run of a task. When the task ends or is cancelled, and its client is gone, nobody else
/// removes the staging folder.
struct RunningTask(Arc<Run>);

impl Drop for RunningTask {
    fn drop(&mut self) {
        let folders = self.0.folders();
        // The thread that drops a cancelled task may not belong to a runtime.
        std::thread::spawn(move || {
            for folder in folders {
                if let Err(error) = folder.remove_abandoned() {
                    warn!("cannot clean up '{}': {error}", folder.name);
                }
            }
        });
    }
}

impl SharedState {
    fn run(&self, context: Arc<TaskContext>) -> Result<Run> {
        let open = |place: &TargetFolder| {
            let url = ListingTableUrl::parse(&place.url)?;
            let store = context.runtime_env().object_store(&url)?;
            let folder = Folder::new(place.name.clone(), &url, store)?;
            Ok::<_, DataFusionError>(folder.join(place.staged_files.as_ref().map(PathBuf::from)))
        };
        let errors = match &self.errors {
            Some((place, column)) => Some((open(place)?, *column)),
            None => None,
        };
        let settings = context.session_config().options();
        let options = TableOptions::default_from_session_config(settings);
        Ok(Run {
            plans: self.plans.clone(),
            schema: Arc::clone(&self.schema),
            options: parquet_options(options, &self.format_options)?,
            folder: open(&self.folder)?,
            errors,
            context,
        })
    }
}

/// Returns the current counts of the scans of a run.
fn counted(run: &Run) -> Counts {
    let mut counts = Counts::default();
    for plan in &run.plans {
        counts += PlanCounters::of(plan.plan()).counts();
    }
    counts
}

fn since(before: &Counts, now: Counts) -> Counts {
    let errors = now.errors.into_iter().map(|(reason, count)| {
        let earlier = before.errors.get(reason).copied().unwrap_or_default();
        (reason, count - earlier)
    });
    Counts {
        files: now.files - before.files,
        records: now.records - before.records,
        bytes: now.bytes - before.bytes,
        errors: errors.filter(|(_, count)| *count > 0).collect(),
    }
}
