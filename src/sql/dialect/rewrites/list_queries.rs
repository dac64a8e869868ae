//! Queries over a list of the row around them, such as `EXISTS (SELECT 1 FROM unnest(t.links) AS
//! u(l) WHERE l.rel = 'me')`, as calls of functions of lists. DataFusion cannot run them.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::sqlparser::ast::{
    Distinct, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentClause, FunctionArguments, GroupByExpr, Ident, LimitClause, OrderByExpr,
    OrderByKind, Query, Select, SelectItem, SetExpr, TableFactor, VisitMut, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::parser::Parser;

use super::lambdas;
use crate::sql::dialect::CorpusDialect;
use crate::sql::syntax::{Contents, Names, arguments, function_name, literal};
use crate::sql::walk::{find, has_expr, rewrite};

/// Returns the expression that replaces such a query; `None` if it needs a separate operator.
pub fn replace(expr: &Expr, names: Names) -> Result<Option<Expr>> {
    let sql = match expr {
        Expr::Exists { subquery, negated } => {
            let Some(items) = Items::of(subquery, names)? else {
                return Ok(None);
            };
            if items.value.as_ref().is_some_and(calls_aggregate) {
                return Ok(None);
            }
            let not = if *negated { "NOT " } else { "" };
            let list = items.kept();
            Some(format!("{not}coalesce(len({list}) > 0, false)"))
        }
        Expr::InSubquery {
            expr: value,
            subquery,
            negated,
        } => {
            let Some(items) = Items::of(subquery, names)? else {
                return Ok(None);
            };
            let not = if *negated { "NOT " } else { "" };
            items.values().map(|list| {
                format!(
                    "{not}(CASE WHEN coalesce(len({list}), 0) = 0 THEN false WHEN array_has({list}, {value}) \
                     THEN true WHEN list_count({list}) < len({list}) OR {value} IS NULL THEN NULL ELSE false END)"
                )
            })
        }
        Expr::Subquery(query) => match Items::of(query, names)? {
            Some(items) => items.value(names)?,
            None => None,
        },
        Expr::Function(Function {
            args: FunctionArguments::Subquery(query),
            name,
            ..
        }) if name.to_string().eq_ignore_ascii_case("array") => match Items::of(query, names)? {
            Some(items) => items.list().map(|list| format!("coalesce({list}, [])")),
            None => None,
        },
        _ => None,
    };
    sql.map(|sql| parse(&sql, names)).transpose()
}

fn parse(sql: &str, names: Names) -> Result<Expr> {
    let mut expr = Parser::new(&CorpusDialect)
        .try_with_sql(&format!("({sql})"))?
        .parse_expr()?;
    rewrite(&mut expr, &mut LambdaFields(names))?;
    Ok(expr)
}

/// Rewrites fields of lambda parameters, as in the lambda functions of users.
struct LambdaFields(Names);

impl VisitorMut for LambdaFields {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match lambdas::replace_fields(expr, self.0) {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }
}

/// A plain query over the items of a list.
struct Items<'a> {
    list: String,
    item: Ident,
    condition: Option<String>,
    /// The only selected column. `None` if there are several.
    value: Option<Expr>,
    is_distinct: bool,
    order: Option<Order>,
    limit: Option<&'a Expr>,
}

/// The order of values by themselves.
#[derive(Clone, Copy)]
struct Order {
    is_descending: bool,
}

