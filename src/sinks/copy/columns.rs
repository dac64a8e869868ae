//! Changes the columns of a copy that its files cannot hold as they are: timestamps, nested values,
//! and NULL as the name of a folder.

use std::sync::Arc;

use corpus_udfs::duckdb::{interval_text, is_interval, type_with_texts, value_text};
use corpus_udfs::nested_types::replaced_type;
use corpus_udfs::settings::{CorpusSettings, ParquetTimestamps};
use datafusion::arrow::datatypes::{DataType, Field, Fields, TimeUnit};
use datafusion::catalog::Session;
use datafusion::common::{Column, Result, plan_err};
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, cast, lit, when};

use crate::sources::data_files::extensions::ARROW;
use crate::sources::location::partition_values::NULL_VALUE;

/// The extensions of formats that have texts only.
const TEXT_FORMATS: [&str; 2] = ["csv", "tsv"];

/// Makes a copy to Parquet write types that Parquet has.
pub fn with_parquet_types(copy: &mut CopyTo, session: &dyn Session) -> Result<()> {
    if copy.file_type.get_ext() != "parquet" {
        return Ok(());
    }
    warn_of_intervals(copy.input.schema().fields());
    let timestamps = CorpusSettings::of(session.config_options()).parquet_timestamps;
    let text = interval_text();
    replace_columns(copy, |column, field| {
        let with_texts = type_with_texts(field.data_type());
        let column = match &with_texts {
            Some(_) => text.call(vec![column]),
            None => column,
        };
        let kind = with_texts.as_ref().unwrap_or(field.data_type());
        Ok(match parquet_type(kind, timestamps) {
            Some(written) => Some(cast(column, written)),
            None => with_texts.map(|_| column),
        })
    })
}

/// Makes a copy to Arrow's files write the values of dictionaries.
pub fn with_arrow_types(copy: &mut CopyTo) -> Result<()> {
    if copy.file_type.get_ext() != ARROW[0] {
        return Ok(());
    }
    replace_columns(copy, |column, field| {
        Ok(arrow_type(field.data_type()).map(|written| cast(column, written)))
    })
}

/// Makes a copy to CSV write lists, structs, maps and intervals as texts, as casts do. Arrow's
/// writer refuses the first three, and has other texts of intervals.
pub fn with_nested_as_text(copy: &mut CopyTo) -> Result<()> {
    if !TEXT_FORMATS.contains(&copy.file_type.get_ext().as_str()) {
        return Ok(());
    }
    let text = value_text::function();
    replace_columns(copy, |column, field| {
        let kind = field.data_type();
        let is_changed = kind.is_nested() || type_with_texts(kind).is_some();
        Ok(is_changed.then(|| text.call(vec![column])))
    })
}

/// Makes the columns of `PARTITIONED BY` texts, because DataFusion refuses other types, such as
/// timestamps, and gives NULL a separate folder. Empty texts go there, too, as in Spark, because
/// Spark, DuckDB and Polars cannot read a folder `key=`.
pub fn with_null_folders(copy: &mut CopyTo, session: &dyn Session) -> Result<()> {
    // Columns that stay in the files keep their types.
    let settings = &session.config_options().execution;
    if settings.keep_partition_by_columns {
        return Ok(());
    }
    let keys = copy.partition_by.clone();
    let mut fields = copy.input.schema().fields().iter();
    if !keys.is_empty() && fields.all(|field| keys.contains(field.name())) {
        return plan_err!(
            "PARTITION_BY names all columns, so the files would have none: leave one out, or repeat \
             it, as in SELECT *, {0} AS {0}_key",
            keys[0]
        );
    }
    let text = value_text::function();
    replace_columns(copy, |column, field| {
        if !keys.contains(field.name()) || field.data_type().is_nested() {
            return Ok(None);
        }
        let name = cast(text.call(vec![column]), DataType::Utf8);
        let has_name = name.clone().not_eq(lit(""));
        Ok(Some(when(has_name, name).otherwise(lit(NULL_VALUE))?))
    })
}

