//! The names that a query uses.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, Query, TableFactor, Visitor};

use crate::sql::syntax::{Names, table_name};
use crate::sql::walk::find;

/// The qualifiers in a query that are not the names of its tables.
pub fn other_tables(query: &Query, names: Names) -> impl Iterator<Item = String> {
    let mut used = Used::new(names);
    find(&mut query.clone(), &mut used);
    let tables = used.tables;
    let others = used.qualifiers.into_iter();
    others.filter(move |name| !tables.contains(name))
}

/// Whether a query uses columns of an outer query, by the names of its tables.
pub fn uses_other_tables(query: &Query, names: Names) -> bool {
    other_tables(query, names).next().is_some()
}

/// The names in a query: unqualified names, qualifiers, and tables.
pub struct Used {
    names: Names,
    pub alone: HashSet<String>,
    pub qualifiers: HashSet<String>,
    /// The first two parts of qualified names.
    pub columns: HashSet<(String, String)>,
    tables: HashSet<String>,
}

impl Used {
    pub fn new(names: Names) -> Self {
        Self {
            names,
            alone: HashSet::new(),
            qualifiers: HashSet::new(),
            columns: HashSet::new(),
            tables: HashSet::new(),
        }
    }
}

impl Visitor for Used {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let name = table_name(factor).map(|name| self.names.of(&name));
        self.tables.extend(name);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(name) => {
                self.alone.insert(self.names.of(name));
            }
            Expr::CompoundIdentifier(parts) => {
                let mut parts = parts.iter().map(|part| self.names.of(part));
                let Some(first) = parts.next() else {
                    return ControlFlow::Continue(());
                };
                if let Some(second) = parts.next() {
                    self.columns.insert((first.clone(), second));
                }
                self.qualifiers.insert(first);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
