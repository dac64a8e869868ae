//! Several `string_agg(a, ',' ORDER BY b)` in different orders, which DataFusion refuses: each
//! becomes the text of a sorted list.

use std::collections::HashSet;

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArgumentClause, FunctionArguments, Ident, ObjectName, OrderByExpr,
    Select,
};

use crate::sql::syntax::{Names, Titles, and, call, function_name, plain_argument, text};
use crate::sql::walk::rewrite_own;

const STRING_AGGREGATES: [&str; 3] = ["group_concat", "listagg", "string_agg"];

/// Replaces calls that aggregate texts in different orders in a SELECT.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    let mut orders = HashSet::new();
    rewrite_own(&mut select.projection, |expr| {
        if let Some((_, order)) = ordered(expr, names) {
            let order: Vec<String> = order.iter().map(ToString::to_string).collect();
            orders.insert(order.join(", "));
        }
        Ok(())
    })?;
    if orders.len() < 2 {
        return Ok(());
    }
    let titles = Titles::of(select);
    rewrite_own(&mut select.projection, |expr| {
        let listed = ordered(expr, names).and_then(|(function, _)| listed(function));
        if let Some(listed) = listed {
            *expr = listed;
        }
        Ok(())
    })?;
    titles.apply_changed(select);
    Ok(())
}

/// Returns the function and its order if an expression is a `string_agg` with ORDER BY.
fn ordered(expr: &Expr, names: Names) -> Option<(&Function, &Vec<OrderByExpr>)> {
    let Expr::Function(function) = expr else {
        return None;
    };
    let name = function_name(function, names)?;
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    if function.over.is_some() || !STRING_AGGREGATES.contains(&name.as_str()) {
        return None;
    }
    list.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::OrderBy(order) => Some((function, order)),
        _ => None,
    })
}

/// `array_to_string(array_agg(value ORDER BY …) FILTER (WHERE value IS NOT NULL), separator)`
fn listed(function: &Function) -> Option<Expr> {
    let mut list = function.clone();
    let FunctionArguments::List(arguments) = &mut list.args else {
        return None;
    };
    let separator = match arguments.args.len() {
        1 => text(","),
        _ => plain_argument(&arguments.args.pop()?)?.clone(),
    };
    let [value] = arguments.args.as_slice() else {
        return None;
    };
    let value = plain_argument(value)?;
    let is_present = Expr::IsNotNull(Box::new(Expr::Nested(Box::new(value.clone()))));
    let filter = list.filter.take().map(|filter| *filter);
    list.filter = Some(Box::new(and(filter, is_present)));
    list.name = ObjectName::from(vec![Ident::new("array_agg")]);
    Some(call(
        "array_to_string",
        vec![Expr::Function(list), separator],
    ))
}
