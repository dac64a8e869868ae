//! `date_trunc` and `date_bin` of times that nanoseconds do not reach: before 1678, and after 2261.
//! DataFusion computes both in nanoseconds.

use std::sync::Arc;

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use datafusion::arrow::compute::{cast, max, min};
use datafusion::arrow::datatypes::{
    DataType, FieldRef, Int64Type, IntervalMonthDayNano, IntervalMonthDayNanoType, TimeUnit,
};
use datafusion::common::Result;
use datafusion::functions::datetime;
use datafusion::logical_expr::sort_properties::{ExprProperties, SortProperties};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};

use super::as_inner::named_as_inner;
use super::dates::{DAY_MICROSECONDS, utc};

/// The largest distance from 1970 in microseconds that DataFusion computes with. It is a day less
/// than nanoseconds reach, because a bin may start earlier.
const MAX_DISTANCE_MICROSECONDS: i64 = i64::MAX / 1000 - DAY_MICROSECONDS;

/// A function of DataFusion, and its replacement for far times.
#[derive(Debug, PartialEq, Eq, Hash)]
struct FarTimes {
    inner: Arc<ScalarUDF>,
    operation: Operation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Truncate,
    Bin,
}

pub fn functions() -> Vec<ScalarUDF> {
    let truncate = FarTimes {
        inner: datetime::date_trunc(),
        operation: Operation::Truncate,
    };
    let bin = FarTimes {
        inner: datetime::date_bin(),
        operation: Operation::Bin,
    };
    vec![truncate.into(), bin.into()]
}

impl FarTimes {
    /// Computes the results in microseconds. `None` if DataFusion can do it, or rejects the
    /// arguments with its own message.
    fn compute(&self, args: &ScalarFunctionArgs) -> Result<Option<ArrayRef>> {
        let [first, times, origin @ ..] = args.args.as_slice() else {
            return Ok(None);
        };
        let kind = times.data_type();
        if !matches!(kind, DataType::Timestamp(unit, None) if unit != TimeUnit::Nanosecond) {
            return Ok(None);
        }
        let in_microseconds = |value: &ColumnarValue| -> Result<ArrayRef> {
            let unit = DataType::Timestamp(TimeUnit::Microsecond, None);
            let times = cast(&value.to_array(args.number_rows)?, &unit)?;
            Ok(cast(&times, &DataType::Int64)?)
        };
        let times = in_microseconds(times)?;
        let times = times.as_primitive::<Int64Type>();
        let is_near =
            |time: Option<i64>| time.is_none_or(|time| time.abs() <= MAX_DISTANCE_MICROSECONDS);
        if is_near(min(times)) && is_near(max(times)) {
            return Ok(None);
        }
        let first = first.to_array(args.number_rows)?;
        let results: Option<Int64Array> = match (self.operation, origin) {
            (Operation::Truncate, []) => {
                let units = cast(&first, &DataType::LargeUtf8)?;
                let units = units.as_string::<i64>();
                let rows = units.iter().zip(times);
                rows.map(|row| match row {
                    (Some(unit), Some(time)) => truncate(&unit.to_lowercase(), time).map(Some),
                    _ => Some(None),
                })
                .collect::<Option<_>>()
            }
            (Operation::Bin, [] | [_]) => {
                let origins = origin.first().map(in_microseconds).transpose()?;
                let origins = origins.as_ref().map(|it| it.as_primitive::<Int64Type>());
                let widths = first.as_primitive_opt::<IntervalMonthDayNanoType>();
                widths.map(|widths| {
                    let rows = widths.iter().zip(times).enumerate();
                    rows.map(|(row, (width, time))| {
                        let origin = match origins {
                            Some(origins) if origins.is_null(row) => return None,
                            Some(origins) => origins.value(row),
                            None => 0,
                        };
                        bin(width?, time?, origin)
                    })
                    .collect()
                })
            }
            _ => None,
        };
        let Some(results) = results else {
            return Ok(None);
        };
        let results: ArrayRef = Arc::new(results);
        let results = cast(&results, &DataType::Timestamp(TimeUnit::Microsecond, None))?;
        Ok(Some(cast(&results, args.return_type())?))
    }
}

