//! `OVER (w ORDER BY a)`: a window that adds to a named one. DataFusion ignores the name.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Expr, NamedWindowExpr, Query, Select, VisitorMut, WindowSpec, WindowType,
};

use crate::sql::syntax::{Names, Titles};
use crate::sql::walk::{rewrite, step};

/// Writes the parts of named windows into the windows of a SELECT that add to them.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    let mut windows = Windows {
        names,
        known: Vec::new(),
        depth: 0,
    };
    for definition in &mut select.named_window {
        if let NamedWindowExpr::WindowSpec(window) = &mut definition.1 {
            windows.complete(window)?;
            windows
                .known
                .push((names.of(&definition.0), window.clone()));
        }
    }
    if windows.known.is_empty() {
        return Ok(());
    }
    let titles = Titles::of(select);
    for item in &mut select.projection {
        rewrite(item, &mut windows)?;
    }
    titles.apply_changed(select);
    match &mut select.qualify {
        Some(condition) => rewrite(condition, &mut windows),
        None => Ok(()),
    }
}

/// Refuses a window that adds to one that is not known, such as in ORDER BY.
pub fn check(expr: &Expr) -> Result<()> {
    if let Expr::Function(function) = expr
        && let Some(WindowType::WindowSpec(window)) = &function.over
        && let Some(name) = &window.window_name
    {
        return plan_err!(
            "no window '{name}' to add to here: write OVER (PARTITION BY … ORDER BY …), or name it after WINDOW"
        );
    }
    Ok(())
}

struct Windows {
    names: Names,
    known: Vec<(String, WindowSpec)>,
    /// The number of inner queries around the current expression.
    depth: usize,
}

impl Windows {
    fn complete(&self, window: &mut WindowSpec) -> Result<()> {
        let Some(name) = &window.window_name else {
            return Ok(());
        };
        let wanted = self.names.of(name);
        let Some((_, base)) = self.known.iter().find(|(known, _)| *known == wanted) else {
            return plan_err!("no window '{name}' before this one");
        };
        window.partition_by.clone_from(&base.partition_by);
        if window.order_by.is_empty() {
            window.order_by.clone_from(&base.order_by);
        }
        if window.window_frame.is_none() {
            window.window_frame.clone_from(&base.window_frame);
        }
        window.window_name = None;
        Ok(())
    }
}

impl VisitorMut for Windows {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if self.depth == 0
            && let Expr::Function(function) = expr
            && let Some(WindowType::WindowSpec(window)) = &mut function.over
        {
            return step(self.complete(window));
        }
        ControlFlow::Continue(())
    }
}
