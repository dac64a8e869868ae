//! Dates and times.

use corpus_udfs::duckdb::in_chrono;
use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{DataType, Expr, FunctionArg, FunctionArgumentList};

use super::{Selector, Words, items, literal, value};
use crate::sql::syntax::{argument, call, cast, plain_argument, text};

/// DuckDB counts whole weeks, and the borders between the other parts.
const DATE_PARTS: Words = &[
    (&["year", "years", "y", "yr"], "date_diff_year"),
    (&["quarter", "quarters"], "date_diff_quarter"),
    (&["month", "months", "mon"], "date_diff_month"),
    (&["week", "weeks", "w"], "date_diff_week"),
    (&["day", "days", "d"], "date_diff_day"),
    (&["hour", "hours", "h"], "date_diff_hour"),
    (&["minute", "minutes", "m", "min"], "date_diff_minute"),
    (&["second", "seconds", "s", "sec"], "date_diff_second"),
    (
        &["millisecond", "milliseconds", "ms"],
        "date_diff_millisecond",
    ),
    (
        &["microsecond", "microseconds", "us"],
        "date_diff_microsecond",
    ),
    (&["decade", "decades"], "date_diff_decade"),
    (&["century", "centuries"], "date_diff_century"),
    (&["millennium", "millennia"], "date_diff_millennium"),
];

const WHOLE_DATE_PARTS: Words = &[
    (&["year", "years", "y", "yr"], "date_sub_year"),
    (&["quarter", "quarters"], "date_sub_quarter"),
    (&["month", "months", "mon"], "date_sub_month"),
    (&["week", "weeks", "w"], "date_sub_week"),
    (&["day", "days", "d"], "date_sub_day"),
    (&["hour", "hours", "h"], "date_sub_hour"),
    (&["minute", "minutes", "m", "min"], "date_sub_minute"),
    (&["second", "seconds", "s", "sec"], "date_sub_second"),
];

/// Parts that DataFusion does not know. It knows all others.
const OTHER_DATE_PARTS: Words = &[
    (&["decade", "decades"], "decade"),
    (&["century", "centuries"], "century"),
    (&["millennium", "millennia"], "millennium"),
    (&["era"], "era"),
    (&["julian"], "julian"),
    (&["dayofmonth"], "dayofmonth"),
    (&["dayofweek", "weekday"], "dayofweek"),
    (&["dayofyear"], "dayofyear"),
    (&["yearweek"], "yearweek"),
];

const LONG_TRUNCATIONS: Words = &[
    (&["decade", "decades"], "date_trunc_decade"),
    (&["century", "centuries"], "date_trunc_century"),
    (&["millennium", "millennia"], "date_trunc_millennium"),
    (&["isoyear"], "date_trunc_isoyear"),
];

/// Units of Spark's `trunc`.
const TRUNCATED: Words = &[
    (&["year", "yyyy", "yy"], "year"),
    (&["quarter"], "quarter"),
    (&["month", "mon", "mm"], "month"),
    (&["week"], "week"),
];

/// Functions of dates with a format: the name, and the place of the format.
const FORMATS: &[(&str, usize)] = &[
    ("date_format", 1),
    ("strftime", 1),
    ("strptime", 1),
    ("try_strptime", 1),
    ("to_char", 1),
    ("to_date", 1),
    ("to_timestamp", 1),
];

/// Functions that parse a time by formats.
const TIMESTAMPS: &[&str] = &[
    "to_timestamp",
    "to_timestamp_seconds",
    "to_timestamp_millis",
    "to_timestamp_micros",
    "to_timestamp_nanos",
];

/// The word that selects a function of dates.
pub fn selector(name: &str, count: usize) -> Option<Selector> {
    match name {
        "date_diff" | "datediff" => Some((0, DATE_PARTS, true)),
        "date_sub" | "datesub" if count == 3 => Some((0, WHOLE_DATE_PARTS, true)),
        "date_part" | "datepart" => Some((0, OTHER_DATE_PARTS, false)),
        "date_trunc" | "datetrunc" => Some((0, LONG_TRUNCATIONS, false)),
        _ => None,
    }
}

