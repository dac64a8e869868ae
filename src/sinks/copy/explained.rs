//! Plans a `COPY` under `EXPLAIN`. DataFusion plans the explained statement without our planner,
//! except for our own nodes.

use std::fmt;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{DFSchemaRef, Result, internal_err};
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{
    Analyze, Explain, Expr, Extension, LogicalPlan, UserDefinedLogicalNode,
    UserDefinedLogicalNodeCore,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{ExtensionPlanner, PhysicalPlanner};

use super::plan_copy;

use crate::boxed_methods::plan_extension;

/// Replaces an explained copy by our own node. Returns `None` for any other plan.
pub fn with_explained_copy(plan: &LogicalPlan) -> Option<LogicalPlan> {
    match plan {
        LogicalPlan::Explain(explain) => Some(LogicalPlan::Explain(Explain {
            plan: node(&explain.plan)?,
            ..explain.clone()
        })),
        LogicalPlan::Analyze(analyze) => Some(LogicalPlan::Analyze(Analyze {
            input: node(&analyze.input)?,
            ..analyze.clone()
        })),
        _ => None,
    }
}

fn node(plan: &LogicalPlan) -> Option<Arc<LogicalPlan>> {
    let LogicalPlan::Copy(copy) = plan else {
        return None;
    };
    let node = Arc::new(ExplainedCopy(copy.clone()));
    Some(Arc::new(LogicalPlan::Extension(Extension { node })))
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Hash)]
struct ExplainedCopy(CopyTo);

impl UserDefinedLogicalNodeCore for ExplainedCopy {
    fn name(&self) -> &str {
        "CopyTo"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.0.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.0.output_schema
    }

    fn expressions(&self) -> Vec<Expr> {
        Vec::new()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", LogicalPlan::Copy(self.0.clone()).display())
    }

    fn with_exprs_and_inputs(&self, _: Vec<Expr>, mut inputs: Vec<LogicalPlan>) -> Result<Self> {
        match (inputs.pop(), inputs.is_empty()) {
            (Some(input), true) => Ok(Self(CopyTo {
                input: Arc::new(input),
                ..self.0.clone()
            })),
            _ => internal_err!("CopyTo has one input"),
        }
    }
}

/// Plans `ExplainedCopy`.
#[derive(Debug)]
pub struct ExplainedCopyPlanner;

impl ExtensionPlanner for ExplainedCopyPlanner {
    plan_extension!(ExplainedCopyPlanner, plan);
}

impl ExplainedCopyPlanner {
    async fn plan(
        &self,
        planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        _physical_inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        _context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        match node.as_any().downcast_ref::<ExplainedCopy>() {
            Some(ExplainedCopy(copy)) => Ok(Some(plan_copy(copy.clone(), planner, session).await?)),
            None => Ok(None),
        }
    }
}
