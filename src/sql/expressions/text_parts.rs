//! `text[2]` and `text[1:3]`: characters of a text, as in DuckDB.

use corpus_udfs::bytes::substr;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, plan_err};
use datafusion::functions::expr_fn::character_length;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, GetFieldAccess, cast, lit, when};

use super::casts::integer;

/// Plans subscripts of texts, before DataFusion takes them for subscripts of lists.
#[derive(Debug)]
pub struct TextPartsPlanner;

impl ExprPlanner for TextPartsPlanner {
    fn plan_field_access(
        &self,
        access: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        if !access
            .expr
            .get_type(schema)
            .is_ok_and(|kind| kind.is_string())
        {
            return Ok(PlannerResult::Original(access));
        }
        let text = &access.expr;
        let place = |expr: &Expr| match integer(expr) {
            Some(place) => Ok(CharacterIndex::Constant(place)),
            None if expr.get_type(schema)?.is_integer() => Ok(CharacterIndex::Computed(cast(
                expr.clone(),
                DataType::Int64,
            ))),
            None => {
                plan_err!("a place in a text is a whole number: write substr({text}, number, 1)")
            }
        };
        let planned = match &access.field_access {
            GetFieldAccess::NamedStructField { .. } => return Ok(PlannerResult::Original(access)),
            GetFieldAccess::ListIndex { key } => part(text, place(key)?.value(), lit(1_i64)),
            GetFieldAccess::ListRange {
                start,
                stop,
                stride,
            } => {
                if integer(stride) != Some(1) {
                    return plan_err!(
                        "parts of texts have no steps: write substr({text}, start, length)"
                    );
                }
                let (start, end) = (place(start)?.from(text)?, place(stop)?.end(text)?);
                let length = end - start.clone() + lit(1_i64);
                part(text, start, at_least(0, length)?)
            }
        };
        Ok(PlannerResult::Planned(planned))
    }
}

/// The number of a character, which counts from the end if it is negative.
enum CharacterIndex {
    Constant(i64),
    Computed(Expr),
}

impl CharacterIndex {
    fn value(&self) -> Expr {
        match self {
            Self::Constant(place) => lit(*place),
            Self::Computed(place) => place.clone(),
        }
    }

    /// The number of the character from the start.
    fn end(&self, text: &Expr) -> Result<Expr> {
        let length = cast(character_length(text.clone()), DataType::Int64);
        let from_end = length + self.value() + lit(1_i64);
        match self {
            Self::Constant(0..) => Ok(self.value()),
            Self::Constant(_) => Ok(from_end),
            Self::Computed(place) => {
                let is_from_end = place.clone().lt(lit(0_i64));
                when(is_from_end, from_end).otherwise(place.clone())
            }
        }
    }

    /// Returns the number of the first character of a part, at least 1.
    fn from(&self, text: &Expr) -> Result<Expr> {
        match self {
            Self::Constant(place @ 0..) => Ok(lit((*place).max(1))),
            _ => at_least(1, self.end(text)?),
        }
    }
}

/// Returns `substr(text, start, length)`.
fn part(text: &Expr, start: Expr, length: Expr) -> Expr {
    substr().call(vec![text.clone(), start, length])
}

/// Returns a number, or the minimum if it is smaller. Unlike `greatest`, returns NULL for NULL.
fn at_least(least: i64, number: Expr) -> Result<Expr> {
    when(number.clone().lt(lit(least)), lit(least)).otherwise(number)
}
