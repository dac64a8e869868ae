//! `list_mode`, `list_histogram` and `list_entropy`, on which the macros `mode`, `histogram` and
//! `entropy` are based.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int64Array, MapArray, StructArray, UInt32Array,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::arrow::row::{RowConverter, Rows, SortField};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::SECTION;
use crate::function::document;

/// The result of counting how often each value occurs in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum CountedResult {
    Mode,
    Histogram,
    Entropy,
}

/// Takes lists of any type, unlike a [`Function`](crate::function::Function).
#[derive(Debug)]
pub struct ListCounts {
    outcome: CountedResult,
    signature: Signature,
    documentation: Documentation,
}

impl ListCounts {
    pub fn mode() -> Self {
        Self {
            outcome: CountedResult::Mode,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: document(
                SECTION,
                "list_mode(list)",
                "Returns the most frequent value of a list, the first of several. `mode(value)` \
                 is the aggregate.",
                "> SELECT list_mode(['a', 'b', 'b']);\nb",
                &[("list", "A list of values of any type.")],
            ),
        }
    }

    pub fn entropy() -> Self {
        Self {
            outcome: CountedResult::Entropy,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: document(
                SECTION,
                "list_entropy(list)",
                "Returns the entropy of the values of a list in bits: 0.0 if all are the same. `entropy(value)` is \
                 the aggregate.",
                "> SELECT list_entropy(['a', 'b', 'a', 'b']);\n1.0",
                &[("list", "A list of values of any type.")],
            ),
        }
    }

    pub fn histogram() -> Self {
        Self {
            outcome: CountedResult::Histogram,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: document(
                SECTION,
                "list_histogram(list)",
                "Returns a map from the values of a list to their counts. `histogram(value)` is \
                 the aggregate.",
                "> SELECT list_histogram(['b', 'a', 'b'])['b'];\n2",
                &[("list", "A list of values of any type.")],
            ),
        }
    }
}

impl PartialEq for ListCounts {
    fn eq(&self, other: &Self) -> bool {
        self.outcome == other.outcome
    }
}

impl Eq for ListCounts {}

impl std::hash::Hash for ListCounts {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl ScalarUDFImpl for ListCounts {
    fn name(&self) -> &str {
        match self.outcome {
            CountedResult::Mode => "list_mode",
            CountedResult::Histogram => "list_histogram",
            CountedResult::Entropy => "list_entropy",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        match given {
            // Subscripts of maps compare with keys of this type.
            [DataType::List(item)]
                if self.outcome == CountedResult::Histogram && item.data_type().is_string() =>
            {
                Ok(vec![DataType::new_list(DataType::Utf8, true)])
            }
            [DataType::List(_)] => Ok(given.to_vec()),
            [DataType::LargeList(item) | DataType::FixedSizeList(item, _)] => {
                Ok(vec![DataType::List(Arc::clone(item))])
            }
            [DataType::Null] => {
                let item = Field::new_list_field(DataType::Null, true);
                Ok(vec![DataType::List(Arc::new(item))])
            }
            _ => plan_err!("{} takes one list", self.name()),
        }
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match arguments {
            [DataType::List(item)] => Ok(match self.outcome {
                CountedResult::Mode => item.data_type().clone(),
                CountedResult::Entropy => DataType::Float64,
                CountedResult::Histogram => DataType::Map(entries(item.data_type()), false),
            }),
            _ => plan_err!("{} takes one list", self.name()),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let Some(lists) = arrays[0].as_list_opt::<i32>() else {
            return exec_err!("{} takes one list", self.name());
        };
        let values = lists.values();
        let converter = RowConverter::new(vec![SortField::new(lists.value_type())])?;
        let comparable = converter.convert_columns(&[Arc::clone(values)])?;
        let offsets = lists.value_offsets().windows(2).enumerate();
        let rows: Vec<Row> = offsets
            .map(|(row, ends)| {
                let list = ends[0] as usize..ends[1] as usize;
                lists
                    .is_valid(row)
                    .then(|| counts(list.filter(|at| !values.is_null(*at)), &comparable))
            })
            .collect();
        Ok(ColumnarValue::Array(match self.outcome {
            CountedResult::Mode => modes(&rows, values)?,
            CountedResult::Histogram => histograms(rows, values, &comparable)?,
            CountedResult::Entropy => entropies(&rows),
        }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// The type of the entries of a map from values to numbers.
fn entries(kind: &DataType) -> FieldRef {
    Arc::new(Field::new("entries", DataType::Struct(entry(kind)), false))
}

fn entry(kind: &DataType) -> Fields {
    Fields::from(vec![
        Field::new("key", kind.clone(), false),
        Field::new("value", DataType::Int64, true),
    ])
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
    let kind = values.data_type();
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
    let structs = StructArray::try_new(entry(kind), vec![keys, numbers], None)?;
    let maps = MapArray::try_new(
        entries(kind),
        OffsetBuffer::from_lengths(lengths),
        structs,
        Some(NullBuffer::from(valid)),
        false,
    )?;
    Ok(Arc::new(maps))
}
