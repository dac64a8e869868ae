//! `OVER (w ORDER BY a)`: a window that adds to a named one. DataFusion ignores the name, and finds
//! no named windows in QUALIFY.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    NamedWindowExpr, ObjectName, Select, SelectItem, WindowFrameBound, WindowSpec, WindowType,
};

use crate::sql::syntax::{
    Names, Titles, and, binary, cast, function_name, integer, literal_number, not,
};
use crate::sql::walk::{has_expr, rewrite_own};

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
    if windows.known.is_empty() {
        return Ok(());
    }
    let titles = Titles::of(select);
    rewrite_own(&mut select.projection, |expr| windows.complete_call(expr))?;
    titles.apply_changed(select);
    match &mut select.qualify {
        Some(condition) => rewrite_own(condition, |expr| {
            windows.write_out(expr);
            windows.complete_call(expr)
        }),
        None => Ok(()),
    }
}

/// Lets QUALIFY be about columns only, beside a window in SELECT. DataFusion wants a window in it,
/// unless an alias names one; that of `row_number() OVER (ORDER BY b) AS b` is the column.
pub fn allow_columns(select: &mut Select, names: Names) {
    let Some(condition) = &mut select.qualify else {
        return;
    };
    let uses = |expr: &Expr, wanted: &str| {
        has_expr(expr, |part| match part {
            Expr::Identifier(name) => names.of(name) == wanted,
            _ => false,
        })
    };
    if has_expr(condition, is_window) {
        return;
    }
    let mut first = None;
    for item in &select.projection {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else {
            continue;
        };
        if !has_expr(expr, is_window) {
            continue;
        }
        if let SelectItem::ExprWithAlias { alias, .. } = item {
            let alias = names.of(alias);
            if uses(condition, &alias) && !uses(expr, &alias) {
                return;
            }
        }
        first.get_or_insert(expr);
    }
    if let Some(window) = first {
        // Always true.
        let is_null = Expr::IsNull(Box::new(Expr::Nested(Box::new(window.clone()))));
        let is_any = binary(is_null.clone(), BinaryOperator::Or, not(is_null));
        let own = Expr::Nested(Box::new(std::mem::replace(condition, integer(1))));
        *condition = and(Some(own), Expr::Nested(Box::new(is_any)));
    }
}

fn is_window(expr: &Expr) -> bool {
    matches!(expr, Expr::Function(function) if function.over.is_some())
}

/// Computes the offsets of a frame, and refuses a window that extends an unknown one. `bool_or` and
/// `bool_and` become `max` and `min`: DataFusion's take no frame that moves.
pub fn complete(expr: &mut Expr, names: Names) -> Result<()> {
    let Expr::Function(function) = expr else {
        return Ok(());
    };
    let Some(WindowType::WindowSpec(window)) = &mut function.over else {
        return Ok(());
    };
    if let Some(frame) = &mut window.window_frame {
        for bound in [&mut frame.start_bound]
            .into_iter()
            .chain(&mut frame.end_bound)
        {
            compute_offset(bound)?;
        }
    }
    if let Some(name) = &window.window_name {
        return plan_err!(
            "no window '{name}' to add to here: write OVER (PARTITION BY … ORDER BY …), or name it after WINDOW"
        );
    }
    if window.window_frame.is_none() {
        return Ok(());
    }
    let extreme = match function_name(function, names).as_deref() {
        Some("bool_or" | "logical_or") => "max",
        Some("bool_and" | "logical_and") => "min",
        _ => return Ok(()),
    };
    let argument = match &mut function.args {
        FunctionArguments::List(list) => list.args.first_mut(),
        _ => None,
    };
    if let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(value))) = argument {
        *value = cast(value.clone(), DataType::Boolean);
        function.name = ObjectName::from(vec![Ident::new(extreme)]);
    }
    Ok(())
}

/// Replaces an offset such as `2 * 3` by its number.
fn compute_offset(bound: &mut WindowFrameBound) -> Result<()> {
    let (WindowFrameBound::Preceding(Some(offset)) | WindowFrameBound::Following(Some(offset))) =
        bound
    else {
        return Ok(());
    };
    match offset.as_mut() {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => plan_err!(
            "the offset of a window frame is a constant, not {offset}: join the table with itself by the rows that \
             each row needs"
        ),
        Expr::BinaryOp { .. } | Expr::Nested(_) => {
            if let Some(number) = whole_number(offset) {
                **offset = integer(number);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The value of a calculation with whole numbers.
fn whole_number(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Nested(inner) => whole_number(inner),
        Expr::BinaryOp { left, op, right } => {
            let (left, right) = (whole_number(left)?, whole_number(right)?);
            match op {
                BinaryOperator::Plus => left.checked_add(right),
                BinaryOperator::Minus => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                _ => None,
            }
        }
        other => literal_number(other)?.parse().ok(),
    }
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
