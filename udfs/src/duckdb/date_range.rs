//! `range` of dates. DataFusion subtracts the step from the end, which drops the last date unless
//! the end is exactly one step after it.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Date32Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Date32Type, FieldRef, IntervalMonthDayNanoType, IntervalUnit,
};
use datafusion::common::Result;
use datafusion::functions_nested::range::{gen_series_udf, range_udf};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};

use super::as_inner::named_as_inner;

/// A list of numbers or times.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Range {
    inner: Arc<ScalarUDF>,
    /// Includes the end.
    series: Arc<ScalarUDF>,
}

pub fn function() -> ScalarUDF {
    let (inner, series) = (range_udf(), gen_series_udf());
    Range { inner, series }.into()
}

/// The days before the ends, in the direction of the steps.
fn days_before(ends: &ArrayRef, steps: &ArrayRef) -> Result<ArrayRef> {
    let ends = cast(ends, &DataType::Date32)?;
    let steps = cast(steps, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    let ends = ends.as_primitive::<Date32Type>().iter();
    let steps = steps.as_primitive::<IntervalMonthDayNanoType>().iter();
    let days = ends.zip(steps).map(|(end, step)| {
        let (end, step) = (end?, step?);
        let is_backward = step.months < 0 || step.days < 0;
        Some(if is_backward {
            end.saturating_add(1)
        } else {
            end.saturating_sub(1)
        })
    });
    Ok(Arc::new(days.collect::<Date32Array>()))
}

impl ScalarUDFImpl for Range {
    named_as_inner!();

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arg_types)
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_date = |value: &ColumnarValue| value.data_type() == DataType::Date32;
        let (true, [_, end, step]) = (args.args.iter().any(is_date), args.args.as_slice()) else {
            return self.inner.invoke_with_args(args);
        };
        let rows = args.number_rows;
        let end = days_before(&end.to_array(rows)?, &step.to_array(rows)?)?;
        args.args[1] = ColumnarValue::Array(end);
        self.series.invoke_with_args(args)
    }
}
