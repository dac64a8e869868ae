//! `len`.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use super::type_names::type_name;
use crate::any_typed::AnyTyped;
use crate::function::document;

pub fn function() -> ScalarUDF {
    AnyTyped::new(
        "len",
        document(
            SECTION,
            "len(value)",
            "Returns the number of characters of a text, of items of a list, or of entries of a map.",
            "> SELECT len('añb'), len([1, 2]);\n3, 2",
            &[("value", "A text, a list or a map.")],
        ),
        coerce,
        |_| Ok(DataType::Int64),
        |args| Ok(Arc::new(lengths(&args[0])?)),
    )
    .into()
}

fn coerce(given: &[DataType]) -> Result<Vec<DataType>> {
    let [value] = given else {
        return plan_err!("len takes 1 argument, not {}", given.len());
    };
    Ok(vec![match value {
        DataType::List(_) | DataType::LargeList(_) | DataType::Map(..) => value.clone(),
        DataType::FixedSizeList(item, _) => DataType::List(Arc::clone(item)),
        value if value.is_string() || value.is_null() => DataType::LargeUtf8,
        DataType::Dictionary(_, value) if value.is_string() => DataType::LargeUtf8,
        other => {
            return plan_err!(
                "len takes a text, a list or a map, not {}; octet_length counts bytes",
                type_name(other)
            );
        }
    }])
}

/// Returns the number of characters of texts, of items of lists, or of entries of maps.
pub fn lengths(values: &ArrayRef) -> Result<Int64Array> {
    let rows = 0..values.len();
    Ok(match values.data_type() {
        DataType::Null => rows.map(|_| None::<i64>).collect(),
        DataType::List(_) => {
            let lists = values.as_list::<i32>();
            let length = |row| {
                lists
                    .is_valid(row)
                    .then(|| i64::from(lists.value_length(row)))
            };
            rows.map(length).collect()
        }
        DataType::LargeList(_) => {
            let lists = values.as_list::<i64>();
            let length = |row| lists.is_valid(row).then(|| lists.value_length(row));
            rows.map(length).collect()
        }
        DataType::Map(..) => {
            let maps = values.as_map();
            let length = |row| {
                maps.is_valid(row)
                    .then(|| i64::from(maps.value_length(row)))
            };
            rows.map(length).collect()
        }
        other if other.is_string() => {
            let texts = cast(values, &DataType::LargeUtf8)?;
            let length = |text: &str| i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            let texts = texts.as_string::<i64>().iter();
            texts.map(|text| text.map(length)).collect()
        }
        other => return exec_err!("len takes a text, a list or a map, not {other}"),
    })
}
