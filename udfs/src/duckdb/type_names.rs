//! `typeof`.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringArray, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use crate::any_typed::AnyTyped;
use crate::function::{Function, INTERNAL, Parameter, document};
use crate::settings::CorpusSettings;

/// `typeof`, and `sql_type_name` for the types in `information_schema`.
pub fn functions() -> Vec<ScalarUDF> {
    let type_of = AnyTyped::new(
        "typeof",
        document(
            SECTION,
            "typeof(value)",
            "Returns the type of a value by its name in DuckDB. `arrow_typeof` returns Arrow's.",
            "> SELECT typeof('a'), typeof([1]);\nVARCHAR, BIGINT[]",
            &[("value", "A value of any type.")],
        ),
        |given| match given {
            [_] => Ok(given.to_vec()),
            _ => plan_err!("typeof takes 1 argument, not {}", given.len()),
        },
        |_| Ok(DataType::Utf8),
        |args| {
            let name = type_name(args[0].data_type());
            let names = std::iter::repeat_n(name, args[0].len());
            Ok(Arc::new(StringArray::from_iter_values(names)))
        },
    );
    let sql_type_name = Function::new(
        "sql_type_name",
        INTERNAL,
        &[
            " Returns the name in DuckDB of a type under its name inside, as `information_schema.columns` has it.",
            "",
            " > SELECT sql_type_name('Int32');",
            " INTEGER",
        ],
        &[Parameter::text("type", "The name of the type.")],
        DataType::LargeUtf8,
        sql_type_name,
    );
    vec![type_of.into(), sql_type_name.into()]
}

fn sql_type_name(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let names = args[0].as_string::<i64>().iter().map(|name| {
        let name = name?;
        let kind = name.parse::<DataType>();
        Some(kind.map_or_else(|_| name.to_owned(), |kind| type_name(&kind)))
    });
    Ok(Arc::new(names.collect::<LargeStringArray>()))
}

/// The name of a type in DuckDB.
pub fn type_name(kind: &DataType) -> String {
    let name = match kind {
        kind if kind.is_string() => "VARCHAR",
        kind if kind.is_binary() => "BLOB",
        DataType::Boolean => "BOOLEAN",
        DataType::Int8 => "TINYINT",
        DataType::Int16 => "SMALLINT",
        DataType::Int32 => "INTEGER",
        DataType::Int64 => "BIGINT",
        DataType::UInt8 => "UTINYINT",
        DataType::UInt16 => "USMALLINT",
        DataType::UInt32 => "UINTEGER",
        DataType::UInt64 => "UBIGINT",
        DataType::Float16 | DataType::Float32 => "FLOAT",
        DataType::Float64 => "DOUBLE",
        DataType::Date32 | DataType::Date64 => "DATE",
        DataType::Time32(_) | DataType::Time64(_) => "TIME",
        DataType::Timestamp(_, None) => "TIMESTAMP",
        DataType::Timestamp(_, Some(_)) => "TIMESTAMP WITH TIME ZONE",
        DataType::Interval(_) | DataType::Duration(_) => "INTERVAL",
        DataType::Null => "\"NULL\"",
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => {
            return format!("DECIMAL({precision},{scale})");
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => {
            return format!("{}[]", type_name(item.data_type()));
        }
        DataType::Struct(fields) => {
            let fields = fields
                .iter()
                .map(|field| format!("{} {}", field.name(), type_name(field.data_type())));
            return format!("STRUCT({})", fields.collect::<Vec<_>>().join(", "));
        }
        DataType::Map(entries, _) => {
            let kinds = match entries.data_type() {
                DataType::Struct(fields) => fields
                    .iter()
                    .map(|field| type_name(field.data_type()))
                    .collect(),
                _ => Vec::new(),
            };
            return format!("MAP({})", kinds.join(", "));
        }
        DataType::Dictionary(_, value) => return type_name(value),
        DataType::RunEndEncoded(_, values) => return type_name(values.data_type()),
        other => return other.to_string().to_uppercase(),
    };
    name.to_owned()
}
