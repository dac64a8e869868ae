//! Columns without a name: `col0` of VALUES and `range` of `FROM range(3)`, as in DuckDB.
//!
//! DataFusion names them `column1` and `value`. A statement that uses those names keeps them.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Ident, Query, SetExpr, Statement as SqlStatement, TableAlias, TableFactor, VisitorMut,
};

use super::rewrites::SERIES;
use crate::sql::syntax::{Names, alias_column, derived, selected_from, single_name, table_alias};
use crate::sql::walk::rewrite_statement;

/// Names the columns of a statement.
pub fn give(statement: &mut Statement, names: Names) -> Result<()> {
    let text = statement.to_string().to_ascii_lowercase();
    let mut given = DefaultNames {
        names,
        of_values: text.contains("values") && !text.contains("column1"),
        of_series: SERIES.iter().any(|series| text.contains(series)) && !text.contains("value"),
    };
    if !given.of_values && !given.of_series {
        return Ok(());
    }
    rewrite_statement(statement, &mut given)?;
    if given.of_values
        && let Statement::Statement(statement) = statement
        && let SqlStatement::Query(query) = statement.as_mut()
        && matches!(query.body.as_ref(), SetExpr::Values(_))
    {
        let mut values = query.as_ref().clone();
        (values.order_by, values.limit_clause, values.fetch) = (None, None, None);
        let mut alias = None;
        name_values(&values, &mut alias);
        let named = selected_from(derived(values, alias), "SELECT * FROM t")?;
        query.body = named.body;
    }
    Ok(())
}

struct DefaultNames {
    names: Names,
    of_values: bool,
    of_series: bool,
}

/// Names the columns of VALUES.
fn name_values(query: &Query, alias: &mut Option<TableAlias>) {
    let SetExpr::Values(values) = query.body.as_ref() else {
        return;
    };
    let number = values.rows.first().map_or(0, |row| row.content.len());
    let alias = alias.get_or_insert_with(|| table_alias(Ident::new("valueslist")));
    if alias.columns.is_empty() {
        let columns = (0..number).map(|place| alias_column(Ident::new(format!("col{place}"))));
        alias.columns = columns.collect();
    }
}

impl VisitorMut for DefaultNames {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        if let Some(with) = query.with.as_mut().filter(|_| self.of_values) {
            for table in &mut with.cte_tables {
                let mut alias = Some(table.alias.clone());
                name_values(&table.query, &mut alias);
                table.alias.columns = alias.map(|alias| alias.columns).unwrap_or_default();
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        match factor {
            TableFactor::Derived {
                subquery, alias, ..
            } if self.of_values => name_values(subquery, alias),
            TableFactor::Table {
                name,
                args: Some(_),
                alias: alias @ None,
                ..
            } if self.of_series => {
                if let Some(function) = single_name(name)
                    && SERIES.contains(&self.names.of(function).as_str())
                {
                    let mut own = table_alias(function.clone());
                    own.columns.push(alias_column(function.clone()));
                    *alias = Some(own);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
