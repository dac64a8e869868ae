//! Calculations with decimal numbers only, such as `0.1 + 0.2 = 0.3`, which are exact in DuckDB.
//!
//! In other calculations, such numbers are floating-point numbers, because a column beside them may
//! be one.

use std::cmp::Ordering;

use datafusion::sql::sqlparser::ast::{BinaryOperator, CastKind, Expr, UnaryOperator, Value};

use super::types::is_text;
use crate::sql::syntax::text;

/// Numbers with more digits are not calculated. The product of two others fits into 128 bits.
const MAX_DIGITS: usize = 18;

/// `digits / 10^scale`
#[derive(Debug, Clone, Copy)]
struct Decimal {
    digits: i128,
    scale: u32,
}

/// The result of a calculation with literals. `None` for other expressions.
pub fn fold(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::BinaryOp { left, op, right } => {
            let (left, right) = (Decimal::of(left)?, Decimal::of(right)?);
            (left.scale.max(right.scale) > 0).then_some(())?;
            calculate(left, op, right)
        }
        // A cast to text keeps trailing zeros.
        Expr::Cast {
            kind: CastKind::Cast | CastKind::DoubleColon,
            expr,
            data_type,
            ..
        } if is_text(data_type) => {
            let number = Decimal::of(expr).filter(|number| number.scale > 0)?;
            Some(text(&number.to_text()))
        }
        _ => None,
    }
}

fn calculate(left: Decimal, op: &BinaryOperator, right: Decimal) -> Option<Expr> {
    let scale = left.scale.max(right.scale);
    let (a, b) = (left.at(scale)?, right.at(scale)?);
    let number = |digits: Option<i128>, scale| {
        let digits = digits?;
        Some(Decimal { digits, scale }.into_expr())
    };
    let is = |found: bool| Some(Expr::value(Value::Boolean(found)));
    match op {
        BinaryOperator::Plus => number(a.checked_add(b), scale),
        BinaryOperator::Minus => number(a.checked_sub(b), scale),
        BinaryOperator::Multiply => number(
            left.digits.checked_mul(right.digits),
            left.scale + right.scale,
        ),
        BinaryOperator::Modulo => number(a.checked_rem(b), scale),
        BinaryOperator::Eq => is(a == b),
        BinaryOperator::NotEq => is(a != b),
        BinaryOperator::Lt => is(a.cmp(&b) == Ordering::Less),
        BinaryOperator::LtEq => is(a <= b),
        BinaryOperator::Gt => is(a > b),
        BinaryOperator::GtEq => is(a >= b),
        _ => None,
    }
}

impl Decimal {
    fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Nested(inner) => Self::of(inner),
            Expr::UnaryOp {
                op: UnaryOperator::Minus,
                expr,
            } => {
                let positive = Self::of(expr)?;
                Some(Self {
                    digits: -positive.digits,
                    ..positive
                })
            }
            Expr::Value(value) => match &value.value {
                Value::Number(number, _) => Self::parse(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// Parses digits with a point. Numbers with an exponent are floating-point numbers.
    fn parse(number: &str) -> Option<Self> {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{fraction}");
        let is_plain =
            digits.len() <= MAX_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        Some(Self {
            digits: is_plain.then(|| digits.parse().ok())??,
            scale: u32::try_from(fraction.len()).ok()?,
        })
    }

    /// The digits with another scale, which is not smaller.
    fn at(self, scale: u32) -> Option<i128> {
        let factor = 10_i128.checked_pow(scale.checked_sub(self.scale)?)?;
        self.digits.checked_mul(factor)
    }

    fn to_text(self) -> String {
        let width = self.scale as usize + 1;
        let digits = format!("{:0width$}", self.digits.unsigned_abs());
        let (whole, fraction) = digits.split_at(digits.len() - self.scale as usize);
        let sign = if self.digits < 0 { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    }

    fn into_expr(self) -> Expr {
        let digits = self.digits.abs();
        let number = Expr::value(Value::Number(Self { digits, ..self }.to_text(), false));
        match self.digits {
            0.. => number,
            _ => Expr::UnaryOp {
                op: UnaryOperator::Minus,
                expr: Box::new(number),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    #[test]
    fn calculations_are_exact() {
        for (sql, expected) in [
            ("0.1 + 0.2", Some("0.3")),
            ("4.35 * 100", Some("435.00")),
            ("1 - 1.5", Some("-0.5")),
            ("3.0 % 0.1", Some("0.0")),
            ("(0.3) = 0.30", Some("true")),
            ("0.1 < -0.2", Some("false")),
            ("1.10::VARCHAR", Some("'1.10'")),
            (".5::TEXT", Some("'0.5'")),
            ("1.5 % 0", None),
            ("1.5 / 2", None),
            ("1 + 2", None),
            ("1e3 + 0.1", None),
            ("x + 0.1", None),
            ("12345678901234567890.5 + 1", None),
        ] {
            let mut parser = Parser::new(&GenericDialect {}).try_with_sql(sql).unwrap();
            let found = fold(&parser.parse_expr().unwrap());
            let found = found.map(|found| found.to_string());
            assert_eq!(found.as_deref(), expected, "{sql}");
        }
    }
}
