//! Clauses of other engines that mean the same as others here: joins, samples, limits, operators,
//! calls and types.
//!
//! ```text
//! joins      SEMI, ANTI, ASOF and POSITIONAL JOIN, LATERAL VIEW, unnest in FROM
//! samples    TABLESAMPLE and USING SAMPLE
//! limits     TOP, FETCH, LIMIT 10%, ORDER BY ALL
//! quantifiers  ANY and ALL with a query
//! spellings  operators, subscripts and calls
//! json       -> and ->>
//! lambdas    lambda functions with the number of the item
//! types      BLOB, HUGEINT, STRING …
//! ```

mod joins;
mod json;
mod lambdas;
mod limits;
mod quantifiers;
mod samples;
mod spellings;
mod types;

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Query, Select, Statement as SqlStatement, TableFactor, VisitorMut,
};

use crate::sql::syntax::{Names, Titles, flow};

/// Replaces the parts of a statement that are not inside of a query.
pub fn in_statement(statement: &mut Statement) {
    if let Statement::Statement(statement) = statement {
        match statement.as_mut() {
            // Tables live as long as the session, so all of them are temporary.
            SqlStatement::CreateTable(table) => {
                table.temporary = false;
                for column in &mut table.columns {
                    types::rename(&mut column.data_type);
                }
            }
            SqlStatement::CreateView(view) => view.temporary = false,
            _ => {}
        }
    }
}

/// Replaces such clauses in queries.
pub struct Equivalents {
    names: Names,
    /// The titles of the columns of each SELECT around the current expression, and the number of
    /// expressions replaced before it.
    titles: Vec<(Titles, usize)>,
    replaced: usize,
}

impl Equivalents {
    pub fn new(names: Names) -> Self {
        Self {
            names,
            titles: Vec::new(),
            replaced: 0,
        }
    }

    fn replace_expression(&mut self, expr: &mut Expr) -> Result<()> {
        let is_replaced = types::rename_in(expr)
            || json::replace(expr)
            || lambdas::replace_fields(expr, self.names)?
            || lambdas::replace(expr, self.names)?
            || spellings::replace(expr, self.names)?;
        self.replaced += usize::from(is_replaced);
        Ok(())
    }
}

impl VisitorMut for Equivalents {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        flow(limits::replace(query))
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.push((Titles::of(select), self.replaced));
        flow(samples::using(select).and_then(|()| joins::replace(select, self.names)))
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        if let Some((titles, replaced)) = self.titles.pop()
            && replaced != self.replaced
        {
            titles.apply_changed(select);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        joins::name_unnested(factor, self.names);
        flow(samples::of_table(factor))
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        json::keep_lambdas(expr, self.names);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        flow(self.replace_expression(expr))
    }
}
