//! Parses the values in a query for columns that are searched as whole values.

use std::ops::Bound;

use chrono::{DateTime, Months, NaiveDate, NaiveDateTime, TimeDelta};
use tantivy::Term;
use tantivy::schema::Field;

use crate::value::ColumnType;

/// The bounds of the terms that match a value. An error describes the expected value.
pub type Range = Result<(Bound<Term>, Bound<Term>), &'static str>;

/// Greater than every text that starts with the prefix.
const LAST_CHARACTER: char = char::MAX;

/// Returns the range of one value. A date without a time covers the whole day, month or year.
pub fn equal_to(field: Field, kind: ColumnType, value: &str) -> Range {
    let value = value.to_owned();
    between(
        field,
        kind,
        &Bound::Included(value.clone()),
        &Bound::Included(value),
    )
}

/// Returns the range of the texts that start with this.
pub fn starting_with(field: Field, prefix: &str) -> (Bound<Term>, Bound<Term>) {
    let end = format!("{prefix}{LAST_CHARACTER}");
    (
        Bound::Included(Term::from_field_text(field, prefix)),
        Bound::Excluded(Term::from_field_text(field, &end)),
    )
}

pub fn between(
    field: Field,
    kind: ColumnType,
    lower: &Bound<String>,
    upper: &Bound<String>,
) -> Range {
    if kind == ColumnType::Timestamp {
        return Ok((from_moment(field, lower)?, to_moment(field, upper)?));
    }
    Ok((bound(field, kind, lower)?, bound(field, kind, upper)?))
}

fn bound(
    field: Field,
    kind: ColumnType,
    value: &Bound<String>,
) -> Result<Bound<Term>, &'static str> {
    Ok(match value {
        Bound::Included(value) => Bound::Included(term(field, kind, value)?),
        Bound::Excluded(value) => Bound::Excluded(term(field, kind, value)?),
        Bound::Unbounded => Bound::Unbounded,
    })
}

fn term(field: Field, kind: ColumnType, value: &str) -> Result<Term, &'static str> {
    match kind {
        ColumnType::Text => Ok(Term::from_field_text(field, value)),
        ColumnType::Integer | ColumnType::Timestamp => value
            .parse()
            .map(|number| Term::from_field_i64(field, number))
            .map_err(|_| "an integer"),
        ColumnType::Double => value
            .parse()
            .map(|number| Term::from_field_f64(field, number))
            .map_err(|_| "a number"),
        ColumnType::Boolean => match value.to_ascii_lowercase().as_str() {
            "true" => Ok(Term::from_field_i64(field, 1)),
            "false" => Ok(Term::from_field_i64(field, 0)),
            _ => Err("true or false"),
        },
    }
}

const MOMENT: &str =
    "a date: 2024, 2024-05, 2024-05-31, \"2024-05-31 12:00:00\" or 2024-05-31T12:00:00Z";

fn from_moment(field: Field, lower: &Bound<String>) -> Result<Bound<Term>, &'static str> {
    let term = |moment| Bound::Included(Term::from_field_i64(field, moment));
    Ok(match lower {
        Bound::Included(value) => term(moments(value).ok_or(MOMENT)?.0),
        // After the end of that period.
        Bound::Excluded(value) => term(moments(value).ok_or(MOMENT)?.1),
        Bound::Unbounded => Bound::Unbounded,
    })
}

fn to_moment(field: Field, upper: &Bound<String>) -> Result<Bound<Term>, &'static str> {
    let term = |moment| Bound::Excluded(Term::from_field_i64(field, moment));
    Ok(match upper {
        Bound::Included(value) => term(moments(value).ok_or(MOMENT)?.1),
        Bound::Excluded(value) => term(moments(value).ok_or(MOMENT)?.0),
        Bound::Unbounded => Bound::Unbounded,
    })
}

/// Returns the start and the end of a written date, in microseconds.
fn moments(value: &str) -> Option<(i64, i64)> {
    let micros = |time: NaiveDateTime| time.and_utc().timestamp_micros();
    let span = |from: NaiveDate, to: Option<NaiveDate>| {
        Some((
            micros(from.and_hms_opt(0, 0, 0)?),
            micros(to?.and_hms_opt(0, 0, 0)?),
        ))
    };
    if value.len() == 4 && value.bytes().all(|b| b.is_ascii_digit()) {
        let year = NaiveDate::from_ymd_opt(value.parse().ok()?, 1, 1)?;
        return span(year, year.checked_add_months(Months::new(12)));
    }
    if let Ok(month) = NaiveDate::parse_from_str(&format!("{value}-01"), "%Y-%m-%d") {
        return span(month, month.checked_add_months(Months::new(1)));
    }
    if let Ok(day) = NaiveDate::parse_from_str(value, "%Y-%m-%d") {
        return span(day, day.succ_opt());
    }
    let with_zone = DateTime::parse_from_rfc3339(value).map(|time| time.naive_utc());
    let moment = with_zone
        .or_else(|_| NaiveDateTime::parse_from_str(value, "%Y-%m-%d %H:%M:%S%.f"))
        .or_else(|_| NaiveDateTime::parse_from_str(value, "%Y-%m-%dT%H:%M:%S%.f"))
        .ok()?;
    // A written fraction is exact; a second without one is the whole second.
    let length = if value.contains('.') {
        TimeDelta::microseconds(1)
    } else {
        TimeDelta::seconds(1)
    };
    Some((micros(moment), micros(moment.checked_add_signed(length)?)))
}
