//! Writes lists, structs and maps as texts to CSV, as casts do. Arrow's writer refuses them.

use std::sync::Arc;

use corpus_udfs::duckdb::value_text;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection};

/// The endings of formats that have texts only.
const TEXT_FORMATS: [&str; 2] = ["csv", "tsv"];

/// Makes a copy to CSV write nested values as texts.
pub fn with_nested_as_text(copy: &mut CopyTo) -> Result<()> {
    let schema = copy.input.schema();
    let has_nested = schema
        .fields()
        .iter()
        .any(|field| field.data_type().is_nested());
    if !has_nested || !TEXT_FORMATS.contains(&copy.file_type.get_ext().as_str()) {
        return Ok(());
    }
    let function = value_text::function();
    let columns = schema.iter().map(|(table, field)| {
        let column = Expr::Column(Column::new(table.cloned(), field.name()));
        if field.data_type().is_nested() {
            let text = function.call(vec![column]);
            text.alias_qualified(table.cloned(), field.name())
        } else {
            column
        }
    });
    let projection = Projection::try_new(columns.collect(), Arc::clone(&copy.input))?;
    copy.input = Arc::new(LogicalPlan::Projection(projection));
    Ok(())
}
