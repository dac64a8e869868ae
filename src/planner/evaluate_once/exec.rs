//! The operator in physical plans: a projection that is not merged with others, and below which no
//! filter moves.

use std::fmt;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::UserDefinedLogicalNode;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion::physical_planner::{ExtensionPlanner, PhysicalPlanner};

use super::node::EvaluateOnceNode;
use crate::boxed_methods::plan_extension;
use crate::planner::without_alias;

/// Plans `EvaluateOnceNode`.
#[derive(Debug)]
pub struct EvaluateOncePlanner;

impl ExtensionPlanner for EvaluateOncePlanner {
    plan_extension!(EvaluateOncePlanner, plan);
}

impl EvaluateOncePlanner {
    async fn plan(
        &self,
        planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let (Some(node), [input]) = (node.as_any().downcast_ref::<EvaluateOnceNode>(), inputs)
        else {
            return Ok(None);
        };
        let schema = input.schema();
        let mut columns: Vec<(Arc<dyn PhysicalExpr>, String)> = Vec::new();
        for (index, field) in schema.fields().iter().enumerate() {
            let column = Column::new(field.name(), index);
            columns.push((Arc::new(column), field.name().clone()));
        }
        for call in &node.calls {
            let schema = node.input.schema();
            let expr =
                planner.create_physical_expr(without_alias(call), schema, session, context)?;
            columns.push((expr, call.schema_name().to_string()));
        }
        let projection = ProjectionExec::try_new(columns, Arc::clone(input))?;
        Ok(Some(Arc::new(EvaluateOnceExec(projection))))
    }
}

#[derive(Debug)]
pub struct EvaluateOnceExec(ProjectionExec);

impl EvaluateOnceExec {
    pub fn new(projection: ProjectionExec) -> Self {
        Self(projection)
    }

    /// The columns of the input, then the results of the calls.
    pub fn projection(&self) -> &ProjectionExec {
        &self.0
    }
}

impl DisplayAs for EvaluateOnceExec {
    fn fmt_as(&self, format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        match format {
            DisplayFormatType::TreeRender => self.0.fmt_as(format, f),
            _ => {
                let inputs = self.0.input().schema().fields().len();
                let calls = self.0.expr().iter().skip(inputs);
                let calls: Vec<_> = calls
                    .map(|call| format!("{} as {}", call.expr, call.alias))
                    .collect();
                write!(f, "EvaluateOnceExec: {}", calls.join(", "))
            }
        }
    }
}

impl ExecutionPlan for EvaluateOnceExec {
    fn name(&self) -> &str {
        "EvaluateOnceExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.0.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.0.children()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.0.maintains_input_order()
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let columns = self.0.expr().to_vec();
        let [input] = children.as_slice() else {
            return datafusion::common::internal_err!("EvaluateOnceExec has one input");
        };
        let projection = ProjectionExec::try_new(columns, Arc::clone(input))?;
        Ok(Arc::new(Self(projection)))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.0.apply_expressions(f)
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        self.0.child_stats_requests(partition)
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        self.0.statistics_from_inputs(inputs, args)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        self.0.execute(partition, context)
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.0.metrics()
    }

    fn supports_limit_pushdown(&self) -> bool {
        true
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }
}
