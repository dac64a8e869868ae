//! `list_mode`, `list_histogram` and `list_entropy`, on which the macros `mode`, `histogram` and
//! `entropy` are based.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, UInt32Array};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::row::{RowConverter, Rows, SortField};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use super::maps_and_structs::{coerce_list, map_entries, map_of};
use crate::any_typed::AnyTyped;
use crate::function::document;

pub fn functions() -> Vec<ScalarUDF> {
    const LIST: &[(&str, &str)] = &[("list", "A list of values of any type.")];
    let mode = AnyTyped::new(
        "list_mode",
        document(
            SECTION,
            "list_mode(list)",
            "Returns the most frequent value of a list, the first of several. `mode(value)` \
             is the aggregate.",
            "> SELECT list_mode(['a', 'b', 'b']);\nb",
            LIST,
        ),
        |given| coerce_list("list_mode", given),
        |given| Ok(item_type(given)),
        |args| with_counts(args, |rows, values, _| modes(&rows, values)),
    );
    let entropy = AnyTyped::new(
        "list_entropy",
        document(
            SECTION,
            "list_entropy(list)",
            "Returns the entropy of the values of a list in bits: 0.0 if all are the same. `entropy(value)` is \
             the aggregate.",
            "> SELECT list_entropy(['a', 'b', 'a', 'b']);\n1.0",
            LIST,
        ),
        |given| coerce_list("list_entropy", given),
        |_| Ok(DataType::Float64),
        |args| with_counts(args, |rows, _, _| Ok(entropies(&rows))),
    );
    let histogram = AnyTyped::new(
        "list_histogram",
        document(
            SECTION,
            "list_histogram(list)",
            "Returns a map from the values of a list to their counts. `histogram(value)` is \
             the aggregate.",
            "> SELECT list_histogram(['b', 'a', 'b'])['b'];\n2",
            LIST,
        ),
        |given| match given {
            // Subscripts of maps compare with keys of this type.
            [DataType::List(item)] if item.data_type().is_string() => {
                Ok(vec![DataType::new_list(DataType::Utf8, true)])
            }
            _ => coerce_list("list_histogram", given),
        },
        |given| {
            let entries = map_entries(item_type(given), DataType::Int64);
            Ok(DataType::Map(entries, false))
        },
        |args| with_counts(args, histograms),
    );
    vec![histogram.into(), mode.into(), entropy.into()]
}

/// The type of the items of the only argument, a list.
fn item_type(given: &[DataType]) -> DataType {
    match given {
        [DataType::List(item)] => item.data_type().clone(),
        _ => DataType::Null,
    }
}

/// Counts the values of each list, and passes the counts to a function, with the values and with
/// rows by which they can be compared.
fn with_counts(
    args: &[ArrayRef],
    function: fn(Vec<Row>, &ArrayRef, &Rows) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    let lists = args[0].as_list::<i32>();
    let values = lists.values();
    let converter = RowConverter::new(vec![SortField::new(lists.value_type())])?;
    let comparable = converter.convert_columns(&[Arc::clone(values)])?;
    let offsets = lists.value_offsets().windows(2).enumerate();
    let rows = offsets.map(|(row, ends)| {
        let list = ends[0] as usize..ends[1] as usize;
        lists
            .is_valid(row)
            .then(|| counts(list.filter(|at| !values.is_null(*at)), &comparable))
    });
    function(rows.collect(), values, &comparable)
}

/// The distinct values of a list, except NULL, in the order of their first appearance: their first
/// place among all values, and the number of their occurrences.
type Row = Option<Vec<(usize, i64)>>;

fn counts(places: impl Iterator<Item = usize>, comparable: &Rows) -> Vec<(usize, i64)> {
    let mut counts: Vec<(usize, i64)> = Vec::new();
    let mut known = HashMap::new();
    for place in places {
        let at = *known.entry(comparable.row(place)).or_insert(counts.len());
        match counts.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => counts.push((place, 1)),
        }
    }
    counts
}

fn modes(rows: &[Row], values: &ArrayRef) -> Result<ArrayRef> {
    let modes = rows.iter().map(|row| {
        let mut most: Option<(usize, i64)> = None;
        for &(place, count) in row.iter().flatten() {
            if most.is_none_or(|(_, most)| count > most) {
                most = Some((place, count));
            }
        }
        most.map(|(place, _)| place as u32)
    });
    Ok(take(values, &modes.collect::<UInt32Array>(), None)?)
}

fn entropies(rows: &[Row]) -> ArrayRef {
    let entropies = rows.iter().map(|row| {
        row.as_ref().map(|row| {
            let counts = row.iter().map(|(_, count)| *count as f64);
            let all: f64 = counts.clone().sum();
            let bits = counts.map(|count| count / all * (all / count).log2());
            // A sum of nothing is negative zero.
            bits.sum::<f64>() + 0.0
        })
    });
    Arc::new(entropies.collect::<Float64Array>())
}

fn histograms(rows: Vec<Row>, values: &ArrayRef, comparable: &Rows) -> Result<ArrayRef> {
    let entries = map_entries(values.data_type().clone(), DataType::Int64);
    let (mut keys, mut numbers) = (Vec::new(), Vec::new());
    let (mut lengths, mut valid) = (Vec::new(), Vec::new());
    for row in rows {
        valid.push(row.as_ref().is_some_and(|row| !row.is_empty()));
        let mut row = row.unwrap_or_default();
        row.sort_by_key(|(place, _)| comparable.row(*place));
        lengths.push(row.len());
        for (place, number) in row {
            keys.push(place as u32);
            numbers.push(number);
        }
    }
    let keys = take(values, &UInt32Array::from(keys), None)?;
    let numbers: ArrayRef = Arc::new(Int64Array::from(numbers));
    map_of(
        entries,
        vec![keys, numbers],
        lengths,
        Some(NullBuffer::from(valid)),
    )
}
