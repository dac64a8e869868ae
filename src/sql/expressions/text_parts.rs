//! `text[2]` and `text[1:3]`: characters of a text, as in DuckDB.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::functions::expr_fn::{character_length, greatest, substring};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, GetFieldAccess, cast, lit, when};

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
            GetFieldAccess::ListIndex { key } => {
                let place = place(key)?;
                let part = substring(text.clone(), place.from(text)?, lit(1_i64));
                // DuckDB: before the first character.
                match place {
                    CharacterIndex::Constant(0) => lit(""),
                    CharacterIndex::Constant(_) => part,
                    CharacterIndex::Computed(place) => {
                        when(place.eq(lit(0_i64)), lit("")).otherwise(part)?
                    }
                }
            }
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
                let (start, stop) = (place(start)?, place(stop)?);
                let length = stop.end(text)? - start.from(text)? + lit(1_i64);
                let length = greatest(vec![lit(0_i64), length]);
                substring(text.clone(), start.from(text)?, length)
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

    /// Like [`Self::end`], of the first character of a part.
    fn from(&self, text: &Expr) -> Result<Expr> {
        match self {
            Self::Constant(0) => Ok(lit(1_i64)),
            Self::Constant(_) => self.end(text),
            Self::Computed(place) => {
                let is_none = place.clone().eq(lit(0_i64));
                when(is_none, lit(1_i64)).otherwise(self.end(text)?)
            }
        }
    }
}

fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(value), _) => *value,
        Expr::Negative(inner) => integer(inner).map(|value| -value),
        _ => None,
    }
}
