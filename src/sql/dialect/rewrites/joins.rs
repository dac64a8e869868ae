//! Joins and lateral views of other engines.
//!
//! The tokens mark ASOF and POSITIONAL joins as `GLOBAL` ([`tokens`](crate::sql::dialect::tokens)).

use std::ops::ControlFlow;

use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, LateralView, Select,
    TableAlias, TableFactor, Visitor,
};

use super::first_rows::{first_row, first_rows_of_each};
use super::hidden::{Hidden, hide};
use crate::sql::syntax::{
    Names, alias_column, and, arguments, call, conjuncts, derived, function_name, selected_from,
    table_alias, table_name,
};
use crate::sql::walk::find;

/// The columns with the numbers of the rows of a POSITIONAL JOIN.
const LEFT_POSITION: &str = "__left_position";

const RIGHT_POSITION: &str = "__right_position";

/// The column with the bound of the next row of an ASOF JOIN.
const NEXT: &str = "__next";

/// Replaces the joins and lateral views of a SELECT.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    for view in std::mem::take(&mut select.lateral_views) {
        lateral_view(select, view, names)?;
    }
    let mut hidden = Vec::new();
    for table in &mut select.from {
        number_rows(&mut table.relation, names)?;
        for index in 0..table.joins.len() {
            let Some(join) = table.joins.get_mut(index) else {
                continue;
            };
            keep_rows_of_empty_lists(join);
            check_condition(join)?;
            first_rows(join, names);
            number_rows(&mut join.relation, names)?;
            match &join.join_operator {
                JoinOperator::Semi(on) => join.join_operator = JoinOperator::LeftSemi(on.clone()),
                JoinOperator::Anti(on) => join.join_operator = JoinOperator::LeftAnti(on.clone()),
                JoinOperator::CrossJoin(_) if join.global => {
                    if index > 0 {
                        return not_impl_err!(
                            "POSITIONAL JOIN takes two tables: put the others into a query in FROM"
                        );
                    }
                    hidden.extend(positional(&mut table.relation, join)?);
                }
                _ if join.global => {
                    hidden.push(as_of(join)?);
                }
                _ => {}
            }
            if let Some(join) = table.joins.get_mut(index) {
                join.global = false;
            }
        }
    }
    if hidden.is_empty() {
        return Ok(());
    }
    hide(select, &hidden, names)
}

/// `LATERAL (SELECT … LIMIT 2)` as a query without LIMIT, which DataFusion cannot join.
fn number_rows(factor: &mut TableFactor, names: Names) -> Result<()> {
    if let TableFactor::Derived {
        lateral: true,
        subquery,
        ..
    } = factor
        && let Some(first) = first_rows_of_each(subquery, names)?
    {
        **subquery = first;
    }
    Ok(())
}

/// Whether a condition of a join is always true.
fn is_true(condition: &Expr) -> bool {
    ["true", "1 = 1"].contains(&condition.to_string().to_lowercase().as_str())
}

/// `t LEFT JOIN LATERAL (SELECT a FROM u WHERE u.k = t.k ORDER BY b LIMIT 1) ON true` with a query
/// that returns one row in any case.
fn first_rows(join: &mut Join, names: Names) {
    let (JoinOperator::Left(JoinConstraint::On(condition))
    | JoinOperator::LeftOuter(JoinConstraint::On(condition))) = &join.join_operator
    else {
        return;
    };
    if let TableFactor::Derived {
        lateral: true,
        subquery,
        ..
    } = &mut join.relation
        && is_true(condition)
        && let Some(first) = first_row(subquery, names)
    {
        **subquery = first;
    }
}

/// `t LEFT JOIN unnest(list) AS u(item) ON true` as a join with a list that has NULL if it is
/// empty.
fn keep_rows_of_empty_lists(join: &mut Join) {
    let (JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint)) =
        &join.join_operator
    else {
        return;
    };
    // BigQuery needs no condition.
    let is_true = match constraint {
        JoinConstraint::On(condition) => is_true(condition),
        JoinConstraint::None => true,
        _ => false,
    };
    let TableFactor::UNNEST {
        array_exprs,
        with_offset: false,
        with_ordinality: false,
        ..
    } = &mut join.relation
    else {
        return;
    };
    if let ([list], true) = (array_exprs.as_mut_slice(), is_true) {
        *list = call("list_or_null", vec![list.clone()]);
        join.join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
    }
}

