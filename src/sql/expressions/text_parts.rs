//! `text[2]` and `text[1:3]`: characters of a text, as in DuckDB.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::functions::expr_fn::{character_length, greatest, substr, substring};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, GetFieldAccess, lit};

/// Plans subscripts of texts, before DataFusion takes them for those of lists.
#[derive(Debug)]
pub struct TextPartsPlanner;

impl ExprPlanner for TextPartsPlanner {
    fn plan_field_access(
        &self,
        access: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        let is_text = matches!(
            access.expr.get_type(schema),
            Ok(DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        );
        if !is_text {
            return Ok(PlannerResult::Original(access));
        }
        let text = &access.expr;
        let planned = match &access.field_access {
            GetFieldAccess::NamedStructField { .. } => return Ok(PlannerResult::Original(access)),
            GetFieldAccess::ListIndex { key } => match integer(key) {
                // DuckDB: before the first character.
                Some(0) => lit(""),
                Some(place) => substring(text.clone(), from(text, place), lit(1_i64)),
                None => return plan_err!("write substr({text}, number, 1)"),
            },
            GetFieldAccess::ListRange {
                start,
                stop,
                stride,
            } => match (integer(start), integer(stop), integer(stride)) {
                (Some(start), Some(-1), Some(1)) => substr(text.clone(), from(text, start)),
                (Some(start), Some(stop), Some(1)) => {
                    substring(text.clone(), from(text, start), length(text, start, stop))
                }
                _ => return plan_err!("write substr({text}, start, length)"),
            },
        };
        Ok(PlannerResult::Planned(planned))
    }
}

/// The place of a character, from the end if it is negative.
fn from(text: &Expr, place: i64) -> Expr {
    if place >= 0 {
        return lit(place.max(1));
    }
    let length = datafusion::logical_expr::cast(character_length(text.clone()), DataType::Int64);
    length + lit(place + 1)
}

/// The number of characters between two places.
fn length(text: &Expr, start: i64, stop: i64) -> Expr {
    if start >= 0 && stop >= 0 {
        return lit((stop - start.max(1) + 1).max(0));
    }
    let place = |place: i64| match place {
        ..0 => from(text, place),
        _ => lit(place),
    };
    greatest(vec![
        lit(0_i64),
        place(stop) - from(text, start) + lit(1_i64),
    ])
}

fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(value), _) => *value,
        Expr::Negative(inner) => integer(inner).map(|value| -value),
        _ => None,
    }
}
