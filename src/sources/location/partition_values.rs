//! The values of partition folders, `key=value`.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::{ExprSchema, Result, ScalarValue};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, lit, when};
use object_store::path::Path;

use super::Location;

/// The value that represents NULL, as in Hive and Spark.
pub const NULL_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Whether a file is in a partition folder for NULL.
pub fn has_null(location: &Location, file: &Path) -> bool {
    let folders = location.folders_below(file).into_iter();
    let mut values = folders.filter_map(|folder| folder.split_once('='));
    values.any(|(_, value)| value == NULL_VALUE)
}

/// Makes a view of a table that has NULL for [`NULL_VALUE`] in partition columns.
pub fn with_nulls(
    table: Arc<dyn TableProvider>,
    partition_columns: &[String],
) -> Result<Arc<dyn TableProvider>> {
    let scan = LogicalPlanBuilder::scan("files", provider_as_source(table), None)?;
    let columns = scan.schema().columns().into_iter();
    let columns = columns.map(|column| {
        if !partition_columns.contains(&column.name) {
            return Ok(Expr::Column(column));
        }
        let name = column.name.clone();
        let null = ScalarValue::try_new_null(scan.schema().data_type(&column)?)?;
        let value = Expr::Column(column);
        let is_null = value.clone().eq(lit(NULL_VALUE));
        Ok(when(is_null, lit(null)).otherwise(value)?.alias(name))
    });
    let columns: Vec<Expr> = columns.collect::<Result<_>>()?;
    let plan = scan.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}