/// Returns the start of the unit that a time is in. `None` for other units.
fn truncate(unit: &str, microseconds: i64) -> Option<i64> {
    let time = utc(microseconds)?;
    let date = time.date();
    let truncated = match unit {
        "year" => date.with_ordinal(1)?.and_time(NaiveTime::MIN),
        "quarter" => {
            let month = date.month0() / 3 * 3 + 1;
            NaiveDate::from_ymd_opt(date.year(), month, 1)?.and_time(NaiveTime::MIN)
        }
        "month" => date.with_day(1)?.and_time(NaiveTime::MIN),
        "week" => {
            let days = Days::new(date.weekday().num_days_from_monday().into());
            date.checked_sub_days(days)?.and_time(NaiveTime::MIN)
        }
        "day" => date.and_time(NaiveTime::MIN),
        "hour" => date.and_hms_opt(time.hour(), 0, 0)?,
        "minute" => date.and_hms_opt(time.hour(), time.minute(), 0)?,
        "second" => time.with_nanosecond(0)?,
        "millisecond" => time.with_nanosecond(time.nanosecond() / 1_000_000 * 1_000_000)?,
        "microsecond" => time,
        _ => return None,
    };
    Some(truncated.and_utc().timestamp_micros())
}

/// Returns the start of the bin that a time is in. Bins have a width, and one starts at `origin`.
fn bin(width: IntervalMonthDayNano, time: i64, origin: i64) -> Option<i64> {
    if width.months == 0 {
        let width = i64::from(width.days) * DAY_MICROSECONDS + width.nanoseconds / 1000;
        let bins = time.checked_sub(origin)?.checked_div_euclid(width)?;
        return origin.checked_add(bins.checked_mul(width)?);
    }
    let (start, end) = (utc(origin)?, utc(time)?);
    let month = |time: NaiveDateTime| i64::from(time.year()) * 12 + i64::from(time.month0());
    let width = i64::from(width.months);
    let first = (month(end) - month(start)).div_euclid(width);
    // The time may be before the day on which the bin starts.
    [first, first - 1].into_iter().find_map(|bins| {
        let months = bins * width;
        let by = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
        let start = if months < 0 {
            start.checked_sub_months(by)?
        } else {
            start.checked_add_months(by)?
        };
        (start <= end).then(|| start.and_utc().timestamp_micros())
    })
}

impl ScalarUDFImpl for FarTimes {
    named_as_inner!();

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match self.compute(&args)? {
            Some(results) => Ok(ColumnarValue::Array(results)),
            None => self.inner.invoke_with_args(args),
        }
    }

    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        self.inner.output_ordering(inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> i64 {
        let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").unwrap();
        time.and_utc().timestamp_micros()
    }

    #[test]
    fn units_start_where_those_of_near_times_do() {
        let given = time("1650-08-17 13:45:10.123456");
        for (unit, expected) in [
            ("year", "1650-01-01 00:00:00"),
            ("quarter", "1650-07-01 00:00:00"),
            ("month", "1650-08-01 00:00:00"),
            ("week", "1650-08-15 00:00:00"),
            ("day", "1650-08-17 00:00:00"),
            ("hour", "1650-08-17 13:00:00"),
            ("minute", "1650-08-17 13:45:00"),
            ("second", "1650-08-17 13:45:10"),
            ("millisecond", "1650-08-17 13:45:10.123"),
            ("microsecond", "1650-08-17 13:45:10.123456"),
        ] {
            assert_eq!(truncate(unit, given), Some(time(expected)), "{unit}");
        }
        assert_eq!(truncate("fortnight", given), None);
    }

    #[test]
    fn bins_before_and_after_their_origin() {
        let width = IntervalMonthDayNano::new;
        for (width, given, origin, expected) in [
            (
                width(0, 7, 0),
                "1650-08-17 13:45:10",
                "2000-01-03 00:00:00",
                "1650-08-15 00:00:00",
            ),
            (
                width(0, 0, 3_600_000_000_000),
                "2650-08-17 13:45:10",
                "2000-01-03 00:00:00",
                "2650-08-17 13:00:00",
            ),
            (
                width(3, 0, 0),
                "1650-08-17 13:45:10",
                "2000-01-01 00:00:00",
                "1650-07-01 00:00:00",
            ),
            (
                width(1, 0, 0),
                "1650-08-02 00:00:00",
                "2000-01-05 00:00:00",
                "1650-07-05 00:00:00",
            ),
        ] {
            let found = bin(width, time(given), time(origin));
            assert_eq!(found, Some(time(expected)), "{width:?} {given}");
        }
        assert_eq!(bin(width(0, 0, 0), 1, 0), None);
    }
}
