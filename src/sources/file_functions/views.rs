//! Views of the tables of files: with other names, with NULL for some texts, and of several tables.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::{Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::datasource::{TableProvider, ViewTable, provider_as_source};
use datafusion::execution::context::SessionState;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, cast, lit, when};

use super::options::FileOptions;
use crate::sources::data_files::text_tables::csv::read_options::{DATE_FORMAT, TIMESTAMP_FORMAT};

/// Returns a view with the rows of all tables, whose columns have the same names.
pub fn unite(tables: Vec<Arc<dyn TableProvider>>) -> Result<Arc<dyn TableProvider>> {
    let mut tables = tables.into_iter();
    let (Some(first), rest) = (tables.next(), tables) else {
        return plan_err!("no files");
    };
    if rest.len() == 0 {
        return Ok(first);
    }
    let scan = |number: usize, table| {
        LogicalPlanBuilder::scan(format!("files{number}"), provider_as_source(table), None)
    };
    let mut union = scan(0, first)?;
    for (number, table) in rest.enumerate() {
        union = union.union_by_name(scan(number + 1, table)?.build()?)?;
    }
    Ok(Arc::new(ViewTable::new(union.build()?, None)))
}

pub fn as_text(schema: &Schema) -> Schema {
    let fields = schema.fields().iter();
    let fields: Vec<Field> = fields
        .map(|field| Field::new(field.name(), DataType::Utf8, true))
        .collect();
    Schema::new(fields)
}

/// Makes a view of a table with text columns: the texts `nulls` become NULL, and the others are
/// cast to `types`. DataFusion uses its own option for such texts only to infer types.
pub fn with_nulls(
    session: &SessionState,
    table: Arc<dyn TableProvider>,
    types: &Schema,
    nulls: &[String],
    options: &FileOptions,
) -> Result<Arc<dyn TableProvider>> {
    let scan = LogicalPlanBuilder::scan("files", provider_as_source(table), None)?;
    let columns = scan.schema().columns().into_iter();
    let columns = columns.map(|column| {
        let Ok(field) = types.field_with_name(&column.name) else {
            return Ok(Expr::Column(column));
        };
        let name = column.name.clone();
        // The reader turns empty texts into NULL.
        let text = coalesce(vec![Expr::Column(column), lit("")]);
        let is_empty_null = !field.data_type().is_string();
        let empty = is_empty_null.then(|| lit(""));
        let nulls = nulls.iter().map(|text| lit(text.as_str())).chain(empty);
        let is_null = text.clone().in_list(nulls.collect(), false);
        let null = lit(ScalarValue::Utf8(None));
        let mut value = when(is_null, null).otherwise(text)?;
        let format = match field.data_type() {
            DataType::Date32 => options.format.get(DATE_FORMAT),
            DataType::Timestamp(..) => options.format.get(TIMESTAMP_FORMAT),
            _ => None,
        };
        if let Some(format) = format {
            let parse = session.scalar_functions().get("strptime");
            let parse = parse.ok_or_else(|| plan_datafusion_err!("no function 'strptime'"))?;
            value = parse.call(vec![value, lit(format.as_str())]);
        }
        Ok(cast(value, field.data_type().clone()).alias(name))
    });
    let columns: Vec<Expr> = columns.collect::<Result<_>>()?;
    let plan = scan.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}

/// Makes a view of a table whose first columns have other names.
pub fn with_names(
    table: Arc<dyn TableProvider>,
    names: &[String],
) -> Result<Arc<dyn TableProvider>> {
    let scan = LogicalPlanBuilder::scan("files", provider_as_source(table), None)?;
    let columns = scan.schema().columns().into_iter().enumerate();
    let columns: Vec<Expr> = columns
        .map(|(number, column)| match names.get(number) {
            Some(name) => Expr::Column(column).alias(name),
            None => Expr::Column(column),
        })
        .collect();
    let plan = scan.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}
