//! `row_key`, by which structs and lists are compared.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BinaryArray};
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
            "Returns bytes that are equal for equal values, and NULL for NULL.",
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
    let converter = RowConverter::new(vec![SortField::new(values.data_type().clone())])?;
    let rows = converter.convert_columns(&args[..1])?;
    let keys = rows.iter().enumerate();
    let keys: BinaryArray = keys
        .map(|(at, row)| values.is_valid(at).then(|| row.data().to_vec()))
        .collect();
    Ok(Arc::new(keys))
}
