//! `list_sum` of whole and decimal numbers, which is exact. DataFusion adds floating-point numbers.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, ArrowNumericType, AsArray, GenericListArray, OffsetSizeTrait, PrimitiveArray,
};
use datafusion::arrow::compute::sum_checked;
use datafusion::arrow::datatypes::{
    DECIMAL128_MAX_PRECISION, DataType, Decimal128Type, Field, FieldRef, Int64Type,
};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::functions_nested::array_sum::array_sum_udf;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

use super::as_inner::named_as_inner;

#[derive(Debug, PartialEq, Eq, Hash)]
struct ListSum {
    inner: Arc<ScalarUDF>,
}

pub fn function() -> ScalarUDF {
    let inner = array_sum_udf();
    ListSum { inner }.into()
}

/// The type of an exact sum.
fn exact_sum(list: &DataType) -> Option<DataType> {
    let (DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _)) =
        list
    else {
        return None;
    };
    let decimal = |scale| DataType::Decimal128(DECIMAL128_MAX_PRECISION, scale);
    match item.data_type() {
        DataType::UInt64 => Some(decimal(0)),
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale) => Some(decimal(*scale)),
        kind if kind.is_integer() => Some(DataType::Int64),
        _ => None,
    }
}

impl ScalarUDFImpl for ListSum {
    named_as_inner!();

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        if let [list] = arg_types
            && let Some(sum) = exact_sum(list)
        {
            let item: FieldRef = Arc::new(Field::new_list_field(sum, true));
            return Ok(vec![match list {
                DataType::LargeList(_) => DataType::LargeList(item),
                _ => DataType::List(item),
            }]);
        }
        self.inner.coerce_types(arg_types)
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        match arg_types.first().and_then(exact_sum) {
            Some(sum) => Ok(sum),
            None => self.inner.return_type(arg_types),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.return_type().clone();
        let lists = match args.args.first() {
            Some(lists) if exact_sum(&lists.data_type()).is_some() => {
                lists.to_array(args.number_rows)?
            }
            _ => return self.inner.invoke_with_args(args),
        };
        let sums = match (&kind, lists.data_type()) {
            (DataType::Int64, DataType::List(_)) => sums::<Int64Type, i32>(lists.as_list(), &kind),
            (DataType::Int64, _) => sums::<Int64Type, i64>(lists.as_list(), &kind),
            (_, DataType::List(_)) => sums::<Decimal128Type, i32>(lists.as_list(), &kind),
            _ => sums::<Decimal128Type, i64>(lists.as_list(), &kind),
        };
        sums.map(ColumnarValue::Array)
    }
}

/// The sum of each list; NULL for one without numbers.
fn sums<T: ArrowNumericType, O: OffsetSizeTrait>(
    lists: &GenericListArray<O>,
    kind: &DataType,
) -> Result<ArrayRef> {
    let mut sums = Vec::with_capacity(lists.len());
    for list in lists.iter() {
        sums.push(match list {
            Some(numbers) => sum_checked(numbers.as_primitive::<T>()).map_err(|_| {
                exec_datafusion_err!(
                    "the sum of a list does not fit {kind}: cast its items to DOUBLE"
                )
            })?,
            None => None,
        });
    }
    let sums: PrimitiveArray<T> = sums.into_iter().collect();
    Ok(Arc::new(sums.with_data_type(kind.clone())))
}