impl<'a> Items<'a> {
    /// Returns the parts of a query over a list with columns of the row around it.
    fn of(query: &'a Query, names: Names) -> Result<Option<Self>> {
        let SetExpr::Select(select) = query.body.as_ref() else {
            return Ok(None);
        };
        let is_plain = query.with.is_none() && query.fetch.is_none() && is_plain(select);
        let found = match select.from.as_slice() {
            [table] if table.joins.is_empty() => unnested(&table.relation),
            [] => bare(select),
            _ => None,
        };
        let Some((list, item, table_name)) = found.filter(|_| is_plain) else {
            return Ok(None);
        };
        let limit = match &query.limit_clause {
            None => None,
            Some(LimitClause::LimitOffset {
                limit: Some(limit),
                offset: None,
                limit_by,
            }) if limit_by.is_empty() => Some(limit),
            Some(_) => return Ok(None),
        };
        let uses_columns = !Contents::of(&mut list.clone(), names).names.is_empty();
        let has_query = has_query(&select.selection) || has_query(&select.projection);
        if !uses_columns || has_query {
            return Ok(None);
        }
        let mut own = ItemNames {
            names,
            table: names.of(&table_name),
            item: item.clone(),
        };
        let mut condition = select.selection.clone();
        if let Some(condition) = &mut condition {
            rewrite(condition, &mut own)?;
        }
        let mut value = match select.projection.as_slice() {
            _ if select.from.is_empty() => Some(Expr::Identifier(item.clone())),
            [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }] => {
                Some(value.clone())
            }
            [SelectItem::Wildcard(options)] if options.to_string().is_empty() => {
                Some(Expr::Identifier(item.clone()))
            }
            _ => None,
        };
        if let Some(value) = &mut value {
            rewrite(value, &mut own)?;
        }
        let order = match query.order_by.as_ref().map(|order| &order.kind) {
            None => None,
            Some(OrderByKind::Expressions(keys)) => {
                let mut keys = keys.clone();
                rewrite(&mut keys, &mut own)?;
                match order_of(&keys, value.as_ref()) {
                    Some(order) => Some(order),
                    None => return Ok(None),
                }
            }
            Some(_) => return Ok(None),
        };
        let is_distinct = match &select.distinct {
            None | Some(Distinct::All) => false,
            Some(Distinct::Distinct) => true,
            Some(Distinct::On(_)) => return Ok(None),
        };
        Ok(Some(Self {
            list: list.to_string(),
            item,
            condition: condition.map(|condition| condition.to_string()),
            value,
            is_distinct,
            order,
            limit,
        }))
    }

    /// The items that meet the condition.
    fn kept(&self) -> String {
        match &self.condition {
            Some(condition) => {
                format!(
                    "array_filter({}, {} -> ({condition}))",
                    self.list, self.item
                )
            }
            None => self.list.clone(),
        }
    }

    /// The value of an expression for each item that meets the condition.
    fn mapped(&self, value: &Expr) -> String {
        let kept = self.kept();
        match value {
            Expr::Identifier(name) if *name == self.item => kept,
            value => format!("array_transform({kept}, {} -> ({value}))", self.item),
        }
    }

    /// The values of the query, if it has no aggregate. Their order does not count.
    fn values(&self) -> Option<String> {
        let value = self.value.as_ref()?;
        let is_all = self.limit.is_none() && self.order.is_none();
        (is_all && !calls_aggregate(value)).then(|| self.mapped(value))
    }

    /// The values of the query as a list.
    fn list(&self) -> Option<String> {
        let value = self
            .value
            .as_ref()
            .filter(|value| !calls_aggregate(value))?;
        let mut list = self.mapped(value);
        if self.is_distinct {
            list = format!("array_distinct({list})");
        }
        list = sort_list(list, self.order);
        Some(match self.limit {
            Some(limit) => format!("({list})[1:{limit}]"),
            None => list,
        })
    }

    /// The value of the query.
    fn value(&self, names: Names) -> Result<Option<String>> {
        let Some(value) = &self.value else {
            return Ok(None);
        };
        if !calls_aggregate(value) {
            let is_first = self.limit.is_some_and(|limit| limit.to_string() == "1");
            let list = self.list().filter(|_| is_first);
            return Ok(list.map(|list| format!("({list})[1]")));
        }
        if self.limit.is_some() || self.is_distinct || self.order.is_some() {
            return Ok(None);
        }
        let mut value = value.clone();
        let mut calls = AggregateCalls {
            items: self,
            names,
            are_known: true,
        };
        rewrite(&mut value, &mut calls)?;
        Ok(calls.are_known.then(|| value.to_string()))
    }

    fn aggregate(&self, function: &Function, names: Names) -> Option<String> {
        let name = function_name(function, names)?;
        let FunctionArguments::List(list) = &function.args else {
            return None;
        };
        if function.over.is_some() || function.filter.is_some() {
            return None;
        }
        let is_distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        let is_star = matches!(
            list.args.as_slice(),
            [] | [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]
        );
        if name == "count" && is_star {
            return Some(format!("coalesce(len({}), 0)", self.kept()));
        }
        let arguments = arguments(function)?;
        let (value, rest) = arguments.split_first()?;
        let order = match list.clauses.as_slice() {
            [] => None,
            [FunctionArgumentClause::OrderBy(keys)] => Some(order_of(keys, Some(value))?),
            _ => return None,
        };
        let mut values = self.mapped(value);
        if is_distinct {
            values = format!("array_distinct({values})");
        }
        values = sort_list(values, order);
        let some = |list: String| format!("CASE WHEN len({list}) > 0 THEN {list} END");
        let whole = match (name.as_str(), rest) {
            ("count", []) => format!("coalesce(list_count({values}), 0)"),
            ("list" | "array_agg", []) => some(values),
            ("string_agg" | "group_concat" | "listagg", rest) => {
                let separator = match rest {
                    [] => literal(","),
                    [separator] => separator.to_string(),
                    _ => return None,
                };
                format!(
                    "CASE WHEN list_count({values}) > 0 THEN array_to_string({values}, {separator}) END"
                )
            }
            ("sum", []) => format!("list_sum({values})"),
            ("avg" | "mean", []) => format!("list_avg({values})"),
            ("min", []) => format!("list_min({values})"),
            ("max", []) => format!("array_max({values})"),
            ("bool_and" | "every" | "logical_and", []) => format!("list_bool_and({values})"),
            ("bool_or" | "logical_or", []) => format!("list_bool_or({values})"),
            _ => return None,
        };
        Some(whole)
    }
}

