//! Walks over the SELECTs of a statement.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::config::SqlParserOptions;
use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::{CopyToSource, Statement};
use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, Ident, NamedWindowExpr, Select, SelectItem, Subscript, Value, VisitMut,
    VisitorMut,
};

use super::substitution::{Alias, Place, Substitution};

/// Marks the names in a statement that may be aliases of their SELECT.
pub fn rewrite(statement: &mut Statement, options: &SqlParserOptions) -> Result<()> {
    let mut selects = Selects {
        lower_case: options.enable_ident_normalization,
    };
    match visit(statement, &mut selects) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(error),
    }
}

fn visit(statement: &mut Statement, selects: &mut Selects) -> ControlFlow<DataFusionError> {
    match statement {
        Statement::Statement(statement) => statement.visit(selects),
        Statement::CopyTo(copy) => match &mut copy.source {
            CopyToSource::Query(query) => query.visit(selects),
            CopyToSource::Relation(_) => ControlFlow::Continue(()),
        },
        Statement::Explain(explain) => visit(&mut explain.statement, selects),
        Statement::CreateExternalTable(_) | Statement::Reset(_) => ControlFlow::Continue(()),
    }
}

struct Selects {
    lower_case: bool,
}

impl Selects {
    /// The name of an identifier, as the planner compares it.
    fn name(&self, identifier: &Ident) -> String {
        match identifier.quote_style {
            None if self.lower_case => identifier.value.to_lowercase(),
            _ => identifier.value.clone(),
        }
    }

    /// `a.b['c'].d` becomes `a.b['c']['d']`, whose parts are not identifiers of columns. DataFusion
    /// supports the first form after a name only.
    fn make_fields_subscripts(&self, access: &mut Expr) {
        let Expr::CompoundFieldAccess { root, access_chain } = access else {
            return;
        };
        if let Expr::Identifier(first) = root.as_ref() {
            let fields: Vec<Ident> = access_chain.iter().map_while(field).cloned().collect();
            if !fields.is_empty() {
                access_chain.drain(..fields.len());
                let identifiers = std::iter::once(first.clone()).chain(fields).collect();
                **root = Expr::CompoundIdentifier(identifiers);
            }
        }
        for access in access_chain.iter_mut() {
            if let Some(field) = field(access) {
                *access = subscript(self.name(field));
            }
        }
    }

    fn rewrite(&self, select: &mut Select) -> Result<()> {
        let is_alias = |item: &SelectItem| matches!(item, SelectItem::ExprWithAlias { .. });
        if !select.projection.iter().any(is_alias) {
            return Ok(());
        }
        let normalize = |identifier: &Ident| self.name(identifier);
        let aliases = select.projection.iter().filter_map(alias);
        let mut later: HashSet<String> = aliases.map(normalize).collect();
        let mut substitution = Substitution::new(&normalize);
        for item in &mut select.projection {
            let own = alias(item).map(normalize);
            if let Some(own) = &own {
                later.remove(own);
            }
            let place = Place::Select { later: &later };
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let title = title(expr);
                    // `unnest` without an alias returns a column for each field of a struct.
                    if substitution.apply(expr, place)? && !is_unnest(expr) {
                        let expr = expr.clone();
                        *item = SelectItem::ExprWithAlias { expr, alias: title };
                    }
                }
                SelectItem::ExprWithAlias { expr, .. } => {
                    substitution.apply(expr, place)?;
                    if let Some(own) = own {
                        substitution.define(own, Alias::new(expr.clone(), &normalize));
                    }
                }
                SelectItem::ExprWithAliases { expr, .. } => {
                    substitution.apply(expr, place)?;
                }
                SelectItem::QualifiedWildcard(..) | SelectItem::Wildcard(_) => {}
            }
        }
        for condition in select.prewhere.iter_mut().chain(&mut select.selection) {
            substitution.apply(condition, Place::Where)?;
        }
        let later = HashSet::new();
        let place = Place::Select { later: &later };
        for definition in &mut select.named_window {
            if let NamedWindowExpr::WindowSpec(window) = &mut definition.1 {
                substitution.apply(window, place)?;
            }
        }
        Ok(())
    }
}

impl VisitorMut for Selects {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.make_fields_subscripts(expr);
        ControlFlow::Continue(())
    }

    /// Inner queries come first, so that copies of an expression are complete.
    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        match self.rewrite(select) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }
}

fn alias(item: &SelectItem) -> Option<&Ident> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias),
        _ => None,
    }
}

/// The name of a column without an alias: that of the written expression, not of the expanded one.
fn title(expr: &Expr) -> Ident {
    match expr {
        Expr::Identifier(name) => name.clone(),
        Expr::CompoundIdentifier(names) if !names.is_empty() => names[names.len() - 1].clone(),
        other => Ident::with_quote('"', other.to_string()),
    }
}

fn is_unnest(expr: &Expr) -> bool {
    match expr {
        Expr::Function(function) => function.name.to_string().eq_ignore_ascii_case("unnest"),
        _ => false,
    }
}

fn field(access: &AccessExpr) -> Option<&Ident> {
    match access {
        AccessExpr::Dot(Expr::Identifier(field)) => Some(field),
        _ => None,
    }
}

/// `['name']`
pub fn subscript(name: String) -> AccessExpr {
    let index = Expr::value(Value::SingleQuotedString(name));
    AccessExpr::Subscript(Subscript::Index { index })
}
