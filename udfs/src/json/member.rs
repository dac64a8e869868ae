//! `json_member`: a value in JSON whose key is a column.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringArray};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::find::{Path, compact, find};
use super::{SECTION, bytes};
use crate::any_typed::AnyTyped;
use crate::function::document;
use crate::text_or_bytes::texts_or_bytes;

/// The name of the function.
pub const NAME: &str = "json_member";

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        NAME,
        document(
            SECTION,
            "json_member(json, key)",
            "Returns a value as JSON, as `json_extract` does. The key may be a column: `json -> key` \
             is short for it.",
            "> SELECT json_member('{\"a\": [1]}', lower('A')), json_member('[1, 2]', 0);\n[1], 1",
            &[
                ("json", "JSON, as text or as bytes in UTF-8."),
                (
                    "key",
                    "A key, a path, or the number of an item, from 0; -1 is the last item.",
                ),
            ],
        ),
        |given| match given {
            [json, key] => {
                let json = match json {
                    // The planner writes it as JSON.
                    json if json.is_nested() => json.clone(),
                    json if json.is_binary() => DataType::BinaryView,
                    _ => DataType::Utf8View,
                };
                let key = if key.is_integer() {
                    DataType::Int64
                } else {
                    DataType::LargeUtf8
                };
                Ok(vec![json, key])
            }
            _ => plan_err!("json_member takes 2 arguments, not {}", given.len()),
        },
        |_| Ok(DataType::LargeUtf8),
        |args| member(&args[0], &args[1]),
    )
    .into()
}

fn member(json: &ArrayRef, keys: &ArrayRef) -> Result<ArrayRef> {
    if json.data_type().is_nested() {
        return exec_err!("{NAME} takes JSON as text: call to_json first");
    }
    let path_at = |row: usize| -> Option<Path> {
        if keys.is_null(row) {
            return None;
        }
        match keys.data_type() {
            DataType::Int64 => match keys.as_primitive::<Int64Type>().value(row) {
                number @ 0.. => format!("$[{number}]").parse().ok(),
                number => format!("$[#{number}]").parse().ok(),
            },
            _ => keys.as_string::<i64>().value(row).parse().ok(),
        }
    };
    let values = texts_or_bytes(json).enumerate().map(|(row, json)| {
        let value = find(bytes(json?), &path_at(row)?)?;
        compact(&value)
    });
    Ok(Arc::new(values.collect::<LargeStringArray>()))
}
