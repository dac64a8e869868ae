//! Windows in the order of a column whose values cannot be subtracted, such as bytes and structs.
//!
//! The default frame is RANGE, which DataFusion plans only for types with a distance. Without an
//! offset, GROUPS has the same rows.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{
    Expr, ExprSchemable, LogicalPlan, WindowFrame, WindowFrameBound, WindowFrameUnits,
};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::{PlanWalk, TreeWalk};

/// Replaces RANGE by GROUPS where DataFusion would fail.
#[derive(Debug)]
pub struct WindowFrames;

impl AnalyzerRule for WindowFrames {
    fn name(&self) -> &str {
        "window_frames"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match &plan {
            LogicalPlan::Window(window) => {
                let schema = window.input.schema().clone();
                let names = NamePreserver::new(&plan);
                plan.map_expressions_dyn(&mut |expr| {
                    let name = names.save(&expr);
                    let expr = expr.transform_up_dyn(&mut |expr| with_frame(expr, &schema))?;
                    Ok(expr.update_data(|expr| name.restore(expr)))
                })
            }
            _ => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

fn with_frame(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Expr::WindowFunction(mut function) = expr else {
        return Ok(Transformed::no(expr));
    };
    let params = &mut function.params;
    let frame = &params.window_frame;
    let is_replaced = match params.order_by.first() {
        Some(key) if frame.units == WindowFrameUnits::Range && !has_offset(frame) => {
            !has_distance(&key.expr.get_type(schema)?)
        }
        _ => false,
    };
    if is_replaced {
        params.window_frame = WindowFrame::new_bounds(
            WindowFrameUnits::Groups,
            frame.start_bound.clone(),
            frame.end_bound.clone(),
        );
    }
    let expr = Expr::WindowFunction(function);
    Ok(Transformed::new_transformed(expr, is_replaced))
}

fn has_offset(frame: &WindowFrame) -> bool {
    let is_offset = |bound: &WindowFrameBound| match bound {
        WindowFrameBound::CurrentRow => false,
        WindowFrameBound::Preceding(rows) | WindowFrameBound::Following(rows) => !rows.is_null(),
    };
    is_offset(&frame.start_bound) || is_offset(&frame.end_bound)
}

/// Whether DataFusion plans RANGE for a type.
fn has_distance(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => has_distance(values),
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => true,
        other => other.is_numeric() || other.is_string() || other.is_null(),
    }
}
