//! Casts of floating-point numbers to integers round, as in DuckDB and PostgreSQL. DataFusion cuts
//! the fraction off.

use std::sync::{Arc, LazyLock};

use corpus_udfs::familiar::rounding;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::functions::math::expr_fn::round;
use datafusion::logical_expr::expr::{Cast, ScalarFunction, TryCast};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, ScalarUDF, lit};
use datafusion::optimizer::AnalyzerRule;

static ROUNDED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(rounding()));

/// Rounds numbers before they are cast.
#[derive(Debug)]
pub struct RoundedCasts;

impl AnalyzerRule for RoundedCasts {
    fn name(&self) -> &str {
        "rounded_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(rewrite_node)
            .map(|rewritten| rewritten.data)
    }
}

/// The operand of a cast to an integer.
fn operand(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field }) => {
            field.data_type().is_integer().then_some(expr)
        }
        _ => None,
    }
}

fn rewrite_node(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let mut has_casts = false;
    plan.apply_expressions(|expr| {
        has_casts = has_casts || expr.exists(|part| Ok(operand(part).is_some()))?;
        Ok(TreeNodeRecursion::Continue)
    })?;
    if !has_casts {
        return Ok(Transformed::no(plan));
    }
    let schema = merge_schema(&plan.inputs());
    let names = NamePreserver::new(&plan);
    let rewritten = plan.map_expressions(|expr| {
        let name = names.save(&expr);
        let rewritten = expr.transform_up(|part| Ok(rewrite(part, &schema)))?;
        Ok(if rewritten.transformed {
            rewritten.update_data(|expr| name.restore(expr))
        } else {
            rewritten
        })
    })?;
    if rewritten.transformed {
        rewritten.map_data(LogicalPlan::recompute_schema)
    } else {
        Ok(rewritten)
    }
}

fn rewrite(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let Some(inner) = operand(&expr) else {
        return Transformed::no(expr);
    };
    // The rules that follow report an operand without a type.
    let Ok(kind) = inner.get_type(schema) else {
        return Transformed::no(expr);
    };
    let is_rounded = matches!(
        inner,
        Expr::ScalarFunction(function) if function.func.name() == ROUNDED.name()
    );
    if is_rounded {
        return Transformed::no(expr);
    }
    let value = match (inner, &kind) {
        // Literals are decimal numbers: 2.5 becomes 3, and not the even number.
        (Expr::Literal(..), DataType::Float32 | DataType::Float64) => {
            round(vec![inner.clone(), lit(0_i64)])
        }
        (_, DataType::Float16 | DataType::Float32 | DataType::Float64) => {
            let call = ScalarFunction::new_udf(Arc::clone(&ROUNDED), vec![inner.clone()]);
            Expr::ScalarFunction(call)
        }
        _ => return Transformed::no(expr),
    };
    Transformed::yes(match expr {
        Expr::Cast(cast) => Expr::Cast(Cast {
            expr: Box::new(value),
            ..cast
        }),
        Expr::TryCast(cast) => Expr::TryCast(TryCast {
            expr: Box::new(value),
            ..cast
        }),
        other => other,
    })
}
