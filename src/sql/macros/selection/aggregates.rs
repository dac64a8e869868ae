//! Aggregates.

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArgumentList,
    FunctionArguments, HavingBound, HavingBoundKind, NullTreatment, OrderByExpr, OrderByOptions,
    Value, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowType,
};

use super::super::duckdb::STRING_AGG;
use super::{items, value};
use crate::sql::syntax::{argument, call, literal_number, plain_argument, text, value_if};

/// The aggregate that a call means.
pub fn select(name: &str, function: &mut Function) -> Option<&'static str> {
    let has_filter = function.filter.is_some();
    if let Some(selected) = by_group(name, function) {
        let FunctionArguments::List(list) = &mut function.args else {
            return Some(selected);
        };
        return quantiles(selected, list, has_filter).or(Some(selected));
    }
    if let Some(selected) = over_window(name, function) {
        return Some(selected);
    }
    if name == "any_value" && has_order(function) {
        function.null_treatment = Some(NullTreatment::IgnoreNulls);
        return Some("first_value");
    }
    let FunctionArguments::List(list) = &mut function.args else {
        return None;
    };
    quantiles(name, list, has_filter).or_else(|| by_count(name, list))
}

/// `arg_max(value, key) OVER (PARTITION BY a)` as the first value by the key.
fn over_window(name: &str, function: &mut Function) -> Option<&'static str> {
    let is_descending = match name {
        "arg_max" | "argmax" | "max_by" => true,
        "arg_min" | "argmin" | "min_by" => false,
        _ => return None,
    };
    let (None, Some(WindowType::WindowSpec(window))) = (&function.filter, &mut function.over)
    else {
        return None;
    };
    let FunctionArguments::List(list) = &mut function.args else {
        return None;
    };
    let is_plain = window.window_name.is_none()
        && window.order_by.is_empty()
        && window.window_frame.is_none()
        && list.clauses.is_empty()
        && list.args.len() == 2;
    let (of, key) = (value(list, 0)?.clone(), value(list, 1)?.clone());
    if !is_plain {
        return None;
    }
    window.order_by = vec![OrderByExpr {
        expr: key.clone(),
        options: OrderByOptions {
            asc: Some(!is_descending),
            nulls_first: Some(false),
        },
        with_fill: None,
    }];
    window.window_frame = Some(WindowFrame {
        units: WindowFrameUnits::Rows,
        start_bound: WindowFrameBound::Preceding(None),
        end_bound: Some(WindowFrameBound::Following(None)),
    });
    function.null_treatment = Some(NullTreatment::IgnoreNulls);
    list.args = vec![argument(value_if(Expr::IsNotNull(Box::new(key)), of))];
    Some("first_value")
}

/// Lists of quantiles.
fn quantiles(
    name: &str,
    list: &mut FunctionArgumentList,
    has_filter: bool,
) -> Option<&'static str> {
    let (name, shares) = match name {
        // BigQuery's approx_quantiles(a, 4) has the bounds of four parts.
        "approx_quantiles" => ("quantile_disc", bounds(value(list, 1)?)?),
        "approx_quantile" | "quantile" | "quantile_cont" | "quantile_disc" | "percentile_cont"
        | "percentile_disc" => (name, items(list, 1)?.to_vec()),
        _ => return None,
    };
    if has_filter {
        return None;
    }
    let of = value(list, 0)?;
    let others = list.args.iter().skip(2).filter_map(plain_argument);
    let others: Vec<Expr> = others.cloned().collect();
    let calls = shares
        .into_iter()
        .map(|share| call(name, [vec![of.clone(), share], others.clone()].concat()));
    // Without a value, there is no list.
    let list_of = call("make_array", calls.collect());
    let count = call("count", vec![of.clone()]);
    list.args = [list_of, count].map(argument).to_vec();
    Some("quantiles")
}

/// The shares at the bounds of equal parts.
fn bounds(count: &Expr) -> Option<Vec<Expr>> {
    let count = literal_number(count)?;
    let count: u32 = count.parse().ok().filter(|it| (1..=1000).contains(it))?;
    let share = |part: u32| {
        let share = f64::from(part) / f64::from(count);
        Expr::value(Value::Number(share.to_string(), false))
    };
    Some((0..=count).map(share).collect())
}

/// Calls with another number of arguments, or with an order.
fn by_count(name: &str, list: &mut FunctionArgumentList) -> Option<&'static str> {
    match (name, list.args.len()) {
        // BigQuery's any_value(a HAVING MAX b).
        ("any_value", 1)
            if matches!(list.clauses.as_slice(), [FunctionArgumentClause::Having(_)]) =>
        {
            let Some(FunctionArgumentClause::Having(HavingBound(kind, key))) = list.clauses.pop()
            else {
                return None;
            };
            list.args.push(argument(key));
            Some(match kind {
                HavingBoundKind::Max => "arg_max",
                HavingBoundKind::Min => "arg_min",
            })
        }
        ("max", 2) => Some("max_n"),
        ("min", 2) => Some("min_n"),
        ("arg_max" | "argmax" | "max_by", 3) => Some("arg_max_n"),
        ("arg_min" | "argmin" | "min_by", 3) => Some("arg_min_n"),
        ("percentile_cont" | "quantile_cont", 2) => {
            // The order of the values is an argument here.
            if let Some(is_descending) = own_order(list) {
                if is_descending {
                    list.args.push(argument(text("DESC")));
                }
                list.clauses.clear();
            }
            Some("quantile_cont")
        }
        // The smallest of the most frequent values.
        ("mode", 1) if own_order(list) == Some(false) => {
            list.clauses.clear();
            Some("mode_in_order")
        }
        ("count_star", 0) => {
            list.args
                .push(FunctionArg::Unnamed(FunctionArgExpr::Wildcard));
            Some("count")
        }
        _ => None,
    }
}

fn has_order(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else {
        return false;
    };
    let mut clauses = list.clauses.iter();
    clauses.any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)))
}

/// Whether an aggregate sorts by its own values in descending order. `None` if it has no order, or
/// sorts by something else.
fn own_order(list: &FunctionArgumentList) -> Option<bool> {
    let [FunctionArgumentClause::OrderBy(keys)] = list.clauses.as_slice() else {
        return None;
    };
    let [key] = keys.as_slice() else {
        return None;
    };
    let is_own = list.args.first()?.to_string() == key.expr.to_string();
    is_own.then_some(key.options.asc == Some(false))
}

/// Selects an aggregate that takes its values after WITHIN GROUP.
fn by_group(name: &str, function: &mut Function) -> Option<&'static str> {
    let [key] = function.within_group.as_slice() else {
        return None;
    };
    let of = argument(key.expr.clone());
    let is_ascending = key.options.asc != Some(false);
    let FunctionArguments::List(list) = &mut function.args else {
        return None;
    };
    let selected = match (name, list.args.len()) {
        ("mode", 0) if is_ascending => {
            list.args.push(of);
            "mode_in_order"
        }
        ("percentile_cont" | "percentile_disc", 1) => {
            list.args.insert(0, of);
            if !is_ascending {
                list.args.push(argument(text("DESC")));
            }
            if name == "percentile_cont" {
                "quantile_cont"
            } else {
                "quantile_disc"
            }
        }
        ("group_concat" | "listagg" | "string_agg", _) => {
            let order = FunctionArgumentClause::OrderBy(std::mem::take(&mut function.within_group));
            list.clauses.push(order);
            return Some(STRING_AGG);
        }
        _ => return None,
    };
    function.within_group.clear();
    Some(selected)
}
