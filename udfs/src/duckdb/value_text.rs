//! `value_text`, which casts to text call.

use std::fmt::Write as _;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Float32Type, Float64Type, IntervalMonthDayNanoType, IntervalUnit,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::{Result, exec_datafusion_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::format::with_exponent;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

/// Formats of times.
const TIMES: FormatOptions<'static> = FormatOptions::new()
    .with_time_format(Some("%H:%M:%S%.f"))
    .with_timestamp_format(Some("%Y-%m-%d %H:%M:%S%.f"))
    .with_timestamp_tz_format(Some("%Y-%m-%d %H:%M:%S%.f%::z"));

const INTERVAL: DataType = DataType::Interval(IntervalUnit::MonthDayNano);

const DAY_NANOSECONDS: i64 = 86_400_000_000_000;

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "value_text",
        document(
            INTERNAL,
            "value_text(value)",
            "Writes a value as text. `CAST(value AS VARCHAR)` is the usual form.",
            "> SELECT value_text([{a: 1, b: 'x'}]), value_text(TIMESTAMP '2024-01-01 10:00:00');\n\
             [{'a': 1, 'b': x}], 2024-01-01 10:00:00",
            &[("value", "A value of any type.")],
        ),
        |given| match given {
            [_] => Ok(given.to_vec()),
            _ => plan_err!("value_text takes 1 argument, not {}", given.len()),
        },
        |_| Ok(DataType::LargeUtf8),
        |arrays| texts(&arrays[0]),
    )
    .into()
}

/// Whether casts of a type to text need this function: they write it in another way.
pub fn is_needed(kind: &DataType) -> bool {
    match kind {
        DataType::Timestamp(..)
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Interval(_)
        | DataType::Duration(_)
        | DataType::Float32
        | DataType::Float64 => true,
        DataType::Dictionary(_, value) => is_needed(value),
        other => other.is_nested(),
    }
}

/// The texts of values.
pub fn texts(values: &ArrayRef) -> Result<ArrayRef> {
    let mut texts = LargeStringBuilder::new();
    let mut text = String::new();
    let writer = Writer::new(values)?;
    for row in 0..values.len() {
        if values.is_null(row) {
            texts.append_null();
            continue;
        }
        text.clear();
        writer.write(row, &mut text)?;
        texts.append_value(&text);
    }
    Ok(Arc::new(texts.finish()))
}

/// Writes the values of an array.
enum Writer<'a> {
    Texts(ArrayRef),
    Doubles(ArrayRef),
    Floats(ArrayRef),
    List {
        /// The first item of each list, and the one after the last.
        ranges: Vec<(usize, usize)>,
        items: Box<Nested<'a>>,
    },
    Struct(Vec<(&'a str, Nested<'a>)>),
    Map {
        ranges: Vec<(usize, usize)>,
        keys: Box<Nested<'a>>,
        values: Box<Nested<'a>>,
    },
    /// Times, and whether they end with an offset.
    Times(ArrayFormatter<'a>, bool),
    /// Intervals, and whether their hours become days.
    Intervals(ArrayRef, bool),
    Other(ArrayFormatter<'a>),
}

/// Writes values inside of others: NULL has a name, and texts may need quotes.
struct Nested<'a> {
    values: ArrayRef,
    writer: Writer<'a>,
}

