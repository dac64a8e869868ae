//! `min` and `max` of groups with NaN, which is the largest number. DataFusion starts a group again
//! after each NaN.

use datafusion::arrow::datatypes::{
    ArrowNativeTypeOp, ArrowPrimitiveType, DataType, Float16Type, Float32Type, Float64Type,
};
use datafusion::functions_aggregate::min_max::{max_udaf, min_udaf};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{AggregateUDF, GroupsAccumulator};
use datafusion_functions_aggregate_common::aggregate::groups_accumulator::prim_op::PrimitiveGroupsAccumulator;

use super::adjusted::Adjusted;

pub fn functions() -> Vec<AggregateUDF> {
    let minimum = Adjusted::new(min_udaf()).with_groups(groups::<Minimum>);
    let maximum = Adjusted::new(max_udaf()).with_groups(groups::<Maximum>);
    vec![minimum.into(), maximum.into()]
}

/// Selects the minimum or the maximum.
trait Choice {
    /// Returns the initial number of a group, which any other one replaces.
    fn start<N: ArrowNativeTypeOp>() -> N;

    /// Whether a number replaces the one before it.
    fn replaces<N: ArrowNativeTypeOp>(number: N, kept: N) -> bool;
}

struct Minimum;

impl Choice for Minimum {
    fn start<N: ArrowNativeTypeOp>() -> N {
        N::MAX_TOTAL_ORDER
    }

    fn replaces<N: ArrowNativeTypeOp>(number: N, kept: N) -> bool {
        number.is_lt(kept)
    }
}

struct Maximum;

impl Choice for Maximum {
    fn start<N: ArrowNativeTypeOp>() -> N {
        N::MIN_TOTAL_ORDER
    }

    fn replaces<N: ArrowNativeTypeOp>(number: N, kept: N) -> bool {
        number.is_gt(kept)
    }
}

fn groups<C: Choice>(args: &AccumulatorArgs) -> Option<Box<dyn GroupsAccumulator>> {
    let kind = args.return_field.data_type();
    match kind {
        DataType::Float16 => Some(of_type::<Float16Type, C>(kind)),
        DataType::Float32 => Some(of_type::<Float32Type, C>(kind)),
        DataType::Float64 => Some(of_type::<Float64Type, C>(kind)),
        _ => None,
    }
}

fn of_type<T: ArrowPrimitiveType + Send, C: Choice>(kind: &DataType) -> Box<dyn GroupsAccumulator>
where
    T::Native: ArrowNativeTypeOp,
{
    let replace = |kept: &mut T::Native, number: T::Native| {
        if C::replaces(number, *kept) {
            *kept = number;
        }
    };
    let groups = PrimitiveGroupsAccumulator::<T, _>::new(kind, replace);
    Box::new(groups.with_starting_value(C::start()))
}
