//! Plans and schemas as bytes.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{Result, internal_datafusion_err};
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion_proto::physical_plan::{AsExecutionPlan, PhysicalExtensionCodec};
use datafusion_proto::protobuf::PhysicalPlanNode;
use prost::Message;

/// The error for bytes that are not a plan of this version.
pub fn damaged(error: prost::DecodeError) -> DataFusionError {
    internal_datafusion_err!("a damaged plan: {error}")
}

/// Encodes a plan.
pub fn plan_bytes(
    plan: Arc<dyn ExecutionPlan>,
    codec: &dyn PhysicalExtensionCodec,
) -> Result<Vec<u8>> {
    Ok(PhysicalPlanNode::try_from_physical_plan(plan, codec)?.encode_to_vec())
}

/// Decodes a plan.
pub fn plan_of(
    bytes: &[u8],
    context: &TaskContext,
    codec: &dyn PhysicalExtensionCodec,
) -> Result<Arc<dyn ExecutionPlan>> {
    let node = PhysicalPlanNode::decode(bytes).map_err(damaged)?;
    node.try_into_physical_plan(context, codec)
}

/// Encodes a schema.
pub fn schema_bytes(schema: SchemaRef, codec: &dyn PhysicalExtensionCodec) -> Result<Vec<u8>> {
    plan_bytes(Arc::new(EmptyExec::new(schema)), codec)
}

/// Decodes a schema.
pub fn schema_of(
    bytes: &[u8],
    context: &TaskContext,
    codec: &dyn PhysicalExtensionCodec,
) -> Result<SchemaRef> {
    Ok(plan_of(bytes, context, codec)?.schema())
}