impl<'a> Writer<'a> {
    fn new(values: &'a ArrayRef) -> Result<Self> {
        Ok(match values.data_type() {
            kind if kind.is_string() => Self::Texts(cast(values, &DataType::LargeUtf8)?),
            DataType::Float64 => Self::Doubles(Arc::clone(values)),
            DataType::Float32 => Self::Floats(Arc::clone(values)),
            DataType::List(_) => {
                let lists = values.as_list::<i32>();
                let ends = lists
                    .value_offsets()
                    .iter()
                    .map(|end| (*end).max(0) as usize);
                Self::List {
                    ranges: ranges(ends),
                    items: Box::new(Nested::new(lists.values())?),
                }
            }
            DataType::LargeList(_) => {
                let lists = values.as_list::<i64>();
                let ends = lists.value_offsets().iter();
                let ends = ends.map(|end| usize::try_from(*end).unwrap_or_default());
                Self::List {
                    ranges: ranges(ends),
                    items: Box::new(Nested::new(lists.values())?),
                }
            }
            DataType::FixedSizeList(_, size) => {
                let lists = values.as_fixed_size_list();
                let size = usize::try_from(*size).unwrap_or_default();
                Self::List {
                    ranges: ranges((0..=lists.len()).map(|end| end * size)),
                    items: Box::new(Nested::new(lists.values())?),
                }
            }
            DataType::Struct(fields) => {
                let columns = values.as_struct().columns().iter();
                let fields = fields.iter().map(|field| field.name().as_str());
                let fields = fields.zip(columns);
                let fields = fields.map(|(name, column)| Ok((name, Nested::new(column)?)));
                Self::Struct(fields.collect::<Result<_>>()?)
            }
            DataType::Map(..) => {
                let maps = values.as_map();
                let ends = maps
                    .value_offsets()
                    .iter()
                    .map(|end| (*end).max(0) as usize);
                Self::Map {
                    ranges: ranges(ends),
                    keys: Box::new(Nested::new(maps.keys())?),
                    values: Box::new(Nested::new(maps.values())?),
                }
            }
            kind @ (DataType::Timestamp(..) | DataType::Time32(_) | DataType::Time64(_)) => {
                let has_offset = matches!(kind, DataType::Timestamp(_, Some(_)));
                Self::Times(
                    ArrayFormatter::try_new(values.as_ref(), &TIMES)?,
                    has_offset,
                )
            }
            DataType::Interval(_) => Self::Intervals(cast(values, &INTERVAL)?, false),
            DataType::Duration(_) => Self::Intervals(cast(values, &INTERVAL)?, true),
            _ => Self::Other(ArrayFormatter::try_new(values.as_ref(), &TIMES)?),
        })
    }

    fn write(&self, row: usize, text: &mut String) -> Result<()> {
        match self {
            Self::Texts(texts) => text.push_str(texts.as_string::<i64>().value(row)),
            Self::Doubles(numbers) => {
                let value = numbers.as_primitive::<Float64Type>().value(row);
                text.push_str(&as_in_duckdb(&format!("{value:?}")));
            }
            Self::Floats(numbers) => {
                let value = numbers.as_primitive::<Float32Type>().value(row);
                text.push_str(&as_in_duckdb(&format!("{value:?}")));
            }
            Self::List { ranges, items } => {
                let (start, end) = ranges[row];
                text.push('[');
                for at in start..end {
                    text.push_str(if at > start { ", " } else { "" });
                    items.write(at, text)?;
                }
                text.push(']');
            }
            Self::Struct(fields) => {
                text.push('{');
                for (number, (name, column)) in fields.iter().enumerate() {
                    text.push_str(if number > 0 { ", " } else { "" });
                    text.push_str(&format!("'{}': ", name.replace('\'', "\\'")));
                    column.write(row, text)?;
                }
                text.push('}');
            }
            Self::Map {
                ranges,
                keys,
                values,
            } => {
                let (start, end) = ranges[row];
                text.push('{');
                for at in start..end {
                    text.push_str(if at > start { ", " } else { "" });
                    keys.write(at, text)?;
                    text.push('=');
                    values.write(at, text)?;
                }
                text.push('}');
            }
            Self::Times(formatter, has_offset) => {
                let time = short_fraction(&formatter.value(row).try_to_string()?);
                text.push_str(if *has_offset {
                    short_offset(&time)
                } else {
                    &time
                });
            }
            Self::Intervals(intervals, has_days) => {
                let intervals = intervals.as_primitive::<IntervalMonthDayNanoType>();
                let interval = intervals.value(row);
                let (mut days, mut time) = (i64::from(interval.days), interval.nanoseconds);
                if *has_days {
                    days += time / DAY_NANOSECONDS;
                    time %= DAY_NANOSECONDS;
                }
                text.push_str(&interval_text(interval.months, days, time));
            }
            Self::Other(formatter) => {
                let written = write!(text, "{}", formatter.value(row));
                written.map_err(|error| exec_datafusion_err!("value_text: {error}"))?;
            }
        }
        Ok(())
    }
}

impl<'a> Nested<'a> {
    fn new(values: &'a ArrayRef) -> Result<Self> {
        Ok(Self {
            values: Arc::clone(values),
            writer: Writer::new(values)?,
        })
    }

