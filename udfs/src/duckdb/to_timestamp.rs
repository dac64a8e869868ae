//! `to_timestamp` of seconds, in microseconds. DataFusion's nanoseconds end in 2262, and have more
//! digits than a DOUBLE.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, PrimitiveArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::functions::datetime;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};

use super::as_inner::named_as_inner;

const SECOND: f64 = 1e6;

#[derive(Debug, PartialEq, Eq, Hash)]
struct ToTimestamp {
    inner: Arc<ScalarUDF>,
}

pub fn function() -> ScalarUDF {
    let inner = datetime::to_timestamp(&ConfigOptions::default());
    ToTimestamp { inner }.into()
}

/// The type of the result for seconds.
fn of_seconds(kind: DataType) -> DataType {
    match kind {
        DataType::Timestamp(_, zone) => DataType::Timestamp(TimeUnit::Microsecond, zone),
        kind => kind,
    }
}

impl ScalarUDFImpl for ToTimestamp {
    named_as_inner!();

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        let inner = datetime::to_timestamp(config);
        Some(Self { inner }.into())
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        let kind = self.inner.return_type(arg_types)?;
        Ok(match arg_types {
            [seconds] if seconds.is_numeric() => of_seconds(kind),
            _ => kind,
        })
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let is_number = matches!(args.arg_fields, [seconds] if seconds.data_type().is_numeric());
        let field = self.inner.return_field_from_args(args)?;
        if !is_number {
            return Ok(field);
        }
        let kind = of_seconds(field.data_type().clone());
        Ok(Arc::new(Field::new(
            field.name(),
            kind,
            field.is_nullable(),
        )))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.return_type().clone();
        match args.args.as_slice() {
            [seconds] if seconds.data_type().is_numeric() => {
                let seconds = cast(&seconds.to_array(args.number_rows)?, &DataType::Float64)?;
                let seconds = seconds.as_primitive::<Float64Type>();
                let micros: PrimitiveArray<Int64Type> = seconds.try_unary(microseconds)?;
                let micros: ArrayRef = Arc::new(micros);
                Ok(ColumnarValue::Array(cast(&micros, &kind)?))
            }
            _ => self.inner.invoke_with_args(args),
        }
    }
}

fn microseconds(seconds: f64) -> Result<i64> {
    let micros = (seconds * SECOND).round();
    if micros.abs() < i64::MAX as f64 {
        Ok(micros as i64)
    } else {
        Err(exec_datafusion_err!("{seconds} seconds are no timestamp"))
    }
}
