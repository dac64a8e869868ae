//! Partition folders for NULL in `COPY … PARTITIONED BY`.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::Session;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, cast, lit, when};

use crate::sources::location::partition_values::NULL_VALUE;

/// Gives NULL in the columns of `PARTITIONED BY` a separate folder. DataFusion's writers would
/// treat it as 0, false, 1970-01-01 or an empty text. Empty texts go to the same folder, as in
/// Spark, because Spark, DuckDB and Polars cannot read a folder `key=`.
pub fn with_null_folders(copy: &mut CopyTo, session: &dyn Session) -> Result<()> {
    // Columns that stay in the files keep their types.
    let settings = &session.config_options().execution;
    if copy.partition_by.is_empty() || settings.keep_partition_by_columns {
        return Ok(());
    }
    let columns = copy.input.schema().iter().map(|(table, field)| {
        let column = Expr::Column(Column::new(table.cloned(), field.name()));
        let is_named = copy.partition_by.contains(field.name());
        if !is_named || !has_names(field.data_type()) {
            return Ok(column);
        }
        let name = cast(column, DataType::Utf8);
        let has_name = name.clone().not_eq(lit(""));
        let name = when(has_name, name).otherwise(lit(NULL_VALUE))?;
        Ok(name.alias_qualified(table.cloned(), field.name()))
    });
    let columns: Vec<Expr> = columns.collect::<Result<_>>()?;
    let projection = Projection::try_new(columns, Arc::clone(&copy.input))?;
    copy.input = Arc::new(LogicalPlan::Projection(projection));
    Ok(())
}

/// Whether values of a type can name a folder. DataFusion refuses other types.
fn has_names(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => has_names(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => true,
        DataType::Date32 | DataType::Date64 => true,
        other => other.is_integer() || other.is_floating(),
    }
}
