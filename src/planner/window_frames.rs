//! Windows in the order of a column whose values cannot be subtracted, such as bytes and structs,
//! and windows without an order.
//!
//! The default frame is RANGE, which DataFusion plans only for types with a distance. Without an
//! offset, GROUPS has the same rows.
//!
//! `row_number() OVER ()` numbers the rows as they come. DataFusion computes it after the windows
//! with an order, which sort the rows, and may lose the order of a sorted query below. Such windows
//! come first here, and take the order of that query, as in DuckDB.
//!
//! `RANGE BETWEEN … AND 1 PRECEDING` of a row whose key is NULL, NaN or infinite has all rows with
//! this key. DataFusion expects such a frame to end before the row, and takes the rows of the
//! batches so far. Here, the frame of such a row ends at CURRENT ROW, for which DataFusion waits.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::WindowFunctionParams;
use datafusion::logical_expr::{
    Expr, ExprSchemable, LogicalPlan, Operator, Projection, Window, WindowFrame, WindowFrameBound,
    WindowFrameUnits, binary_expr, lit, when,
};
use datafusion::optimizer::AnalyzerRule;

use crate::planner::ordered_aggregates::{self, Ordered};
use crate::tree_walk::PlanWalk;

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
                if let Some(ordered) = without_order_first(window)? {
                    return Ok(Transformed::yes(ordered));
                }
                if let Some(complete) = with_all_peers(window)? {
                    return Ok(Transformed::yes(complete));
                }
                let schema = window.input.schema().clone();
                plan.rewrite_expressions_dyn(&mut |expr| with_frame(expr, &schema))
            }
            _ => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

/// Computes a window without an order before the windows with one in its input.
fn without_order_first(window: &Window) -> Result<Option<LogicalPlan>> {
    let has_order = |window: &Window| {
        window.window_expr.iter().any(|expr| {
            let window = match expr.clone().unalias() {
                Expr::WindowFunction(function) => function,
                _ => return true,
            };
            !window.params.order_by.is_empty() || !window.params.partition_by.is_empty()
        })
    };
    if has_order(window) {
        return Ok(None);
    }
    let mut ordered = Vec::new();
    let mut input = &window.input;
    while let LogicalPlan::Window(inner) = input.as_ref()
        && has_order(inner)
    {
        ordered.push(inner);
        input = &inner.input;
    }
    let sorted = with_order_of_input(&window.window_expr, input)?;
    if ordered.is_empty() && sorted.is_none() {
        return Ok(None);
    }
    let mut plan = match sorted {
        Some(plan) => plan,
        None => {
            let first = Window::try_new(window.window_expr.clone(), Arc::clone(input))?;
            LogicalPlan::Window(first)
        }
    };
    for inner in ordered.into_iter().rev() {
        plan = LogicalPlan::Window(Window::try_new(inner.window_expr.clone(), Arc::new(plan))?);
    }
    let columns = window.schema.columns().into_iter().map(Expr::Column);
    let plan = Projection::try_new(columns.collect(), Arc::new(plan))?;
    Ok(Some(LogicalPlan::Projection(plan)))
}

/// Functions whose value depends on the order of the rows, even if the window has none.
const ORDERED: [&str; 9] = [
    "array_agg",
    "first_value",
    "lag",
    "last_value",
    "lead",
    "nth_value",
    "ntile",
    "row_number",
    "string_agg",
];

/// Computes windows without an order in the order of the query below. `None` if it has none.
fn with_order_of_input(exprs: &[Expr], input: &LogicalPlan) -> Result<Option<LogicalPlan>> {
    let takes_order = |expr: &Expr| match expr.clone().unalias() {
        Expr::WindowFunction(function) => ORDERED.contains(&function.fun.name()),
        _ => false,
    };
    let (ordered, others): (Vec<_>, Vec<_>) = exprs.iter().cloned().partition(takes_order);
    if ordered.is_empty() {
        return Ok(None);
    }
    let Some(Ordered { plan, keys }) = ordered_aggregates::find_sorted(input, &mut 0)? else {
        return Ok(None);
    };
    let ordered = ordered.into_iter().map(|expr| {
        let name = expr.schema_name().to_string();
        match expr.unalias() {
            Expr::WindowFunction(mut function) => {
                function.params.order_by.clone_from(&keys);
                Expr::WindowFunction(function).alias(name)
            }
            other => other,
        }
    });
    let plan = Arc::new(plan);
    let mut plan = LogicalPlan::Window(Window::try_new(ordered.collect(), plan)?);
    if !others.is_empty() {
        plan = LogicalPlan::Window(Window::try_new(others, Arc::new(plan))?);
    }
    Ok(Some(plan))
}

/// Adds windows for the rows whose frame has their peers although it ends before them, and selects
/// the value of one window for each row.
fn with_all_peers(window: &Window) -> Result<Option<LogicalPlan>> {
    let schema = window.input.schema();
    let mut exprs = window.window_expr.clone();
    let mut columns: Vec<Expr> = window
        .schema
        .columns()
        .into_iter()
        .map(Expr::Column)
        .collect();
    for (place, expr) in window.window_expr.iter().enumerate() {
        let Expr::WindowFunction(mut function) = expr.clone().unalias() else {
            continue;
        };
        let Some(has_peers) = frame_has_peers(&function.params, schema)? else {
            continue;
        };
        let frame = &mut function.params.window_frame;
        let start = match &frame.start_bound {
            WindowFrameBound::Preceding(rows) if rows.is_null() => frame.start_bound.clone(),
            _ => WindowFrameBound::CurrentRow,
        };
        *frame = WindowFrame::new_bounds(frame.units, start, WindowFrameBound::CurrentRow);
        let name = format!("__peers_{}", exprs.len());
        exprs.push(Expr::WindowFunction(function).alias(&name));
        let column = &mut columns[schema.fields().len() + place];
        let (of_peers, other) = (Expr::Column(Column::new_unqualified(name)), column.clone());
        let value = when(has_peers, of_peers).otherwise(other)?;
        let name = column.schema_name().to_string();
        *column = value.alias(name);
    }
    if exprs.len() == window.window_expr.len() {
        return Ok(None);
    }
    let plan = LogicalPlan::Window(Window::try_new(exprs, Arc::clone(&window.input))?);
    let plan = Projection::try_new(columns, Arc::new(plan))?;
    Ok(Some(LogicalPlan::Projection(plan)))
}

/// Returns which rows have their peers in a frame that ends before them, if there may be any.
fn frame_has_peers(params: &WindowFunctionParams, schema: &DFSchema) -> Result<Option<Expr>> {
    let frame = &params.window_frame;
    let (key, offset) = match (&frame.end_bound, params.order_by.as_slice()) {
        (WindowFrameBound::Preceding(offset), [key])
            if frame.units == WindowFrameUnits::Range
                && !offset.is_null()
                && !key.expr.is_volatile() =>
        {
            (key, offset)
        }
        _ => return Ok(None),
    };
    let data_type = key.expr.get_type(schema)?;
    let is_null = (key.expr.nullable(schema)?).then(|| key.expr.clone().is_null());
    if !data_type.is_floating() {
        return Ok(is_null);
    }
    let Ok(offset) = offset.cast_to(&data_type) else {
        return Ok(is_null);
    };
    let operator = if key.asc {
        Operator::Minus
    } else {
        Operator::Plus
    };
    let end = binary_expr(key.expr.clone(), operator, lit(offset));
    let is_unmoved = end.eq(key.expr.clone());
    Ok(Some(match is_null {
        Some(is_null) => is_null.or(is_unmoved),
        None => is_unmoved,
    }))
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
