//! The types of arguments. Functions take text where they expect text, and text or bytes where they
//! expect bytes, in any of their Arrow types.

use std::sync::Arc;

use datafusion::arrow::compute::can_cast_types;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::{Result, plan_err};

/// Bytes whose charset has to be detected, as `BinaryView`, or text, which is decoded
/// already, as `Utf8View`. See [`crate::text_or_bytes`].
pub const TEXT_OR_BYTES: DataType = DataType::Utf8View;

/// Text or bytes, or a list of structs with the columns of paragraphs.
pub const TEXT_OR_PARAGRAPHS: DataType = DataType::Binary;

/// JSON as text or bytes, or a struct, a list or a map, which the planner writes as JSON.
pub const JSON_OR_NESTED: DataType = DataType::FixedSizeBinary(1);

/// A list of texts. A single text is cast to a list.
pub fn texts() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::LargeUtf8, true)))
}

/// A list of structs with these columns of text, and any others.
pub fn paragraphs() -> DataType {
    let columns = PARAGRAPH_COLUMNS.map(|name| Field::new(name, DataType::LargeUtf8, true));
    let item = DataType::Struct(columns.into_iter().collect());
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

/// The columns of paragraphs that functions use.
pub const PARAGRAPH_COLUMNS: [&str; 3] = ["path", "kind", "text"];

/// A list of structs with these columns of integers, and any others.
pub fn integer_structs(columns: &[&str]) -> DataType {
    let columns = columns
        .iter()
        .map(|name| Field::new(*name, DataType::Int64, true));
    let item = DataType::Struct(columns.collect());
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

/// An id: text, or an integer, which is cast to its decimal digits.
pub const ID: DataType = DataType::Utf8;

/// Returns the types that the arguments are cast to. An argument that does not fit the wanted type
/// is an error. The last `optional` arguments may be missing.
pub fn coerce(
    function: &str,
    given: &[DataType],
    wanted: &[DataType],
    optional: usize,
) -> Result<Vec<DataType>> {
    let (least, most) = (wanted.len() - optional, wanted.len());
    if given.len() < least || given.len() > most {
        let allowed = match optional {
            0 => most.to_string(),
            _ => format!("{least} to {most}"),
        };
        return plan_err!("{function} takes {allowed} arguments, not {}", given.len());
    }
    for (position, (given, wanted)) in given.iter().zip(wanted).enumerate() {
        let fits = match (given, wanted) {
            (DataType::Null, _) => true,
            // An empty list has no item type, and can be cast to any.
            (DataType::List(item), DataType::List(_)) if item.data_type().is_null() => true,
            (given, wanted) if *wanted == TEXT_OR_PARAGRAPHS => {
                is_text_or_bytes(given) || is_paragraphs(given) || is_empty_list(given)
            }
            (given, wanted) if *wanted == JSON_OR_NESTED => {
                is_text_or_bytes(given) || given.is_nested()
            }
            (DataType::Dictionary(_, value), _) => can_cast_types(value, wanted),
            (_, DataType::LargeBinary | DataType::BinaryView | DataType::Utf8View) => {
                given.is_string() || given.is_binary()
            }
            (_, DataType::LargeUtf8) => given.is_string(),
            (_, wanted) if *wanted == ID => given.is_string() || given.is_integer(),
            (_, wanted) if *wanted == texts() => is_texts(given),
            (_, wanted) if *wanted == paragraphs() => is_paragraphs(given),
            (_, wanted) if is_integers(wanted) => is_integers(given),
            (_, wanted) if is_integer_structs(wanted) => has_columns(given, wanted),
            _ => can_cast_types(given, wanted),
        };
        if !fits {
            return plan_err!(
                "argument {} of {function} must be {}, not {given}",
                position + 1,
                meaning(wanted)
            );
        }
    }
    let types = given.iter().zip(wanted);
    Ok(types
        .map(|(given, wanted)| cast_type(given, wanted))
        .collect())
}

/// The type that an argument is cast to. A document that is text stays text, and paragraphs keep
/// their columns.
pub fn cast_type(given: &DataType, wanted: &DataType) -> DataType {
    let given = match given {
        DataType::Dictionary(_, value) => value,
        given => given,
    };
    if *wanted == TEXT_OR_PARAGRAPHS {
        return match given {
            given if is_paragraphs(given) => given.clone(),
            given if is_empty_list(given) => paragraphs(),
            given => cast_type(given, &TEXT_OR_BYTES),
        };
    }
    if *wanted == JSON_OR_NESTED {
        return match given {
            given if given.is_nested() => given.clone(),
            given => cast_type(given, &TEXT_OR_BYTES),
        };
    }
    if *wanted == TEXT_OR_BYTES && !given.is_string() {
        return DataType::BinaryView;
    }
    if keeps_columns(given, wanted) {
        given.clone()
    } else {
        wanted.clone()
    }
}

/// Whether both types are lists of structs, and the given one has all wanted columns.
fn keeps_columns(given: &DataType, wanted: &DataType) -> bool {
    // Most arguments are not lists, and making the type of paragraphs takes longer than many
    // functions.
    if !matches!((given, wanted), (DataType::List(_), DataType::List(_))) {
        return false;
    }
    match wanted {
        wanted if *wanted == paragraphs() => is_paragraphs(given),
        wanted => is_integer_structs(wanted) && has_columns(given, wanted),
    }
}

/// Whether values of a type are text or bytes.
fn is_text_or_bytes(given: &DataType) -> bool {
    let given = match given {
        DataType::Dictionary(_, value) => value,
        given => given,
    };
    given.is_string() || given.is_binary()
}

/// Whether a type belongs to an empty list, which has no item type.
fn is_empty_list(given: &DataType) -> bool {
    matches!(given, DataType::List(item) if item.data_type().is_null())
}

/// Whether values of a type are texts or lists of texts.
fn is_texts(given: &DataType) -> bool {
    match given {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            item.data_type().is_string()
        }
        given => given.is_string(),
    }
}

/// Returns the columns of a list of structs.
fn columns_of(list: &DataType) -> Option<&Fields> {
    let DataType::List(item) = list else {
        return None;
    };
    match item.data_type() {
        DataType::Struct(columns) => Some(columns),
        _ => None,
    }
}

/// Whether a type is one of [`integer_structs`].
fn is_integer_structs(wanted: &DataType) -> bool {
    columns_of(wanted)
        .is_some_and(|columns| columns.iter().all(|column| column.data_type().is_integer()))
}

/// Whether values of a type are lists of structs with these columns of integers.
fn has_columns(given: &DataType, wanted: &DataType) -> bool {
    let (Some(given), Some(wanted)) = (columns_of(given), columns_of(wanted)) else {
        return false;
    };
    wanted.iter().all(|wanted| {
        let column = given.find(wanted.name());
        column.is_some_and(|(_, column)| {
            column.data_type().is_integer() || column.data_type().is_null()
        })
    })
}

/// Whether values of a type are lists of structs with the columns of paragraphs.
fn is_paragraphs(given: &DataType) -> bool {
    let Some(columns) = columns_of(given) else {
        return false;
    };
    PARAGRAPH_COLUMNS.iter().all(|name| {
        let column = columns.find(name);
        column.is_some_and(|(_, column)| column.data_type().is_string())
    })
}

/// Whether values of a type are lists of integers. An empty list has no item type.
fn is_integers(given: &DataType) -> bool {
    match given {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            item.data_type().is_integer() || item.data_type().is_null()
        }
        _ => false,
    }
}

