//! The node in logical plans. All uses of a query have equal nodes.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use datafusion::common::{DFSchemaRef, Result, internal_err};
use datafusion::logical_expr::{Expr, Extension, LogicalPlan, UserDefinedLogicalNodeCore};
use parking_lot::Mutex;

/// A query whose rows all its uses share.
#[derive(Debug, PartialEq, Eq, PartialOrd, Hash)]
pub struct MaterializedNode {
    pub shared: Arc<SharedQuery>,
    pub input: LogicalPlan,
    /// Conditions on this use that name no column. DataFusion moves them below the node, where they
    /// would apply to the rows of all uses.
    pub conditions: Vec<Expr>,
}

/// What the uses of a query have in common.
#[derive(Debug)]
pub struct SharedQuery {
    /// The name in WITH.
    pub name: String,
    /// Whether it has random values.
    pub is_random: bool,
    id: u64,
    /// The columns that uses read, as far as a rule has asked. `None` once the others are removed.
    pub used: Option<Mutex<BTreeSet<usize>>>,
}

impl SharedQuery {
    pub fn new(name: &str, is_random: bool) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            name: name.to_owned(),
            is_random,
            id: NEXT.fetch_add(1, Atomic::Relaxed),
            used: Some(Mutex::default()),
        }
    }

    /// The same query without unused columns.
    pub fn pruned(&self) -> Self {
        Self {
            name: self.name.clone(),
            is_random: self.is_random,
            id: self.id,
            used: None,
        }
    }

    pub fn id(&self) -> u64 {
        self.id
    }
}

impl PartialEq for SharedQuery {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for SharedQuery {}

impl PartialOrd for SharedQuery {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.id.partial_cmp(&other.id)
    }
}

impl Hash for SharedQuery {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl MaterializedNode {
    pub fn into_plan(self) -> LogicalPlan {
        LogicalPlan::Extension(Extension {
            node: Arc::new(self),
        })
    }

    /// The node of a plan, if it is one.
    pub fn of(plan: &LogicalPlan) -> Option<&Self> {
        match plan {
            LogicalPlan::Extension(extension) => extension.node.as_any().downcast_ref(),
            _ => None,
        }
    }
}

impl UserDefinedLogicalNodeCore for MaterializedNode {
    fn name(&self) -> &str {
        "Materialized"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        self.input.schema()
    }

    fn expressions(&self) -> Vec<Expr> {
        self.conditions.clone()
    }

    /// Keeps filters on columns above: each use has its own.
    fn prevent_predicate_push_down_columns(&self) -> HashSet<String> {
        let fields = self.input.schema().fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Materialized: {}", self.shared.name)?;
        self.conditions
            .iter()
            .try_for_each(|condition| write!(f, " WHERE {condition}"))
    }

    fn with_exprs_and_inputs(
        &self,
        mut conditions: Vec<Expr>,
        mut inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        let (Some(input), true) = (inputs.pop(), inputs.is_empty()) else {
            return internal_err!("Materialized has one input");
        };
        let input = match input {
            LogicalPlan::Filter(filter)
                if filter.predicate.column_refs().is_empty() && *filter.input == self.input =>
            {
                conditions.push(filter.predicate);
                Arc::unwrap_or_clone(filter.input)
            }
            other => other,
        };
        Ok(Self {
            shared: Arc::clone(&self.shared),
            input,
            conditions,
        })
    }

    /// Notes the columns that a use reads. The query keeps those of all uses.
    fn necessary_children_exprs(&self, output: &[usize]) -> Option<Vec<Vec<usize>>> {
        if let Some(used) = &self.shared.used {
            used.lock().extend(output);
        }
        None
    }
}
