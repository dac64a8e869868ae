//! `list_has_all`, `list_has_any` and `list_intersect` of lists that are or have NULL, which is
//! equal to no item, as in DuckDB. The first two return NULL for NULL; DataFusion takes it for an
//! empty list. `list_intersect(list, NULL)` is empty.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, GenericListArray, OffsetSizeTrait, UInt64Array,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_nested::array_has::{array_has_all_udf, array_has_any_udf};
use datafusion::functions_nested::set_ops::array_intersect_udf;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};

use super::as_inner::named_as_inner;

/// Whether a list has all, or any, items of another one.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ListOverlaps {
    inner: Arc<ScalarUDF>,
}

pub fn functions() -> Vec<ScalarUDF> {
    let overlaps = [array_has_all_udf(), array_has_any_udf()];
    let mut functions = overlaps.map(|inner| ListOverlaps { inner }.into()).to_vec();
    let inner = array_intersect_udf();
    functions.push(ListIntersect { inner }.into());
    functions
}

/// The distinct items that two lists share.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ListIntersect {
    inner: Arc<ScalarUDF>,
}

impl ScalarUDFImpl for ListIntersect {
    named_as_inner!();

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.inner.return_type(given)
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if let [list, other] = args.args.as_mut_slice() {
            if other.data_type().is_null() {
                *other = ColumnarValue::Scalar(ScalarValue::try_new_null(&list.data_type())?);
            }
            *other = with_present_items(other, Rows::Empty)?;
        }
        self.inner.invoke_with_args(args)
    }
}

/// What becomes of lists that are NULL.
#[derive(Clone, Copy, PartialEq)]
enum Rows {
    Kept,
    Empty,
}

/// Returns lists without the items that are NULL.
fn with_present_items(lists: &ColumnarValue, rows: Rows) -> Result<ColumnarValue> {
    let present = |lists: &ArrayRef| match lists.data_type() {
        DataType::List(_) => present_items(lists.as_list::<i32>(), rows),
        DataType::LargeList(_) => present_items(lists.as_list::<i64>(), rows),
        _ => Ok(Arc::clone(lists)),
    };
    Ok(match lists {
        ColumnarValue::Array(lists) => ColumnarValue::Array(present(lists)?),
        ColumnarValue::Scalar(list) => {
            let list = present(&list.to_array()?)?;
            ColumnarValue::Scalar(ScalarValue::try_from_array(&list, 0)?)
        }
    })
}

fn present_items<O: OffsetSizeTrait>(lists: &GenericListArray<O>, rows: Rows) -> Result<ArrayRef> {
    let items = lists.values();
    let nulls = items.logical_nulls();
    let keeps_all = nulls.as_ref().is_none_or(|nulls| nulls.null_count() == 0);
    if keeps_all && (rows == Rows::Kept || lists.null_count() == 0) {
        return Ok(Arc::new(lists.clone()));
    }
    let is_present = |item: &usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*item));
    let mut places: Vec<u64> = Vec::with_capacity(items.len());
    let lengths = (0..lists.len()).map(|row| {
        let before = places.len();
        if lists.is_valid(row) {
            let offsets = lists.value_offsets();
            let range = offsets[row].as_usize()..offsets[row + 1].as_usize();
            places.extend(range.filter(is_present).map(|item| item as u64));
        }
        places.len() - before
    });
    let offsets = OffsetBuffer::from_lengths(lengths.collect::<Vec<_>>());
    let items = take(items, &UInt64Array::from(places), None)?;
    let field = match lists.data_type() {
        DataType::List(field) | DataType::LargeList(field) => Arc::clone(field),
        _ => Arc::new(Field::new_list_field(items.data_type().clone(), true)),
    };
    let nulls = lists.nulls().filter(|_| rows == Rows::Kept).cloned();
    Ok(Arc::new(GenericListArray::<O>::try_new(
        field, offsets, items, nulls,
    )?))
}

impl ScalarUDFImpl for ListOverlaps {
    named_as_inner!();

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(given)
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.inner.return_type(given)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = self.inner.return_field_from_args(args)?;
        Ok(Arc::new(field.as_ref().clone().with_nullable(true)))
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let lists = args.args.iter().map(|list| list.to_array(rows));
        let lists = lists.collect::<Result<Vec<_>>>()?;
        if let Some(other) = args.args.get_mut(1) {
            *other = with_present_items(other, Rows::Kept)?;
        }
        let found = self.inner.invoke_with_args(args)?.into_array(rows)?;
        let nulls = lists.iter().fold(found.nulls().cloned(), |nulls, list| {
            NullBuffer::union(nulls.as_ref(), list.logical_nulls().as_ref())
        });
        let values = found.as_boolean().values().clone();
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::new(
            values, nulls,
        ))))
    }
}
