//! Encodes our operators, for plans that are sent to other processes.
//!
//! DataFusion and Ballista encode their own operators. Our operators in [`CLIENT_OPERATORS`] are
//! never sent; a test lists the others.

mod messages;
#[cfg(test)]
mod tests;
mod text_files;

use std::collections::HashMap;
use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::common::{Result, internal_err, plan_err};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::partitioned_topk::{PartitionedTopKExec, WindowFnKind};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use prost::Message;

use self::messages::{
    BatchSizeNode, ComponentsNode, Node, Operator, ScanNode, TopKNode, Versioned,
};
use super::file_extensions::ScanExtension;
use super::parts::WritePartsExec;
use super::plans::{damaged, plan_bytes, plan_of, schema_bytes, schema_of};
use super::version::{VERSION, mismatch};
use crate::connected_components::ConnectedComponentsExec;
use crate::planner::RECOMPUTE;
use crate::planner::batch_size::{BatchSizeExec, Output};
use crate::planner::evaluate_once::EvaluateOnceExec;
use crate::planner::row_numbers::RowNumberExec;
use crate::settings::{CorpusSettings, OnError};
use crate::sources::data_files::named_files::with_names;
use crate::sources::formats::configured_format;
use crate::sources::scan::{ON_ERROR, RecordSource};

/// Our operators that run in the client.
pub const CLIENT_OPERATORS: [&str; 9] = [
    "ClusterExec",
    "CompleteCopyExec",
    "ErrorRowsExec",
    "InOrderExec",
    "LateralExec",
    "MaterializedExec",
    "MaterializedRowsExec",
    "PartsExec",
    "SearchExec",
];

/// The prefix of our encoded operators.
const MAGIC: &[u8] = b"corpus-sql\0";

/// Encodes and decodes all operators. Ballista's codec handles those that are not ours.
#[derive(Debug, Default)]
pub struct CorpusCodec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for CorpusCodec {
    fn try_encode(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if CLIENT_OPERATORS.contains(&plan.name()) {
            return plan_err!("{} runs in the client only", plan.name());
        }
        let Some(operator) = self.encode(&plan, converter)? else {
            return self.0.try_encode(plan, bytes, converter);
        };
        let node = Node {
            version: VERSION.clone(),
            operator: Some(operator),
        };
        bytes.extend_from_slice(MAGIC);
        bytes.extend(node.encode_to_vec());
        Ok(())
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(bytes) = bytes.strip_prefix(MAGIC) else {
            return self.0.try_decode(bytes, inputs, context, converter);
        };
        let Versioned { version } = Versioned::decode(bytes).map_err(damaged)?;
        if version != *VERSION {
            return plan_err!("{}", mismatch("a process of this cluster", &version));
        }
        let Some(operator) = Node::decode(bytes).map_err(damaged)?.operator else {
            return internal_err!("an operator is missing");
        };
        match operator {
            Operator::Scan(scan) => self.scan(*scan, context, converter),
            Operator::EvaluateOnce(bytes) => {
                let plan = plan_of(&bytes, context, self)?;
                let Some(projection) = plan.downcast_ref::<ProjectionExec>() else {
                    return internal_err!("expected a projection, got {}", plan.name());
                };
                let projection =
                    ProjectionExec::try_new(projection.expr().to_vec(), only(inputs)?)?;
                Ok(Arc::new(EvaluateOnceExec::new(projection)))
            }
            Operator::RowNumber(bytes) => {
                let window = plan_of(&bytes, context, self)?;
                let window = window.replace_children(vec![only(inputs)?], RECOMPUTE)?;
                Ok(Arc::new(RowNumberExec::new(window)))
            }
            Operator::ConnectedComponents(ComponentsNode { max_size, schema }) => {
                let schema = schema_of(&schema, context, self)?;
                let edges = only(inputs)?;
                Ok(Arc::new(ConnectedComponentsExec::new(
                    edges, max_size, schema,
                )))
            }
            Operator::BatchSize(node) => {
                let output = match (node.output_rows, node.is_gathered) {
                    (Some(rows), _) => Output::Rows(rows as usize),
                    (None, true) => Output::Gathered,
                    (None, false) => Output::Unchanged,
                };
                let rows = node.rows as usize;
                Ok(Arc::new(BatchSizeExec::new(only(inputs)?, rows, output)))
            }
            Operator::PartitionedTopK(node) => {
                let plan = plan_of(&node.sort, context, self)?;
                let Some(sort) = plan.downcast_ref::<SortExec>() else {
                    return internal_err!("expected a sort, got {}", plan.name());
                };
                Ok(Arc::new(PartitionedTopKExec::try_new(
                    only(inputs)?,
                    sort.expr().clone(),
                    node.partition_prefix as usize,
                    node.fetch as usize,
                    if node.is_rank {
                        WindowFnKind::Rank
                    } else {
                        WindowFnKind::RowNumber
                    },
                )?))
            }
            Operator::Json(node) => text_files::json(*node, context, self, converter),
            Operator::Csv(node) => text_files::csv(&node, context, self),
            Operator::NamedFiles(scan) => with_names(plan_of(&scan, context, self)?),
            Operator::WriteParts(node) => {
                let exec = WritePartsExec::decode(node, only(inputs)?, context, self)?;
                Ok(Arc::new(exec))
            }
        }
    }
}

