//! Aggregates of DataFusion with other accumulators for some arguments.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{
    AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs,
};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF,
    SetMonotonicity, Signature, StatisticsArgs,
};

use super::as_inner::named_as_inner;
use crate::function::compared_by;

type GroupsOf = fn(&AccumulatorArgs) -> Option<Box<dyn GroupsAccumulator>>;

type SlidingOf = fn(&AccumulatorArgs) -> Option<Box<dyn Accumulator>>;

/// An aggregate that has other accumulators where its functions return some.
#[derive(Debug)]
pub struct Adjusted {
    inner: Arc<AggregateUDF>,
    groups: GroupsOf,
    sliding: SlidingOf,
}

impl Adjusted {
    pub fn new(inner: Arc<AggregateUDF>) -> Self {
        Self {
            inner,
            groups: |_| None,
            sliding: |_| None,
        }
    }

    /// Sets the accumulator of GROUP BY.
    pub fn with_groups(mut self, groups: GroupsOf) -> Self {
        self.groups = groups;
        self
    }

    /// Sets the accumulator of windows.
    pub fn with_sliding(mut self, sliding: SlidingOf) -> Self {
        self.sliding = sliding;
        self
    }
}

compared_by!(Adjusted, inner);

impl AggregateUDFImpl for Adjusted {
    named_as_inner!();

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.inner.return_type(given)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.inner.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match (self.sliding)(&args) {
            Some(accumulator) => Ok(accumulator),
            None => self.inner.create_sliding_accumulator(args),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        self.inner.inner().state_fields(args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.inner.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        match (self.groups)(&args) {
            Some(accumulator) => Ok(accumulator),
            None => self.inner.create_groups_accumulator(args),
        }
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(given)
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.inner.order_sensitivity()
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.inner.reverse_udf()
    }

    fn is_descending(&self) -> Option<bool> {
        self.inner.is_descending()
    }

    fn value_from_stats(&self, statistics: &StatisticsArgs) -> Option<ScalarValue> {
        self.inner.value_from_stats(statistics)
    }

    fn set_monotonicity(&self, kind: &DataType) -> SetMonotonicity {
        self.inner.inner().set_monotonicity(kind)
    }

    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        self.inner.simplify()
    }
}
