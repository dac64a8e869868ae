//! `timezone`, which `AT TIME ZONE` calls.

use std::sync::Arc;

use chrono::offset::LocalResult;
use chrono::{DateTime, NaiveDateTime, Offset, TimeDelta, TimeZone};
use datafusion::arrow::array::timezone::Tz;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type, TimeUnit};
use datafusion::common::{Result, exec_datafusion_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::type_names::type_name;
use super::{SECTION, TEXT};
use crate::any_typed::AnyTyped;
use crate::function::document;

const UTC: &str = "+00:00";

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "timezone",
        document(
            SECTION,
            "timezone(zone, time)",
            "Returns the local time of an instant in a zone, or the instant of a local time there. `AT TIME ZONE` calls \
             it. Of an hour that clocks repeat, the second one counts.",
            "> SELECT timezone('Asia/Tokyo', TIMESTAMPTZ '2024-01-01 00:00:00Z');\n2024-01-01T09:00:00",
            &[
                (
                    "zone",
                    "The name of a zone, such as 'Europe/Berlin', or an offset, such as '+09:00'.",
                ),
                ("time", "An instant: a time with a zone. Or a local time: one without."),
            ],
        ),
        coerce,
        |types| match types {
            [_, DataType::Timestamp(unit, zone)] => Ok(DataType::Timestamp(
                *unit,
                zone.is_none().then(|| Arc::from(UTC)),
            )),
            _ => plan_err!("timezone takes a zone and a time"),
        },
        timezone,
    )
    .into()
}

fn coerce(given: &[DataType]) -> Result<Vec<DataType>> {
    let [_, time] = given else {
        return plan_err!(
            "timezone takes a zone and a time, not {} arguments",
            given.len()
        );
    };
    let time = match time {
        DataType::Timestamp(..) => time.clone(),
        time if time.is_null() || time.is_string() || time.is_temporal() => {
            DataType::Timestamp(TimeUnit::Microsecond, None)
        }
        other => return plan_err!("AT TIME ZONE takes a time, not {}", type_name(other)),
    };
    Ok(vec![TEXT, time])
}

fn timezone(args: &[ArrayRef]) -> Result<ArrayRef> {
    let zones = args[0].as_string::<i64>();
    let times = cast(&args[1], &DataType::Int64)?;
    let times = times.as_primitive::<Int64Type>();
    let (unit, is_instant) = match args[1].data_type() {
        DataType::Timestamp(unit, zone) => (*unit, zone.is_some()),
        other => return plan_err!("AT TIME ZONE takes a time, not {other}"),
    };
    let mut last: Option<(&str, Tz)> = None;
    let mut results = Vec::with_capacity(times.len());
    for (name, time) in zones.iter().zip(times) {
        let (Some(name), Some(time)) = (name, time) else {
            results.push(None);
            continue;
        };
        let zone = match last {
            Some((known, zone)) if known == name => zone,
            _ => {
                let zone = name.parse().map_err(|_| {
                    exec_datafusion_err!(
                        "unknown time zone '{name}': write a name such as 'Europe/Berlin', or an offset such as '+09:00'"
                    )
                })?;
                last.insert((name, zone)).1
            }
        };
        results.push(shift(time, unit, zone, is_instant));
    }
    let results: ArrayRef = Arc::new(Int64Array::from(results));
    let zone = (!is_instant).then(|| Arc::from(UTC));
    Ok(cast(&results, &DataType::Timestamp(unit, zone))?)
}

/// The zone of a name or of an abbreviation of America, as logs and mails have them.
pub fn named_zone(name: &str) -> Option<Tz> {
    const ABBREVIATIONS: &[(&str, &str)] = &[
        ("Z", UTC),
        ("EDT", "-04:00"),
        ("CDT", "-05:00"),
        ("CST", "-06:00"),
        ("MDT", "-06:00"),
        ("PDT", "-07:00"),
        ("PST", "-08:00"),
    ];
    let is_it = |(abbreviation, _): &&(&str, &str)| abbreviation.eq_ignore_ascii_case(name);
    let offset = ABBREVIATIONS.iter().find(is_it);
    offset.map_or(name, |(_, offset)| offset).parse().ok()
}

/// Returns the local time of an instant, or the instant of a local time. `None` beyond the years
/// that a timestamp can have.
fn shift(time: i64, unit: TimeUnit, zone: Tz, is_instant: bool) -> Option<i64> {
    let per_second = match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    };
    let there = DateTime::from_timestamp(time.div_euclid(per_second), 0)?.naive_utc();
    let seconds = if is_instant {
        i64::from(
            zone.offset_from_utc_datetime(&there)
                .fix()
                .local_minus_utc(),
        )
    } else {
        -offset_of_local_time(zone, there)?
    };
    time.checked_add(seconds.checked_mul(per_second)?)
}

/// The offset from UTC in seconds. Clocks skip an hour when summer begins: the times in it have the
/// offset before it.
pub fn offset_of_local_time(zone: Tz, local: NaiveDateTime) -> Option<i64> {
    const BEFORE: TimeDelta = TimeDelta::hours(3);
    let offset = match zone.offset_from_local_datetime(&local) {
        LocalResult::Single(offset) | LocalResult::Ambiguous(_, offset) => offset,
        LocalResult::None => {
            let earlier = local.checked_sub_signed(BEFORE)?;
            zone.offset_from_local_datetime(&earlier).latest()?
        }
    };
    Some(offset.fix().local_minus_utc().into())
}
