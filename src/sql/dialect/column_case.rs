//! Column names whose case differs from that in the table, as in DuckDB: `SELECT id` for `Id`.
//!
//! DataFusion's names are case-sensitive. Statements that fail because of that are planned again
//! with the names of the table.

use std::ops::ControlFlow;

use datafusion::common::{Column, DataFusionError, Result, SchemaError};
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectNamePart, OrderByKind, SelectItem, SetExpr, Statement as SqlStatement,
    VisitorMut,
};

use crate::sql::syntax::{Names, in_known_case};
use crate::sql::walk::rewrite_statement;

/// The maximum number of columns of a statement whose names are corrected.
pub const MAX_CORRECTED: usize = 100;

/// Whether an error misses a column that exists in another case.
pub fn is_about_case(error: &DataFusionError) -> bool {
    other_case(error).is_some()
}

/// Returns a statement with the name of the column that an error misses, in the case of the table.
/// `None` if no column has that name, or if several do.
pub fn correct(
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
        correction.inserted(&mut corrected);
        if correction.is_found {
            return Ok(Some(corrected));
        }
    }
    Ok(None)
}

/// Whether a query is sorted by a column that its input lacks. DataFusion notices that later, when
/// it knows the selected columns only.
pub fn sorts_by_unknown(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(projection) => sorts_by_unknown(&projection.input),
        LogicalPlan::Limit(limit) => sorts_by_unknown(&limit.input),
        LogicalPlan::Sort(sort) => {
            let keys = sort.expr.iter().flat_map(|key| key.expr.column_refs());
            let mut keys = keys.map(|column| sort.input.schema().has_column(column));
            keys.any(|is_known| !is_known)
        }
        _ => false,
    }
}

/// Returns the query with the values of its ORDER BY in its SELECT list. Its error about a column
/// lists all columns of FROM.
pub fn with_selected_order(statement: &Statement) -> Option<Statement> {
    let mut statement = statement.clone();
    let Statement::Statement(inner) = &mut statement else {
        return None;
    };
    let SqlStatement::Query(query) = inner.as_mut() else {
        return None;
    };
    let OrderByKind::Expressions(order) = query.order_by.take()?.kind else {
        return None;
    };
    let SetExpr::Select(select) = query.body.as_mut() else {
        return None;
    };
    let values = order.into_iter().map(|item| item.expr);
    select
        .projection
        .extend(values.map(SelectItem::UnnamedExpr));
    Some(statement)
}

/// A missing column, and its name in the table.
struct Missing {
    table: Option<String>,
    name: String,
    exact: String,
    /// Whether the names after it are fields.
    has_fields: bool,
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
            let of_table = |table: Option<&str>, name: &str, has_fields| {
                let is_own = |column: &&Column| {
                    let own = column.relation.as_ref().map(|relation| relation.table());
                    table.is_none() || own == table
                };
                let columns = valid_fields.iter().filter(is_own);
                let exact = in_known_case(name, columns.map(|column| column.name.as_str()))?;
                (exact != name).then(|| Missing {
                    table: table.map(str::to_owned),
                    name: name.to_owned(),
                    exact: exact.to_owned(),
                    has_fields,
                })
            };
            let relation = field.relation.as_ref();
            let table = relation.map(|relation| relation.table());
            // The planner takes a struct for a table, and a table for a schema.
            of_table(table, &field.name, false)
                .or_else(|| of_table(relation?.schema(), table?, true))
                .or_else(|| of_table(None, relation?.schema().or(table)?, true))
        }
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => {
            other_case(inner)
        }
        DataFusionError::Collection(errors) => errors.iter().find_map(other_case),
        _ => None,
    }
}

/// Replaces the name of a column.
struct Correction<'a> {
    names: Names,
    /// The table that qualifies the name. `None` matches any table, and unqualified names.
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

    /// Corrects the columns of `INSERT INTO t (a, b)`.
    fn inserted(&mut self, statement: &mut Statement) {
        let Statement::Statement(statement) = statement else {
            return;
        };
        let SqlStatement::Insert(insert) = statement.as_mut() else {
            return;
        };
        for column in &mut insert.columns {
            if let [ObjectNamePart::Identifier(name)] = column.0.as_mut_slice() {
                self.correct(name);
            }
        }
    }
}

impl VisitorMut for Correction<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match expr {
            Expr::Identifier(name) if self.table.is_none() => self.correct(name),
            Expr::CompoundIdentifier(parts) => {
                let table = parts.first().map(|first| self.names.of(first));
                let is_own = self.table.is_none() || self.table == table.as_deref();
                let place = usize::from(self.table.is_some() || !self.column.has_fields);
                let parts = parts.iter_mut().skip(place);
                // The names after a struct are its fields.
                let count = if self.column.has_fields {
                    1
                } else {
                    usize::MAX
                };
                parts
                    .take(if is_own { count } else { 0 })
                    .for_each(|part| self.correct(part));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
