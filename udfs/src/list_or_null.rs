//! `list_or_null`, for `unnest` of empty lists.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, GenericListArray, OffsetSizeTrait, UInt64Array,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "list_or_null",
        document(
            INTERNAL,
            "list_or_null(list)",
            "Returns a list, or [NULL] for an empty list and NULL, so that `unnest` keeps the \
             row. `unnest_outer(list)` is short for `unnest(list_or_null(list))`.",
            "> SELECT name, unnest_outer(links) AS link
  FROM (VALUES ('a', ['x', 'y']), ('b', [])) AS pages (name, links);\na, x\na, y\nb, NULL",
            &[("list", "A list of values of any type.")],
        ),
        coerce,
        |arguments| match arguments {
            [list @ (DataType::List(_) | DataType::LargeList(_))] => Ok(list.clone()),
            _ => plan_err!("list_or_null takes a list"),
        },
        |args| match args[0].data_type() {
            DataType::List(_) => with_nulls(args[0].as_list::<i32>()),
            DataType::LargeList(_) => with_nulls(args[0].as_list::<i64>()),
            other => exec_err!("list_or_null takes a list, not {other}"),
        },
    )
    .into()
}

fn coerce(given: &[DataType]) -> Result<Vec<DataType>> {
    let [list] = given else {
        return plan_err!("list_or_null takes 1 argument, not {}", given.len());
    };
    Ok(vec![match list {
        DataType::List(item) | DataType::LargeList(item) if item.is_nullable() => list.clone(),
        DataType::List(item) | DataType::FixedSizeList(item, _) => DataType::List(nullable(item)),
        DataType::LargeList(item) => DataType::LargeList(nullable(item)),
        DataType::Null => DataType::List(Arc::new(Field::new_list_field(DataType::Null, true))),
        other => return plan_err!("list_or_null takes a list, not {other}"),
    }])
}

fn nullable(item: &Field) -> Arc<Field> {
    Arc::new(item.clone().with_nullable(true))
}

/// Replaces empty and missing lists by lists of one NULL.
fn with_nulls<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> Result<ArrayRef> {
    let is_filled = |row| lists.is_valid(row) && lists.value_length(row) > O::zero();
    if (0..lists.len()).all(is_filled) {
        return Ok(Arc::new(lists.clone()));
    }
    let mut items = Vec::with_capacity(lists.values().len() + lists.len());
    let mut lengths = Vec::with_capacity(lists.len());
    for row in 0..lists.len() {
        let before = items.len();
        if is_filled(row) {
            let (start, end) = (lists.value_offsets()[row], lists.value_offsets()[row + 1]);
            items.extend((start.as_usize()..end.as_usize()).map(|item| Some(item as u64)));
        } else {
            items.push(None);
        }
        lengths.push(items.len() - before);
    }
    let values = take(lists.values(), &UInt64Array::from(items), None)?;
    let (DataType::List(item) | DataType::LargeList(item)) = lists.data_type() else {
        return exec_err!("the type of a list is {}", lists.data_type());
    };
    let offsets = OffsetBuffer::from_lengths(lengths);
    let filled = GenericListArray::<O>::try_new(Arc::clone(item), offsets, values, None)?;
    Ok(Arc::new(filled))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::types::Int32Type;
    use datafusion::arrow::array::{LargeListArray, ListArray};

    use super::*;

    #[test]
    fn empty_and_missing_lists_get_an_item() {
        let lists = || {
            [
                Some(vec![Some(1), None]),
                Some(vec![]),
                None,
                Some(vec![Some(2)]),
            ]
        };
        let filled = [
            Some(vec![Some(1), None]),
            Some(vec![None]),
            Some(vec![None]),
            Some(vec![Some(2)]),
        ];
        let small = ListArray::from_iter_primitive::<Int32Type, _, _>(lists());
        let expected = ListArray::from_iter_primitive::<Int32Type, _, _>(filled.clone());
        assert_eq!(with_nulls(&small).unwrap().as_list::<i32>(), &expected);
        // Slices have offsets that do not start at 0.
        let slice = with_nulls(&small.slice(1, 3)).unwrap();
        assert_eq!(slice.as_list::<i32>(), &expected.slice(1, 3));
        let large = LargeListArray::from_iter_primitive::<Int32Type, _, _>(lists());
        let expected = LargeListArray::from_iter_primitive::<Int32Type, _, _>(filled);
        assert_eq!(with_nulls(&large).unwrap().as_list::<i64>(), &expected);
    }
}