impl CorpusCodec {
    /// `None` if the operator is not one of ours.
    fn encode(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Option<Operator>> {
        if let Some(once) = plan.downcast_ref::<EvaluateOnceExec>() {
            let projection = once.projection();
            let nothing = Arc::new(EmptyExec::new(projection.input().schema()));
            let projection = ProjectionExec::try_new(projection.expr().to_vec(), nothing)?;
            let bytes = plan_bytes(Arc::new(projection), self)?;
            return Ok(Some(Operator::EvaluateOnce(bytes)));
        }
        if let Some(numbers) = plan.downcast_ref::<RowNumberExec>() {
            let window = numbers.window();
            let schema = window.children().first().map(|input| input.schema());
            let Some(schema) = schema else {
                return internal_err!("RowNumberExec has one input");
            };
            let nothing: Arc<dyn ExecutionPlan> = Arc::new(EmptyExec::new(schema));
            let window = Arc::clone(window).replace_children(vec![nothing], RECOMPUTE)?;
            return Ok(Some(Operator::RowNumber(plan_bytes(window, self)?)));
        }
        if let Some(sized) = plan.downcast_ref::<BatchSizeExec>() {
            return Ok(Some(Operator::BatchSize(BatchSizeNode {
                rows: sized.rows() as u64,
                output_rows: match sized.output() {
                    Output::Rows(rows) => Some(rows as u64),
                    Output::Unchanged | Output::Gathered => None,
                },
                is_gathered: sized.output() == Output::Gathered,
            })));
        }
        if let Some(components) = plan.downcast_ref::<ConnectedComponentsExec>() {
            return Ok(Some(Operator::ConnectedComponents(ComponentsNode {
                max_size: components.max_size(),
                schema: schema_bytes(components.schema(), self)?,
            })));
        }
        if let Some(write) = plan.downcast_ref::<WritePartsExec>() {
            return Ok(Some(Operator::WriteParts(write.encode(self)?)));
        }
        if let Some(top) = plan.downcast_ref::<PartitionedTopKExec>() {
            let nothing = Arc::new(EmptyExec::new(top.input().schema()));
            let sort = SortExec::new(top.expr().clone(), nothing);
            return Ok(Some(Operator::PartitionedTopK(TopKNode {
                sort: plan_bytes(Arc::new(sort), self)?,
                partition_prefix: top.partition_prefix_len() as u64,
                fetch: top.fetch() as u64,
                is_rank: matches!(top.fn_kind(), WindowFnKind::Rank),
            })));
        }
        let Some(scan) = plan.downcast_ref::<DataSourceExec>() else {
            return Ok(None);
        };
        match scan.downcast_to_file_source::<RecordSource>() {
            Some((config, source)) => {
                let scan = self.encoded_scan(config, source, converter)?;
                Ok(Some(Operator::Scan(Box::new(scan))))
            }
            None => text_files::encode(scan, self, converter),
        }
    }

    fn encoded_scan(
        &self,
        config: &FileScanConfig,
        source: &RecordSource,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<ScanNode> {
        let format = source.format();
        let options = format.configuration().into_iter();
        let options = options.map(|(name, value)| (name.to_owned(), value));
        let mut options: HashMap<String, String> = options.collect();
        // Fails for formats registered by a program, which do not exist in the other processes.
        configured_format(format.name(), &options)?;
        options.insert(ON_ERROR.name.to_owned(), source.on_error().to_string());
        let filters = source.filters().iter();
        Ok(ScanNode {
            format: format.name().to_owned(),
            options,
            config: Some(serialize_file_scan_config(config, self, converter)?),
            filters: filters
                .map(|filter| converter.physical_expr_to_proto(filter, self))
                .collect::<Result<_>>()?,
            extensions: ScanExtension::all(&config.file_groups)?,
        })
    }

    fn scan(
        &self,
        scan: ScanNode,
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let config = scan.config.unwrap_or_default();
        let schema = parse_table_schema_from_proto(&config)?;
        let decode = PhysicalPlanDecodeContext::new(context, self);
        let filters = scan
            .filters
            .iter()
            .map(|filter| converter.proto_to_physical_expr(filter, schema.table_schema(), &decode));
        let filters = filters.collect::<Result<_>>()?;
        let mut settings = CorpusSettings::of(context.session_config().options());
        let mut options = scan.options;
        if let Some(on_error) = options.remove(ON_ERROR.name) {
            let parsed = on_error.parse::<OnError>();
            settings.on_error = parsed
                .map_err(|error: String| datafusion::common::plan_datafusion_err!("{error}"))?;
        }
        let format = configured_format(&scan.format, &options)?;
        let source = RecordSource::new(format, schema, settings).for_client(filters);
        let mut config =
            parse_protobuf_file_scan_config(&config, &decode, converter, Arc::new(source))?;
        ScanExtension::restore(scan.extensions, &mut config.file_groups)?;
        Ok(DataSourceExec::from_data_source(config))
    }
}

fn only(inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Arc<dyn ExecutionPlan>> {
    match inputs {
        [input] => Ok(Arc::clone(input)),
        inputs => internal_err!("expected one input, got {}", inputs.len()),
    }
}

/// Encodes a plan. An error names the operator that cannot run elsewhere.
pub fn job_bytes(plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<u8>> {
    let codec = CorpusCodec::default();
    let error = match plan_bytes(Arc::clone(plan), &codec) {
        Ok(bytes) => return Ok(bytes),
        Err(error) => error,
    };
    // DataFusion's message contains the whole plan and is too long to read.
    let reason = match culprit(plan, &codec) {
        Some(("LateralExec" | "SearchExec", _)) => {
            "search() reads its index in the client".to_owned()
        }
        Some((name, Some(reason))) => format!("{name}: {reason}"),
        Some((name, None)) => format!("the operator {name} runs in one process only"),
        None => error.strip_backtrace(),
    };
    plan_err!("this cannot run on a cluster: {reason}; run it without --cluster")
}

/// Returns the lowest operator that cannot be encoded, with the reason unless it is the kind of the
/// operator.
fn culprit<'a>(
    plan: &'a Arc<dyn ExecutionPlan>,
    codec: &CorpusCodec,
) -> Option<(&'a str, Option<String>)> {
    let below = plan.children().into_iter();
    if let Some(found) = below.filter_map(|input| culprit(input, codec)).next() {
        return Some(found);
    }
    let error = plan_bytes(Arc::clone(plan), codec).err()?;
    let reason = error.strip_backtrace();
    let is_short = !reason.contains("Unsupported plan");
    Some((plan.name(), is_short.then_some(reason)))
}
