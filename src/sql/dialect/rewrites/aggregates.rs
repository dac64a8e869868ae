//! Several `string_agg(a, ',' ORDER BY b)` in different orders, and those with DISTINCT, which
//! DataFusion refuses: each becomes the text of a sorted list.

use std::collections::HashSet;

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{
    DataType, DuplicateTreatment, Expr, Function, FunctionArgumentClause, FunctionArguments, Ident,
    ObjectName, OrderByExpr, Select,
};

use crate::sql::syntax::{Names, Titles, and, argument, call, function_name, plain_argument, text};
use crate::sql::walk::rewrite_own;

const STRING_AGGREGATES: [&str; 3] = ["group_concat", "listagg", "string_agg"];

/// Replaces calls that aggregate texts in different orders in a SELECT.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    let mut orders = HashSet::new();
    let mut has_distinct = false;
    rewrite_own(&mut select.projection, |expr| {
        if let Some((function, order)) = ordered(expr, names) {
            has_distinct |= is_distinct(function);
            let order: Vec<String> = order.iter().map(ToString::to_string).collect();
            orders.insert(order.join(", "));
        }
        Ok(())
    })?;
    let is_any = orders.len() > 1;
    if !is_any && !has_distinct {
        return Ok(());
    }
    let titles = Titles::of(select);
    rewrite_own(&mut select.projection, |expr| {
        let listed = ordered(expr, names)
            .filter(|(function, _)| is_any || is_distinct(function))
            .and_then(|(function, _)| listed(function));
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
    let order = list.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::OrderBy(order) => Some(order),
        _ => None,
    });
    let within = Some(&function.within_group).filter(|order| !order.is_empty());
    Some((function, order.or(within)?))
}

fn is_distinct(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else {
        return false;
    };
    list.duplicate_treatment == Some(DuplicateTreatment::Distinct)
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
    let value = plain_argument(value)?.clone();
    let is_present = Expr::IsNotNull(Box::new(Expr::Nested(Box::new(value.clone()))));
    if !list.within_group.is_empty() {
        let order = std::mem::take(&mut list.within_group);
        arguments
            .clauses
            .push(FunctionArgumentClause::OrderBy(order));
    }
    // string_agg(DISTINCT x::VARCHAR, ',' ORDER BY x) is in the order of x, and not of texts.
    if let Expr::Cast {
        expr, data_type, ..
    } = &value
        && matches!(
            data_type,
            DataType::Varchar(None) | DataType::Text | DataType::String(None)
        )
        && let Some(FunctionArgumentClause::OrderBy(order)) = arguments.clauses.first()
        && order.iter().all(|by| by.expr == **expr)
        && let Some(listed) = arguments.args.first_mut()
    {
        *listed = argument(expr.as_ref().clone());
    }
    let filter = list.filter.take().map(|filter| *filter);
    list.filter = Some(Box::new(and(filter, is_present)));
    list.name = ObjectName::from(vec![Ident::new("array_agg")]);
    Some(call(
        "array_to_string",
        vec![Expr::Function(list), separator],
    ))
}
