//! Types that DataFusion's planner does not know, such as `MAP(VARCHAR, INTEGER)`.
//!
//! Timestamps are in microseconds: DataFusion's nanoseconds have no years before 1678 and after
//! 2261.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, TimeUnit};
use datafusion::common::{Result, not_impl_err};
use datafusion::logical_expr::planner::TypePlanner;
use datafusion::sql::sqlparser::ast::{
    ArrayElemTypeDef, DataType as SqlType, ExactNumberInfo, TimezoneInfo,
};

/// Plans types. Subscripts of maps compare with keys of the type `Utf8`, so texts in maps have it.
#[derive(Debug)]
pub struct DuckDbTypes;

impl TypePlanner for DuckDbTypes {
    fn plan_type_field(&self, sql_type: &SqlType) -> Result<Option<FieldRef>> {
        match sql_type {
            SqlType::Map(..) | SqlType::Timestamp(..) => {
                Ok(Some(Arc::new(Field::new("", plan_type(sql_type)?, true))))
            }
            _ => Ok(None),
        }
    }
}

fn plan_type(kind: &SqlType) -> Result<DataType> {
    Ok(match kind {
        SqlType::Map(key, value) => {
            let entry = Fields::from(vec![
                Field::new("key", plan_type(key)?, false),
                Field::new("value", plan_type(value)?, true),
            ]);
            let entries = Field::new("entries", DataType::Struct(entry), false);
            DataType::Map(Arc::new(entries), false)
        }
        SqlType::Array(
            ArrayElemTypeDef::SquareBracket(item, _) | ArrayElemTypeDef::AngleBracket(item),
        ) => DataType::new_list(plan_type(item)?, true),
        SqlType::Struct(fields, _) => {
            let mut planned_fields = Vec::with_capacity(fields.len());
            for (number, field) in (0..).zip(fields) {
                let name = match &field.field_name {
                    Some(name) => name.value.clone(),
                    None => format!("c{number}"),
                };
                planned_fields.push(Field::new(name, plan_type(&field.field_type)?, true));
            }
            DataType::Struct(planned_fields.into())
        }
        SqlType::Varchar(_) | SqlType::Text | SqlType::Char(_) | SqlType::String(_) => {
            DataType::Utf8
        }
        SqlType::Boolean | SqlType::Bool => DataType::Boolean,
        SqlType::TinyInt(_) => DataType::Int8,
        SqlType::SmallInt(_) | SqlType::Int2(_) => DataType::Int16,
        SqlType::Int(_) | SqlType::Integer(_) | SqlType::Int4(_) => DataType::Int32,
        SqlType::BigInt(_) | SqlType::Int8(_) => DataType::Int64,
        SqlType::TinyIntUnsigned(_) => DataType::UInt8,
        SqlType::SmallIntUnsigned(_) => DataType::UInt16,
        SqlType::IntUnsigned(_) | SqlType::IntegerUnsigned(_) => DataType::UInt32,
        SqlType::BigIntUnsigned(_) => DataType::UInt64,
        SqlType::Real | SqlType::Float(_) | SqlType::Float4 => DataType::Float32,
        SqlType::Double(_) | SqlType::DoublePrecision | SqlType::Float8 => DataType::Float64,
        SqlType::Date => DataType::Date32,
        SqlType::Timestamp(digits, zone) => {
            let unit = match digits {
                Some(7..) => TimeUnit::Nanosecond,
                _ => TimeUnit::Microsecond,
            };
            let has_zone = matches!(zone, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz);
            DataType::Timestamp(unit, has_zone.then(|| "UTC".into()))
        }
        SqlType::Decimal(ExactNumberInfo::PrecisionAndScale(precision, scale))
        | SqlType::Numeric(ExactNumberInfo::PrecisionAndScale(precision, scale)) => {
            match (u8::try_from(*precision), i8::try_from(*scale)) {
                (Ok(precision @ 1..=38), Ok(scale)) => DataType::Decimal128(precision, scale),
                _ => return not_impl_err!("{kind} in a map: use DOUBLE"),
            }
        }
        SqlType::Bytea => DataType::Binary,
        other => {
            return not_impl_err!(
                "{other} in a map: use VARCHAR, BIGINT, DOUBLE, DATE or TIMESTAMP"
            );
        }
    })
}
