//! Functions of dates and times.

use std::sync::Arc;

use chrono::format::{Parsed, StrftimeItems, parse};
use chrono::{DateTime, Datelike, Months, NaiveDateTime, NaiveTime, TimeDelta};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, IntervalMonthDayNanoArray, TimestampMicrosecondArray,
};
use datafusion::arrow::datatypes::{
    DataType, IntervalMonthDayNano, IntervalUnit, TimeUnit, TimestampMicrosecondType,
};
use datafusion::common::{Result, exec_err};

use super::SECTION;
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

const END: Parameter = Parameter::new("end", timestamp, "The later time.");

const START: Parameter = Parameter::new("start", timestamp, "The earlier time.");

fn timestamp() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, None)
}

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text.");

const FORMAT: Parameter = Parameter::text("format", "The format, as in `strftime`: `%Y-%m-%d`.");

functions! {
    SECTION;

    /// Returns the time between two times in years, months and days, as in PostgreSQL.
    ///
    /// > SELECT age(DATE '2024-03-01', DATE '2023-01-15') = INTERVAL '1 year 1 month 17 days';
    /// true
    age(END, START) -> DataType::Interval(IntervalUnit::MonthDayNano);

    /// Returns the number of whole months between two times. The last day of a month completes it.
    /// `date_sub('month', start, end)` calls it.
    ///
    /// > SELECT whole_months(DATE '2024-01-31', DATE '2024-02-29');
    /// 1
    whole_months(START, END) -> DataType::Int64;

    /// Parses a time by a format. Parts that it lacks are those of 1900-01-01 00:00:00.
    ///
    /// > SELECT strptime('31.12.2024', '%d.%m.%Y');
    /// 2024-12-31T00:00:00
    strptime(TEXT_ARGUMENT, FORMAT) -> DataType::Timestamp(TimeUnit::Microsecond, None);

    /// Like `strptime`, but NULL if the text has another format.
    ///
    /// > SELECT try_strptime('31.12.2024', '%d.%m.%Y'), try_strptime('x', '%Y');
    /// 2024-12-31T00:00:00, NULL
    try_strptime(TEXT_ARGUMENT, FORMAT) -> DataType::Timestamp(TimeUnit::Microsecond, None);
}

fn age(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let [ends, starts] = [0, 1].map(|at| args[at].as_primitive::<TimestampMicrosecondType>());
    let ages = ends.iter().zip(starts).map(|pair| match pair {
        (Some(end), Some(start)) if end >= start => age_of(end, start),
        (Some(end), Some(start)) => age_of(start, end)
            .map(|age| IntervalMonthDayNano::new(-age.months, -age.days, -age.nanoseconds)),
        _ => None,
    });
    Ok(Arc::new(ages.collect::<IntervalMonthDayNanoArray>()))
}

pub const DAY_MICROSECONDS: i64 = 86_400_000_000;

/// A time in microseconds since 1970. `None` beyond the years that `chrono` has.
pub fn utc(microseconds: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_micros(microseconds).map(|time| time.naive_utc())
}

/// The time between two times in microseconds since 1970. The days that are left over are counted
/// in the month of the earlier time.
fn age_of(end: i64, start: i64) -> Option<IntervalMonthDayNano> {
    let (end, start) = (utc(end)?, utc(start)?);
    let month = |time: NaiveDateTime| time.year() * 12 + i32::try_from(time.month0()).unwrap_or(0);
    let mut months = month(end) - month(start);
    let mut days = i64::from(end.day()) - i64::from(start.day());
    let mut time = end.time() - start.time();
    if time < TimeDelta::zero() {
        time += TimeDelta::days(1);
        days -= 1;
    }
    if days < 0 {
        let first = start.date().with_day(1)?;
        let next = first.checked_add_months(Months::new(1))?;
        days += (next - first).num_days();
        months -= 1;
    }
    let days = i32::try_from(days).ok()?;
    Some(IntervalMonthDayNano::new(
        months,
        days,
        time.num_nanoseconds()?,
    ))
}

fn whole_months(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let [starts, ends] = [0, 1].map(|at| args[at].as_primitive::<TimestampMicrosecondType>());
    let months = starts.iter().zip(ends).map(|pair| match pair {
        (Some(start), Some(end)) if start <= end => months_until(start, end),
        (Some(start), Some(end)) => months_until(end, start).map(|months| -months),
        _ => None,
    });
    Ok(Arc::new(months.collect::<Int64Array>()))
}

