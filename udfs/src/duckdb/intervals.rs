//! Arithmetic of intervals, which operators, casts and macros call.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Decimal128Array, IntervalMonthDayNanoArray};
use datafusion::arrow::datatypes::{
    DECIMAL128_MAX_PRECISION, DataType, Float64Type, Int64Type, IntervalMonthDayNano,
    IntervalMonthDayNanoType, IntervalUnit,
};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ScalarUDF;

use crate::function::{INTERNAL, Parameter, functions};
use crate::settings::CorpusSettings;

const INTERVAL: Parameter = Parameter::new(
    "interval",
    || DataType::Interval(IntervalUnit::MonthDayNano),
    "An interval.",
);

const FACTOR: Parameter = Parameter::new("number", || DataType::Float64, "A number.");

const NUMBER: Parameter = Parameter::integer("number", "A whole number.");

const UNIT: Parameter = Parameter::text("unit", "The unit, such as 'year', 'day' or 'second'.");

functions! {
    INTERNAL;

    /// Multiplies an interval. `interval * number` calls it.
    ///
    /// > SELECT DATE '2024-01-01' + interval_times(INTERVAL '1 day', 3);
    /// 2024-01-04
    interval_times(INTERVAL, FACTOR) -> DataType::Interval(IntervalUnit::MonthDayNano);

    /// Returns an interval of a number of units: `to_days(3)` is `interval_of(3, 'day')`.
    ///
    /// > SELECT DATE '2024-01-01' + interval_of(3, 'day');
    /// 2024-01-04
    interval_of(NUMBER, UNIT) -> DataType::Interval(IntervalUnit::MonthDayNano);

    /// Returns the length of an interval in nanoseconds; a month has 30 days. Comparisons of
    /// intervals call it.
    ///
    /// > SELECT interval_length(INTERVAL '2 days');
    /// 172800000000000
    interval_length(INTERVAL) -> DataType::Decimal128(DECIMAL128_MAX_PRECISION, 0);
}

/// The function that multiplies intervals.
pub fn interval_product() -> Option<ScalarUDF> {
    named("interval_times")
}

/// The function whose results stand in for intervals in comparisons.
pub fn interval_order() -> Option<ScalarUDF> {
    named("interval_length")
}

fn named(name: &str) -> Option<ScalarUDF> {
    functions()
        .into_iter()
        .find(|function| function.name() == name)
}

/// The months, days and nanoseconds of a unit.
fn unit(name: &str) -> Option<(i32, i32, i64)> {
    let name = name.to_ascii_lowercase();
    Some(match name.trim_end_matches('s') {
        "millennium" | "millennia" => (12_000, 0, 0),
        "century" | "centurie" => (1_200, 0, 0),
        "decade" => (120, 0, 0),
        "year" => (12, 0, 0),
        "quarter" => (3, 0, 0),
        "month" => (1, 0, 0),
        "week" => (0, 7, 0),
        "day" => (0, 1, 0),
        "hour" => (0, 0, 3_600_000_000_000),
        "minute" => (0, 0, 60_000_000_000),
        "second" => (0, 0, 1_000_000_000),
        "millisecond" => (0, 0, 1_000_000),
        "microsecond" => (0, 0, 1_000),
        _ => return None,
    })
}

fn interval_of(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let (numbers, units) = (
        args[0].as_primitive::<Int64Type>(),
        args[1].as_string::<i64>(),
    );
    let mut intervals = Vec::with_capacity(numbers.len());
    for (number, name) in numbers.iter().zip(units) {
        let (Some(number), Some(name)) = (number, name) else {
            intervals.push(None);
            continue;
        };
        let Some((months, days, nanos)) = unit(name) else {
            return exec_err!("'{name}' is not a unit of intervals, such as 'day'");
        };
        let interval = || {
            let whole = i32::try_from(number).ok();
            let times = |part: i32| match part {
                0 => Some(0),
                part => whole?.checked_mul(part),
            };
            let (months, days) = (times(months)?, times(days)?);
            let nanos = nanos.checked_mul(number)?;
            Some(IntervalMonthDayNano::new(months, days, nanos))
        };
        match interval() {
            Some(interval) => intervals.push(Some(interval)),
            None => return exec_err!("an interval of {number} {name} is too long"),
        }
    }
    Ok(Arc::new(IntervalMonthDayNanoArray::from(intervals)))
}

fn interval_length(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    const DAY_NANOSECONDS: i128 = 86_400_000_000_000;
    let intervals = args[0].as_primitive::<IntervalMonthDayNanoType>();
    let lengths: Decimal128Array = intervals.unary(|interval| {
        let days = i128::from(interval.months) * 30 + i128::from(interval.days);
        days * DAY_NANOSECONDS + i128::from(interval.nanoseconds)
    });
    Ok(Arc::new(
        lengths.with_precision_and_scale(DECIMAL128_MAX_PRECISION, 0)?,
    ))
}

fn interval_times(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let intervals = args[0].as_primitive::<IntervalMonthDayNanoType>();
    let numbers = args[1].as_primitive::<Float64Type>();
    let mut products = Vec::with_capacity(intervals.len());
    for (interval, number) in intervals.iter().zip(numbers) {
        let (Some(interval), Some(number)) = (interval, number) else {
            products.push(None);
            continue;
        };
        match times(interval, number) {
            Some(product) => products.push(Some(product)),
            None => return exec_err!("an interval times {number} is too long"),
        }
    }
    Ok(Arc::new(IntervalMonthDayNanoArray::from(products)))
}

/// Fractions of months become days of a month of 30, and fractions of days become hours.
fn times(interval: IntervalMonthDayNano, number: f64) -> Option<IntervalMonthDayNano> {
    const DAY_NANOSECONDS: f64 = 86_400_000_000_000.0;
    let months = f64::from(interval.months) * number;
    let days = f64::from(interval.days) * number + months.fract() * 30.0;
    let nanos = interval.nanoseconds as f64 * number + days.fract() * DAY_NANOSECONDS;
    let fits = months.abs() < f64::from(i32::MAX)
        && days.abs() < f64::from(i32::MAX)
        && nanos.abs() < i64::MAX as f64;
    fits.then(|| IntervalMonthDayNano::new(months as i32, days as i32, nanos.round() as i64))
}
