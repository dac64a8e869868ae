//! The aggregate `sum` of whole numbers. DataFusion's wraps around when the sum exceeds its type.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, Decimal128Array, Int64Array,
    PrimitiveArray,
};
use datafusion::arrow::datatypes::{
    DECIMAL128_MAX_PRECISION, DataType, Decimal128Type, Field, FieldRef, Int64Type, UInt64Type,
};
use datafusion::common::types::{NativeType, logical_boolean, logical_int64};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::functions_aggregate::sum::Sum;
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Coercion, Documentation, EmitTo, Expr,
    GroupsAccumulator, Operator, ReversedUDAF, SetMonotonicity, Signature, StatisticsArgs,
    TypeSignature, TypeSignatureClass,
};

use super::checked_arithmetic::advice;
use super::sliding::{Sliding, adds_floats};
use super::type_names::type_name;

/// The type that whole numbers are added in. No number of rows exceeds it.
const WIDE: DataType = DataType::Decimal128(DECIMAL128_MAX_PRECISION, 0);

/// Adds whole numbers as decimals, and fails if the sum does not fit its type.
#[derive(Debug, PartialEq, Eq, Hash)]
struct CheckedSum {
    sum: Sum,
    signature: Signature,
}

impl Default for CheckedSum {
    /// Takes booleans, too: a condition that is true counts 1.
    fn default() -> Self {
        let sum = Sum::default();
        let mut signature = sum.signature().clone();
        if let TypeSignature::OneOf(signatures) = &mut signature.type_signature {
            signatures.push(TypeSignature::Coercible(vec![Coercion::new_implicit(
                TypeSignatureClass::Native(logical_int64()),
                vec![TypeSignatureClass::Native(logical_boolean())],
                NativeType::Int64,
            )]));
        }
        Self { sum, signature }
    }
}

/// Whether a sum of this type can wrap around.
fn is_checked(kind: &DataType) -> bool {
    matches!(kind, DataType::Int64 | DataType::UInt64)
}

fn wide_field(field: &Field) -> FieldRef {
    Arc::new(field.clone().with_data_type(WIDE))
}

fn wide_args<'a>(args: &AccumulatorArgs<'a>) -> AccumulatorArgs<'a> {
    AccumulatorArgs {
        return_field: wide_field(&args.return_field),
        schema: args.schema,
        ignore_nulls: args.ignore_nulls,
        order_bys: args.order_bys,
        is_reversed: args.is_reversed,
        name: args.name,
        is_distinct: args.is_distinct,
        exprs: args.exprs,
        expr_fields: args.expr_fields,
    }
}

impl AggregateUDFImpl for CheckedSum {
    fn name(&self) -> &str {
        self.sum.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.sum.return_type(given)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let kind = args.return_type().clone();
        if !is_checked(&kind) {
            return self.sum.accumulator(args);
        }
        let wide = self.sum.accumulator(wide_args(&args))?;
        Ok(Box::new(WideAccumulator {
            wide,
            kind,
            takes_sums: !args.is_distinct,
        }))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if !is_checked(args.return_type()) {
            return self.sum.state_fields(args);
        }
        let return_field = wide_field(&args.return_field);
        self.sum.state_fields(StateFieldsArgs {
            return_field,
            ..args
        })
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.sum.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        let kind = args.return_type().clone();
        if !is_checked(&kind) {
            return self.sum.create_groups_accumulator(args);
        }
        let wide = self.sum.create_groups_accumulator(wide_args(&args))?;
        Ok(Box::new(WideGroups { wide, kind }))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let kind = args.return_type().clone();
        if adds_floats(&args) {
            return Ok(Box::new(Sliding::sum()));
        }
        // DataFusion has no other accumulator for distinct values that leave a window.
        if !is_checked(&kind) || args.is_distinct {
            return self.sum.create_sliding_accumulator(args);
        }
        let wide = self.sum.create_sliding_accumulator(wide_args(&args))?;
        Ok(Box::new(WideAccumulator {
            wide,
            kind,
            takes_sums: false,
        }))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.sum.reverse_expr()
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.sum.order_sensitivity()
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.sum.documentation()
    }

    fn set_monotonicity(&self, kind: &DataType) -> SetMonotonicity {
        self.sum.set_monotonicity(kind)
    }

    fn simplify_expr_op_literal(
        &self,
        function: &AggregateFunction,
        argument: &Expr,
        operator: Operator,
        literal: &Expr,
        argument_is_left: bool,
    ) -> Result<Option<Expr>> {
        self.sum
            .simplify_expr_op_literal(function, argument, operator, literal, argument_is_left)
    }

    fn value_from_stats(&self, statistics: &StatisticsArgs) -> Option<ScalarValue> {
        self.sum.value_from_stats(statistics)
    }
}

/// Converts whole numbers to decimals of type [`WIDE`].
fn widen(values: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
    let wide = values.iter().map(|values| {
        let wide: Decimal128Array = match values.data_type() {
            DataType::Int64 => values.as_primitive::<Int64Type>().unary(i128::from),
            DataType::UInt64 => values.as_primitive::<UInt64Type>().unary(i128::from),
            kind => return exec_err!("sum adds BIGINT or UBIGINT, got {}", type_name(kind)),
        };
        Ok(Arc::new(wide.with_data_type(WIDE)) as ArrayRef)
    });
    wide.collect()
}

