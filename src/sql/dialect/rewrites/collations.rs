//! COLLATE in comparisons and ORDER BY: the texts are compared without upper case, or without
//! accents.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, ColumnOption, CreateTable, Expr, ObjectName, OrderByExpr, OrderByKind, Query,
};

use crate::sql::syntax::call;

/// Collations that compare code points, as texts are compared without COLLATE.
const PLAIN: [&str; 7] = [
    "binary",
    "c",
    "posix",
    "ucs_basic",
    "default",
    "c.utf-8",
    "c.utf8",
];

/// How a collation changes texts before they are compared.
#[derive(Clone, Copy, Default)]
struct Collation {
    ignores_case: bool,
    ignores_accents: bool,
}

impl Collation {
    fn of(name: &ObjectName) -> Result<Self> {
        let name = name_of(name);
        let mut collation = Self::default();
        if PLAIN.contains(&name.as_str()) {
            return Ok(collation);
        }
        for part in name.split('.') {
            match part {
                "nocase" => collation.ignores_case = true,
                "noaccent" => collation.ignores_accents = true,
                "nfc" => {}
                _ => {
                    return plan_err!(
                        "the collation '{name}' is not supported: write COLLATE NOCASE, or NOCASE.NOACCENT to ignore accents, too"
                    );
                }
            }
        }
        Ok(collation)
    }

    fn compared(self, value: Expr) -> Expr {
        let value = if self.ignores_accents {
            call("strip_accents", vec![value])
        } else {
            value
        };
        if self.ignores_case {
            call("lower", vec![value])
        } else {
            value
        }
    }
}

fn name_of(collation: &ObjectName) -> String {
    let name = collation.to_string();
    name.replace(['"', '\''], "").to_lowercase()
}

/// Removes COLLATE from a value.
fn taken(value: &mut Expr) -> Result<Option<Collation>> {
    match value {
        Expr::Nested(inner) => taken(inner),
        Expr::Collate { expr, collation } => {
            let collation = Collation::of(collation)?;
            *value = expr.as_ref().clone();
            Ok(Some(collation))
        }
        _ => Ok(None),
    }
}

/// Lets a comparison with COLLATE compare changed texts. Returns whether it did.
pub fn replace(expr: &mut Expr) -> Result<bool> {
    if let Expr::Collate {
        expr: value,
        collation,
    } = expr
    {
        let is_plain = PLAIN.contains(&name_of(collation).as_str());
        if is_plain {
            *expr = value.as_ref().clone();
        }
        return Ok(is_plain);
    }
    let values: Vec<&mut Expr> = match expr {
        Expr::BinaryOp {
            left,
            op:
                BinaryOperator::Eq
                | BinaryOperator::NotEq
                | BinaryOperator::Lt
                | BinaryOperator::LtEq
                | BinaryOperator::Gt
                | BinaryOperator::GtEq,
            right,
        } => vec![left, right],
        Expr::Like { expr, pattern, .. } => vec![expr, pattern],
        Expr::Between {
            expr, low, high, ..
        } => vec![expr, low, high],
        Expr::InList { expr, list, .. } => std::iter::once(&mut **expr).chain(list).collect(),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
            vec![left, right]
        }
        _ => return Ok(false),
    };
    compare(values)
}

fn compare(mut values: Vec<&mut Expr>) -> Result<bool> {
    let mut found = None;
    for value in &mut values {
        found = taken(value)?.or(found);
    }
    let Some(collation) = found else {
        return Ok(false);
    };
    for value in values {
        let compared = collation.compared(value.clone());
        *value = compared;
    }
    Ok(true)
}

/// Sorts by changed texts in ORDER BY with COLLATE.
pub fn replace_order(query: &mut Query) -> Result<()> {
    if let Some(order) = &mut query.order_by
        && let OrderByKind::Expressions(keys) = &mut order.kind
    {
        keys.iter_mut().try_for_each(replace_key)?;
    }
    Ok(())
}

fn replace_key(key: &mut OrderByExpr) -> Result<()> {
    if let Some(collation) = taken(&mut key.expr)? {
        let value = key.expr.clone();
        key.expr = collation.compared(value);
    }
    Ok(())
}

/// Refuses columns with COLLATE, which would have no effect.
pub fn check_columns(table: &CreateTable) -> Result<()> {
    let options = table.columns.iter().flat_map(|column| &column.options);
    for option in options {
        if let ColumnOption::Collation(name) = &option.option {
            return plan_err!(
                "columns have no collation: write WHERE column = value COLLATE {name}, and ORDER BY column COLLATE {name}"
            );
        }
    }
    Ok(())
}