/// Replaces aggregates by functions of the list.
struct AggregateCalls<'a> {
    items: &'a Items<'a>,
    names: Names,
    /// Whether each aggregate has a function of lists.
    are_known: bool,
}

impl VisitorMut for AggregateCalls<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::Function(function) = expr else {
            return ControlFlow::Continue(());
        };
        if !is_aggregate(function) {
            return ControlFlow::Continue(());
        }
        let Some(sql) = self.items.aggregate(function, self.names) else {
            self.are_known = false;
            return ControlFlow::Continue(());
        };
        match parse(&sql, self.names) {
            Ok(call) => *expr = call,
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    }
}

/// The list in `SELECT unnest(list)`, and a name for its items.
fn bare(select: &Select) -> Option<(Expr, Ident, Ident)> {
    let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] =
        select.projection.as_slice()
    else {
        return None;
    };
    let list = list_in_unnest(expr).filter(|_| select.selection.is_none())?;
    let name = Ident::new("__item");
    Some((list.clone(), name.clone(), name))
}

/// The list in `unnest(list)`.
fn list_in_unnest(expr: &Expr) -> Option<&Expr> {
    let Expr::Function(function) = expr else {
        return None;
    };
    let is_unnest = function.name.to_string().eq_ignore_ascii_case("unnest");
    match arguments(function)?.as_slice() {
        [list] if is_unnest => Some(list),
        _ => None,
    }
}

