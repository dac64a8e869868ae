//! The nodes in logical plans.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::datatypes::FieldRef;
use datafusion::common::{DFSchema, DFSchemaRef, Result, TableReference, internal_err};
use datafusion::logical_expr::{Expr, Extension, LogicalPlan, UserDefinedLogicalNodeCore};

use super::call::{LateralProvider, LateralTable};
use crate::planner::needed_columns;

/// A call as written in SQL, and the table that it opened.
#[derive(Debug, Clone)]
pub struct Call {
    pub text: String,
    pub table: Arc<dyn LateralTable>,
}

impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && Arc::ptr_eq(&self.table, &other.table)
    }
}

impl Eq for Call {}

impl Hash for Call {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

fn extension(node: impl UserDefinedLogicalNodeCore) -> LogicalPlan {
    LogicalPlan::Extension(Extension {
        node: Arc::new(node),
    })
}

/// A call whose argument refers to the tables before it. [`super::LateralJoins`] replaces it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct LateralCall {
    pub call: Call,
    pub argument: Expr,
    schema: DFSchemaRef,
}

/// Returns the plan of a call. `text` is the call as users write it.
pub fn lateral_call(text: String, provider: &LateralProvider) -> Result<LogicalPlan> {
    let schema = DFSchema::try_from(provider.table.schema())?;
    Ok(extension(LateralCall {
        call: Call {
            text,
            table: Arc::clone(&provider.table),
        },
        argument: provider.argument.clone(),
        schema: Arc::new(schema),
    }))
}

impl PartialOrd for LateralCall {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (&self.call.text, &self.argument).partial_cmp(&(&other.call.text, &other.argument))
    }
}

impl UserDefinedLogicalNodeCore for LateralCall {
    fn name(&self) -> &str {
        "LateralCall"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        Vec::new()
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        vec![self.argument.clone()]
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "LateralCall: {}", self.call.text)
    }

    fn with_exprs_and_inputs(
        &self,
        mut exprs: Vec<Expr>,
        _inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        let Some(argument) = exprs.pop() else {
            return internal_err!("LateralCall has one argument");
        };
        Ok(Self {
            call: self.call.clone(),
            argument,
            schema: Arc::clone(&self.schema),
        })
    }
}

/// A column of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallColumn {
    /// The index among the columns of the table.
    pub place: usize,
    /// The name that the query gives it.
    pub qualifier: Option<TableReference>,
    pub field: FieldRef,
}

/// Returns the columns of its input, then the columns of the call.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct LateralNode {
    pub input: LogicalPlan,
    pub call: Call,
    pub argument: Expr,
    pub columns: Vec<CallColumn>,
    /// Whether input rows for which the call returns no row are kept, with NULLs.
    pub keeps_all: bool,
    schema: DFSchemaRef,
}

impl LateralNode {
    pub fn try_new(
        input: LogicalPlan,
        call: Call,
        argument: Expr,
        columns: Vec<CallColumn>,
        keeps_all: bool,
    ) -> Result<Self> {
        let of_input = input.schema();
        let fields = of_input
            .iter()
            .map(|(qualifier, field)| (qualifier.cloned(), Arc::clone(field)))
            .chain(
                columns
                    .iter()
                    .map(|column| (column.qualifier.clone(), Arc::clone(&column.field))),
            )
            .collect();
        let metadata = of_input.as_arrow().metadata().clone();
        let schema = Arc::new(DFSchema::new_with_metadata(fields, metadata)?);
        Ok(Self {
            input,
            call,
            argument,
            columns,
            keeps_all,
            schema,
        })
    }

    pub fn into_plan(self) -> LogicalPlan {
        extension(self)
    }
}

impl PartialOrd for LateralNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (&self.call.text, &self.argument, &self.input).partial_cmp(&(
            &other.call.text,
            &other.argument,
            &other.input,
        ))
    }
}

impl UserDefinedLogicalNodeCore for LateralNode {
    fn name(&self) -> &str {
        "Lateral"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        vec![self.argument.clone()]
    }

    /// Lets filters on the input move below, where they save calls.
    fn prevent_predicate_push_down_columns(&self) -> HashSet<String> {
        let columns = self.columns.iter();
        columns.map(|column| column.field.name().clone()).collect()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = if self.keeps_all { "Left" } else { "Inner" };
        write!(f, "{kind} Lateral: {}", self.call.text)
    }

    fn with_exprs_and_inputs(
        &self,
        mut exprs: Vec<Expr>,
        mut inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        let (Some(argument), Some(input)) = (exprs.pop(), inputs.pop()) else {
            return internal_err!("Lateral has one input and one argument");
        };
        let (call, columns) = (self.call.clone(), self.columns.clone());
        Self::try_new(input, call, argument, columns, self.keeps_all)
    }

    fn necessary_children_exprs(&self, output: &[usize]) -> Option<Vec<Vec<usize>>> {
        let columns = self.input.schema();
        Some(vec![needed_columns(columns, output, [&self.argument])])
    }
}
