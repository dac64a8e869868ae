//! Aliases in HAVING with the name of a column: `SELECT a, sum(b) AS b … HAVING b > 4`.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, VisitorMut};

use crate::sql::syntax::Names;
use crate::sql::walk::{has_expr, rewrite};

/// Replaces these aliases by their expressions. A column of GROUP BY keeps its meaning.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    let Some(condition) = &mut select.having else {
        return Ok(());
    };
    let grouped: HashSet<String> = match &select.group_by {
        GroupByExpr::Expressions(keys, _) => {
            keys.iter().filter_map(|key| name(key, names)).collect()
        }
        GroupByExpr::All(_) => HashSet::new(),
    };
    let items = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((names.of(alias), expr)),
        _ => None,
    });
    let has_call = |expr: &Expr| has_expr(expr, |part| matches!(part, Expr::Function(_)));
    let computed = items.filter(|(alias, expr)| !grouped.contains(alias) && has_call(expr));
    let values = computed.map(|(alias, expr)| (alias, Expr::Nested(Box::new(expr.clone()))));
    let mut aliases = Aliases {
        names,
        values: values.collect(),
        depth: 0,
    };
    rewrite(condition, &mut aliases)
}

fn name(expr: &Expr, names: Names) -> Option<String> {
    match expr {
        Expr::Identifier(name) => Some(names.of(name)),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| names.of(name)),
        _ => None,
    }
}

/// Replaces names outside of calls. The arguments of an aggregate are columns.
struct Aliases {
    names: Names,
    values: HashMap<String, Expr>,
    depth: usize,
}

impl VisitorMut for Aliases {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if let Expr::Function(_) | Expr::Subquery(_) | Expr::Exists { .. } = expr {
            self.depth += 1;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match expr {
            Expr::Function(_) | Expr::Subquery(_) | Expr::Exists { .. } => self.depth -= 1,
            Expr::Identifier(name) if self.depth == 0 => {
                if let Some(value) = self.values.get(&self.names.of(name)) {
                    *expr = value.clone();
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
