//! `SELECT t FROM t`: the row of a table as a struct.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Query, Select, SelectItem, TableFactor, VisitorMut,
};

use super::columns::Column;
use crate::sql::syntax::{Names, call, join_names, joined, name_item, table_name, text};
use crate::sql::walk::rewrite;

/// The names of the tables in FROM that may mean their rows. A table function is left out: its name
/// is also the name of its column.
fn tables(select: &Select, names: Names) -> HashSet<String> {
    let tables = select.from.iter().flat_map(joined);
    let rows = tables.filter(|factor| {
        matches!(
            factor,
            TableFactor::Table { args: None, .. } | TableFactor::Derived { .. }
        )
    });
    rows.filter_map(table_name)
        .map(|name| names.of(&name))
        .collect()
}

/// Whether a SELECT list uses the name of a table as a value, and that is not a known column.
pub fn has_row(select: &Select, columns: &HashSet<String>, names: Names) -> bool {
    let mut tables = tables(select, names);
    tables.retain(|table| !columns.contains(table));
    if tables.is_empty() {
        return false;
    }
    let mut walk = Walk {
        names,
        tables: &tables,
        columns: None,
        hidden: Vec::new(),
        is_found: false,
    };
    let mut items = select.projection.clone();
    let _ = rewrite(&mut items, &mut walk);
    walk.is_found
}

/// Replaces the names of tables by structs of their columns. Returns the names that are
/// columns.
pub fn write(select: &mut Select, columns: &[Column], names: Names) -> HashSet<String> {
    let mut tables = tables(select, names);
    let known: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
    let (own, rows): (HashSet<_>, HashSet<_>) =
        tables.drain().partition(|table| known.contains(table));
    let mut walk = Walk {
        names,
        tables: &rows,
        columns: Some(columns),
        hidden: Vec::new(),
        is_found: false,
    };
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(Expr::Identifier(name)) = item
            && rows.contains(&names.of(name))
        {
            let alias = name.clone();
            name_item(item, alias);
        }
        let _ = rewrite(item, &mut walk);
    }
    own
}

struct Walk<'a> {
    names: Names,
    tables: &'a HashSet<String>,
    /// The columns of the tables. `None` to look for names only.
    columns: Option<&'a [Column]>,
    /// The parameters of the lambda functions around the current expression.
    hidden: Vec<Vec<String>>,
    is_found: bool,
}

impl VisitorMut for Walk<'_> {
    type Break = DataFusionError;

    /// Inner queries have separate tables.
    fn pre_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.hidden.push(self.tables.iter().cloned().collect());
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.hidden.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if let Expr::Lambda(lambda) = expr {
            self.hidden.push(self.names.of_parameters(lambda));
        }
        // `t.list[1]` names a column.
        join_names(expr);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match expr {
            Expr::Lambda(_) => {
                self.hidden.pop();
            }
            Expr::Identifier(name) => {
                let name = self.names.of(name);
                let is_hidden = self.hidden.iter().flatten().any(|hidden| *hidden == name);
                if self.tables.contains(&name) && !is_hidden {
                    self.is_found = true;
                    if let Some(columns) = self.columns {
                        *expr = row(&name, columns);
                    }
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// `named_struct('a', t.a, …)`
fn row(table: &str, columns: &[Column]) -> Expr {
    let own = columns.iter().filter(|column| {
        let relation = column.relation.as_ref();
        relation.is_some_and(|relation| relation.table() == table)
    });
    let fields = own.flat_map(|column| {
        let parts = [table, column.name.as_str()].map(|part| Ident::with_quote('"', part));
        [text(&column.name), Expr::CompoundIdentifier(parts.to_vec())]
    });
    call("named_struct", fields.collect())
}
