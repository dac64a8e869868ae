//! Converts timestamps for Parquet. Those of `now()` and of literals have nanoseconds, which Spark
//! cannot read. Intervals have no type there that others read.

use std::sync::Arc;

use corpus_udfs::settings::{CorpusSettings, ParquetTimestamps};
use datafusion::arrow::datatypes::{DataType, FieldRef, Fields, IntervalUnit, TimeUnit};
use datafusion::catalog::Session;
use datafusion::common::{Column, Result, plan_err};
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, cast};

/// Makes a copy to Parquet write microseconds, unless a setting keeps nanoseconds.
pub fn with_microseconds(copy: &mut CopyTo, session: &dyn Session) -> Result<()> {
    let settings = CorpusSettings::of(session.config_options());
    if copy.file_type.get_ext() == "parquet" {
        check_intervals(copy.input.schema().fields())?;
    }
    let is_kept = settings.parquet_timestamps == ParquetTimestamps::Nanoseconds;
    if is_kept || copy.file_type.get_ext() != "parquet" {
        return Ok(());
    }
    let mut is_changed = false;
    let columns = copy.input.schema().iter().map(|(table, field)| {
        let column = Expr::Column(Column::new(table.cloned(), field.name()));
        match in_microseconds(field.data_type()) {
            Some(coarser) => {
                is_changed = true;
                cast(column, coarser).alias_qualified(table.cloned(), field.name())
            }
            None => column,
        }
    });
    let columns: Vec<_> = columns.collect();
    if is_changed {
        let projection = Projection::try_new(columns, Arc::clone(&copy.input))?;
        copy.input = Arc::new(LogicalPlan::Projection(projection));
    }
    Ok(())
}

/// Refuses columns of intervals. Arrow's writer would store differences of timestamps as plain
/// integers, and refuses other intervals without advice.
pub fn check_intervals(fields: &Fields) -> Result<()> {
    match fields.iter().find(|field| has_interval(field.data_type())) {
        None => Ok(()),
        Some(field) => {
            let name = field.name();
            plan_err!(
                "the column '{name}' has INTERVAL values, which Parquet files do not hold: write \
                 their seconds with epoch({name}), or their text with CAST({name} AS VARCHAR)"
            )
        }
    }
}

fn has_interval(data_type: &DataType) -> bool {
    match data_type {
        DataType::Duration(_) | DataType::Interval(IntervalUnit::MonthDayNano) => true,
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => has_interval(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_interval(field.data_type())),
        _ => false,
    }
}

/// Returns a type with microseconds in place of nanoseconds, also inside lists and structs. `None`
/// if it has no nanoseconds.
pub fn in_microseconds(data_type: &DataType) -> Option<DataType> {
    let item = |field: &FieldRef| {
        let coarser = in_microseconds(field.data_type())?;
        Some(Arc::new(field.as_ref().clone().with_data_type(coarser)))
    };
    Some(match data_type {
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
        }
        DataType::List(field) => DataType::List(item(field)?),
        DataType::LargeList(field) => DataType::LargeList(item(field)?),
        DataType::FixedSizeList(field, length) => DataType::FixedSizeList(item(field)?, *length),
        DataType::Map(field, is_sorted) => DataType::Map(item(field)?, *is_sorted),
        DataType::Struct(fields) => {
            fields.iter().find_map(item)?;
            let fields = fields
                .iter()
                .map(|field| item(field).unwrap_or_else(|| field.clone()));
            DataType::Struct(fields.collect())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::Field;

    use super::*;

    #[test]
    fn nested_nanoseconds_are_found() {
        let time = |unit| DataType::Timestamp(unit, Some("UTC".into()));
        let nested = |unit| {
            let fields = vec![
                Field::new("name", DataType::Utf8, false),
                Field::new_list("times", Field::new_list_field(time(unit), true), true),
            ];
            DataType::Struct(fields.into())
        };
        let coarser = in_microseconds(&nested(TimeUnit::Nanosecond));
        assert_eq!(coarser, Some(nested(TimeUnit::Microsecond)));
        assert_eq!(in_microseconds(&nested(TimeUnit::Microsecond)), None);
        assert_eq!(in_microseconds(&DataType::Int64), None);
    }
}