/// Replaces the columns of the query of a copy for which `replaced` returns another value.
fn replace_columns(
    copy: &mut CopyTo,
    replaced: impl Fn(Expr, &Field) -> Result<Option<Expr>>,
) -> Result<()> {
    let mut is_changed = false;
    let columns = copy.input.schema().iter().map(|(table, field)| {
        let column = Expr::Column(Column::new(table.cloned(), field.name()));
        Ok(match replaced(column.clone(), field)? {
            Some(value) => {
                is_changed = true;
                value.alias_qualified(table.cloned(), field.name())
            }
            None => column,
        })
    });
    let columns: Vec<Expr> = columns.collect::<Result<_>>()?;
    if is_changed {
        let projection = Projection::try_new(columns, Arc::clone(&copy.input))?;
        copy.input = Arc::new(LogicalPlan::Projection(projection));
    }
    Ok(())
}

/// Warns of columns whose intervals a file holds as texts.
pub fn warn_of_intervals(fields: &Fields) {
    for name in fields.iter().filter_map(|field| name_of_interval(field)) {
        log::warn!(
            "the column '{name}' has INTERVAL values, which Parquet files do not hold: their texts \
             are written; epoch({name}) has their seconds"
        );
    }
}

/// The name of a column of intervals, or of the first field of a struct that has some.
fn name_of_interval(field: &Field) -> Option<String> {
    let name = field.name();
    match field.data_type() {
        DataType::Struct(fields) => {
            let inner = fields.iter().find_map(|field| name_of_interval(field))?;
            Some(format!("{name}.{inner}"))
        }
        kind => {
            let found = replaced_type(kind, &|part| is_interval(part).then(|| part.clone()));
            found.map(|_| name.clone())
        }
    }
}

/// Returns the type to write in Parquet for a type that it lacks, also inside lists and structs.
/// `None` if it has the type.
///
/// Arrow's writer stores seconds as plain integers. Nanoseconds, which Spark cannot read, become
/// microseconds, unless the setting keeps them.
pub fn parquet_type(data_type: &DataType, timestamps: ParquetTimestamps) -> Option<DataType> {
    replaced_type(data_type, &|part| {
        Some(match part {
            DataType::Timestamp(TimeUnit::Nanosecond, zone)
                if timestamps != ParquetTimestamps::Nanoseconds =>
            {
                DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
            }
            DataType::Timestamp(TimeUnit::Second, zone) => {
                DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
            }
            DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
            DataType::Date64 => DataType::Date32,
            DataType::Dictionary(_, values) => parquet_type(values, timestamps)?,
            _ => return None,
        })
    })
}

/// Returns the type to write in Arrow's files, which have one dictionary for all batches. `None` if
/// the type has no dictionary.
pub fn arrow_type(data_type: &DataType) -> Option<DataType> {
    replaced_type(data_type, &|part| match part {
        DataType::Dictionary(_, values) => Some(values.as_ref().clone()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_types_are_found() {
        let nested = |times: DataType| {
            let fields = vec![
                Field::new("name", DataType::Utf8, false),
                Field::new_list("times", Field::new_list_field(times, true), true),
            ];
            DataType::Struct(fields.into())
        };
        let utc = |unit| DataType::Timestamp(unit, Some("UTC".into()));
        let dictionary = |values| DataType::Dictionary(Box::new(DataType::Int8), Box::new(values));
        let microseconds = utc(TimeUnit::Microsecond);
        for (given, written) in [
            (utc(TimeUnit::Nanosecond), &microseconds),
            (utc(TimeUnit::Second), &microseconds),
            (dictionary(utc(TimeUnit::Second)), &microseconds),
            (
                DataType::Time32(TimeUnit::Second),
                &DataType::Time32(TimeUnit::Millisecond),
            ),
            (DataType::Date64, &DataType::Date32),
        ] {
            let found = parquet_type(&nested(given), ParquetTimestamps::Microseconds);
            assert_eq!(found, Some(nested(written.clone())));
        }
        for (kept, timestamps) in [
            (microseconds, ParquetTimestamps::Microseconds),
            (DataType::Int64, ParquetTimestamps::Microseconds),
            (dictionary(DataType::Utf8), ParquetTimestamps::Microseconds),
            (utc(TimeUnit::Nanosecond), ParquetTimestamps::Nanoseconds),
        ] {
            assert_eq!(parquet_type(&nested(kept), timestamps), None);
        }
    }
}
