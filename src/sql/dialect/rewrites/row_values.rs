//! Comparisons of rows: `(a, b) IN (SELECT c, d FROM t)` and `(year(d), month(d)) >= (2024, 1)`.
//! DataFusion compares with queries of one column only, and rows of names and literals.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Ident, SetExpr, Value};

use crate::sql::syntax::{alias_column, and, binary, derived, not, parse_query, table_alias};

/// The prefix of the names of the columns of the query.
const COLUMN: &str = "__value_";

/// Returns an expression that compares the values of rows of expressions one by one. `None` for
/// other expressions.
pub fn compare(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::BinaryOp { left, op, right } => {
            let (left, right) = (tuple(left)?, tuple(right)?);
            let is_simple = left.iter().chain(right).all(is_name_or_literal);
            (!is_simple && left.len() == right.len()).then_some(())?;
            compared(left, op, right)
        }
        Expr::InList {
            expr,
            list,
            negated,
        } => {
            let row = tuple(expr)?;
            let rows: Vec<&[Expr]> = list.iter().map(tuple).collect::<Option<_>>()?;
            let is_simple = row
                .iter()
                .chain(rows.iter().copied().flatten())
                .all(is_name_or_literal);
            (!is_simple && rows.iter().all(|one| one.len() == row.len())).then_some(())?;
            let equal = rows.into_iter().map(|one| equal(row, one));
            let found = equal.reduce(|any, one| binary(any, BinaryOperator::Or, one))?;
            Some(if *negated { not(found) } else { found })
        }
        _ => None,
    }
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

fn compared(left: &[Expr], op: &BinaryOperator, right: &[Expr]) -> Option<Expr> {
    let strict = match op {
        BinaryOperator::Eq => return Some(equal(left, right)),
        BinaryOperator::NotEq => return Some(not(equal(left, right))),
        BinaryOperator::Lt | BinaryOperator::LtEq => BinaryOperator::Lt,
        BinaryOperator::Gt | BinaryOperator::GtEq => BinaryOperator::Gt,
        _ => return None,
    };
    // The first values that differ decide.
    let mut pairs = left.iter().zip(right).rev();
    let (a, b) = pairs.next()?;
    let mut condition = binary(nested(a), op.clone(), nested(b));
    for (a, b) in pairs {
        let decides = binary(nested(a), strict.clone(), nested(b));
        let rest = and(
            Some(binary(nested(a), BinaryOperator::Eq, nested(b))),
            condition,
        );
        condition = binary(decides, BinaryOperator::Or, rest);
    }
    Some(condition)
}

fn equal(left: &[Expr], right: &[Expr]) -> Expr {
    let pairs = left.iter().zip(right);
    let mut equal = pairs.map(|(a, b)| binary(nested(a), BinaryOperator::Eq, nested(b)));
    let first = equal
        .next()
        .unwrap_or_else(|| Expr::value(Value::Boolean(true)));
    equal.fold(first, |all, one| and(Some(all), one))
}

fn nested(value: &Expr) -> Expr {
    Expr::Nested(Box::new(value.clone()))
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
