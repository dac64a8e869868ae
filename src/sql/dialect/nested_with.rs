//! Queries of WITH that have the name of one in a query around them: `WITH t AS (…) SELECT * FROM
//! (WITH t AS (…) SELECT * FROM t), t`. DataFusion refuses the second name.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Ident, ObjectName, Query, TableFactor, VisitMut, VisitorMut,
};

use crate::sql::syntax::{Names, single_name, table_alias};
use crate::sql::walk::{rewrite, rewrite_statement, step};

/// Gives inner queries unique names, if the error is about names that repeat.
pub fn renamed(
    error: &DataFusionError,
    statement: &Statement,
    names: Names,
) -> Result<Option<Statement>> {
    let message = error.to_string();
    if !(message.contains("WITH query name") && message.contains("specified more than once")) {
        return Ok(None);
    }
    let mut renamed = statement.clone();
    rewrite_statement(
        &mut renamed,
        &mut Unique {
            names,
            around: Vec::new(),
            count: 0,
        },
    )?;
    Ok((renamed != *statement).then_some(renamed))
}

struct Unique {
    names: Names,
    /// The names in each query around the current part.
    around: Vec<Vec<String>>,
    count: usize,
}

impl Unique {
    fn rename(&mut self, query: &mut Query) -> Result<()> {
        let mut own = Vec::new();
        let mut place = 0;
        while let Some(with) = &mut query.with
            && place < with.cte_tables.len()
        {
            let name = self.names.of(&with.cte_tables[place].alias.name);
            if self.around.iter().flatten().any(|known| *known == name) {
                self.count += 1;
                let new = Ident::with_quote('"', format!("__with_{}_{name}", self.count));
                with.cte_tables[place].alias.name = new.clone();
                let mut uses = Uses {
                    names: self.names,
                    old: &name,
                    new,
                    hidden: 0,
                };
                // Without RECURSIVE, a query does not see its own name.
                let first = if with.recursive { place } else { place + 1 };
                for later in with.cte_tables.iter_mut().skip(first) {
                    uses.rename_in(&mut later.query)?;
                }
                uses.rename_in(&mut query.body)?;
            } else {
                own.push(name);
            }
            place += 1;
        }
        self.around.push(own);
        Ok(())
    }
}

impl VisitorMut for Unique {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        step(self.rename(query))
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<DataFusionError> {
        self.around.pop();
        ControlFlow::Continue(())
    }
}

/// Renames a table in FROM. Its columns keep their qualifier.
struct Uses<'a> {
    names: Names,
    old: &'a str,
    new: Ident,
    /// The number of queries around that have a query of the old name themselves.
    hidden: usize,
}

impl Uses<'_> {
    fn rename_in(&mut self, part: &mut impl VisitMut) -> Result<()> {
        rewrite(part, self)
    }

    fn hides(&self, query: &Query) -> bool {
        let mut queries = query.with.iter().flat_map(|with| &with.cte_tables);
        queries.any(|query| self.names.of(&query.alias.name) == self.old)
    }
}

impl VisitorMut for Uses<'_> {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        self.hidden += usize::from(self.hides(query));
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        self.hidden -= usize::from(self.hides(query));
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(
        &mut self,
        factor: &mut TableFactor,
    ) -> ControlFlow<DataFusionError> {
        if let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = factor
            && self.hidden == 0
            && let Some(used) = single_name(name)
            && self.names.of(used) == self.old
        {
            let used = used.clone();
            alias.get_or_insert_with(|| table_alias(used));
            *name = ObjectName::from(vec![self.new.clone()]);
        }
        ControlFlow::Continue(())
    }
}
