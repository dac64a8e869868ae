//! Nested values as JSON, `a_struct -> 'field'`, and JSON inside of JSON: `json_object('a', j ->
//! 'b')` has a value where a text would be a string.

use std::sync::LazyLock;

use corpus_udfs::duckdb::{json_value_of_text, to_json};
use corpus_udfs::{JSON_MEMBER, reads_json};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use super::casts::kind_of;
use super::node::{has_candidates, rewrite_node};
use crate::planner::lineage::{Origin, all_origins};
use crate::tree_walk::PlanWalk;

static TO_JSON: LazyLock<ScalarUDF> = LazyLock::new(to_json);

static MARKED: LazyLock<ScalarUDF> = LazyLock::new(json_value_of_text);

/// Functions that return JSON, or lists of it.
const RETURN_JSON: &[&str] = &[
    "json_array",
    "json_cast",
    "json_extract",
    "json_extract_all",
    "json_field",
    "json_member",
    "json_merge_patch",
    "json_pretty",
    "json_structure",
    "to_json",
];

/// Functions that return the values, or an item or items, of their first argument.
const RETURN_FIRST_ARGUMENT: &[&str] = &[
    "array_agg",
    "array_distinct",
    "array_element",
    "array_slice",
    "array_sort",
    "first_value",
    "last_value",
    "max",
    "min",
    "null_masked",
    "nullif",
];

/// Calls `to_json` for nested arguments of functions that read JSON, and marks the JSON in its
/// arguments.
#[derive(Debug)]
pub struct JsonValues;

impl AnalyzerRule for JsonValues {
    fn name(&self) -> &str {
        "json_values"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |node| {
            if !has_candidates(&node, is_candidate)? {
                return Ok(Transformed::no(node));
            }
            let inputs: Vec<LogicalPlan> = node.inputs().into_iter().cloned().collect();
            let inputs: Vec<&LogicalPlan> = inputs.iter().collect();
            rewrite_node(node, is_candidate, &|part, schema| {
                Ok(with_values(part, schema, &inputs))
            })
        })
        .map(|rewritten| rewritten.data)
    }
}

fn is_candidate(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::ScalarFunction(function)
            if function.func.name() == "to_json" || takes_json(&function.func)
    )
}

/// Whether the first argument of a function is JSON, or a nested value.
fn takes_json(function: &ScalarUDF) -> bool {
    reads_json(function) || function.name() == JSON_MEMBER
}

fn with_values(mut expr: Expr, schema: &DFSchema, inputs: &[&LogicalPlan]) -> Transformed<Expr> {
    let Expr::ScalarFunction(function) = &mut expr else {
        return Transformed::no(expr);
    };
    let is_changed = match function.args.as_mut_slice() {
        [value] if function.func.name() == "to_json" => mark(value, schema, inputs),
        [json, ..]
            if takes_json(&function.func)
                && kind_of(json, schema).is_some_and(|kind| kind.is_nested()) =>
        {
            mark(json, schema, inputs);
            *json = TO_JSON.call(vec![std::mem::take(json)]);
            true
        }
        _ => false,
    };
    Transformed::new_transformed(expr, is_changed)
}

/// Marks the JSON in a value. Returns whether there is any.
fn mark(value: &mut Expr, schema: &DFSchema, inputs: &[&LogicalPlan]) -> bool {
    if is_json(value, inputs) {
        if kind_of(value, schema).is_none_or(|kind| !can_be_marked(&kind)) {
            return false;
        }
        *value = MARKED.call(vec![std::mem::take(value)]);
        return true;
    }
    match value {
        Expr::Alias(alias) => mark(&mut alias.expr, schema, inputs),
        Expr::ScalarFunction(function) => {
            let values: Vec<&mut Expr> = match function.func.name() {
                "named_struct" => function.args.iter_mut().skip(1).step_by(2).collect(),
                "map" => function.args.iter_mut().skip(1).collect(),
                // The items of a list have one type.
                "make_array" if function.args.len() == 1 => function.args.iter_mut().collect(),
                _ => Vec::new(),
            };
            let marks = values.into_iter().map(|value| mark(value, schema, inputs));
            marks.fold(false, |any, is_marked| any | is_marked)
        }
        _ => false,
    }
}

fn can_be_marked(kind: &DataType) -> bool {
    match kind {
        DataType::List(item) | DataType::LargeList(item) => can_be_marked(item.data_type()),
        kind => kind.is_string(),
    }
}

/// Whether an expression returns JSON, or a list of it.
fn is_json(expr: &Expr, inputs: &[&LogicalPlan]) -> bool {
    match expr {
        Expr::Alias(alias) => is_json(&alias.expr, inputs),
        Expr::Cast(cast) if cast.field.data_type().is_string() => is_json(&cast.expr, inputs),
        Expr::ScalarFunction(function) => match function.func.name() {
            "coalesce" | "make_array" => are_json(function.args.iter(), inputs),
            name if RETURN_FIRST_ARGUMENT.contains(&name) => {
                function.args.first().is_some_and(|it| is_json(it, inputs))
            }
            name => RETURN_JSON.contains(&name),
        },
        Expr::AggregateFunction(function) => {
            RETURN_FIRST_ARGUMENT.contains(&function.func.name())
                && function
                    .params
                    .args
                    .first()
                    .is_some_and(|it| is_json(it, inputs))
        }
        Expr::HigherOrderFunction(function) => match function.args.as_slice() {
            [_, Expr::Lambda(lambda)] if function.func.name() == "array_transform" => {
                is_json(&lambda.body, inputs)
            }
            [list, _] if function.func.name() == "array_filter" => is_json(list, inputs),
            _ => false,
        },
        Expr::Case(case) => {
            let results = case
                .when_then_expr
                .iter()
                .map(|(_, result)| result.as_ref());
            are_json(results.chain(case.else_expr.as_deref()), inputs)
        }
        Expr::Column(column) => is_json_column(column, inputs),
        Expr::ScalarSubquery(query) => is_json_at(&query.subquery, 0),
        _ => false,
    }
}

/// Whether values of one type are JSON. Literals adopt the type of the others.
fn are_json<'a>(values: impl Iterator<Item = &'a Expr>, inputs: &[&LogicalPlan]) -> bool {
    let typed = values.filter(|value| !matches!(value, Expr::Literal(..)));
    let mut typed = typed.peekable();
    typed.peek().is_some() && typed.all(|value| is_json(value, inputs))
}

fn is_json_column(column: &Column, inputs: &[&LogicalPlan]) -> bool {
    inputs.iter().any(|input| {
        let index = input.schema().maybe_index_of_column(column);
        index.is_some_and(|index| is_json_at(input, index))
    })
}

fn is_json_at(plan: &LogicalPlan, index: usize) -> bool {
    all_origins(plan, index, &mut |origin| match origin {
        Origin::Expression(expr, node) => is_json(expr, &node.inputs()),
        Origin::Items(input, list) => is_json_at(input, list),
        Origin::Table | Origin::Unknown => false,
    })
}
