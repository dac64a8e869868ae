//! `EXCEPT ALL` and `INTERSECT ALL`: equal rows are numbered, and each is compared with one row.
//! DataFusion's plans compare each row with all others.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::sqlparser::ast::{
    Ident, Query, SetExpr, SetOperator, SetQuantifier, VisitorMut,
};

use crate::sql::syntax::{derived, parse_query, selected_from, table_alias};
use crate::sql::walk::step;

/// The column with the number of a row among equal ones.
const NUMBER: &str = "__number";

/// Numbers the rows of the two queries.
pub struct Multisets;

impl VisitorMut for Multisets {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        step(replace(&mut query.body))
    }
}

fn replace(body: &mut SetExpr) -> Result<()> {
    let SetExpr::SetOperation {
        op,
        set_quantifier,
        left,
        right,
    } = body
    else {
        return Ok(());
    };
    replace(left)?;
    replace(right)?;
    if *set_quantifier != SetQuantifier::All || *op == SetOperator::Union {
        return Ok(());
    }
    let mut numbered = parse_query("SELECT 1")?;
    numbered.body = Box::new(SetExpr::SetOperation {
        op: *op,
        set_quantifier: SetQuantifier::None,
        left: numbered_rows(left)?,
        right: numbered_rows(right)?,
    });
    let all = format!("SELECT * EXCLUDE ({NUMBER}) FROM t");
    *body = *selected_from(derived(numbered, None), &all)?.body;
    Ok(())
}

/// `SELECT *, row_number() OVER (PARTITION BY row) AS number FROM (…) AS row`
fn numbered_rows(body: &SetExpr) -> Result<Box<SetExpr>> {
    let mut inner = parse_query("SELECT 1")?;
    inner.body = Box::new(body.clone());
    let rows = derived(inner, Some(table_alias(Ident::new("__row"))));
    let sql = format!("SELECT *, row_number() OVER (PARTITION BY __row) AS {NUMBER} FROM t");
    Ok(selected_from(rows, &sql)?.body)
}
