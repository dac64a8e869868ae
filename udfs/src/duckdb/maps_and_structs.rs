//! Functions of maps and structs, and lists that are put together.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, ListArray, MapArray, StructArray, UInt64Array,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

pub fn functions() -> Vec<ScalarUDF> {
    let functions = [
        AnyTyped::new(
            "map_from_entries",
            document(
                SECTION,
                "map_from_entries(list)",
                "Makes a map of a list of structs of a key and a value. A struct whose key is NULL is left out.",
                "> SELECT map_from_entries([{k: 'a', v: 1}, {k: 'b', v: 2}])['b'];\n2",
                &[("list", "A list of structs of two fields.")],
            ),
            coerce_entries,
            map_of_entries,
            map_from_entries,
        ),
        AnyTyped::new(
            "struct_concat",
            document(
                SECTION,
                "struct_concat(record, other)",
                "Adds the fields of another struct to a struct. They replace those of the same name. \
                 `struct_insert(record, b := 2)` and `struct_update(record, a := 2)` are short for it.",
                "> SELECT struct_concat({a: 1, b: 2}, {b: 3, c: 4});\n{a: 1, b: 3, c: 4}",
                &[("record", "A struct."), ("other", "A struct.")],
            ),
            coerce_structs,
            concatenated_type,
            struct_concat,
        ),
        AnyTyped::new(
            "struct_keys",
            document(
                SECTION,
                "struct_keys(record)",
                "Returns the names of the fields of a struct.",
                "> SELECT struct_keys({a: 1, b: 2});\n[a, b]",
                &[("record", "A struct.")],
            ),
            coerce_struct,
            |_| Ok(DataType::new_list(DataType::LargeUtf8, true)),
            struct_keys,
        ),
        AnyTyped::new(
            "only_item",
            document(
                INTERNAL,
                "only_item(list)",
                "Returns the only item of a list, NULL if there is none. It is an error if there are several.",
                "> SELECT only_item([1]);\n1",
                &[("list", "A list.")],
            ),
            |given| coerce_list("only_item", given),
            |given| match given {
                [DataType::List(item)] => Ok(item.data_type().clone()),
                _ => plan_err!("only_item takes one list"),
            },
            only_item,
        ),
    ];
    functions.map(ScalarUDF::from).to_vec()
}

/// The two fields of the structs in a list.
fn entry_fields(kind: &DataType) -> Option<&Fields> {
    match kind {
        DataType::List(item) => match item.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => Some(fields),
            _ => None,
        },
        _ => None,
    }
}

const ENTRIES_HELP: &str =
    "map_from_entries takes a list of structs of a key and a value, such as [{k: 'a', v: 1}]";

/// Takes one list of any kind.
pub fn coerce_list(function: &str, given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [DataType::List(_)] => Ok(given.to_vec()),
        [DataType::LargeList(item) | DataType::FixedSizeList(item, _)] => {
            Ok(vec![DataType::List(Arc::clone(item))])
        }
        [DataType::Null] => Ok(vec![DataType::new_list(DataType::Null, true)]),
        _ => plan_err!("{function} takes one list"),
    }
}

fn only_item(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else {
        return exec_err!("only_item takes one list");
    };
    let mut places = Vec::with_capacity(lists.len());
    for (row, ends) in lists.value_offsets().windows(2).enumerate() {
        let count = if lists.is_null(row) {
            0
        } else {
            ends[1] - ends[0]
        };
        places.push(match count {
            0 => None,
            1 => u64::try_from(ends[0]).ok(),
            count => {
                return exec_err!(
                    "a query in an expression returns {count} rows: write LIMIT 1, max(value), or ARRAY (SELECT …) for all"
                );
            }
        });
    }
    Ok(take(lists.values(), &UInt64Array::from(places), None)?)
}

fn coerce_entries(given: &[DataType]) -> Result<Vec<DataType>> {
    let [kind] = given else {
        return plan_err!("{ENTRIES_HELP}");
    };
    let kind = match kind {
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            DataType::List(Arc::clone(item))
        }
        other => other.clone(),
    };
    let Some(fields) = entry_fields(&kind) else {
        return plan_err!("{ENTRIES_HELP}");
    };
    // Subscripts of maps compare with keys of this type.
    let entry = fields.iter().map(plain_text);
    let entry = DataType::Struct(entry.collect());
    Ok(vec![DataType::new_list(entry, true)])
}

fn plain_text(field: &FieldRef) -> FieldRef {
    match field.data_type() {
        DataType::Utf8View => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8)),
        _ => Arc::clone(field),
    }
}

/// The entries of a map.
pub fn map_entries(key: DataType, value: DataType) -> FieldRef {
    let entry = Fields::from(vec![
        Field::new("key", key, false),
        Field::new("value", value, true),
    ]);
    Arc::new(Field::new("entries", DataType::Struct(entry), false))
}

