//! `(a, b) IN (SELECT c, d FROM t)`: DataFusion compares with queries of one column only.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Ident, SetExpr, TableAliasColumnDef};

use crate::sql::syntax::{and, binary, derived, parse_query, table_alias};

/// The prefix of the names of the columns of the query.
const COLUMN: &str = "__value_";

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
        alias.columns.push(TableAliasColumnDef {
            name: name.clone(),
            data_type: None,
        });
        let column = Expr::Identifier(name);
        let value = Expr::Nested(Box::new(value.clone()));
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
