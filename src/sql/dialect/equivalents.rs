//! Clauses of other engines that mean the same as others here: `SEMI JOIN`, temporary tables, and
//! samples of tables.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, not_impl_err, plan_err};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, JoinOperator, ObjectName, Query, Select, SetExpr, Statement as SqlStatement,
    TableAlias, TableFactor, TableSample, TableSampleKind, TableSampleMethod, TableSampleUnit,
    Value, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use crate::sql::syntax::flow;

/// Tables live as long as the session, so all of them are temporary.
pub fn make_permanent(statement: &mut Statement) {
    if let Statement::Statement(statement) = statement {
        match statement.as_mut() {
            SqlStatement::CreateTable(table) => table.temporary = false,
            SqlStatement::CreateView(view) => view.temporary = false,
            _ => {}
        }
    }
}

/// Replaces such clauses in queries.
pub struct Equivalents;

impl VisitorMut for Equivalents {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        for table in &mut select.from {
            for join in &mut table.joins {
                match &join.join_operator {
                    JoinOperator::Semi(on) => {
                        join.join_operator = JoinOperator::LeftSemi(on.clone());
                    }
                    JoinOperator::Anti(on) => {
                        join.join_operator = JoinOperator::LeftAnti(on.clone());
                    }
                    _ => {}
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        let (TableFactor::Table { sample, .. } | TableFactor::Derived { sample, .. }) = factor
        else {
            return ControlFlow::Continue(());
        };
        let Some(sample) = sample.take() else {
            return ControlFlow::Continue(());
        };
        flow(sampled(factor, &sample))
    }
}

/// Replaces a table by a query for a part of its rows.
fn sampled(factor: &mut TableFactor, sample: &TableSampleKind) -> Result<()> {
    let (TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample)) =
        sample;
    let mut query = template(sample)?;
    let alias = match factor {
        TableFactor::Table { name, alias, .. } => alias.take().or_else(|| alias_of(name)),
        TableFactor::Derived { alias, .. } => alias.take(),
        _ => None,
    };
    let SetExpr::Select(select) = query.body.as_mut() else {
        return plan_err!("TABLESAMPLE cannot be planned");
    };
    if let Some(table) = select.from.first_mut() {
        std::mem::swap(&mut table.relation, factor);
    }
    *factor = TableFactor::Derived {
        lateral: false,
        subquery: Box::new(query),
        alias,
        sample: None,
    };
    Ok(())
}

/// The name by which columns of a table without an alias are qualified.
fn alias_of(name: &ObjectName) -> Option<TableAlias> {
    let name: Ident = name.0.last()?.as_ident()?.clone();
    // The name of a file.
    if name.quote_style == Some('\'') {
        return None;
    }
    Some(TableAlias {
        explicit: true,
        name,
        columns: Vec::new(),
        at: None,
    })
}

/// A query for a sample of the table `t`.
fn template(sample: &TableSample) -> Result<Query> {
    const HELP: &str = "write TABLESAMPLE 10 PERCENT, or TABLESAMPLE 100 ROWS";
    if sample.seed.is_some() || sample.bucket.is_some() || sample.offset.is_some() {
        return not_impl_err!(
            "TABLESAMPLE has no seed, buckets and offsets: select rows by a hash of a column to get the \
             same ones again, such as WHERE text_hash(url) % 100 = 0"
        );
    }
    let Some(quantity) = &sample.quantity else {
        return plan_err!("TABLESAMPLE needs a number of rows or a percentage: {HELP}");
    };
    let number = match &quantity.value {
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => number.replace('_', ""),
            _ => return plan_err!("TABLESAMPLE needs a number: {HELP}"),
        },
        _ => return plan_err!("TABLESAMPLE needs a number: {HELP}"),
    };
    let is_percent = match (&quantity.unit, &sample.name) {
        (Some(unit), _) => *unit == TableSampleUnit::Percent,
        // PostgreSQL's form: BERNOULLI (10).
        (None, Some(TableSampleMethod::Bernoulli | TableSampleMethod::System)) => true,
        (None, _) => false,
    };
    let rows = if is_percent {
        format!("WHERE random() * 100 < {number}")
    } else {
        format!("ORDER BY random() LIMIT {number}")
    };
    let sql = format!("SELECT * FROM t {rows}");
    let query = Parser::new(&GenericDialect {})
        .try_with_sql(&sql)
        .and_then(|mut parser| parser.parse_query());
    Ok(*query?)
}
