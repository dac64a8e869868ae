//! Optimizer rules and operators that DataFusion lacks, from the logical plan to the running one.
//!
//! ```text
//! evaluate_once       runs a costly function once per record
//! batch_size          chooses the batch size of each operator
//! build_side          holds the side of a join without long texts
//! correlated          queries that use columns of the rows around them
//! semi_joins          looks up equal keys of IN and EXISTS once
//! grouping_sets       computed keys of GROUPING SETS
//! in_subqueries       IN (SELECT …) with NULL, and in SELECT lists
//! nested_aggregates   count(DISTINCT x), min and max of structs and lists
//! empty_aggregates    conditions above an aggregate of no rows
//! nullable_subqueries the value of a query without rows
//! order_keys          intervals, structs and lists in comparisons and orders
//! ordered_aggregates  the order of a sorted subquery in list(x)
//! repeated_names      filters on columns whose names repeat
//! row_numbers         numbers rows without holding them
//! sort_keys           the keys of windows and aggregates as columns
//! stoppable_joins     ends joins when their statement is stopped
//! lambdas             parameters of lambda functions in merged operators
//! lateral             table functions with a column as argument
//! lineage             the source of a column
//! materialized        queries of WITH that run once
//! inner_queries       queries that run while another statement is planned
//! recursion_order     the order of the rows of recursive queries
//! reopened_tables     the statement that a table belongs to
//! union_types         columns of UNION with texts and dates
//! unique_keys         keys that are unique below an operator that repeats rows
//! window_frames       windows in the order of bytes and structs
//! ```

pub mod batch_size;
pub mod build_side;
pub mod correlated;
pub mod empty_aggregates;
pub mod evaluate_once;
pub mod grouping_sets;
pub mod in_subqueries;
pub mod inner_queries;
pub mod lambdas;
pub mod lateral;
pub mod lineage;
pub mod materialized;
pub mod nested_aggregates;
pub mod nullable_subqueries;
pub mod order_keys;
pub mod ordered_aggregates;
pub mod recursion_order;
pub mod reopened_tables;
pub mod repeated_names;
pub mod row_numbers;
pub mod semi_joins;
pub mod sort_keys;
pub mod stoppable_joins;
pub mod union_types;
pub mod unique_keys;
pub mod window_frames;

use std::collections::BTreeSet;

use datafusion::common::DFSchema;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ReplaceChildrenOptions;
use datafusion::physical_plan::execution_plan::ChildrenPropertiesMode;

/// Options for replacing the inputs of an operator with inputs whose properties may differ.
pub const RECOMPUTE: ReplaceChildrenOptions =
    ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);

/// Returns the indexes of the input columns that an operator needs: those in `exprs`, and those of
/// its `output`, which begins with the columns of the input.
fn needed_columns<'a>(
    input: &DFSchema,
    output: &[usize],
    exprs: impl IntoIterator<Item = &'a Expr>,
) -> Vec<usize> {
    let passed_on = output.iter().copied();
    let passed_on = passed_on.filter(|index| *index < input.fields().len());
    let used = exprs.into_iter().flat_map(Expr::column_refs);
    let used = used.filter_map(|column| input.maybe_index_of_column(column));
    let needed: BTreeSet<usize> = passed_on.chain(used).collect();
    needed.into_iter().collect()
}

/// An expression without its aliases.
pub fn without_alias(expr: &Expr) -> &Expr {
    match expr {
        Expr::Alias(alias) => without_alias(&alias.expr),
        other => other,
    }
}
