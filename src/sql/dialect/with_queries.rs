//! The names of the queries of WITH.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Query, VisitorMut};

use crate::sql::syntax::Names;
use crate::sql::walk::rewrite_statement;

/// Returns the names in a statement. A query that another one uses precedes it.
pub fn with_queries(statement: &mut Statement, names: Names) -> Result<Vec<String>> {
    let mut clauses = Clauses {
        names,
        found: Vec::new(),
    };
    rewrite_statement(statement, &mut clauses)?;
    // The walk visits a clause before those inside.
    Ok(clauses.found.into_iter().rev().flatten().collect())
}

struct Clauses {
    names: Names,
    found: Vec<Vec<String>>,
}

impl VisitorMut for Clauses {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        let queries = query.with.iter().flat_map(|with| &with.cte_tables);
        let queries = queries.map(|query| self.names.of(&query.alias.name));
        self.found.push(queries.collect());
        ControlFlow::Continue(())
    }
}
