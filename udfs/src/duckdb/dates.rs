//! Functions of dates and times.

use std::sync::Arc;

use chrono::format::{Parsed, StrftimeItems, parse_and_remainder};
use chrono::{DateTime, Datelike, Months, NaiveDateTime, NaiveTime, TimeDelta};
use datafusion::arrow::array::timezone::Tz;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, IntervalMonthDayNanoArray, LargeStringArray,
    TimestampMicrosecondArray,
};
use datafusion::arrow::datatypes::{
    DataType, IntervalMonthDayNano, IntervalUnit, TimeUnit, TimestampMicrosecondType,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::time_zones::{named_zone, offset_of_local_time};
use super::value_text::short_offset;
use super::{SECTION, TEXT};
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, Parameter, document, functions};
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
    let rounded = time_in(text, format)?.checked_add_signed(TimeDelta::nanoseconds(500))?;
    Some(rounded.and_utc().timestamp_micros())
}

/// The year of a time that names none, as in DuckDB.
const DEFAULT_YEAR: i64 = 1900;

/// The last year of the 21st century that `%y` writes with two digits, as in POSIX. `chrono` takes
/// 69 for 2069.
const LAST_SHORT_YEAR: i32 = 68;

/// The parts of a format that `chrono` reads in another way than `strftime` writes them. Returns
/// the text after them, and the zone that the format names.
fn parse_parts<'a>(
    parsed: &mut Parsed,
    mut text: &'a str,
    mut format: &str,
) -> Option<(&'a str, Option<Tz>)> {
    let mut zone = None;
    while let Some((before, part, after)) = next_part(format) {
        text = parse_and_remainder(parsed, text, StrftimeItems::new(before)).ok()?;
        let end = |is_inside: fn(&u8) -> bool, most: usize| {
            text.bytes().take(most).take_while(is_inside).count()
        };
        let length = match part {
            b'Z' => {
                let is_inside = |byte: &u8| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'+' | b'-' | b':')
                };
                let length = end(is_inside, usize::MAX);
                zone = Some(named_zone(&text[..length])?);
                length
            }
            b'f' | b'g' | b'n' => {
                let most = if part == b'g' { 3 } else { 9 };
                let length = end(u8::is_ascii_digit, most);
                let digits: i64 = text[..length].parse().ok()?;
                let scale = 10_i64.pow(9 - u32::try_from(length).ok()?);
                parsed.set_nanosecond(digits * scale).ok()?;
                length
            }
            _ => {
                let format = match part {
                    b'c' => "%Y-%m-%d %H:%M:%S",
                    b'x' => "%Y-%m-%d",
                    // Minutes may be missing.
                    _ => "%#z",
                };
                let rest = parse_and_remainder(parsed, text, StrftimeItems::new(format)).ok()?;
                text.len() - rest.len()
            }
        };
        (text, format) = (&text[length..], after);
    }
    let rest = parse_and_remainder(parsed, text, StrftimeItems::new(format)).ok()?;
    Some((rest, zone))
}

/// The specifiers with another meaning in `chrono`, or none for a time without a zone.
const OTHER_PARTS: &[u8] = b"fgncxzZ";

/// The first such part of a format, with what is before and after it.
fn next_part(format: &str) -> Option<(&str, u8, &str)> {
    let mut place = 0;
    while let Some(found) = format.get(place..)?.find('%') {
        place += found;
        let part = *format.as_bytes().get(place + 1)?;
        if OTHER_PARTS.contains(&part) {
            return Some((&format[..place], part, &format[place + 2..]));
        }
        place += 1 + usize::from(part == b'%');
    }
    None
}

/// Parses a time by a format, as `strptime` does. Parts that a format leaves out are those of
/// midnight, and of the first day.
pub fn time_in(text: &str, format: &str) -> Option<NaiveDateTime> {
    let mut parsed = Parsed::new();
    let ("", zone) = parse_parts(&mut parsed, text, format)? else {
        return None;
    };
    let time = parsed_time(parsed)?;
    match zone {
        Some(zone) => {
            let offset = offset_of_local_time(zone, time)?;
            time.checked_sub_signed(TimeDelta::seconds(offset))
        }
        None => Some(time),
    }
}

