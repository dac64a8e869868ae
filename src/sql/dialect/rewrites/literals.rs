//! Large numbers, `epoch`, times without seconds, intervals such as `01:30:00`, and bytes such as
//! `'\xFF'::BLOB`, which DataFusion does not read.

use std::sync::LazyLock;

use datafusion::sql::sqlparser::ast::{BinaryOperator, DataType, ExactNumberInfo, Expr, Value};
use regex::Regex;

use crate::sql::syntax::{cast, literal_number, text};

/// The maximum number of digits of a decimal.
const MAX_DECIMAL_DIGITS: usize = 38;

/// A time without seconds, and what follows it.
static MINUTES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(\s*\d{4,}-\d\d?-\d\d?[ T]\d\d?:\d\d)(\s*(?:Z|[+-]\d.*)?)$").ok()
});

/// The name of the first day of Unix time.
static EPOCH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)^\s*epoch\s*$").ok());

const EPOCH_DATE: &str = "1970-01-01";

/// Hours, minutes and seconds.
static CLOCK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"([+-]?)(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?").ok());

/// Rewrites a literal of DuckDB as one that DataFusion reads. Returns whether it did.
pub fn replace(expr: &mut Expr) -> bool {
    if let Some(decimal) = large_number(expr) {
        *expr = decimal;
        return true;
    }
    match expr {
        Expr::TypedString(literal) if is_timestamp(&literal.data_type) => {
            with_seconds(&mut literal.value.value)
        }
        Expr::TypedString(literal) if literal.data_type == DataType::Date => {
            change(&mut literal.value.value, &EPOCH, EPOCH_DATE)
        }
        Expr::Cast {
            expr,
            data_type: DataType::Bytea,
            ..
        } => match expr.as_mut() {
            Expr::Value(value) => with_bytes(&mut value.value),
            _ => false,
        },
        Expr::Cast {
            expr, data_type, ..
        } if is_timestamp(data_type) => match expr.as_mut() {
            Expr::Value(value) => with_seconds(&mut value.value),
            _ => false,
        },
        Expr::Cast {
            expr,
            data_type: DataType::Date,
            ..
        } => match expr.as_mut() {
            Expr::Value(value) => change(&mut value.value, &EPOCH, EPOCH_DATE),
            _ => false,
        },
        // As a DOUBLE, 1.005 would be less than its digits say.
        Expr::Cast {
            expr,
            data_type: DataType::Decimal(_) | DataType::Numeric(_) | DataType::Dec(_),
            ..
        } => match expr.as_mut() {
            Expr::Value(value) => match &value.value {
                Value::Number(digits, _) if digits.contains('.') => {
                    value.value = Value::SingleQuotedString(digits.clone());
                    true
                }
                _ => false,
            },
            _ => false,
        },
        Expr::Interval(interval) => match interval.value.as_mut() {
            // The bounds of a window must be texts: `RANGE INTERVAL 2 DAYS PRECEDING`.
            Expr::Value(value) => match &value.value {
                Value::Number(number, _) => {
                    value.value = Value::SingleQuotedString(number.clone());
                    true
                }
                _ => with_units(&mut value.value),
            },
            // INTERVAL (n || ' hours')
            Expr::Nested(value) if interval.leading_field.is_none() && is_text(value) => {
                let kind = DataType::Interval {
                    fields: None,
                    precision: None,
                };
                *expr = cast(value.as_ref().clone(), kind);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an expression is certainly a text.
fn is_text(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::BinaryOp {
            op: BinaryOperator::StringConcat,
            ..
        }
    )
}

/// A whole number beyond 64 bits as a decimal. DataFusion rounds it to a floating-point number.
fn large_number(expr: &Expr) -> Option<Expr> {
    let digits = literal_number(expr)?;
    let is_large = digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.len() <= MAX_DECIMAL_DIGITS
        && digits.parse::<u64>().is_err();
    let decimal = DataType::Decimal(ExactNumberInfo::PrecisionAndScale(38, 0));
    is_large.then(|| cast(text(digits), decimal))
}

fn is_timestamp(kind: &DataType) -> bool {
    matches!(kind, DataType::Timestamp(..) | DataType::Datetime(_))
}

fn change(value: &mut Value, pattern: &Option<Regex>, replacement: &str) -> bool {
    let (Value::SingleQuotedString(text), Some(pattern)) = (value, pattern) else {
        return false;
    };
    let changed = pattern.replace(text, replacement).into_owned();
    let is_changed = changed != *text;
    *text = changed;
    is_changed
}

/// Replaces `\xFF` by a byte.
fn with_bytes(value: &mut Value) -> bool {
    let Value::SingleQuotedString(text) = &*value else {
        return false;
    };
    if !text.contains("\\x") {
        return false;
    }
    let mut digits = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let escaped = rest.strip_prefix("\\x").and_then(|rest| rest.get(..2));
        let escaped = escaped.filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let length = match escaped {
            Some(escaped) => {
                digits.push_str(escaped);
                4
            }
            None => {
                let length = first.len_utf8();
                digits.extend(rest.bytes().take(length).map(|byte| format!("{byte:02X}")));
                length
            }
        };
        rest = &rest[length..];
    }
    *value = Value::HexStringLiteral(digits);
    true
}

fn with_seconds(value: &mut Value) -> bool {
    change(value, &MINUTES, "${1}:00${2}") || change(value, &EPOCH, EPOCH_DATE)
}

fn with_units(value: &mut Value) -> bool {
    let Value::SingleQuotedString(text) = &*value else {
        return false;
    };
    let has_seconds = text.matches(':').count() > 1;
    let seconds = if has_seconds { " ${1}${4} seconds" } else { "" };
    change(
        value,
        &CLOCK,
        &format!("${{1}}${{2}} hours ${{1}}${{3}} minutes{seconds}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_get_the_parts_that_they_leave_out() {
        let changed = |text: &str, change: fn(&mut Value) -> bool| {
            let mut value = Value::SingleQuotedString(text.to_owned());
            change(&mut value);
            value.into_string().unwrap_or_default()
        };
        for (text, expected) in [
            ("2024-01-01 12:05", "2024-01-01 12:05:00"),
            ("2024-01-01T12:05Z", "2024-01-01T12:05:00Z"),
            ("2024-01-01 12:05+02", "2024-01-01 12:05:00+02"),
            ("2024-01-01 12:05:06", "2024-01-01 12:05:06"),
            ("2024-01-01", "2024-01-01"),
            ("12:05", "12:05"),
            ("epoch", "1970-01-01"),
        ] {
            assert_eq!(changed(text, with_seconds), expected);
        }
        for (text, expected) in [
            ("01:30:00.5", "01 hours 30 minutes 00.5 seconds"),
            ("1 day -01:30", "1 day -01 hours -30 minutes"),
            ("3 days", "3 days"),
        ] {
            assert_eq!(changed(text, with_units), expected);
        }
    }
}
