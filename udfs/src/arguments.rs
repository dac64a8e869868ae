//! Which arguments functions take: text where text is meant, text or bytes where bytes are
//! meant, whatever Arrow types they come in.

use datafusion::arrow::compute::can_cast_types;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};

/// The types that the arguments are cast to, `wanted`, if they can be meant.
pub fn coerce(function: &str, given: &[DataType], wanted: &[DataType]) -> Result<Vec<DataType>> {
    if given.len() != wanted.len() {
        return plan_err!(
            "{function} takes {} arguments, not {}",
            wanted.len(),
            given.len()
        );
    }
    for (position, (given, wanted)) in given.iter().zip(wanted).enumerate() {
        let fits = match (given, wanted) {
            (DataType::Null, _) => true,
            (DataType::Dictionary(_, value), _) => can_cast_types(value, wanted),
            (_, DataType::LargeBinary) => given.is_string() || given.is_binary(),
            (_, DataType::LargeUtf8) => given.is_string(),
            _ => can_cast_types(given, wanted),
        };
        if !fits {
            return plan_err!(
                "argument {} of {function} is {}, not {given}",
                position + 1,
                meaning(wanted)
            );
        }
    }
    Ok(wanted.to_vec())
}

fn meaning(wanted: &DataType) -> &'static str {
    match wanted {
        DataType::LargeUtf8 => "text",
        DataType::LargeBinary => "binary data or text",
        DataType::Timestamp(..) => "a timestamp",
        DataType::List(_) => "a list of name and value",
        _ => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_counts_as_bytes_but_numbers_do_not() {
        let wanted = [DataType::LargeUtf8, DataType::LargeBinary];
        for given in [
            [DataType::Utf8, DataType::Utf8View],
            [DataType::Null, DataType::Binary],
            [DataType::Utf8View, DataType::BinaryView],
        ] {
            assert_eq!(coerce("f", &given, &wanted).unwrap(), wanted);
        }
        assert!(coerce("f", &[DataType::Int64, DataType::Binary], &wanted).is_err());
        assert!(coerce("f", &[DataType::Binary, DataType::Binary], &wanted).is_err());
        assert!(coerce("f", &[DataType::Utf8], &wanted).is_err());
    }
}