/// The function of dates that a call means.
pub fn select(name: &str, list: &mut FunctionArgumentList) -> Result<Option<&'static str>> {
    if let Some(selected) = formatted(name, list) {
        return Ok(Some(selected));
    }
    check_format(name, list)?;
    Ok(with_unit(name, list).or_else(|| made(name, list)))
}

/// Calls with a format.
fn formatted(name: &str, list: &mut FunctionArgumentList) -> Option<&'static str> {
    // DuckDB takes the format first, too.
    if name == "strftime"
        && list.args.len() == 2
        && literal(list, 0).is_some_and(|format| format.contains('%'))
        && literal(list, 1).is_none()
    {
        list.args.swap(0, 1);
    }
    if name == "strftime" {
        // A constant is parsed once. The offset depends on the type of the time.
        let format = literal(list, 1)?;
        if !format.contains('%') || format.contains("%z") || format.contains("%Z") {
            return None;
        }
        let format = in_chrono(format, "", "");
        list.args[1] = argument(text(&format));
        return Some("to_char");
    }
    // DataFusion's reader of formats takes the digits of %f for nanoseconds.
    let timestamp = TIMESTAMPS.iter().find(|known| **known == name).copied();
    if let Some(timestamp) = timestamp
        && list.args.len() > 1
    {
        let values: Option<Vec<Expr>> = (0..list.args.len())
            .map(|place| value(list, place).cloned())
            .collect();
        let mut formats = values?;
        let parsed = formats.remove(0);
        list.args = first_that_fits("strptime", &parsed, &formats);
        if timestamp == "to_timestamp" {
            return Some("coalesce");
        }
        let time = list
            .args
            .iter()
            .filter_map(plain_argument)
            .cloned()
            .collect();
        list.args = vec![argument(call("coalesce", time))];
        return Some(timestamp);
    }
    // A list of formats: the first that fits counts.
    if !["strptime", "try_strptime"].contains(&name) {
        return None;
    }
    let (formats, parsed) = (items(list, 1)?.to_vec(), value(list, 0)?.clone());
    list.args = first_that_fits(name, &parsed, &formats);
    Some("coalesce")
}

/// The calls that parse a text by several formats. Only the last one may fail.
fn first_that_fits(name: &str, parsed: &Expr, formats: &[Expr]) -> Vec<FunctionArg> {
    let last = formats.len().saturating_sub(1);
    let calls = formats.iter().enumerate().map(|(number, format)| {
        let function = if number == last { name } else { "try_strptime" };
        argument(call(function, vec![parsed.clone(), format.clone()]))
    });
    calls.collect()
}

fn check_format(name: &str, list: &FunctionArgumentList) -> Result<()> {
    if let Some((_, place)) = FORMATS.iter().find(|(known, _)| *known == name)
        && let Some(format) = literal(list, *place)
        && !format.contains('%')
        && format.chars().any(char::is_alphabetic)
    {
        return plan_err!(
            "the format '{format}' of {name} has no part of a date: write it as in strftime, such as '%Y-%m-%d %H:%M:%S'"
        );
    }
    Ok(())
}

