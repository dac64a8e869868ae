//! Names of types in DuckDB, BigQuery and others, with those of this dialect.

use datafusion::sql::sqlparser::ast::{
    ArrayElemTypeDef, DataType, ExactNumberInfo, ObjectNamePart, TimezoneInfo,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;

/// Returns the name of a type in this dialect. `None` if the text is not a type.
pub fn type_here(text: &str) -> Option<String> {
    let mut parser = Parser::new(&GenericDialect {}).try_with_sql(text).ok()?;
    let mut kind = parser.parse_data_type().ok()?;
    parser.expect_token(&Token::EOF).ok()?;
    rename(&mut kind);
    Some(kind.to_string())
}

/// Renames a type to its name in this dialect. Returns whether that changed it.
pub fn rename(kind: &mut DataType) -> bool {
    let renamed = match kind {
        DataType::Blob(_)
        | DataType::Binary(_)
        | DataType::Varbinary(_)
        | DataType::Bytes(_)
        | DataType::TinyBlob
        | DataType::MediumBlob
        | DataType::LongBlob => DataType::Bytea,
        DataType::JSON
        | DataType::JSONB
        | DataType::Uuid
        | DataType::Nvarchar(_)
        | DataType::Character(_)
        | DataType::CharacterVarying(_)
        | DataType::CharVarying(_)
        | DataType::Clob(_)
        | DataType::TinyText
        | DataType::MediumText
        | DataType::LongText => DataType::Text,
        DataType::Datetime(precision) => DataType::Timestamp(*precision, TimezoneInfo::None),
        DataType::Int16 => DataType::SmallInt(None),
        DataType::Int32 | DataType::MediumInt(_) => DataType::Int(None),
        DataType::Int64 => DataType::BigInt(None),
        DataType::UInt8 | DataType::UTinyInt => DataType::TinyIntUnsigned(None),
        DataType::UInt16 | DataType::USmallInt => DataType::SmallIntUnsigned(None),
        DataType::UInt32 => DataType::IntUnsigned(None),
        DataType::UInt64 | DataType::UBigInt => DataType::BigIntUnsigned(None),
        // The widest type for whole numbers.
        DataType::HugeInt | DataType::Int128 | DataType::UHugeInt | DataType::UInt128 => {
            DataType::Decimal(ExactNumberInfo::PrecisionAndScale(38, 0))
        }
        DataType::Float32 => DataType::Real,
        DataType::Float64 => DataType::DoublePrecision,
        DataType::Decimal(ExactNumberInfo::None)
        | DataType::Dec(ExactNumberInfo::None)
        | DataType::Numeric(ExactNumberInfo::None) => {
            DataType::Decimal(ExactNumberInfo::PrecisionAndScale(18, 3))
        }
        DataType::Dec(number) => DataType::Decimal(*number),
        DataType::Custom(name, _) => match name.0.as_slice() {
            [ObjectNamePart::Identifier(name)] => match custom(&name.value) {
                Some(known) => known,
                None => return false,
            },
            _ => return false,
        },
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(inner, _) | ArrayElemTypeDef::AngleBracket(inner),
        ) => return rename(inner),
        DataType::Map(key, value) => return rename(key) | rename(value),
        DataType::Struct(fields, _) => {
            let mut is_renamed = false;
            for field in fields {
                is_renamed |= rename(&mut field.field_type);
            }
            return is_renamed;
        }
        _ => return false,
    };
    *kind = renamed;
    true
}

fn custom(name: &str) -> Option<DataType> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "bpchar" => DataType::Text,
        "blob" | "bytes" | "binary" => DataType::Bytea,
        "short" | "int16" => DataType::SmallInt(None),
        "signed" | "int32" => DataType::Int(None),
        "long" | "int64" | "oid" => DataType::BigInt(None),
        "int1" => DataType::TinyInt(None),
        "uint8" | "utinyint" => DataType::TinyIntUnsigned(None),
        "uint16" | "usmallint" => DataType::SmallIntUnsigned(None),
        "uint32" | "uinteger" => DataType::IntUnsigned(None),
        "uint64" | "ubigint" => DataType::BigIntUnsigned(None),
        "hugeint" | "uhugeint" => DataType::Decimal(ExactNumberInfo::PrecisionAndScale(38, 0)),
        "logical" => DataType::Boolean,
        "datetime" => DataType::Timestamp(None, TimezoneInfo::None),
        "timestamptz" => DataType::Timestamp(None, TimezoneInfo::WithTimeZone),
        "timestamp_s" => DataType::Timestamp(Some(0), TimezoneInfo::None),
        "timestamp_ms" => DataType::Timestamp(Some(3), TimezoneInfo::None),
        "timestamp_us" => DataType::Timestamp(Some(6), TimezoneInfo::None),
        "timestamp_ns" => DataType::Timestamp(Some(9), TimezoneInfo::None),
        _ => return None,
    })
}
