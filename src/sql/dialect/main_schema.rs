//! `FROM main.t`: the schema `main` of DuckDB is the default one here.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, ObjectName, VisitorMut};

use crate::sql::syntax::Names;
use crate::sql::walk::rewrite_statement;

const MAIN: &str = "main";

/// Removes `main` from the names of tables and columns, unless a schema has this name.
pub fn leave_out(state: &SessionState, statement: &mut Statement) -> Result<()> {
    let catalog = &state.config_options().catalog.default_catalog;
    let catalog = state.catalog_list().catalog(catalog);
    if catalog.is_some_and(|catalog| catalog.schema(MAIN).is_some()) {
        return Ok(());
    }
    let names = Names::new(&state.config_options().sql_parser);
    let mut tables = Tables {
        names,
        is_found: false,
    };
    rewrite_statement(statement, &mut tables)?;
    if tables.is_found {
        rewrite_statement(statement, &mut Columns(names))?;
    }
    Ok(())
}

struct Tables {
    names: Names,
    is_found: bool,
}

impl VisitorMut for Tables {
    type Break = DataFusionError;

    fn pre_visit_relation(&mut self, name: &mut ObjectName) -> ControlFlow<DataFusionError> {
        if let [schema, _] = name.0.as_slice()
            && let Some(schema) = schema.as_ident()
            && self.names.of(schema) == MAIN
        {
            name.0.remove(0);
            self.is_found = true;
        }
        ControlFlow::Continue(())
    }
}

struct Columns(Names);

impl VisitorMut for Columns {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [schema, _, _, ..] = parts.as_slice()
            && self.0.of(schema) == MAIN
        {
            parts.remove(0);
        }
        ControlFlow::Continue(())
    }
}
