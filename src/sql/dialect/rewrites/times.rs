//! Parts of dates, and times in a time zone.

use datafusion::sql::sqlparser::ast::{DataType, DateTimeField, Expr, TimezoneInfo};

use crate::sql::syntax::{call, text};

/// Returns the expression that replaces a part or a time.
pub fn replaced(expr: &Expr) -> Option<Expr> {
    Some(match expr {
        Expr::Extract {
            field, expr: date, ..
        } => call(named_part(field)?, vec![date.as_ref().clone()]),
        // The local time of an instant. DataFusion would take the instant for a local time.
        Expr::AtTimeZone {
            timestamp,
            time_zone,
        } if is_instant(timestamp.as_ref()) => {
            let instant = call(
                "arrow_cast",
                vec![
                    timestamp.as_ref().clone(),
                    text("Timestamp(Microsecond, Some(\"+00:00\"))"),
                ],
            );
            let there = Expr::AtTimeZone {
                timestamp: Box::new(instant),
                time_zone: time_zone.clone(),
            };
            call("to_local_time", vec![there])
        }
        _ => return None,
    })
}

/// The function of a part of a date that DataFusion does not know.
fn named_part(field: &DateTimeField) -> Option<&'static str> {
    let name = field.to_string().to_ascii_lowercase();
    let name = name.trim_matches('\'').trim_end_matches('s');
    // BigQuery's names.
    match name {
        "isoweek" => return Some("week"),
        "date" => return Some("date"),
        _ => {}
    }
    let parts = [
        "century",
        "dayofmonth",
        "dayofweek",
        "dayofyear",
        "decade",
        "era",
        "julian",
        "millennium",
        "weekday",
        "yearweek",
    ];
    let mut parts = parts.into_iter();
    parts.find(|known| *known == name || (*known == "millennium" && name == "millennia"))
}

/// Whether an expression is written as a time with a zone.
fn is_instant(expr: &Expr) -> bool {
    let data_type = match expr {
        Expr::Nested(inner) => return is_instant(inner),
        Expr::Cast { data_type, .. } => data_type,
        Expr::TypedString(literal) => &literal.data_type,
        _ => return false,
    };
    matches!(
        data_type,
        DataType::Timestamp(_, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz)
    )
}