fn meaning(wanted: &DataType) -> String {
    let meaning = match wanted {
        wanted if *wanted == texts() => "text or a list of texts",
        wanted if *wanted == TEXT_OR_PARAGRAPHS => {
            "a page, or a list of structs with path, kind and text"
        }
        wanted if *wanted == paragraphs() => "a list of structs with path, kind and text",
        wanted if *wanted == ID => "text or an integer",
        DataType::LargeUtf8 => "text",
        wanted if *wanted == JSON_OR_NESTED => "JSON as text, a struct, a list or a map",
        DataType::LargeBinary | DataType::BinaryView | DataType::Utf8View => "binary data or text",
        DataType::Timestamp(..) => "a timestamp",
        wanted if is_integers(wanted) => "a list of integers",
        wanted if is_integer_structs(wanted) => {
            let columns = columns_of(wanted).into_iter().flatten();
            let names: Vec<&str> = columns.map(|column| column.name().as_str()).collect();
            return format!("a list of structs with the integers {}", names.join(", "));
        }
        DataType::List(_) => "a list of name and value",
        _ => "a number",
    };
    meaning.to_owned()
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
            assert_eq!(coerce("f", &given, &wanted, 0).unwrap(), wanted);
        }
        assert!(coerce("f", &[DataType::Int64, DataType::Binary], &wanted, 0).is_err());
        assert!(coerce("f", &[DataType::Binary, DataType::Binary], &wanted, 0).is_err());
        assert!(coerce("f", &[DataType::Utf8], &wanted, 0).is_err());
    }

    #[test]
    fn a_document_that_is_text_stays_text() {
        let dictionary = |value| DataType::Dictionary(Box::new(DataType::Int32), Box::new(value));
        for (given, expected) in [
            (DataType::Utf8, DataType::Utf8View),
            (DataType::LargeUtf8, DataType::Utf8View),
            (DataType::Utf8View, DataType::Utf8View),
            (dictionary(DataType::Utf8), DataType::Utf8View),
            (DataType::Binary, DataType::BinaryView),
            (DataType::BinaryView, DataType::BinaryView),
            (dictionary(DataType::LargeBinary), DataType::BinaryView),
            (DataType::Null, DataType::BinaryView),
        ] {
            assert_eq!(
                coerce("f", &[given], &[TEXT_OR_BYTES], 0).unwrap(),
                [expected]
            );
        }
        assert!(coerce("f", &[DataType::Int64], &[TEXT_OR_BYTES], 0).is_err());
    }

    #[test]
    fn nested_values_are_kept_for_json() {
        let list = DataType::new_list(DataType::Int64, true);
        for (given, expected) in [
            (list.clone(), list),
            (DataType::Utf8, DataType::Utf8View),
            (DataType::Binary, DataType::BinaryView),
        ] {
            assert_eq!(
                coerce("f", &[given], &[JSON_OR_NESTED], 0).unwrap(),
                [expected]
            );
        }
        assert!(coerce("f", &[DataType::Int64], &[JSON_OR_NESTED], 0).is_err());
    }

    #[test]
    fn a_text_counts_as_a_list_of_one() {
        let list = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
        for given in [
            DataType::Utf8,
            DataType::Utf8View,
            DataType::Null,
            list(DataType::Utf8),
            list(DataType::Null),
        ] {
            assert_eq!(coerce("f", &[given], &[texts()], 0).unwrap(), [texts()]);
        }
        for given in [DataType::Int64, DataType::Binary, list(DataType::Int64)] {
            let error = coerce("f", &[given], &[texts()], 0).unwrap_err();
            let error = error.strip_backtrace();
            assert!(error.contains("must be text or a list of texts"), "{error}");
        }
    }

    #[test]
    fn paragraphs_may_have_further_columns() {
        let list = |columns: &[(&str, DataType)]| {
            let columns = columns
                .iter()
                .map(|(name, kind)| Field::new(*name, kind.clone(), true));
            let item = DataType::Struct(columns.collect());
            DataType::List(Arc::new(Field::new_list_field(item, true)))
        };
        let more = list(&[
            ("position", DataType::Int64),
            ("text", DataType::Utf8),
            ("kind", DataType::Utf8View),
            ("path", DataType::LargeUtf8),
        ]);
        assert_eq!(
            coerce("f", std::slice::from_ref(&more), &[paragraphs()], 0).unwrap(),
            [more]
        );
        let null = coerce("f", &[DataType::Null], &[paragraphs()], 0).unwrap();
        assert_eq!(null, [paragraphs()]);
        for given in [
            DataType::Utf8,
            texts(),
            list(&[("path", DataType::Utf8), ("text", DataType::Utf8)]),
            list(&[
                ("path", DataType::Utf8),
                ("kind", DataType::Int64),
                ("text", DataType::Utf8),
            ]),
        ] {
            let error = coerce("f", &[given], &[paragraphs()], 0).unwrap_err();
            let error = error.strip_backtrace();
            assert!(error.contains("with path, kind and text"), "{error}");
        }
    }

    #[test]
    fn lists_of_integers_are_not_made_of_texts() {
        let list = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
        for given in [list(DataType::Int64), list(DataType::Null), DataType::Null] {
            let wanted = list(DataType::Int32);
            let coerced = coerce("f", &[given], std::slice::from_ref(&wanted), 0);
            assert_eq!(coerced.unwrap(), [wanted]);
        }
        for given in [
            DataType::Utf8,
            list(DataType::Utf8),
            list(DataType::Float64),
        ] {
            let error = coerce("f", &[given], &[list(DataType::Int32)], 0).unwrap_err();
            let error = error.strip_backtrace();
            assert!(error.contains("must be a list of integers"), "{error}");
        }
    }

    #[test]
    fn structs_of_integers_may_have_further_columns() {
        let list = |columns: &[(&str, DataType)]| {
            let columns = columns
                .iter()
                .map(|(name, kind)| Field::new(*name, kind.clone(), false));
            let item = DataType::Struct(columns.collect());
            DataType::List(Arc::new(Field::new_list_field(item, true)))
        };
        let wanted = [integer_structs(&["start", "end"])];
        let more = list(&[
            ("end", DataType::Int32),
            ("text", DataType::Utf8),
            ("start", DataType::Null),
        ]);
        let coerced = coerce("f", std::slice::from_ref(&more), &wanted, 0);
        assert_eq!(coerced.unwrap(), [more]);
        assert_eq!(coerce("f", &[DataType::Null], &wanted, 0).unwrap(), wanted);
        for given in [
            DataType::Int64,
            texts(),
            list(&[("start", DataType::Int32)]),
            list(&[("start", DataType::Int32), ("end", DataType::Utf8)]),
        ] {
            let error = coerce("f", &[given], &wanted, 0).unwrap_err();
            let error = error.strip_backtrace();
            let expected = "must be a list of structs with the integers start, end";
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn an_id_is_text_or_an_integer() {
        for given in [DataType::Utf8View, DataType::Int64, DataType::UInt8] {
            assert_eq!(coerce("f", &[given], &[ID], 0).unwrap(), [ID]);
        }
        for given in [DataType::Float64, DataType::Binary] {
            let error = coerce("f", &[given], &[ID], 0).unwrap_err();
            let error = error.strip_backtrace();
            assert!(error.contains("must be text or an integer"), "{error}");
        }
    }

    #[test]
    fn the_last_arguments_may_be_missing() {
        let wanted = [DataType::LargeUtf8, DataType::LargeBinary];
        let one = coerce("f", &[DataType::Utf8], &wanted, 1).unwrap();
        assert_eq!(one, [DataType::LargeUtf8]);
        let error = coerce("f", &[], &wanted, 1).unwrap_err().strip_backtrace();
        assert!(error.contains("f takes 1 to 2 arguments, not 0"), "{error}");
    }
}