/// Calls with a unit in another form or place.
fn with_unit(name: &str, list: &mut FunctionArgumentList) -> Option<&'static str> {
    match (name, list.args.len()) {
        // BigQuery's order: date_diff(end, start, DAY) and date_trunc(date, MONTH).
        (
            "date_diff" | "date_trunc" | "datetime_diff" | "datetime_trunc" | "timestamp_diff"
            | "timestamp_trunc",
            2 | 3,
        ) if unit_name(list.args.last()).is_some() && literal(list, 0).is_none() => {
            let unit = unit_name(list.args.pop().as_ref()).map(|unit| text(&unit));
            list.args.reverse();
            list.args.splice(0..0, unit.map(argument));
            Some(match (name, list.args.len()) {
                // Whole units.
                ("timestamp_diff", 3) => "date_sub",
                (_, 3) => "date_diff",
                _ => "date_trunc",
            })
        }
        // DuckDB's plural units.
        ("date_trunc" | "datetrunc", 2) if plural_unit(list).is_some() => {
            let unit = plural_unit(list).map(|unit| text(&unit));
            replace_first(list, unit);
            Some("date_trunc")
        }
        // Spark's order: trunc(date, 'MM').
        ("trunc", 2) => {
            let word = literal(list, 1)?.to_lowercase();
            let (_, unit) = TRUNCATED
                .iter()
                .find(|(words, _)| words.contains(&word.as_str()))?;
            let date = cast(value(list, 0)?.clone(), DataType::Date);
            list.args = vec![argument(text(unit)), argument(date)];
            Some("date_trunc")
        }
        // A list of parts returns a struct.
        ("date_part" | "datepart", 2) => {
            let (parts, date) = (items(list, 0)?, value(list, 1)?);
            let fields = parts.iter().flat_map(|part| {
                let number = call("date_part", vec![part.clone(), date.clone()]);
                [part.clone(), number]
            });
            let fields = call("named_struct", fields.collect());
            list.args = vec![argument(fields), argument(date.clone())];
            Some("constant_or_null")
        }
        // Spark's and MySQL's order: datediff(end, start).
        ("date_diff" | "datediff", 2) => {
            list.args.reverse();
            Some("date_diff_day")
        }
        // Snowflake's dateadd(day, 1, date).
        ("date_add" | "dateadd" | "timestampadd", 3) => {
            let unit = unit_name(list.args.first());
            let unit = unit.or_else(|| literal(list, 0).map(str::to_owned));
            let number = value(list, 1)?.clone();
            let interval = call("interval_of", vec![number, text(&unit?)]);
            list.args = vec![list.args[2].clone(), argument(interval)];
            Some("add")
        }
        // Whole units, as in Spark and MySQL.
        ("timestampdiff", 3) => {
            let unit = unit_name(list.args.first()).map(|unit| text(&unit));
            replace_first(list, unit);
            Some("date_sub")
        }
        ("time_bucket", 2) => {
            let width = list.args.first().map(ToString::to_string);
            let width = width.unwrap_or_default().to_lowercase();
            let is_months = ["month", "quarter", "year", "decade", "centur"]
                .iter()
                .any(|unit| width.contains(unit));
            Some(if is_months {
                "time_bucket_months"
            } else {
                "time_bucket_days"
            })
        }
        ("time_bucket", 3) => Some(match value(list, 2) {
            Some(Expr::Interval(_)) => "time_bucket_offset",
            _ => "date_bin",
        }),
        _ => None,
    }
}

/// Calls with another number, or another type, of arguments.
fn made(name: &str, list: &FunctionArgumentList) -> Option<&'static str> {
    match (name, list.args.len()) {
        ("age", 1) => Some("age_today"),
        ("date", 3) => Some("make_date"),
        ("date_sub", 2) => Some("date_minus"),
        ("make_timestamp", 1) => Some("make_timestamp_of"),
        _ => None,
    }
}

fn replace_first(list: &mut FunctionArgumentList, new: Option<Expr>) {
    if let (Some(new), Some(first)) = (new, list.args.first_mut()) {
        *first = argument(new);
    }
}

/// The unit of dates that an argument without quotes names.
fn unit_name(argument: Option<&FunctionArg>) -> Option<String> {
    const UNITS: [&str; 8] = [
        "year", "quarter", "month", "week", "day", "hour", "minute", "second",
    ];
    let name = argument?.to_string().to_ascii_lowercase();
    UNITS.contains(&name.as_str()).then_some(name)
}

/// The unit of a plural such as `'days'`, which `date_trunc` does not know.
fn plural_unit(list: &FunctionArgumentList) -> Option<String> {
    const UNITS: [&str; 10] = [
        "years",
        "quarters",
        "months",
        "weeks",
        "days",
        "hours",
        "minutes",
        "seconds",
        "milliseconds",
        "microseconds",
    ];
    let unit = literal(list, 0)?.to_ascii_lowercase();
    UNITS
        .contains(&unit.as_str())
        .then(|| unit.trim_end_matches('s').to_owned())
}
