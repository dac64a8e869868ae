//! `list_enumerate`, which implements lambda functions that take the number of the item.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StructArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use super::maps_and_structs::coerce_list;
use crate::any_typed::AnyTyped;
use crate::function::document;

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "list_enumerate",
        document(
            SECTION,
            "list_enumerate(list)",
            "Returns a struct of each item of a list and its number, from 1.",
            "> SELECT list_enumerate(['a', 'b'])[2];\n{item: b, number: 2}",
            &[("list", "A list of values of any type.")],
        ),
        |given| coerce_list("list_enumerate", given),
        |arguments| match arguments {
            [DataType::List(item)] => Ok(DataType::List(enumerated_field(item))),
            _ => plan_err!("list_enumerate takes one list"),
        },
        list_enumerate,
    )
    .into()
}

fn list_enumerate(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (Some(lists), DataType::List(item)) = (args[0].as_list_opt::<i32>(), args[0].data_type())
    else {
        return exec_err!("list_enumerate takes one list");
    };
    let offsets = lists.value_offsets();
    let (first, last) = (offsets[0], offsets[lists.len()]);
    let lengths = offsets.windows(2).map(|pair| pair[1] - pair[0]);
    let numbers = lengths
        .clone()
        .flat_map(|length| (1..=length).map(i64::from));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(numbers));
    let first = usize::try_from(first).unwrap_or_default();
    let length = usize::try_from(last).unwrap_or_default() - first;
    let items = lists.values().slice(first, length);
    let structs = StructArray::try_new(fields(item), vec![items, numbers], None)?;
    let lengths = lengths.map(|length| usize::try_from(length).unwrap_or_default());
    Ok(Arc::new(ListArray::try_new(
        enumerated_field(item),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(structs),
        lists.nulls().cloned(),
    )?))
}

fn fields(item: &FieldRef) -> Fields {
    Fields::from(vec![
        Field::new("item", item.data_type().clone(), true),
        Field::new("number", DataType::Int64, false),
    ])
}

fn enumerated_field(item: &FieldRef) -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Struct(fields(item)), true))
}
