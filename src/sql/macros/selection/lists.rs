//! Lists.

use datafusion::sql::sqlparser::ast::{Expr, FunctionArgumentList, Value};

use super::{Selector, Words, value};

const LIST_AGGREGATES: Words = &[
    (&["sum"], "list_sum"),
    (&["avg", "mean"], "list_avg"),
    (&["min"], "list_min"),
    (&["max"], "list_max"),
    (&["count"], "list_count"),
    (&["product"], "list_product"),
    (&["median"], "list_median"),
    (&["mode"], "list_mode"),
    (&["histogram"], "list_histogram"),
    (&["entropy"], "list_entropy"),
    (&["mad"], "list_mad"),
    (&["bool_and"], "list_bool_and"),
    (&["bool_or"], "list_bool_or"),
    (&["string_agg"], "list_string_agg"),
    (&["first"], "list_first"),
    (&["last"], "list_last"),
    (&["var_pop"], "list_var_pop"),
    (&["var_samp", "variance"], "list_var_samp"),
    (&["stddev_pop"], "list_stddev_pop"),
    (&["stddev_samp", "stddev"], "list_stddev_samp"),
];

/// The word that selects a function of lists.
pub fn selector(name: &str) -> Option<Selector> {
    match name {
        "list_aggregate" | "list_aggr" | "array_aggregate" | "array_aggr" => {
            Some((1, LIST_AGGREGATES, true))
        }
        _ => None,
    }
}

/// The function of lists that a call means.
pub fn select(name: &str, list: &mut FunctionArgumentList) -> Option<&'static str> {
    match (name, list.args.len()) {
        // Spark's order: aggregate(list, start, lambda).
        ("aggregate", 3) => {
            list.args.swap(1, 2);
            Some("list_reduce")
        }
        ("array_cat" | "array_concat" | "list_cat" | "list_concat", 2..) => {
            let is_null = |place| matches!(value(list, place), Some(Expr::Value(it)) if it.value == Value::Null);
            let kept: Vec<bool> = (0..list.args.len()).map(|place| !is_null(place)).collect();
            if !kept.contains(&true) {
                list.args.truncate(1);
                return Some("coalesce");
            }
            let mut kept = kept.into_iter();
            list.args.retain(|_| kept.next().unwrap_or(true));
            None
        }
        ("isnull", 2) => Some("coalesce"),
        _ => None,
    }
}