fn map_of_entries(given: &[DataType]) -> Result<DataType> {
    match given.first().and_then(entry_fields) {
        Some(fields) => {
            let [key, value] = [0, 1].map(|at| fields[at].data_type().clone());
            Ok(DataType::Map(map_entries(key, value), false))
        }
        None => plan_err!("{ENTRIES_HELP}"),
    }
}

/// Returns maps with these columns of keys and values, and numbers of entries.
pub fn map_of(
    entries: FieldRef,
    columns: Vec<ArrayRef>,
    lengths: Vec<usize>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let DataType::Struct(fields) = entries.data_type().clone() else {
        return exec_err!("the entries of a map are structs");
    };
    let structs = StructArray::try_new(fields, columns, None)?;
    let lengths = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(MapArray::try_new(
        entries, lengths, structs, nulls, false,
    )?))
}

fn map_from_entries(args: &[ArrayRef]) -> Result<ArrayRef> {
    let lists = args[0].as_list::<i32>();
    let structs = lists.values().as_struct();
    let mut kept = Vec::with_capacity(structs.len());
    let mut lengths = Vec::with_capacity(lists.len());
    for (row, ends) in lists.value_offsets().windows(2).enumerate() {
        let before = kept.len();
        if lists.is_valid(row) {
            let places = ends[0].max(0) as usize..ends[1].max(0) as usize;
            let has_key = |at: &usize| structs.is_valid(*at) && structs.column(0).is_valid(*at);
            kept.extend(places.filter(has_key).map(|at| at as u64));
        }
        lengths.push(kept.len() - before);
    }
    let kept = UInt64Array::from(kept);
    let keys = take(structs.column(0), &kept, None)?;
    let values = take(structs.column(1), &kept, None)?;
    let entries = map_entries(keys.data_type().clone(), values.data_type().clone());
    map_of(entries, vec![keys, values], lengths, lists.nulls().cloned())
}

fn coerce_structs(given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [DataType::Struct(_), DataType::Struct(_)] => Ok(given.to_vec()),
        _ => plan_err!("struct_concat takes two structs, such as struct_concat(record, {{b: 2}})"),
    }
}

/// The fields of two structs, and whether each is of the second one, with its place there.
fn concatenate_fields<'a>(one: &'a Fields, other: &'a Fields) -> Vec<(&'a FieldRef, bool, usize)> {
    let mut fields: Vec<_> = (0..)
        .zip(one)
        .map(|(at, field)| (field, false, at))
        .collect();
    for (at, field) in other.iter().enumerate() {
        let same = fields
            .iter_mut()
            .find(|(known, ..)| known.name() == field.name());
        match same {
            Some(known) => *known = (field, true, at),
            None => fields.push((field, true, at)),
        }
    }
    fields
}

fn concatenated_type(given: &[DataType]) -> Result<DataType> {
    let [DataType::Struct(one), DataType::Struct(other)] = given else {
        return plan_err!("struct_concat takes two structs");
    };
    let fields = concatenate_fields(one, other).into_iter();
    // A struct that is NULL has no values.
    let fields = fields.map(|(field, ..)| field.as_ref().clone().with_nullable(true));
    Ok(DataType::Struct(fields.collect()))
}

fn struct_concat(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (one, other) = (args[0].as_struct(), args[1].as_struct());
    let DataType::Struct(fields) =
        concatenated_type(&[args[0].data_type().clone(), args[1].data_type().clone()])?
    else {
        return exec_err!("struct_concat takes two structs");
    };
    let columns = concatenate_fields(one.fields(), other.fields()).into_iter();
    let columns = columns.map(|(_, is_other, at)| {
        let of = if is_other { other } else { one };
        Arc::clone(of.column(at))
    });
    Ok(Arc::new(StructArray::try_new(
        fields,
        columns.collect(),
        one.nulls().cloned(),
    )?))
}

fn coerce_struct(given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [DataType::Struct(_)] => Ok(given.to_vec()),
        _ => plan_err!("struct_keys takes a struct"),
    }
}

fn struct_keys(args: &[ArrayRef]) -> Result<ArrayRef> {
    let record = args[0].as_struct();
    let names: Vec<&str> = record
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect();
    let lengths = (0..record.len()).map(|row| if record.is_valid(row) { names.len() } else { 0 });
    let lengths: Vec<usize> = lengths.collect();
    let all: Vec<&str> = lengths
        .iter()
        .flat_map(|length| names.iter().copied().take(*length))
        .collect();
    let all = LargeStringArray::from(all);
    Ok(Arc::new(ListArray::try_new(
        Arc::new(Field::new_list_field(DataType::LargeUtf8, true)),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(all),
        record.nulls().cloned(),
    )?))
}
