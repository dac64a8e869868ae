//! `DEFAULT` as a value in INSERT and UPDATE, and `INSERT INTO t DEFAULT VALUES`.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::{Result, plan_err};
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Insert, SetExpr, Statement as SqlStatement, TableObject, Value,
};
use datafusion::sql::unparser::expr_to_sql;

use super::existing_table;
use crate::sql::syntax::{Names, in_known_case, last_name, parse_query, table_reference};

/// Replaces `DEFAULT` in the rows of an INSERT.
pub async fn in_insert(state: &SessionState, statement: &mut Statement) -> Result<()> {
    let Statement::Statement(inner) = statement else {
        return Ok(());
    };
    let SqlStatement::Insert(insert) = inner.as_mut() else {
        return Ok(());
    };
    let TableObject::TableName(name) = insert.table.clone() else {
        return Ok(());
    };
    let is_empty = insert.source.is_none() && insert.assignments.is_empty();
    if !is_empty && !rows(insert).flatten().any(|value| is_default(value)) {
        return Ok(());
    }
    let names = Names::new(&state.config_options().sql_parser);
    let table = existing_table(state, &table_reference(&name, names)?).await?;
    let schema = table.schema();
    let known = schema.fields().iter().map(|field| field.name().as_str());
    let columns: Vec<String> = match insert.columns.as_slice() {
        [] => known.map(str::to_owned).collect(),
        columns => {
            let columns = columns.iter().filter_map(last_name);
            let columns = columns.map(|name| names.of(name));
            let in_case = |name: String| match in_known_case(&name, known.clone()) {
                Some(known) => known.to_owned(),
                None => name,
            };
            columns.map(in_case).collect()
        }
    };
    if is_empty {
        let values = columns.iter().map(|name| of_column(&table, name));
        let values = values.map(|value| value.map(|value| value.to_string()));
        let values = values.collect::<Result<Vec<_>>>()?.join(", ");
        insert.source = Some(Box::new(parse_query(&format!("VALUES ({values})"))?));
        return Ok(());
    }
    for row in rows(insert) {
        for (value, column) in row.iter_mut().zip(&columns) {
            if is_default(value) {
                *value = of_column(&table, column)?;
            }
        }
    }
    Ok(())
}

/// The rows of VALUES.
fn rows(insert: &mut Insert) -> impl Iterator<Item = &mut Vec<Expr>> {
    let body = insert.source.as_mut().map(|query| query.body.as_mut());
    let rows = match body {
        Some(SetExpr::Values(values)) => values.rows.as_mut_slice(),
        _ => &mut [],
    };
    rows.iter_mut().map(|row| &mut row.content)
}

pub fn is_default(value: &Expr) -> bool {
    matches!(value, Expr::Identifier(name)
        if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("DEFAULT"))
}

/// The default of a column, NULL if it has none.
pub fn of_column(table: &Arc<dyn TableProvider>, column: &str) -> Result<Expr> {
    let Some(default) = table.get_column_default(column) else {
        return Ok(Expr::value(Value::Null));
    };
    match expr_to_sql(default) {
        Ok(default) => Ok(Expr::Nested(Box::new(default))),
        Err(_) => plan_err!("write the default of '{column}' as a value in place of DEFAULT"),
    }
}
