//! Filters that readers evaluate.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::expressions::{
    BinaryExpr, DynamicFilterTracking, LikeExpr, Literal,
};
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_expr_common::physical_expr::is_volatile;

use crate::sources::format::RecordFormat;
use crate::tree_walk::TreeWalk;
use corpus_bytes::columns::{Availability, Column};
use corpus_bytes::record::{RecordReader, Value};
use corpus_columns::record::{RecordColumn, schema};

/// A filter on columns that are known early, evaluated for each record before its payload is
/// read.
#[derive(Debug, Clone)]
pub struct RecordFilter {
    /// Indexes into the format's columns.
    pub columns: Vec<usize>,
    schema: SchemaRef,
    predicate: Arc<dyn PhysicalExpr>,
    known: KnownResults,
}

impl RecordFilter {
    /// Whether the reader of a format should evaluate this filter for each record.
    pub fn accepts(predicate: &Arc<dyn PhysicalExpr>, format: &dyn RecordFormat) -> bool {
        let read = collect_columns(predicate);
        let columns = format.columns();
        let is_known = |index| {
            let column: Option<&Column> = columns.get(index);
            column.is_some_and(|column| column.availability == Availability::Early)
        };
        let is_early = !read.is_empty() && read.iter().all(|column| is_known(column.index()));
        let is_cheap = !is_dynamic(predicate) && !compiles_a_pattern(predicate);
        is_early && !is_volatile(predicate) && (is_cheap || format.records_are_files())
    }

    /// `predicate` refers to the table's columns.
    pub fn try_new(predicate: Arc<dyn PhysicalExpr>, all: &[Column]) -> Result<Self> {
        let mut columns: Vec<_> = collect_columns(&predicate)
            .iter()
            .map(|column| column.index())
            .collect();
        columns.sort_unstable();
        let schema = Arc::new(schema(all).project(&columns)?);
        let predicate = reassign_expr_columns(predicate, &schema)?;
        Ok(Self {
            columns,
            schema,
            known: KnownResults {
                is_usable: !is_dynamic(&predicate),
                ..KnownResults::default()
            },
            predicate,
        })
    }

    /// Evaluates the filter for the current record of a reader. `builders`: those of its columns.
    pub fn matches(
        &mut self,
        reader: &dyn RecordReader,
        builders: &mut [RecordColumn],
    ) -> Result<bool> {
        let values = self.columns.iter().map(|column| reader.value(*column));
        if let Some(result) = self.known.find(values) {
            return Ok(result);
        }
        let mut arrays = Vec::with_capacity(builders.len());
        for (builder, column) in builders.iter_mut().zip(&self.columns) {
            builder.append(reader.value(*column));
            arrays.push(builder.finish()?);
        }
        let row = RecordBatch::try_new(Arc::clone(&self.schema), arrays)?;
        let result = self.predicate.evaluate(&row)?.into_array(1)?;
        let result = as_boolean_array(&result)?;
        let result = result.iter().next().flatten().unwrap_or(false);
        self.known.add(result);
        Ok(result)
    }
}

/// The results of a filter for the values seen so far. The types of records repeat, and evaluating
/// expressions for a single row takes much longer than comparing its values.
#[derive(Debug, Clone, Default)]
struct KnownResults {
    /// A dynamic filter changes its results.
    is_usable: bool,
    rows: Vec<(Box<[u8]>, bool)>,
    /// The values of the current record; empty if they are not kept.
    key: Vec<u8>,
}

impl KnownResults {
    /// The maximum number of results kept: each record is compared with all of them, and values
    /// that do not repeat, such as URLs, never match.
    const MAX_ROWS: usize = 16;
    /// The maximum size of the values of a row.
    const MAX_KEY_BYTES: usize = 128;

    fn find<'a>(&mut self, values: impl Iterator<Item = Value<'a>>) -> Option<bool> {
        self.key.clear();
        if !self.is_usable {
            return None;
        }
        for value in values {
            if !push_value(&mut self.key, value) || self.key.len() > Self::MAX_KEY_BYTES {
                self.key.clear();
                return None;
            }
        }
        let mut rows = self.rows.iter();
        let found = rows.find(|(key, _)| **key == *self.key);
        found.map(|(_, result)| *result)
    }

    /// Adds the result for the values that were not found.
    fn add(&mut self, result: bool) {
        if !self.key.is_empty() && self.rows.len() < Self::MAX_ROWS {
            self.rows.push((self.key.as_slice().into(), result));
        }
    }
}

