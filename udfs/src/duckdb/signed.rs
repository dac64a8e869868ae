//! Numbers of rows and items as BIGINT. DataFusion's are unsigned: other functions refuse them
//! beside integers, and Spark reads them as decimals.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::compute::{SortOptions, cast};
use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_nested::dimension::array_ndims_udf;
use datafusion::functions_nested::length::array_length_udf;
use datafusion::functions_nested::position::array_position_udf;
use datafusion::functions_window::ntile::ntile_udwf;
use datafusion::functions_window::rank::{dense_rank_udwf, rank_udwf};
use datafusion::functions_window::row_number::row_number_udwf;
use datafusion::logical_expr::function::{
    ExpressionArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs,
};
use datafusion::logical_expr::window_state::WindowAggState;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, LimitEffect, PartitionEvaluator, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;

use super::as_inner::named_as_inner;

const SIGNED: DataType = DataType::Int64;

/// A function of values.
#[derive(Debug, PartialEq, Eq, Hash)]
struct SignedNumber {
    inner: Arc<ScalarUDF>,
}

pub fn functions() -> [ScalarUDF; 3] {
    [array_length_udf(), array_ndims_udf(), array_position_udf()]
        .map(|inner| SignedNumber { inner }.into())
}

impl ScalarUDFImpl for SignedNumber {
    named_as_inner!();

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arg_types)
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(SIGNED)
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let field = args.return_field.as_ref().clone();
        args.return_field = Arc::new(field.with_data_type(DataType::UInt64));
        self.inner.invoke_with_args(args)?.cast_to(&SIGNED, None)
    }
}

/// A window function.
#[derive(Debug, PartialEq, Eq, Hash)]
struct SignedRank {
    inner: Arc<WindowUDF>,
}

pub fn window_functions() -> [WindowUDF; 4] {
    [
        dense_rank_udwf(),
        ntile_udwf(),
        rank_udwf(),
        row_number_udwf(),
    ]
    .map(|inner| SignedRank { inner }.into())
}

impl WindowUDFImpl for SignedRank {
    named_as_inner!();

    fn expressions(&self, args: ExpressionArgs) -> Vec<Arc<dyn PhysicalExpr>> {
        self.inner.expressions(args)
    }

    fn partition_evaluator(
        &self,
        args: PartitionEvaluatorArgs,
    ) -> Result<Box<dyn PartitionEvaluator>> {
        let inner = self.inner.partition_evaluator_factory(args)?;
        Ok(Box::new(SignedRanks(inner)))
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        let field = self.inner.field(args)?;
        Ok(Arc::new(field.as_ref().clone().with_data_type(SIGNED)))
    }

    fn sort_options(&self) -> Option<SortOptions> {
        self.inner.sort_options()
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arg_types)
    }

    fn limit_effect(&self, args: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        self.inner.inner().limit_effect(args)
    }
}

/// Casts the numbers of an evaluator.
#[derive(Debug)]
struct SignedRanks(Box<dyn PartitionEvaluator>);

impl PartitionEvaluator for SignedRanks {
    fn memoize(&mut self, state: &mut WindowAggState) -> Result<()> {
        self.0.memoize(state)
    }

    fn get_range(&self, index: usize, rows: usize) -> Result<Range<usize>> {
        self.0.get_range(index, rows)
    }

    fn is_causal(&self) -> bool {
        self.0.is_causal()
    }

    fn evaluate_all(&mut self, values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        Ok(cast(&self.0.evaluate_all(values, rows)?, &SIGNED)?)
    }

    fn evaluate(&mut self, values: &[ArrayRef], range: &Range<usize>) -> Result<ScalarValue> {
        self.0.evaluate(values, range)?.cast_to(&SIGNED)
    }

    fn evaluate_all_with_rank(&self, rows: usize, ranks: &[Range<usize>]) -> Result<ArrayRef> {
        Ok(cast(&self.0.evaluate_all_with_rank(rows, ranks)?, &SIGNED)?)
    }

    fn supports_bounded_execution(&self) -> bool {
        self.0.supports_bounded_execution()
    }

    fn uses_window_frame(&self) -> bool {
        self.0.uses_window_frame()
    }

    fn include_rank(&self) -> bool {
        self.0.include_rank()
    }
}
