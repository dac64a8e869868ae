//! Names of columns in another case than that of their table, as in DuckDB: `SELECT id` of `Id`.
//!
//! DataFusion compares names with their case. Statements that fail for it are planned again with
//! the names of the table.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, SchemaError};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, Ident, VisitorMut};

use crate::sql::syntax::Names;
use crate::sql::walk::rewrite_statement;

/// The maximum number of columns of a statement whose names are corrected.
pub const MAX_CORRECTED: usize = 100;

/// Returns a statement with the name of the column that an error misses, in the case of the table.
/// `None` if no column has that name, or if several do.
pub fn corrected(
    error: &DataFusionError,
    statement: &Statement,
    names: Names,
) -> Result<Option<Statement>> {
    let Some(column) = other_case(error) else {
        return Ok(None);
    };
    // The planner also adds the table to names without one.
    let tables = [column.table.clone(), None];
    let tables = &tables[usize::from(column.table.is_none())..];
    for table in tables {
        let mut corrected = statement.clone();
        let mut correction = Correction {
            names,
            table: table.as_deref(),
            column: &column,
            is_found: false,
        };
        rewrite_statement(&mut corrected, &mut correction)?;
        if correction.is_found {
            return Ok(Some(corrected));
        }
    }
    Ok(None)
}

/// A missing column, and its name in the table.
struct Missing {
    table: Option<String>,
    name: String,
    exact: String,
}

/// The missing column, if only one column has its name in another case.
fn other_case(error: &DataFusionError) -> Option<Missing> {
    match error {
        DataFusionError::SchemaError(error, _) => {
            let SchemaError::FieldNotFound {
                field,
                valid_fields,
            } = error.as_ref()
            else {
                return None;
            };
            let missing = field.name.as_str();
            let columns = valid_fields
                .iter()
                .filter(|column| field.relation.is_none() || column.relation == field.relation);
            let columns = columns.map(|column| column.name.as_str());
            let mut columns = columns.filter(|name| name.to_lowercase() == missing.to_lowercase());
            let exact = columns.next().filter(|name| *name != missing)?;
            let is_only = columns.all(|name| name == exact);
            is_only.then(|| Missing {
                table: field
                    .relation
                    .as_ref()
                    .map(|table| table.table().to_owned()),
                name: missing.to_owned(),
                exact: exact.to_owned(),
            })
        }
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => {
            other_case(inner)
        }
        DataFusionError::Collection(errors) => errors.iter().find_map(other_case),
        _ => None,
    }
}

/// Replaces a name of columns.
struct Correction<'a> {
    names: Names,
    /// The table before the name. `None`: any, or none.
    table: Option<&'a str>,
    column: &'a Missing,
    is_found: bool,
}

impl Correction<'_> {
    fn correct(&mut self, name: &mut Ident) {
        if self.names.of(name) == self.column.name {
            let exact = Ident::with_quote_and_span('"', name.span, self.column.exact.as_str());
            *name = exact;
            self.is_found = true;
        }
    }
}

impl VisitorMut for Correction<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match expr {
            Expr::Identifier(name) if self.table.is_none() => self.correct(name),
            // The first part is a table.
            Expr::CompoundIdentifier(parts) => {
                let table = parts.first().map(|first| self.names.of(first));
                if self.table.is_none() || self.table == table.as_deref() {
                    for part in parts.iter_mut().skip(1) {
                        self.correct(part);
                    }
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
