//! `epoch_ms`, which converts in both directions.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type, TimeUnit};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use super::type_names::type_name;
use crate::any_typed::AnyTyped;
use crate::function::document;

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "epoch_ms",
        document(
            SECTION,
            "epoch_ms(time)",
            "Returns the number of milliseconds from 1970 to a time, or the time after a number of milliseconds.",
            "> SELECT epoch_ms(TIMESTAMP '1970-01-01 00:00:01'), epoch_ms(1000);\n1000, 1970-01-01T00:00:01",
            &[("time", "A time, or a number of milliseconds.")],
        ),
        coerce,
        |types| match types {
            [DataType::Int64] => Ok(DataType::Timestamp(TimeUnit::Microsecond, None)),
            _ => Ok(DataType::Int64),
        },
        |args| convert(&args[0]),
    )
    .into()
}

fn coerce(given: &[DataType]) -> Result<Vec<DataType>> {
    let [time] = given else {
        return plan_err!("epoch_ms takes 1 argument, not {}", given.len());
    };
    Ok(vec![match time {
        time if time.is_integer() => DataType::Int64,
        DataType::Timestamp(..) => time.clone(),
        time if time.is_null() || time.is_string() || time.is_temporal() => {
            DataType::Timestamp(TimeUnit::Microsecond, None)
        }
        other => {
            return plan_err!(
                "epoch_ms takes a time or a number of milliseconds, not {}",
                type_name(other)
            );
        }
    }])
}

fn convert(time: &ArrayRef) -> Result<ArrayRef> {
    // As in DuckDB, fractions of a millisecond are rounded.
    let parts = match time.data_type() {
        DataType::Timestamp(TimeUnit::Second | TimeUnit::Millisecond, zone) => {
            let milliseconds = DataType::Timestamp(TimeUnit::Millisecond, zone.clone());
            return Ok(cast(&cast(time, &milliseconds)?, &DataType::Int64)?);
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => 1000,
        DataType::Timestamp(TimeUnit::Nanosecond, _) => 1_000_000,
        _ => 0,
    };
    if parts > 0 {
        let numbers = cast(time, &DataType::Int64)?;
        let numbers = numbers.as_primitive::<Int64Type>();
        let milliseconds: Int64Array = numbers.unary(|number| {
            let half = if number < 0 { -parts / 2 } else { parts / 2 };
            number.saturating_add(half) / parts
        });
        return Ok(Arc::new(milliseconds));
    }
    let times = cast(time, &DataType::Timestamp(TimeUnit::Millisecond, None))?;
    Ok(cast(
        &times,
        &DataType::Timestamp(TimeUnit::Microsecond, None),
    )?)
}
