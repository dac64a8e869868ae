//! The node in logical plans: edges in, ids with their components out.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema};
use datafusion::common::{DFSchema, DFSchemaRef, Result, internal_err};
use datafusion::logical_expr::{Expr, Extension, LogicalPlan, UserDefinedLogicalNodeCore};

/// The names of the input's columns.
pub const FIRST: &str = "first";
pub const SECOND: &str = "second";

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ConnectedComponentsNode {
    /// Two columns of the same type: Int64, UInt64 or LargeUtf8.
    pub edges: LogicalPlan,
    pub max_size: Option<u32>,
    schema: DFSchemaRef,
}

impl ConnectedComponentsNode {
    pub fn try_new(edges: LogicalPlan, max_size: Option<u32>) -> Result<Self> {
        let id = edges.schema().field(0).data_type().clone();
        let fields = Fields::from(vec![
            Field::new("id", id.clone(), false),
            Field::new("component", id, false),
            Field::new("size", DataType::Int64, false),
            Field::new("refused_edges", DataType::Int64, false),
        ]);
        let schema = Arc::new(DFSchema::try_from(Schema::new(fields))?);
        Ok(Self {
            edges,
            max_size,
            schema,
        })
    }

    pub fn into_plan(self) -> LogicalPlan {
        LogicalPlan::Extension(Extension {
            node: Arc::new(self),
        })
    }
}

impl PartialOrd for ConnectedComponentsNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (&self.max_size, &self.edges).partial_cmp(&(&other.max_size, &other.edges))
    }
}

impl UserDefinedLogicalNodeCore for ConnectedComponentsNode {
    fn name(&self) -> &str {
        "ConnectedComponents"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.edges]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        Vec::new()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("ConnectedComponents")?;
        match self.max_size {
            Some(size) => write!(f, ": max_size={size}"),
            None => Ok(()),
        }
    }

    fn with_exprs_and_inputs(&self, _: Vec<Expr>, mut inputs: Vec<LogicalPlan>) -> Result<Self> {
        match (inputs.pop(), inputs.is_empty()) {
            (Some(edges), true) => Self::try_new(edges, self.max_size),
            _ => internal_err!("ConnectedComponents has one input"),
        }
    }

    /// Both ids are needed, whichever columns the query uses.
    fn necessary_children_exprs(&self, _output: &[usize]) -> Option<Vec<Vec<usize>>> {
        Some(vec![vec![0, 1]])
    }
}
