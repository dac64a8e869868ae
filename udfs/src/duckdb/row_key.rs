//! `row_key`, by which structs and lists are compared.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BinaryArray};
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::row::{RowConverter, SortField};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

pub fn row_key() -> ScalarUDF {
    AnyTyped::new(
        "row_key",
        document(
            INTERNAL,
            "row_key(value)",
            "Returns bytes that are compared as the values are, and NULL for NULL.",
            "> SELECT row_key([1, 2]) = row_key([1, 2]);\ntrue",
            &[("value", "A value of any type.")],
        ),
        |given| Ok(given.to_vec()),
        |_| Ok(DataType::Binary),
        keys,
    )
    .into()
}

fn keys(args: &[ArrayRef]) -> Result<ArrayRef> {
    let values = &args[0];
    // NULL in a struct or a list is the largest value.
    let order = SortOptions::new(false, false);
    let field = SortField::new_with_options(values.data_type().clone(), order);
    let converter = RowConverter::new(vec![field])?;
    let rows = converter.convert_columns(&args[..1])?;
    let keys = rows.iter().enumerate();
    let keys: BinaryArray = keys
        .map(|(at, row)| values.is_valid(at).then(|| row.data().to_vec()))
        .collect();
    Ok(Arc::new(keys))
}
