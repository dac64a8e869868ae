//! Windows. In `OVER (w ORDER BY a)`, a window adds to a named one: DataFusion ignores the name. In
//! QUALIFY, DataFusion finds no named windows, and refuses conditions without a window function.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, NamedWindowExpr, Select, Value, VisitMut, WindowSpec, WindowType,
};

use crate::sql::syntax::{Names, Titles, and, binary};
use crate::sql::walk::rewrite_own;

/// Writes the parts of named windows into the windows of a SELECT that add to them.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    let mut windows = Windows {
        names,
        known: Vec::new(),
    };
    for definition in &mut select.named_window {
        if let NamedWindowExpr::WindowSpec(window) = &mut definition.1 {
            windows.complete(window)?;
            windows
                .known
                .push((names.of(&definition.0), window.clone()));
        }
    }
    if !windows.known.is_empty() {
        let titles = Titles::of(select);
        rewrite_own(&mut select.projection, |expr| windows.complete_call(expr))?;
        titles.apply_changed(select);
    }
    let Some(condition) = &mut select.qualify else {
        return Ok(());
    };
    if !windows.known.is_empty() {
        rewrite_own(condition, |expr| {
            windows.write_out(expr);
            windows.complete_call(expr)
        })?;
    }
    if own_window(condition)?.is_none()
        && let Some(mut window) = own_window(&mut select.projection)?
    {
        windows.write_out(&mut window);
        let is_null = Expr::IsNull(Box::new(window));
        let always = Expr::value(Value::Boolean(true));
        let always = binary(is_null, BinaryOperator::Or, always);
        *condition = and(Some(condition.clone()), always);
    }
    Ok(())
}

/// Returns a call of a window function outside of subqueries.
fn own_window(part: &mut impl VisitMut) -> Result<Option<Expr>> {
    let mut window = None;
    rewrite_own(part, |expr| {
        if matches!(expr, Expr::Function(function) if function.over.is_some()) {
            window = Some(expr.clone());
        }
        Ok(())
    })?;
    Ok(window)
}

/// Refuses a window that extends an unknown one, such as in ORDER BY.
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
}

impl Windows {
    /// Replaces the name of a window by its definition.
    fn write_out(&self, expr: &mut Expr) {
        if let Expr::Function(function) = expr
            && let Some(WindowType::NamedWindow(name)) = &function.over
            && let Some(window) = self.find(name)
        {
            function.over = Some(WindowType::WindowSpec(window.clone()));
        }
    }

    fn find(&self, name: &Ident) -> Option<&WindowSpec> {
        let wanted = self.names.of(name);
        let mut known = self.known.iter();
        known.find_map(|(known, window)| (*known == wanted).then_some(window))
    }

    /// Completes the window of a call.
    fn complete_call(&self, expr: &mut Expr) -> Result<()> {
        match expr {
            Expr::Function(function) => match &mut function.over {
                Some(WindowType::WindowSpec(window)) => self.complete(window),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn complete(&self, window: &mut WindowSpec) -> Result<()> {
        let Some(name) = &window.window_name else {
            return Ok(());
        };
        let Some(base) = self.find(name) else {
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