/// The whole months between two times in microseconds since 1970. The last day of the end's month
/// counts as any later day of the start.
fn months_until(start: i64, end: i64) -> Option<i64> {
    let (from, until) = (utc(start)?, utc(end)?);
    let last = until
        .date()
        .with_day(1)?
        .checked_add_months(Months::new(1))?
        .pred_opt()?
        .day();
    let excess = if until.day() == last {
        from.day().saturating_sub(last)
    } else {
        0
    };
    let months = age_of(end, start - i64::from(excess) * DAY_MICROSECONDS)?.months;
    Some(i64::from(months))
}

fn strptime(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let (texts, formats) = (args[0].as_string::<i64>(), args[1].as_string::<i64>());
    let mut times = Vec::with_capacity(texts.len());
    for (text, format) in texts.iter().zip(formats) {
        let (Some(text), Some(format)) = (text, format) else {
            times.push(None);
            continue;
        };
        match microseconds(text, format) {
            Some(time) => times.push(Some(time)),
            None => {
                return exec_err!(
                    "'{text}' is not a time in the format '{format}'; try_strptime returns NULL"
                );
            }
        }
    }
    Ok(Arc::new(TimestampMicrosecondArray::from(times)))
}

fn try_strptime(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let (texts, formats) = (args[0].as_string::<i64>(), args[1].as_string::<i64>());
    let times = texts
        .iter()
        .zip(formats)
        .map(|(text, format)| microseconds(text?, format?));
    Ok(Arc::new(times.collect::<TimestampMicrosecondArray>()))
}

fn microseconds(text: &str, format: &str) -> Option<i64> {
    Some(time_in(text, format)?.and_utc().timestamp_micros())
}

/// The year of a time that names none, as in DuckDB.
const DEFAULT_YEAR: i64 = 1900;

/// Parses a time by a format, as `strptime` does. Parts that a format leaves out are those of
/// midnight, and of the first day.
pub fn time_in(text: &str, format: &str) -> Option<NaiveDateTime> {
    let mut parsed = Parsed::new();
    parse(&mut parsed, text, StrftimeItems::new(format)).ok()?;
    let has_no_year = parsed.year().is_none()
        && parsed.year_mod_100().is_none()
        && parsed.isoyear().is_none()
        && parsed.isoyear_mod_100().is_none();
    if parsed.timestamp().is_none() && has_no_year {
        parsed.set_year(DEFAULT_YEAR).ok()?;
    }
    if parsed.timestamp().is_none() && parsed.year().is_some() {
        if parsed.month().is_none() && parsed.ordinal().is_none() {
            parsed.set_month(1).ok()?;
        }
        if parsed.day().is_none() && parsed.ordinal().is_none() {
            parsed.set_day(1).ok()?;
        }
    }
    let time = match (parsed.offset(), parsed.timestamp()) {
        (Some(offset), _) => parsed
            .to_datetime()
            .map(|it| it.naive_utc())
            .ok()
            .or_else(|| {
                let local = parsed.to_naive_date().ok()?.and_time(NaiveTime::MIN);
                Some(local - TimeDelta::seconds(offset.into()))
            })?,
        (None, Some(_)) => parsed.to_naive_datetime_with_offset(0).ok()?,
        (None, None) => {
            let date = parsed.to_naive_date().ok()?;
            let has_time = parsed.hour_mod_12().is_some();
            let time = if has_time {
                // Without minutes, those are zero.
                if parsed.minute().is_none() {
                    parsed.set_minute(0).ok()?;
                }
                parsed.to_naive_time().ok()?
            } else {
                NaiveTime::MIN
            };
            date.and_time(time)
        }
    };
    Some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_missing_are_the_first() {
        let day = 86_400_000_000;
        for (text, format, expected) in [
            ("1970-01-02", "%Y-%m-%d", Some(day)),
            ("1970", "%Y", Some(0)),
            ("1970-01-02 03", "%Y-%m-%d %H", Some(day + day / 8)),
            (
                "02/Jan/1970:00:00:00 +0100",
                "%d/%b/%Y:%H:%M:%S %z",
                Some(day - day / 24),
            ),
            ("1970-02-30", "%Y-%m-%d", None),
            ("1970-01-02x", "%Y-%m-%d", None),
            ("9999-01-01", "%Y-%m-%d", Some(2_932_532 * day)),
            ("x", "%", None),
        ] {
            assert_eq!(microseconds(text, format), expected, "{text}");
        }
    }
}