/// `a POSITIONAL JOIN b`: rows with the same number.
fn positional(left: &mut TableFactor, join: &mut Join) -> Result<[Hidden; 2]> {
    let left = positions(left, LEFT_POSITION)?;
    let right = positions(&mut join.relation, RIGHT_POSITION)?;
    let column = |(table, name): &Hidden| {
        Box::new(Expr::CompoundIdentifier(vec![
            table.clone(),
            Ident::new(*name),
        ]))
    };
    let condition = Expr::BinaryOp {
        left: column(&left),
        op: BinaryOperator::Eq,
        right: column(&right),
    };
    join.join_operator = JoinOperator::FullOuter(JoinConstraint::On(condition));
    Ok([left, right])
}

fn check_condition(join: &Join) -> Result<()> {
    match &join.join_operator {
        JoinOperator::Left(JoinConstraint::None)
        | JoinOperator::LeftOuter(JoinConstraint::None)
        | JoinOperator::Right(JoinConstraint::None)
        | JoinOperator::RightOuter(JoinConstraint::None)
        | JoinOperator::FullOuter(JoinConstraint::None) => plan_err!(
            "an outer join needs a condition: write LEFT JOIN b ON a.id = b.id, or USING (id)"
        ),
        _ => Ok(()),
    }
}

/// Adds a column with the numbers of the rows to a table.
fn positions(table: &mut TableFactor, column: &'static str) -> Result<Hidden> {
    let name = table_name(table).unwrap_or_else(|| Ident::new(format!("{column}s")));
    let mut inner = table.clone();
    if let Some(alias) = alias_of(&mut inner) {
        alias.get_or_insert_with(|| table_alias(name.clone()));
    }
    let sql = format!("SELECT *, row_number() OVER () AS {column} FROM t");
    *table = derived(selected_from(inner, &sql)?, Some(table_alias(name.clone())));
    Ok((name, column))
}

fn alias_of(table: &mut TableFactor) -> Option<&mut Option<TableAlias>> {
    match table {
        TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::Pivot { alias, .. }
        | TableFactor::Unpivot { alias, .. } => Some(alias),
        _ => None,
    }
}

/// `a ASOF JOIN b ON a.k = b.k AND a.t >= b.t`: the last row of `b` until `a.t`.
///
/// Each row of `b` gets the time of the next one, up to which it is the last.
fn as_of(join: &mut Join) -> Result<Hidden> {
    const HELP: &str = "write a ASOF JOIN b ON a.key = b.key AND a.time >= b.time";
    let (JoinOperator::Join(constraint)
    | JoinOperator::Inner(constraint)
    | JoinOperator::Left(constraint)
    | JoinOperator::LeftOuter(constraint)) = &mut join.join_operator
    else {
        return not_impl_err!("ASOF joins are ASOF JOIN and ASOF LEFT JOIN");
    };
    let JoinConstraint::On(condition) = constraint else {
        return not_impl_err!("ASOF JOIN takes a condition: {HELP}");
    };
    let Some(name) = table_name(&join.relation) else {
        return plan_err!("the table after ASOF JOIN needs an alias: {HELP}");
    };
    let mut keys = Vec::new();
    let mut bound = None;
    for part in conjuncts(condition) {
        let Some(part) = Comparison::of(part, &name) else {
            return not_impl_err!(
                "ASOF JOIN takes =, and one of >=, >, <= and <, with columns that name their table: {HELP}"
            );
        };
        match part.op {
            BinaryOperator::Eq => keys.push(part.own.to_string()),
            _ if bound.is_some() => {
                return not_impl_err!("ASOF JOIN takes one inequality: {HELP}");
            }
            _ => bound = Some(part),
        }
    }
    let Some(bound) = bound else {
        return plan_err!("ASOF JOIN needs an inequality: {HELP}");
    };
    // The rows between two bounds belong to the one before, or to the one after.
    let (direction, inverse) = match bound.op {
        BinaryOperator::GtEq => ("lead", BinaryOperator::Lt),
        BinaryOperator::Gt => ("lead", BinaryOperator::LtEq),
        BinaryOperator::LtEq => ("lag", BinaryOperator::Gt),
        _ => ("lag", BinaryOperator::GtEq),
    };
    let partition = if keys.is_empty() {
        String::new()
    } else {
        format!("PARTITION BY {} ", keys.join(", "))
    };
    let own = &bound.own;
    let sql = format!(
        "SELECT *, {direction}({own}) OVER ({partition}ORDER BY {own}) AS {NEXT} FROM t WHERE {own} IS NOT NULL"
    );
    let next = Expr::CompoundIdentifier(vec![name.clone(), Ident::new(NEXT)]);
    let limit = Expr::BinaryOp {
        left: Box::new(Expr::IsNull(Box::new(next.clone()))),
        op: BinaryOperator::Or,
        right: Box::new(Expr::BinaryOp {
            left: Box::new(bound.other.clone()),
            op: inverse,
            right: Box::new(next),
        }),
    };
    let limited = and(Some(condition.clone()), limit);
    *condition = limited;
    let query = selected_from(join.relation.clone(), &sql)?;
    join.relation = derived(query, Some(table_alias(name.clone())));
    Ok((name, NEXT))
}

