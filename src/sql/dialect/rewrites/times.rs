//! Parts of dates, and times in a time zone.

use datafusion::sql::sqlparser::ast::{DateTimeField, Expr};

use crate::sql::syntax::call;

/// Returns the expression that replaces a part or a time.
pub fn replace(expr: &Expr) -> Option<Expr> {
    Some(match expr {
        Expr::Extract {
            field, expr: date, ..
        } => call(named_part(field)?, vec![date.as_ref().clone()]),
        Expr::AtTimeZone {
            timestamp,
            time_zone,
        } => call(
            "timezone",
            vec![time_zone.as_ref().clone(), timestamp.as_ref().clone()],
        ),
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
