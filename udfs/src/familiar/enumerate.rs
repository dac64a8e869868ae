//! `list_enumerate`, of which lambda functions with the number of the item are made.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StructArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::SECTION;
use crate::function::document;

/// Takes lists of any type, unlike a [`Function`](crate::function::Function).
#[derive(Debug)]
pub struct Enumerate {
    signature: Signature,
    documentation: Documentation,
}

impl Default for Enumerate {
    fn default() -> Self {
        Self {
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: document(
                SECTION,
                "list_enumerate(list)",
                "Returns a struct of each item of a list and its number, from 1.",
                "> SELECT list_enumerate(['a', 'b'])[2];\n{item: b, number: 2}",
                &[("list", "A list of values of any type.")],
            ),
        }
    }
}

/// Equal to every other one.
impl PartialEq for Enumerate {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Enumerate {}

impl std::hash::Hash for Enumerate {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl ScalarUDFImpl for Enumerate {
    fn name(&self) -> &str {
        "list_enumerate"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        match given {
            [DataType::List(_)] => Ok(given.to_vec()),
            [DataType::LargeList(item) | DataType::FixedSizeList(item, _)] => {
                Ok(vec![DataType::List(Arc::clone(item))])
            }
            [DataType::Null] => Ok(vec![DataType::new_list(DataType::Null, true)]),
            _ => plan_err!("list_enumerate takes one list"),
        }
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match arguments {
            [DataType::List(item)] => Ok(DataType::List(numbered(item))),
            _ => plan_err!("list_enumerate takes one list"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let (Some(lists), DataType::List(item)) =
            (arrays[0].as_list_opt::<i32>(), arrays[0].data_type())
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
        Ok(ColumnarValue::Array(Arc::new(ListArray::try_new(
            numbered(item),
            OffsetBuffer::from_lengths(lengths),
            Arc::new(structs),
            lists.nulls().cloned(),
        )?)))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

fn fields(item: &FieldRef) -> Fields {
    Fields::from(vec![
        Field::new("item", item.data_type().clone(), true),
        Field::new("number", DataType::Int64, false),
    ])
}

fn numbered(item: &FieldRef) -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Struct(fields(item)), true))
}
