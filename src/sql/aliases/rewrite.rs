//! Walks over the SELECTs of a statement.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Ident, NamedWindowExpr, Select, SelectItem, VisitorMut};

use super::conditions;
use super::substitution::{Clause, Substitution};
use crate::sql::syntax::{Contents, Names, Titles};
use crate::sql::walk::{rewrite_statement, step};

/// Marks the names in a statement that may be aliases of their SELECT.
pub fn rewrite(statement: &mut Statement, names: Names) -> Result<()> {
    rewrite_statement(statement, &mut Selects { names })
}

struct Selects {
    names: Names,
}

impl Selects {
    fn rewrite(&self, select: &mut Select) -> Result<()> {
        let aliases = select.projection.iter().filter_map(alias);
        let mut later: HashSet<String> = aliases.map(|name| self.names.of(name)).collect();
        if later.is_empty() {
            return Ok(());
        }
        let titles = Titles::of(select);
        let mut substitution = Substitution::new(self.names);
        for (number, item) in select.projection.iter_mut().enumerate() {
            let own = alias(item).map(|name| self.names.of(name));
            if let Some(own) = &own {
                later.remove(own);
            }
            let place = Clause::Select { later: &later };
            let (SelectItem::UnnamedExpr(expr)
            | SelectItem::ExprWithAlias { expr, .. }
            | SelectItem::ExprWithAliases { expr, .. }) = item
            else {
                continue;
            };
            let is_changed = substitution.apply(expr, place)?;
            if let Some(own) = own {
                substitution.define(own, expr.clone(), Contents::of(expr, self.names));
            }
            if is_changed {
                titles.apply(number, item);
            }
        }
        for condition in select.prewhere.iter_mut().chain(&mut select.selection) {
            substitution.apply(condition, Clause::Where)?;
        }
        let place = Clause::Select {
            later: &HashSet::new(),
        };
        for definition in &mut select.named_window {
            if let NamedWindowExpr::WindowSpec(window) = &mut definition.1 {
                substitution.apply(window, place)?;
            }
        }
        conditions::replace(select, self.names)
    }
}

impl VisitorMut for Selects {
    type Break = DataFusionError;

    /// Inner queries come first, so that copies of an expression are complete.
    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        step(self.rewrite(select))
    }
}

fn alias(item: &SelectItem) -> Option<&Ident> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias),
        _ => None,
    }
}
