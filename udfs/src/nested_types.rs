//! Types inside of lists, structs and maps.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef};

/// Replaces a type, or the types inside of lists and structs. `None` if nothing changes. A struct
/// without fields counts as a type with nothing inside.
pub fn replaced_type(
    data_type: &DataType,
    replaced: &dyn Fn(&DataType) -> Option<DataType>,
) -> Option<DataType> {
    let item = |field: &FieldRef| {
        let written = replaced_type(field.data_type(), replaced)?;
        Some(Arc::new(field.as_ref().clone().with_data_type(written)))
    };
    Some(match data_type {
        DataType::List(field) => DataType::List(item(field)?),
        DataType::LargeList(field) => DataType::LargeList(item(field)?),
        DataType::FixedSizeList(field, length) => DataType::FixedSizeList(item(field)?, *length),
        DataType::Map(field, is_sorted) => DataType::Map(item(field)?, *is_sorted),
        DataType::Struct(fields) if !fields.is_empty() => {
            fields.iter().find_map(item)?;
            let fields = fields
                .iter()
                .map(|field| item(field).unwrap_or_else(|| field.clone()));
            DataType::Struct(fields.collect())
        }
        part => return replaced(part),
    })
}
