//! `list(text)` holds copies of its texts. DataFusion would hold the pages of the file that they
//! come from, and count them again for each batch.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, cast};
use datafusion::optimizer::AnalyzerRule;

use super::casts::kind_of;
use super::node::rewrite_plan;

/// Casts the listed texts and bytes to types that do not share their bytes.
#[derive(Debug)]
pub struct ListedTexts;

impl AnalyzerRule for ListedTexts {
    fn name(&self) -> &str {
        "listed_texts"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        rewrite_plan(plan, is_list, |part, schema| Ok(rewrite(part, schema)))
    }
}

fn is_list(expr: &Expr) -> bool {
    matches!(expr, Expr::AggregateFunction(function) if function.func.name() == "array_agg")
}

fn rewrite(mut expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    if let Expr::AggregateFunction(function) = &mut expr
        && function.func.name() == "array_agg"
        // These hold each value once, and compare it with the sort keys.
        && !function.params.distinct
        && let [value] = function.params.args.as_mut_slice()
        && let Some(copied) = kind_of(value, schema).and_then(copied)
    {
        *value = cast(std::mem::take(value), copied);
        return Transformed::yes(expr);
    }
    Transformed::no(expr)
}

/// The type of a copy.
fn copied(kind: DataType) -> Option<DataType> {
    match kind {
        DataType::Utf8View => Some(DataType::LargeUtf8),
        DataType::BinaryView => Some(DataType::LargeBinary),
        _ => None,
    }
}