    fn write(&self, row: usize, text: &mut String) -> Result<()> {
        if self.values.is_null(row) || self.values.data_type().is_null() {
            text.push_str("NULL");
            return Ok(());
        }
        let start = text.len();
        self.writer.write(row, text)?;
        if matches!(self.writer, Writer::Texts(_) | Writer::Times(..))
            && needs_quotes(&text[start..])
        {
            let value = text.split_off(start);
            let escaped = value.replace('\\', "\\\\").replace('\'', "\\'");
            text.push_str(&format!("'{escaped}'"));
        }
        Ok(())
    }
}

/// Writes an interval, such as `1 year 2 months 3 days 04:05:06.7`.
fn interval_text(months: i32, days: i64, nanoseconds: i64) -> String {
    let units = [
        (i64::from(months / 12), "year"),
        (i64::from(months % 12), "month"),
        (days, "day"),
    ];
    let units = units.into_iter().filter(|(number, _)| *number != 0);
    let mut parts: Vec<String> = units
        .map(|(number, unit)| {
            let plural = if number.abs() == 1 { "" } else { "s" };
            format!("{number} {unit}{plural}")
        })
        .collect();
    if nanoseconds != 0 || parts.is_empty() {
        let sign = if nanoseconds < 0 { "-" } else { "" };
        let micros = nanoseconds.unsigned_abs() / 1000;
        let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let fraction = match micros {
            0 => String::new(),
            micros => format!(".{micros:06}").trim_end_matches('0').to_owned(),
        };
        parts.push(format!(
            "{sign}{hours:02}:{minutes:02}:{seconds:02}{fraction}"
        ));
    }
    parts.join(" ")
}

/// The ranges between ends.
fn ranges(ends: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let ends: Vec<usize> = ends.collect();
    ends.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Whether a text inside of another value could be taken for something else.
fn needs_quotes(text: &str) -> bool {
    text.is_empty()
        || text.eq_ignore_ascii_case("null")
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.contains(['\'', '"', '\\', ',', ':', '=', '[', ']', '{', '}', '(', ')'])
}

/// Returns a time without the zeros at the end of its fraction.
fn short_fraction(time: &str) -> String {
    let Some((seconds, rest)) = time.split_once('.') else {
        return time.to_owned();
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, zone) = rest.split_at(digits);
    format!("{seconds}.{}{zone}", fraction.trim_end_matches('0'))
}

/// Shortens the offset at the end of a time: `+05:30:00` to `+05:30`, `+01:00:00` to `+01`.
pub fn short_offset(time: &str) -> &str {
    let minutes = time.strip_suffix(":00").unwrap_or(time);
    if minutes.len() == time.len() {
        return time;
    }
    minutes.strip_suffix(":00").unwrap_or(minutes)
}

/// Converts a number that Rust has written: `1e20` to `1e+20`, `NaN` to `nan`.
fn as_in_duckdb(number: &str) -> String {
    if number.contains('e') {
        with_exponent(number)
    } else {
        number.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_duckdb() {
        for (value, text) in [
            (1.0, "1.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (1.25e100, "1.25e+100"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(as_in_duckdb(&format!("{value:?}")), text);
        }
    }

    #[test]
    fn intervals_are_written_as_in_duckdb() {
        let hour = 3_600_000_000_000;
        for (months, days, nanoseconds, text) in [
            (0, 0, 0, "00:00:00"),
            (14, 1, 0, "1 year 2 months 1 day"),
            (-14, 0, 0, "-1 year -2 months"),
            (0, 0, 25 * hour, "25:00:00"),
            (0, -2, -hour - 500_000_000, "-2 days -01:00:00.5"),
            (0, 0, 1000, "00:00:00.000001"),
        ] {
            assert_eq!(interval_text(months, days, nanoseconds), text);
        }
    }

    #[test]
    fn fractions_of_seconds_are_short() {
        for (time, text) in [
            ("2024-01-01 00:00:00.500", "2024-01-01 00:00:00.5"),
            ("2024-01-01 00:00:00.123456", "2024-01-01 00:00:00.123456"),
            ("2024-01-01 00:00:00.250+00", "2024-01-01 00:00:00.25+00"),
            ("2024-01-01 00:00:00", "2024-01-01 00:00:00"),
        ] {
            assert_eq!(short_fraction(time), text);
        }
    }

    #[test]
    fn texts_in_lists_have_quotes_where_they_are_needed() {
        for text in ["", "a, b", "it's", " a", "NULL", "x:y"] {
            assert!(needs_quotes(text), "{text}");
        }
        for text in ["a", "a b", "ü-1", "/a/b?c"] {
            assert!(!needs_quotes(text), "{text}");
        }
    }
}
