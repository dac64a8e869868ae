//! `PRIMARY KEY`, `UNIQUE` and `NOT NULL` of tables in memory. DataFusion trusts the first two
//! without a check, and removes groups and sorts because of them.

use std::collections::HashSet;

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::arrow::row::{Row, RowConverter, Rows, SortField};
use datafusion::common::{Constraint, Constraints, Result, ScalarValue, exec_err};

/// The maximum number of characters of a value in an error.
const MAX_SHOWN_CHARACTERS: usize = 60;

/// Fails if rows have NULL in a column of the table that is NOT NULL.
pub fn check_nulls(schema: &Schema, batch: &RecordBatch) -> Result<()> {
    let mut columns = schema.fields().iter().zip(batch.columns());
    columns.try_for_each(|(field, values)| check_column(field, values))
}

/// Fails if the values of a column have NULL although it is NOT NULL.
pub fn check_column(field: &Field, values: &dyn Array) -> Result<()> {
    if !field.is_nullable() && values.null_count() > 0 {
        return exec_err!("the column '{}' is NOT NULL", field.name());
    }
    Ok(())
}

/// Fails if two rows of a table have the same key.
pub fn check(
    table: &str,
    schema: &Schema,
    constraints: &Constraints,
    batches: &[&RecordBatch],
) -> Result<()> {
    for constraint in constraints.iter() {
        let (Constraint::PrimaryKey(columns) | Constraint::Unique(columns)) = constraint;
        let Some((batch, row)) = repeated(schema, columns, batches)? else {
            continue;
        };
        let kind = match constraint {
            Constraint::PrimaryKey(_) => "PRIMARY KEY",
            Constraint::Unique(_) => "UNIQUE",
        };
        let names = columns.iter().map(|column| schema.field(*column).name());
        let names = names.cloned().collect::<Vec<_>>().join(", ");
        let values = columns
            .iter()
            .map(|column| shown(batch.column(*column), row))
            .collect::<Result<Vec<_>>>()?
            .join(", ");
        return exec_err!(
            "two rows of '{table}' would have the same {names}: {values}, which {kind} ({names}) forbids; add \
             only new rows with INSERT INTO {table} SELECT DISTINCT ON ({names}) * FROM u ANTI JOIN {table} \
             USING ({names})"
        );
    }
    Ok(())
}

/// Returns the first row whose key an earlier row has. Keys with NULL differ from each other.
fn repeated<'a>(
    schema: &Schema,
    columns: &[usize],
    batches: &[&'a RecordBatch],
) -> Result<Option<(&'a RecordBatch, usize)>> {
    let fields = columns.iter().map(|column| {
        let data_type = schema.field(*column).data_type();
        SortField::new(data_type.clone())
    });
    let converter = RowConverter::new(fields.collect())?;
    let keys = batches.iter().map(|batch| {
        let values = columns.iter().map(|column| batch.column(*column).clone());
        Ok(converter.convert_columns(&values.collect::<Vec<_>>())?)
    });
    let keys: Vec<Rows> = keys.collect::<Result<_>>()?;
    let mut seen: HashSet<Row<'_>> = HashSet::new();
    for (batch, keys) in batches.iter().copied().zip(&keys) {
        for (number, key) in keys.iter().enumerate() {
            let is_null = |column: &usize| batch.column(*column).is_null(number);
            if !columns.iter().any(is_null) && !seen.insert(key) {
                return Ok(Some((batch, number)));
            }
        }
    }
    Ok(None)
}

fn shown(values: &dyn Array, row: usize) -> Result<String> {
    let value = ScalarValue::try_from_array(values, row)?.to_string();
    Ok(match value.char_indices().nth(MAX_SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    })
}