/// Converts sums to their type.
fn narrow(sums: &dyn Array, kind: &DataType) -> Result<ArrayRef> {
    match kind {
        DataType::UInt64 => narrowed_to::<UInt64Type>(sums),
        _ => narrowed_to::<Int64Type>(sums),
    }
}

fn narrowed_to<T>(sums: &dyn Array) -> Result<ArrayRef>
where
    T: ArrowPrimitiveType,
    T::Native: TryFrom<i128>,
{
    let sums = sums.as_primitive::<Decimal128Type>();
    let narrow: PrimitiveArray<T> = sums.try_unary(fitting::<T>)?;
    Ok(Arc::new(narrow))
}

fn fitting<T>(sum: i128) -> Result<T::Native>
where
    T: ArrowPrimitiveType,
    T::Native: TryFrom<i128>,
{
    match T::Native::try_from(sum) {
        Ok(sum) => Ok(sum),
        Err(_) => exec_err!(
            "the sum {sum} does not fit {}: {}",
            type_name(&T::DATA_TYPE),
            advice(&T::DATA_TYPE)
        ),
    }
}

/// Returns the sum of numbers that are so small that it cannot overflow, as one value. Adding them
/// with 64 bits takes vector instructions.
fn small_sum(values: &ArrayRef) -> Option<ArrayRef> {
    const MAX_SMALL: i64 = 1 << 46;
    const MAX_SMALL_ROWS: usize = 1 << 16;
    let numbers = values.as_primitive_opt::<Int64Type>()?;
    if numbers.is_empty() || numbers.len() > MAX_SMALL_ROWS || numbers.null_count() > 0 {
        return None;
    }
    let (mut sum, mut bits) = (0_i64, 0_i64);
    for number in numbers.values() {
        sum = sum.wrapping_add(*number);
        bits |= number.wrapping_add(MAX_SMALL);
    }
    let is_small = (0..2 * MAX_SMALL).contains(&bits);
    is_small.then(|| Arc::new(Int64Array::from(vec![sum])) as ArrayRef)
}

/// Adds the values of all rows, or of a window.
#[derive(Debug)]
struct WideAccumulator {
    wide: Box<dyn Accumulator>,
    /// The type of the sum.
    kind: DataType,
    /// Whether the sum of a batch may replace its values.
    takes_sums: bool,
}

impl Accumulator for WideAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        match values {
            [values] if self.takes_sums => match small_sum(values) {
                Some(sum) => self.wide.update_batch(&widen(&[sum])?),
                None => self
                    .wide
                    .update_batch(&widen(std::slice::from_ref(values))?),
            },
            _ => self.wide.update_batch(&widen(values)?),
        }
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match (self.wide.evaluate()?, &self.kind) {
            (ScalarValue::Decimal128(Some(sum), ..), DataType::UInt64) => {
                Ok(ScalarValue::UInt64(Some(fitting::<UInt64Type>(sum)?)))
            }
            (ScalarValue::Decimal128(Some(sum), ..), _) => {
                Ok(ScalarValue::Int64(Some(fitting::<Int64Type>(sum)?)))
            }
            (_, kind) => ScalarValue::try_from(kind),
        }
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.wide.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.wide.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.wide.merge_batch(states)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.wide.retract_batch(&widen(values)?)
    }

    fn supports_retract_batch(&self) -> bool {
        self.wide.supports_retract_batch()
    }
}

/// Adds the values of each group.
struct WideGroups {
    wide: Box<dyn GroupsAccumulator>,
    /// The type of the sums.
    kind: DataType,
}

impl GroupsAccumulator for WideGroups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        groups: usize,
    ) -> Result<()> {
        self.wide
            .update_batch(&widen(values)?, group_indices, filter, groups)
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        narrow(&self.wide.evaluate(emit)?, &self.kind)
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        self.wide.state(emit)
    }

    fn merge_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        groups: usize,
    ) -> Result<()> {
        self.wide.merge_batch(values, group_indices, groups)
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        self.wide.convert_to_state(&widen(values)?, filter)
    }

    fn size(&self) -> usize {
        self.wide.size()
    }
}

/// The aggregate that replaces DataFusion's.
pub fn checked_sum() -> AggregateUDF {
    CheckedSum::default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(numbers: Vec<Option<i64>>) -> Option<i64> {
        let values: ArrayRef = Arc::new(Int64Array::from(numbers));
        let sum = small_sum(&values)?;
        Some(sum.as_primitive::<Int64Type>().value(0))
    }

    #[test]
    fn sums_of_small_numbers_are_exact() {
        assert_eq!(sum_of(vec![Some(1), Some(-3)]), Some(-2));
        assert_eq!(
            sum_of(vec![Some(-(1 << 46)), Some((1 << 46) - 1)]),
            Some(-1)
        );
        assert_eq!(sum_of(vec![Some(1 << 46)]), None);
        assert_eq!(sum_of(vec![Some(i64::MIN), Some(1)]), None);
        assert_eq!(sum_of(vec![Some(i64::MAX), Some(1)]), None);
        assert_eq!(sum_of(vec![Some(1), None]), None);
        assert_eq!(sum_of(vec![]), None);
    }
}
