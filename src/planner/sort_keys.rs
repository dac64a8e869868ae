//! Computes the sort keys of ORDER BY, windows and aggregates, and the partitions of windows, in a
//! projection below them.
//!
//! DataFusion sorts for `rank() OVER (ORDER BY -abs(x))`, but then takes the rows for unsorted and
//! refuses the plan: it fails to derive the range of the key. The order of a column needs no range.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::{
    Aggregate, Expr, ExprSchemable, LogicalPlan, Projection, Sort, SortExpr, Window,
};
use datafusion::optimizer::AnalyzerRule;

use crate::planner::order_keys::{is_interval, is_nested, key_of, length_of};
use crate::planner::ordered_aggregates::ORDERED;
use crate::tree_walk::{PlanWalk, TreeWalk};

/// The start of the names of sort keys.
const KEY: &str = "__sort_key_";

/// Replaces computed sort keys by columns.
#[derive(Debug)]
pub struct SortKeys;

impl AnalyzerRule for SortKeys {
    fn name(&self) -> &str {
        "sort_keys"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| {
            let mut keys = Keys::default();
            let schema = match plan {
                LogicalPlan::Window(ref window) => Arc::clone(window.input.schema()),
                LogicalPlan::Aggregate(ref aggregate) => Arc::clone(aggregate.input.schema()),
                LogicalPlan::Sort(mut sort) => {
                    let schema = Arc::clone(sort.input.schema());
                    keys.replace(sort.expr.iter_mut().map(|key| &mut key.expr), &schema);
                    return keys.below_sort(sort);
                }
                plan => return Ok(Transformed::no(plan)),
            };
            let replaced =
                plan.rewrite_expressions_dyn(&mut |expr| Ok(keys.replace_in(expr, &schema)))?;
            if keys.0.is_empty() {
                return Ok(replaced);
            }
            keys.below(replaced.data).map(Transformed::yes)
        })
        .map(|rewritten| rewritten.data)
    }
}

/// The keys of a node, in the order of their columns.
#[derive(Default)]
struct Keys(Vec<Expr>);

impl Keys {
    /// Replaces the keys of a window function or an aggregate.
    fn replace_in(&mut self, mut expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
        let mut is_shortened = false;
        let (partitions, order) = match &mut expr {
            Expr::WindowFunction(function) => {
                let params = &mut function.params;
                (params.partition_by.as_mut_slice(), &mut params.order_by)
            }
            Expr::AggregateFunction(function)
                if ORDERED.contains(&function.func.name()) && !function.params.distinct =>
            {
                let order = &mut function.params.order_by;
                is_shortened = drop_idle_keys(order);
                (Default::default(), order)
            }
            _ => return Transformed::no(expr),
        };
        let order = order.iter_mut().map(|SortExpr { expr, .. }| expr);
        let is_replaced = self.replace(partitions.iter_mut().chain(order), schema);
        Transformed::new_transformed(expr, is_replaced || is_shortened)
    }

    /// Replaces computed keys, intervals, structs and lists. Returns whether there are some.
    fn replace<'a>(&mut self, keys: impl Iterator<Item = &'a mut Expr>, schema: &DFSchema) -> bool {
        let mut is_replaced = false;
        for key in keys {
            match key.get_type(schema) {
                Ok(kind) if is_interval(&kind) => *key = length_of(std::mem::take(key)),
                Ok(kind) if is_nested(&kind) => *key = key_of(std::mem::take(key)),
                _ => {}
            }
            if is_computed(key) {
                let column = self.column(std::mem::take(key));
                *key = Expr::Column(column);
                is_replaced = true;
            }
        }
        is_replaced
    }

    fn column(&mut self, key: Expr) -> Column {
        let found = self.0.iter().position(|known| *known == key);
        let index = found.unwrap_or_else(|| {
            self.0.push(key);
            self.0.len() - 1
        });
        Column::from_name(format!("{KEY}{index}"))
    }

    /// Returns the input of a node with the keys as columns.
    fn with_keys(&self, input: &Arc<LogicalPlan>) -> Result<Arc<LogicalPlan>> {
        let keys = self.0.iter().enumerate();
        let keys = keys.map(|(index, key)| key.clone().alias(format!("{KEY}{index}")));
        project(columns_of(input.schema()).chain(keys), Arc::clone(input)).map(Arc::new)
    }

    fn below_sort(&self, mut sort: Sort) -> Result<Transformed<LogicalPlan>> {
        if self.0.is_empty() {
            return Ok(Transformed::no(LogicalPlan::Sort(sort)));
        }
        let columns: Vec<_> = columns_of(sort.input.schema()).collect();
        sort.input = self.with_keys(&sort.input)?;
        project(columns.into_iter(), Arc::new(LogicalPlan::Sort(sort))).map(Transformed::yes)
    }

    /// Puts a projection with the keys below a node. The node has its former columns.
    fn below(self, node: LogicalPlan) -> Result<LogicalPlan> {
        match node {
            LogicalPlan::Window(window) => {
                let input = self.with_keys(&window.input)?;
                let columns = columns_of(&window.schema);
                let window = LogicalPlan::Window(Window::try_new(window.window_expr, input)?);
                project(columns, Arc::new(window))
            }
            LogicalPlan::Aggregate(aggregate) => {
                let input = self.with_keys(&aggregate.input)?;
                let (groups, calls) = (aggregate.group_expr, aggregate.aggr_expr);
                Ok(LogicalPlan::Aggregate(Aggregate::try_new(
                    input, groups, calls,
                )?))
            }
            other => Ok(other),
        }
    }
}

/// Removes constant and repeated keys of an aggregate. DataFusion removes them from the order of
/// the rows only, and then panics. Returns whether there are some.
fn drop_idle_keys(order: &mut Vec<SortExpr>) -> bool {
    let count = order.len();
    let mut known = HashSet::new();
    order.retain(|key| !matches!(key.expr, Expr::Literal(..)) && known.insert(key.expr.clone()));
    order.len() < count
}

/// The columns of a schema without that of GROUPING SETS, which a later rule removes.
fn columns_of(schema: &DFSchema) -> impl Iterator<Item = Expr> + use<> {
    let mut columns = schema.columns();
    columns.retain(|column| column.name != Aggregate::INTERNAL_GROUPING_ID);
    columns.into_iter().map(Expr::Column)
}

fn project(exprs: impl Iterator<Item = Expr>, input: Arc<LogicalPlan>) -> Result<LogicalPlan> {
    let projection = Projection::try_new(exprs.collect(), input)?;
    Ok(LogicalPlan::Projection(projection))
}

/// Whether a key is more than a column, and depends on the input alone.
fn is_computed(key: &Expr) -> bool {
    let is_plain = matches!(
        key,
        Expr::Column(_) | Expr::Literal(..) | Expr::OuterReferenceColumn(..)
    );
    let has_query = |expr: &Expr| {
        Ok(matches!(
            expr,
            Expr::OuterReferenceColumn(..)
                | Expr::ScalarSubquery(_)
                | Expr::InSubquery(_)
                | Expr::Exists(_)
                | Expr::AggregateFunction(_)
                | Expr::WindowFunction(_)
        ))
    };
    !is_plain && matches!(key.exists_dyn(&has_query), Ok(false))
}