fn parsed_time(mut parsed: Parsed) -> Option<NaiveDateTime> {
    if let (None, None, Some(year)) = (parsed.year(), parsed.year_div_100(), parsed.year_mod_100())
    {
        let century = if year > LAST_SHORT_YEAR { 1900 } else { 2000 };
        parsed.set_year(i64::from(century + year)).ok()?;
    }
    // A date may have the wrong name of a day.
    if parsed.day().is_some() {
        parsed.weekday = None;
    }
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
            let has_seconds = parsed.second().is_some() || parsed.nanosecond().is_some();
            let has_hour = parsed.hour_mod_12().is_some();
            let time = if has_hour || has_seconds || parsed.minute().is_some() {
                if !has_hour {
                    parsed.set_hour(0).ok()?;
                }
                if parsed.minute().is_none() {
                    parsed.set_minute(0).ok()?;
                }
                if has_seconds && parsed.second().is_none() {
                    parsed.set_second(0).ok()?;
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

/// The function that replaces the specifiers of a format that `to_char` takes for something else.
pub fn chrono_format() -> ScalarUDF {
    AnyTyped::new(
        "chrono_format",
        document(
            INTERNAL,
            "chrono_format(format, time)",
            "Returns a format of `strftime` as `to_char` takes it.",
            "> SELECT chrono_format('%H:%M:%S.%f%z', TIMESTAMP '2024-01-01 10:00:00');\n%H:%M:%S.%6f+00",
            &[
                ("format", "The format."),
                ("time", "The time that is written."),
            ],
        ),
        |given| match given {
            [_, time] => Ok(vec![TEXT, time.clone()]),
            _ => plan_err!("strftime takes 2 arguments, not {}", given.len()),
        },
        |_| Ok(TEXT),
        |args| {
            let formats = args[0].as_string::<i64>();
            let instants = match args[1].data_type() {
                DataType::Timestamp(_, Some(zone)) => {
                    let offset = FormatOptions::new().with_timestamp_tz_format(Some("%::z"));
                    Some((zone, ArrayFormatter::try_new(&args[1], &offset)?))
                }
                _ => None,
            };
            let formats = formats.iter().enumerate().map(|(row, format)| {
                let format = format?;
                if !format.contains('%') {
                    return Some(format.to_owned());
                }
                let (offset, zone) = match &instants {
                    Some((zone, offsets)) => (offsets.value(row).to_string(), zone.as_ref()),
                    None => ("+00".to_owned(), ""),
                };
                Some(in_chrono(format, short_offset(&offset), zone))
            });
            Ok(Arc::new(formats.collect::<LargeStringArray>()))
        },
    )
    .into()
}

/// Replaces the specifiers of a format that `chrono` takes for something else. `%z` and `%Z` become
/// texts.
pub fn in_chrono(format: &str, offset: &str, zone: &str) -> String {
    let mut written = String::new();
    let mut rest = format;
    while let Some((before, part, after)) = next_part(rest) {
        written.push_str(before);
        written.push_str(match part {
            b'f' => "%6f",
            b'g' => "%3f",
            b'n' => "%9f",
            b'c' => "%Y-%m-%d %H:%M:%S",
            b'x' => "%Y-%m-%d",
            b'z' => offset,
            _ if zone == "+00:00" => "UTC",
            _ => zone,
        });
        rest = after;
    }
    written.push_str(rest);
    written
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
            (
                "1970-01-01 00:00:00.5",
                "%Y-%m-%d %H:%M:%S.%f",
                Some(500_000),
            ),
            ("1970-01-01 00:00:00.123456", "%c.%f", Some(123_456)),
            ("19700101000000123456", "%Y%m%d%H%M%S%f", Some(123_456)),
            ("1970 01.5", "%Y %S.%g", Some(1_500_000)),
            ("1970 00:00:01.05", "%Y %H:%M:%S.%g", Some(1_050_000)),
            ("1970 00:00:00.1234", "%Y %H:%M:%S.%g", None),
            ("1970 00:00:00.", "%Y %H:%M:%S.%f", None),
            ("1970 00:00:00.123456789", "%Y %H:%M:%S.%n", Some(123_457)),
            ("1970%f", "%Y%%f", Some(0)),
            ("1970-01-02 01:00 +01", "%Y-%m-%d %H:%M %z", Some(day)),
            ("1970 02", "%Y %M", Some(120_000_000)),
            (
                "1970-01-02 01:00 Europe/Berlin",
                "%Y-%m-%d %H:%M %Z",
                Some(day),
            ),
            ("1970-01-02 GMT", "%Y-%m-%d %Z", Some(day)),
            ("1970-01-02 Nowhere", "%Y-%m-%d %Z", None),
            ("70-01-02", "%y-%m-%d", Some(day)),
            ("69-12-31", "%y-%m-%d", Some(-day)),
        ] {
            assert_eq!(microseconds(text, format), expected, "{text}");
        }
    }
}