/// Appends a value to a key, so that keys of different values differ. `false` if it is too complex.
fn push_value(key: &mut Vec<u8>, value: Value<'_>) -> bool {
    let (kind, length) = match value {
        Value::Null => (0, 0),
        Value::Text(text) => (1, text.len()),
        Value::Boolean(flag) => (2, usize::from(flag)),
        _ => return false,
    };
    key.push(kind);
    key.extend_from_slice(&length.to_ne_bytes());
    if let Value::Text(text) = value {
        key.extend_from_slice(text.as_bytes());
    }
    true
}

/// Whether this is a dynamic filter: it accepts all rows until the query tightens it.
pub fn is_dynamic(filter: &Arc<dyn PhysicalExpr>) -> bool {
    DynamicFilterTracking::classify(filter).contains_dynamic_filter()
}

/// Whether the filter has a pattern that is compiled at every evaluation. Compiling takes longer
/// than reading a small record, so such a filter is evaluated once per batch instead.
fn compiles_a_pattern(filter: &Arc<dyn PhysicalExpr>) -> bool {
    let found = filter.exists_dyn(&|part| {
        Ok(
            if let Some(function) = part.downcast_ref::<ScalarFunctionExpr>() {
                function.name().starts_with("regexp_")
            } else if let Some(binary) = part.downcast_ref::<BinaryExpr>() {
                use Operator::{RegexIMatch, RegexMatch, RegexNotIMatch, RegexNotMatch};
                let patterns = [RegexMatch, RegexIMatch, RegexNotMatch, RegexNotIMatch];
                patterns.contains(binary.op())
            } else if let Some(like) = part.downcast_ref::<LikeExpr>() {
                like.case_insensitive() || !is_part_of_text(like.pattern())
            } else {
                false
            },
        )
    });
    found.unwrap_or(true)
}

/// Whether a pattern of LIKE is a text with `%` before or after it.
fn is_part_of_text(pattern: &Arc<dyn PhysicalExpr>) -> bool {
    let literal = pattern.downcast_ref::<Literal>();
    let text = literal.and_then(|literal| ScalarValue::try_as_str(literal.value()).flatten());
    text.is_some_and(|text| !text.trim_matches('%').contains(['%', '_', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usable() -> KnownResults {
        KnownResults {
            is_usable: true,
            ..KnownResults::default()
        }
    }

    #[test]
    fn results_are_found_by_the_values_of_all_columns() {
        let rows = [
            [Value::Null, Value::Text("a")],
            [Value::Text(""), Value::Text("a")],
            [Value::Text("a"), Value::Text("")],
            [Value::Text("a"), Value::Null],
            [Value::Text("a"), Value::Boolean(true)],
            [Value::Text("a"), Value::Boolean(false)],
        ];
        let mut known = usable();
        let results = [true, false, false].into_iter().cycle();
        for (row, result) in rows.into_iter().zip(results.clone()) {
            assert_eq!(known.find(row.into_iter()), None, "{row:?}");
            known.add(result);
        }
        for (row, result) in rows.into_iter().zip(results) {
            assert_eq!(known.find(row.into_iter()), Some(result), "{row:?}");
        }
    }

    #[test]
    fn few_short_rows_are_kept() {
        let mut known = usable();
        let long = "a".repeat(2 * KnownResults::MAX_KEY_BYTES);
        let mut rows = vec![long, String::new()];
        rows.extend((0..2 * KnownResults::MAX_ROWS).map(|row| row.to_string()));
        for _ in 0..2 {
            for row in &rows {
                if known.find([Value::Text(row)].into_iter()).is_none() {
                    known.add(true);
                }
            }
        }
        assert_eq!(known.rows.len(), KnownResults::MAX_ROWS);
        assert!(
            known
                .rows
                .iter()
                .all(|(key, _)| key.len() < KnownResults::MAX_KEY_BYTES)
        );
        assert_eq!(known.find([Value::Text("")].into_iter()), Some(true));
        assert_eq!(known.find([Value::Integer(1)].into_iter()), None);
        let mut dynamic = KnownResults::default();
        dynamic.find([Value::Null].into_iter());
        dynamic.add(true);
        assert_eq!(dynamic.find([Value::Null].into_iter()), None);
    }
}
