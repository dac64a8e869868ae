//! Several `string_agg(a, ',' ORDER BY b)` in different orders, which DataFusion refuses: each
//! becomes the text of a sorted list.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, Ident,
    ObjectName, OrderByExpr, Query, Select, VisitorMut,
};

use crate::sql::syntax::{Names, Titles, and, call, function_name, text};
use crate::sql::walk::rewrite;

const STRING_AGGREGATES: [&str; 3] = ["group_concat", "listagg", "string_agg"];

/// Replaces such calls in a SELECT.
pub fn replace(select: &mut Select, names: Names) {
    let mut calls = Calls {
        names,
        depth: 0,
        orders: HashSet::new(),
        is_replacing: false,
    };
    let _ = rewrite(&mut select.projection, &mut calls);
    if calls.orders.len() < 2 {
        return;
    }
    calls.is_replacing = true;
    let titles = Titles::of(select);
    let _ = rewrite(&mut select.projection, &mut calls);
    titles.apply_changed(select);
}

struct Calls {
    names: Names,
    /// The number of inner queries around the current expression.
    depth: usize,
    orders: HashSet<String>,
    is_replacing: bool,
}

impl Calls {
    fn order<'a>(&self, function: &'a Function) -> Option<&'a Vec<OrderByExpr>> {
        let name = function_name(function, self.names)?;
        let FunctionArguments::List(list) = &function.args else {
            return None;
        };
        if function.over.is_some() || !STRING_AGGREGATES.contains(&name.as_str()) {
            return None;
        }
        list.clauses.iter().find_map(|clause| match clause {
            FunctionArgumentClause::OrderBy(order) => Some(order),
            _ => None,
        })
    }
}

impl VisitorMut for Calls {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::Function(function) = expr else {
            return ControlFlow::Continue(());
        };
        let Some(order) = self.order(function).filter(|_| self.depth == 0) else {
            return ControlFlow::Continue(());
        };
        if self.is_replacing {
            if let Some(listed) = listed(function) {
                *expr = listed;
            }
        } else {
            let order: Vec<String> = order.iter().map(ToString::to_string).collect();
            self.orders.insert(order.join(", "));
        }
        ControlFlow::Continue(())
    }
}

/// `array_to_string(array_agg(value ORDER BY …) FILTER (WHERE value IS NOT NULL), separator)`
fn listed(function: &Function) -> Option<Expr> {
    let mut list = function.clone();
    let FunctionArguments::List(arguments) = &mut list.args else {
        return None;
    };
    let separator = match arguments.args.len() {
        1 => text(","),
        _ => match arguments.args.pop()? {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(separator)) => separator,
            _ => return None,
        },
    };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(value))] = arguments.args.as_slice() else {
        return None;
    };
    let is_present = Expr::IsNotNull(Box::new(Expr::Nested(Box::new(value.clone()))));
    let filter = list.filter.take().map(|filter| *filter);
    list.filter = Some(Box::new(and(filter, is_present)));
    list.name = ObjectName::from(vec![Ident::new("array_agg")]);
    Some(call(
        "array_to_string",
        vec![Expr::Function(list), separator],
    ))
}