/// A comparison of something else with a column of the joined table: `other op own`.
struct Comparison {
    other: Expr,
    op: BinaryOperator,
    own: Expr,
}

impl Comparison {
    fn of(expr: &Expr, table: &Ident) -> Option<Self> {
        let Expr::BinaryOp { left, op, right } = expr else {
            return None;
        };
        let turned = match op {
            BinaryOperator::Eq => BinaryOperator::Eq,
            BinaryOperator::GtEq => BinaryOperator::LtEq,
            BinaryOperator::Gt => BinaryOperator::Lt,
            BinaryOperator::LtEq => BinaryOperator::GtEq,
            BinaryOperator::Lt => BinaryOperator::Gt,
            _ => return None,
        };
        let (left, right) = (left.as_ref().clone(), right.as_ref().clone());
        match (is_of(&left, table)?, is_of(&right, table)?) {
            (false, true) => Some(Self {
                other: left,
                op: op.clone(),
                own: right,
            }),
            (true, false) => Some(Self {
                other: right,
                op: turned,
                own: left,
            }),
            _ => None,
        }
    }
}

/// Whether all columns of an expression belong to a table. `None` if a column does not name its
/// table.
fn is_of(expr: &Expr, table: &Ident) -> Option<bool> {
    struct Tables<'a> {
        table: &'a Ident,
        own: bool,
        others: bool,
    }
    impl Visitor for Tables<'_> {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) => return ControlFlow::Break(()),
                Expr::CompoundIdentifier(parts) => {
                    let first = parts.first();
                    let is_own = first
                        .is_some_and(|first| first.value.eq_ignore_ascii_case(&self.table.value));
                    self.own |= is_own;
                    self.others |= !is_own;
                }
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let mut tables = Tables {
        table,
        own: false,
        others: false,
    };
    let is_unknown = find(&mut expr.clone(), &mut tables) || (tables.own && tables.others);
    (!is_unknown).then_some(tables.own)
}

/// Spark's `LATERAL VIEW explode(list) t AS x` as `CROSS JOIN unnest(list) AS t(x)`, and
/// `posexplode(list) t AS n, x` as `unnest(list) AS x WITH OFFSET AS n`.
fn lateral_view(select: &mut Select, view: LateralView, names: Names) -> Result<()> {
    let mut is_numbered = false;
    let list = match &view.lateral_view {
        Expr::Function(function) => {
            let name = function_name(function, names).unwrap_or_default();
            is_numbered = name == "posexplode" && !view.outer && view.lateral_col_alias.len() == 2;
            let is_known = is_numbered || ["explode", "unnest"].contains(&name.as_str());
            arguments(function).filter(|arguments| is_known && arguments.len() == 1)
        }
        _ => None,
    };
    let (Some(list), Some(table)) = (list, select.from.last_mut()) else {
        return not_impl_err!(
            "LATERAL VIEW takes explode(list), and posexplode(list) t AS n, item: write FROM t, unnest(list) WITH \
             ORDINALITY AS u(item, n)"
        );
    };
    let lists = list.into_iter().cloned();
    let lists = lists.map(|list| {
        if view.outer {
            call("list_or_null", vec![list])
        } else {
            list
        }
    });
    let lists = lists.collect();
    let mut columns = view.lateral_col_alias;
    let number = is_numbered.then(|| columns.remove(0));
    let name = view.lateral_view_name.0.first();
    let name = name.and_then(|name| name.as_ident()).cloned();
    let mut alias = table_alias(name.unwrap_or_else(|| Ident::new("unnest")));
    if is_numbered && let Some(item) = columns.pop() {
        alias = table_alias(item);
    }
    alias.columns = columns.into_iter().map(alias_column).collect();
    table.joins.push(Join {
        relation: TableFactor::UNNEST {
            alias: Some(alias),
            array_exprs: lists,
            with_offset: is_numbered,
            with_offset_alias: number,
            with_ordinality: false,
        },
        global: false,
        join_operator: JoinOperator::CrossJoin(JoinConstraint::None),
    });
    Ok(())
}
