//! The node in logical plans: the columns of its input, then a column for each call.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use datafusion::common::{DFSchema, DFSchemaRef, Result, internal_err};
use datafusion::logical_expr::{
    Expr, ExprSchemable, Extension, LogicalPlan, UserDefinedLogicalNodeCore,
};

use crate::planner::needed_columns;

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct EvaluateOnceNode {
    pub input: LogicalPlan,
    /// Calls with the names of their columns.
    pub calls: Vec<Expr>,
    schema: DFSchemaRef,
}

impl EvaluateOnceNode {
    pub fn try_new(input: LogicalPlan, calls: Vec<Expr>) -> Result<Self> {
        let columns = input.schema();
        let mut fields: Vec<_> = columns
            .iter()
            .map(|(qualifier, field)| (qualifier.cloned(), Arc::clone(field)))
            .collect();
        for call in &calls {
            fields.push(call.to_field(columns)?);
        }
        let metadata = columns.as_arrow().metadata().clone();
        let schema = Arc::new(DFSchema::new_with_metadata(fields, metadata)?);
        Ok(Self {
            input,
            calls,
            schema,
        })
    }

    pub fn into_plan(self) -> LogicalPlan {
        LogicalPlan::Extension(Extension {
            node: Arc::new(self),
        })
    }
}

impl PartialOrd for EvaluateOnceNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (&self.calls, &self.input).partial_cmp(&(&other.calls, &other.input))
    }
}

impl UserDefinedLogicalNodeCore for EvaluateOnceNode {
    fn name(&self) -> &str {
        "EvaluateOnce"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        self.calls.clone()
    }

    /// Keeps filters on the calls above the node. All others may move below, where they save calls.
    fn prevent_predicate_push_down_columns(&self) -> HashSet<String> {
        let inputs = self.input.schema().fields().len();
        let calls = self.schema.fields().iter().skip(inputs);
        calls.map(|field| field.name().clone()).collect()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let calls: Vec<_> = self.calls.iter().map(ToString::to_string).collect();
        write!(f, "EvaluateOnce: {}", calls.join(", "))
    }

    fn with_exprs_and_inputs(
        &self,
        calls: Vec<Expr>,
        mut inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        match (inputs.pop(), inputs.is_empty()) {
            (Some(input), true) => Self::try_new(input, calls),
            _ => internal_err!("EvaluateOnce has one input"),
        }
    }

    fn necessary_children_exprs(&self, output: &[usize]) -> Option<Vec<Vec<usize>>> {
        let columns = self.input.schema();
        Some(vec![needed_columns(columns, output, &self.calls)])
    }

    fn supports_limit_pushdown(&self) -> bool {
        true
    }
}
