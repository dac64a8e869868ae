//! `interpolated`, which `quantile_cont` calls.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type, TimeUnit};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::type_names::type_name;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "interpolated",
        document(
            INTERNAL,
            "interpolated(from, to, share)",
            "Returns the value between two numbers or times, at a share of the distance.",
            "> SELECT interpolated(1, 2, 0.25);\n1.25",
            &[
                ("from", "A number, a date or a time."),
                ("to", "The other one."),
                (
                    "share",
                    "The share of the distance from the first one, from 0 to 1.",
                ),
            ],
        ),
        coerce,
        |types| Ok(types.first().cloned().unwrap_or(DataType::Null)),
        interpolated,
    )
    .into()
}

fn coerce(given: &[DataType]) -> Result<Vec<DataType>> {
    let Some(value) = given.first() else {
        return plan_err!("interpolated takes 3 arguments");
    };
    let value = match value {
        DataType::Timestamp(..) => value.clone(),
        DataType::Date32 | DataType::Date64 => DataType::Timestamp(TimeUnit::Microsecond, None),
        number if number.is_numeric() || number.is_null() => DataType::Float64,
        other => {
            return plan_err!(
                "quantile_cont takes numbers, dates and times, not {}: quantile_disc takes any values",
                type_name(other)
            );
        }
    };
    Ok(vec![value.clone(), value, DataType::Float64])
}

fn interpolated(args: &[ArrayRef]) -> Result<ArrayRef> {
    let shares = args[2].as_primitive::<Float64Type>();
    if *args[0].data_type() == DataType::Float64 {
        let [from, to] = [0, 1].map(|at| args[at].as_primitive::<Float64Type>());
        let values = from.iter().zip(to).zip(shares);
        let values: Float64Array = values
            .map(|((from, to), share)| Some(between(from?, to?, share?)))
            .collect();
        return Ok(Arc::new(values));
    }
    let [from, to] = [
        cast(&args[0], &DataType::Int64)?,
        cast(&args[1], &DataType::Int64)?,
    ];
    let from = from.as_primitive::<Int64Type>();
    let values = from.iter().zip(to.as_primitive::<Int64Type>()).zip(shares);
    let values: Int64Array = values
        .map(|((from, to), share)| {
            let (from, to) = (from?, to?);
            // The distance is rounded down, as in DuckDB.
            let distance = to.checked_sub(from)? as f64 * share?;
            from.checked_add(distance.floor() as i64)
        })
        .collect();
    Ok(cast(&values, args[0].data_type())?)
}

/// The value itself at both ends, also if it is infinite.
fn between(from: f64, to: f64, share: f64) -> f64 {
    if share == 0.0 || from == to {
        from
    } else {
        from + (to - from) * share
    }
}
