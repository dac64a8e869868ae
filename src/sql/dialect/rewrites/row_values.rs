//! Comparisons of rows: `(a, b) IN (SELECT c, d FROM t)` and `(year(d), month(d)) >= (2024, 1)`.
//! DataFusion compares with queries of one column only, and rows of names and literals, which it
//! makes structs.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Ident, SetExpr, UnaryOperator};

use crate::sql::syntax::{
    alias_column, and, binary, call, derived, parse_query, table_alias, text,
};

/// The prefix of the names of the columns of the query.
const COLUMN: &str = "__value_";

/// Returns a comparison of structs for one of rows of expressions. `None` for other expressions.
pub fn compare(expr: &Expr) -> Option<Expr> {
    let rows: Vec<&Expr> = match expr {
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::InList { expr, list, .. } => list.iter().chain([expr.as_ref()]).collect(),
        _ => return None,
    };
    let rows: Vec<&[Expr]> = rows.into_iter().map(tuple).collect::<Option<_>>()?;
    let is_simple = rows.iter().copied().flatten().all(is_name_or_literal);
    let length = rows.first()?.len();
    if is_simple || rows.iter().any(|row| row.len() != length) {
        return None;
    }
    let mut compared = expr.clone();
    match &mut compared {
        Expr::BinaryOp { left, right, .. } => [left, right].into_iter().for_each(|it| record(it)),
        Expr::InList { expr, list, .. } => {
            list.iter_mut().chain([expr.as_mut()]).for_each(record);
        }
        _ => {}
    }
    Some(compared)
}

fn tuple(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(values) => Some(values),
        _ => None,
    }
}

fn is_name_or_literal(value: &Expr) -> bool {
    matches!(
        value,
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_)
    )
}

/// Replaces a row by a struct, as DataFusion names its fields.
fn record(row: &mut Expr) {
    let Expr::Tuple(values) = row else {
        return;
    };
    let fields = std::mem::take(values).into_iter().enumerate();
    let fields = fields.flat_map(|(number, value)| [text(&format!("c{number}")), value]);
    *row = call("named_struct", fields.collect());
}

fn nested(value: &Expr) -> Expr {
    Expr::Nested(Box::new(value.clone()))
}

/// Writes `NOT ((a, b) IN (SELECT …))` as `(a, b) NOT IN (SELECT …)`: EXISTS is never unknown.
pub fn negate(expr: &mut Expr) {
    let Expr::UnaryOp {
        op: UnaryOperator::Not,
        expr: inner,
    } = &*expr
    else {
        return;
    };
    let mut inner = inner.as_ref();
    while let Expr::Nested(nested) = inner {
        inner = nested;
    }
    if let Expr::InSubquery {
        expr: row,
        subquery,
        negated,
    } = inner
        && matches!(row.as_ref(), Expr::Tuple(_))
    {
        *expr = Expr::InSubquery {
            expr: row.clone(),
            subquery: subquery.clone(),
            negated: !negated,
        };
    }
}

/// Returns `EXISTS (SELECT 1 FROM (query) AS t (c, d) WHERE c = a AND d = b)`. `None` for other
/// expressions.
pub fn replace(expr: &Expr) -> Result<Option<Expr>> {
    let Expr::InSubquery {
        expr: row,
        subquery,
        negated,
    } = expr
    else {
        return Ok(None);
    };
    let Expr::Tuple(values) = row.as_ref() else {
        return Ok(None);
    };
    let mut outer = parse_query("SELECT 1 FROM t")?;
    let mut alias = table_alias(Ident::new("__values"));
    let mut condition = None;
    for (number, value) in values.iter().enumerate() {
        let name = Ident::new(format!("{COLUMN}{number}"));
        alias.columns.push(alias_column(name.clone()));
        let column = Expr::Identifier(name);
        let value = nested(value);
        let mut equal = binary(column.clone(), BinaryOperator::Eq, value.clone());
        if *negated {
            // An unknown comparison may be equal, too.
            let is_null = |side: Expr| Expr::IsNull(Box::new(side));
            let unknown = binary(is_null(column), BinaryOperator::Or, is_null(value));
            equal = binary(equal, BinaryOperator::Or, unknown);
        }
        condition = Some(and(condition, equal));
    }
    let SetExpr::Select(select) = outer.body.as_mut() else {
        return plan_err!("{expr} cannot be planned: write EXISTS (SELECT …)");
    };
    if let Some(table) = select.from.first_mut() {
        table.relation = derived(subquery.as_ref().clone(), Some(alias));
    }
    select.selection = condition;
    Ok(Some(Expr::Exists {
        subquery: Box::new(outer),
        negated: *negated,
    }))
}
