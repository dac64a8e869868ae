//! Replaces `+`, `-` and `*` of whole numbers by functions that fail on overflow.
//!
//! DataFusion's operators wrap around, so a sum could silently be a negative number. Its simplifier
//! takes `%` by one for 0, even of decimals.

use std::sync::{Arc, LazyLock};

use corpus_udfs::duckdb::{CheckedOperator, checked_function};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, ScalarUDF};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::node::{rewrite_node, rewrite_same_types};
use crate::tree_walk::PlanWalk;

static ADD: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(checked_function(CheckedOperator::Add)));

static SUBTRACT: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(checked_function(CheckedOperator::Subtract)));

static MULTIPLY: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(checked_function(CheckedOperator::Multiply)));

static REMAINDER: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(checked_function(CheckedOperator::Remainder)));

static NEGATE: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(checked_function(CheckedOperator::Negate)));

/// The rule for what DataFusion simplifies while planning: arithmetic without columns, and
/// remainders.
#[derive(Debug)]
pub struct CheckedConstants;

impl OptimizerRule for CheckedConstants {
    fn name(&self) -> &str {
        "checked_arithmetic_of_constants"
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        _config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        rewrite_operators(plan, &|node| {
            rewrite_node(node, is_constant_arithmetic, &rewrite_constant)
        })
    }
}

/// Replaces all operators of an optimized plan. Rules look for operators, and need long for the
/// names and types of nested functions.
pub fn with_checked_arithmetic(plan: LogicalPlan) -> Result<LogicalPlan> {
    let checked = rewrite_operators(plan, &|node| {
        rewrite_same_types(node, is_arithmetic, &rewrite)
    })?;
    Ok(checked.data)
}

/// Rewrites the nodes of a plan. Filters of table scans keep their operators: sources look for
/// them, and the filter above the scan is checked.
fn rewrite_operators(
    plan: LogicalPlan,
    rewrite: &dyn Fn(LogicalPlan) -> Result<Transformed<LogicalPlan>>,
) -> Result<Transformed<LogicalPlan>> {
    plan.transform_up_with_subqueries_dyn(&mut |node| match node {
        LogicalPlan::TableScan(_) => Ok(Transformed::no(node)),
        node => rewrite(node),
    })
}

fn is_arithmetic(expr: &Expr) -> bool {
    match expr {
        Expr::BinaryExpr(BinaryExpr { op, .. }) => checked_operator(*op).is_some(),
        Expr::Negative(_) => true,
        _ => false,
    }
}

fn is_remainder(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryExpr(binary) if binary.op == Operator::Modulo)
}

fn is_constant_arithmetic(expr: &Expr) -> bool {
    is_remainder(expr) || is_arithmetic(expr) && !expr.any_column_refs()
}

fn checked_operator(operator: Operator) -> Option<&'static Arc<ScalarUDF>> {
    match operator {
        Operator::Plus => Some(&ADD),
        Operator::Minus => Some(&SUBTRACT),
        Operator::Multiply => Some(&MULTIPLY),
        _ => None,
    }
}

fn rewrite_constant(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    if is_constant_arithmetic(&expr) {
        rewrite(expr, schema)
    } else {
        Ok(Transformed::no(expr))
    }
}

/// Returns an operand of the functions in an expression, which has the type of their results.
/// Asking a chain of functions for its type at each operator takes long.
fn operand(mut expr: &Expr) -> &Expr {
    let same_type = [&ADD, &SUBTRACT, &MULTIPLY, &NEGATE];
    while let Expr::ScalarFunction(call) = expr
        && same_type.iter().any(|known| Arc::ptr_eq(known, &call.func))
        && let Some(last) = call.args.last()
    {
        expr = last;
    }
    expr
}

fn rewrite(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    // Type coercion has made the types of both operands the same.
    let kind = |side: &Expr| operand(side).get_type(schema).ok();
    let is_integer = |side: &Expr| kind(side).is_some_and(|kind| kind.is_integer());
    let call = |function: &Arc<ScalarUDF>, args: Vec<Expr>| {
        let call = ScalarFunction::new_udf(Arc::clone(function), args);
        Ok(Transformed::yes(Expr::ScalarFunction(call)))
    };
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match checked_operator(op) {
            None if op == Operator::Modulo && kind(&left).is_some_and(|kind| kind.is_decimal()) => {
                call(&REMAINDER, vec![*left, *right])
            }
            Some(function) if is_integer(&left) && kind(&left) == kind(&right) => {
                call(function, vec![*left, *right])
            }
            _ => {
                let same = Expr::BinaryExpr(BinaryExpr { left, op, right });
                Ok(Transformed::no(same))
            }
        },
        Expr::Negative(value) if is_integer(&value) => call(&NEGATE, vec![*value]),
        other => Ok(Transformed::no(other)),
    }
}