/// The list, the name of its items, and the name of the table.
fn unnested(table: &TableFactor) -> Option<(Expr, Ident, Ident)> {
    match table {
        TableFactor::UNNEST {
            alias: Some(alias),
            array_exprs,
            with_offset: false,
            with_ordinality: false,
            ..
        } => match (array_exprs.as_slice(), alias.columns.as_slice()) {
            ([list], [column]) => Some((list.clone(), column.name.clone(), alias.name.clone())),
            _ => None,
        },
        // (SELECT unnest(list) AS item)
        TableFactor::Derived {
            subquery, alias, ..
        } => {
            let SetExpr::Select(select) = subquery.body.as_ref() else {
                return None;
            };
            let is_whole = subquery.with.is_none()
                && subquery.order_by.is_none()
                && subquery.limit_clause.is_none()
                && subquery.fetch.is_none()
                && select.from.is_empty()
                && select.selection.is_none()
                && select.distinct.is_none()
                && is_plain(select);
            let [SelectItem::ExprWithAlias { expr, alias: item }] = select.projection.as_slice()
            else {
                return None;
            };
            let list = list_in_unnest(expr)?;
            let table = alias.as_ref().map_or(item, |alias| &alias.name);
            let is_renamed = alias.as_ref().is_some_and(|it| !it.columns.is_empty());
            (is_whole && !is_renamed).then(|| (list.clone(), item.clone(), table.clone()))
        }
        _ => None,
    }
}

/// Whether a SELECT has only columns, tables and a condition.
fn is_plain(select: &Select) -> bool {
    let is_grouped = match &select.group_by {
        GroupByExpr::Expressions(keys, modifiers) => !keys.is_empty() || !modifiers.is_empty(),
        GroupByExpr::All(_) => true,
    };
    !is_grouped && select.having.is_none() && select.qualify.is_none() && select.top.is_none()
}

fn has_query(part: &(impl VisitMut + Clone)) -> bool {
    struct Queries;
    impl Visitor for Queries {
        type Break = ();

        fn pre_visit_query(&mut self, _query: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    find(&mut part.clone(), &mut Queries)
}

/// Aggregates that a query over a list may have.
const AGGREGATES: [&str; 17] = [
    "any_value",
    "array_agg",
    "avg",
    "bool_and",
    "bool_or",
    "count",
    "every",
    "group_concat",
    "list",
    "listagg",
    "logical_and",
    "logical_or",
    "max",
    "mean",
    "min",
    "string_agg",
    "sum",
];

fn is_aggregate(function: &Function) -> bool {
    let name = function.name.to_string().to_lowercase();
    AGGREGATES.contains(&name.as_str())
}

fn calls_aggregate(expr: &Expr) -> bool {
    has_expr(
        expr,
        |part| matches!(part, Expr::Function(function) if is_aggregate(function)),
    )
}
/// The order if values are sorted by themselves.
fn order_of(keys: &[OrderByExpr], value: Option<&Expr>) -> Option<Order> {
    match keys {
        [key] if Some(&key.expr) == value || key.expr.to_string() == "1" => {
            let is_default = key.options.nulls_first.is_none() && key.with_fill.is_none();
            let is_descending = key.options.asc == Some(false);
            is_default.then_some(Order { is_descending })
        }
        _ => None,
    }
}

fn sort_list(list: String, order: Option<Order>) -> String {
    match order {
        None => list,
        Some(order) => {
            let direction = if order.is_descending { "DESC" } else { "ASC" };
            format!("array_sort({list}, '{direction}', 'NULLS LAST')")
        }
    }
}

/// Removes the qualifier of the item: `u.item` becomes `item`.
struct ItemNames {
    names: Names,
    table: String,
    item: Ident,
}

impl VisitorMut for ItemNames {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        match expr {
            Expr::Identifier(name) if self.names.of(name) == self.names.of(&self.item) => {
                *name = self.item.clone();
            }
            Expr::CompoundIdentifier(parts) => {
                if let [table, item, fields @ ..] = parts.as_slice()
                    && self.names.of(table) == self.table
                    && self.names.of(item) == self.names.of(&self.item)
                {
                    *expr = match fields {
                        [] => Expr::Identifier(self.item.clone()),
                        fields => {
                            let item = std::iter::once(self.item.clone());
                            Expr::CompoundIdentifier(item.chain(fields.iter().cloned()).collect())
                        }
                    };
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
