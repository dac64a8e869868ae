//! `now()` in microseconds. DataFusion's nanoseconds end in 2262, and so do times compared with it.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::functions::datetime;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature,
};

use super::as_inner::named_as_inner;

/// The time at which a statement starts, in the time zone of the session.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Now {
    inner: Arc<ScalarUDF>,
    zone: Option<Arc<str>>,
}

impl Now {
    pub fn new(config: &ConfigOptions) -> Self {
        Self {
            inner: datetime::now(config),
            zone: config.execution.time_zone.as_deref().map(Arc::from),
        }
    }
}

impl ScalarUDFImpl for Now {
    named_as_inner!();

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        Some(Self::new(config).into())
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Timestamp(
            TimeUnit::Microsecond,
            self.zone.clone(),
        ))
    }

    fn return_field_from_args(&self, _args: ReturnFieldArgs) -> Result<FieldRef> {
        let kind = self.return_type(&[])?;
        Ok(Arc::new(Field::new(self.name(), kind, false)))
    }

    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let Some(start) = info.query_execution_start_time() else {
            return Ok(ExprSimplifyResult::Original(args));
        };
        let start =
            ScalarValue::TimestampMicrosecond(Some(start.timestamp_micros()), self.zone.clone());
        Ok(ExprSimplifyResult::Simplified(Expr::Literal(start, None)))
    }

    fn invoke_with_args(&self, _args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        exec_err!("now() is replaced when a statement is planned")
    }
}
