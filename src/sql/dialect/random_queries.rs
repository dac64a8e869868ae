//! `WITH s AS (SELECT random() …)` that is used twice. DataFusion runs the query for each use, with
//! other numbers.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Cte, Expr, Query, TableFactor, VisitMut, Visitor, VisitorMut,
};

use crate::sql::syntax::{Names, function_name, single_name};
use crate::sql::walk::{find, step};

/// Functions that return another value at each call.
const RANDOM: [&str; 5] = ["gen_random_uuid", "rand", "random", "uuid", "uuidv4"];

/// Refuses queries of WITH that have random values and are used twice.
pub struct RandomQueries(pub Names);

impl RandomQueries {
    fn check(&self, query: &Query) -> Result<()> {
        let Some(with) = &query.with else {
            return Ok(());
        };
        let mut random: HashSet<String> = HashSet::new();
        for (place, cte) in with.cte_tables.iter().enumerate() {
            let name = self.0.of(&cte.alias.name);
            let mut source = Source {
                names: self.0,
                random: &random,
            };
            if !find(&mut cte.query.clone(), &mut source) {
                continue;
            }
            let mut later: Vec<Cte> = with.cte_tables[place + 1..].to_vec();
            let uses = self.uses(&mut later, &name) + self.uses(&mut query.body.clone(), &name);
            if uses > 1 {
                return plan_err!(
                    "the query '{name}' of WITH has random values, and would have other ones at each of its {uses} \
                     uses: write CREATE TABLE {name} AS SELECT … before"
                );
            }
            random.insert(name);
        }
        Ok(())
    }

    /// The number of times that a part reads a table.
    fn uses(&self, part: &mut impl VisitMut, name: &str) -> usize {
        let mut uses = Uses {
            names: self.0,
            name,
            count: 0,
        };
        find(part, &mut uses);
        uses.count
    }
}

impl VisitorMut for RandomQueries {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        step(self.check(query))
    }
}

/// Finds random values, and tables that have some.
struct Source<'a> {
    names: Names,
    random: &'a HashSet<String>,
}

impl Visitor for Source<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function)
                if function_name(function, self.names)
                    .is_some_and(|name| RANDOM.contains(&name.as_str())) =>
            {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match table(factor, self.names) {
            Some(name) if self.random.contains(&name) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Counts the uses of a table.
struct Uses<'a> {
    names: Names,
    name: &'a str,
    count: usize,
}

impl Visitor for Uses<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if table(factor, self.names).is_some_and(|name| name == self.name) {
            self.count += 1;
        }
        ControlFlow::Continue(())
    }
}

/// The name of a table without a schema.
fn table(factor: &TableFactor, names: Names) -> Option<String> {
    let TableFactor::Table {
        name, args: None, ..
    } = factor
    else {
        return None;
    };
    single_name(name).map(|name| names.of(name))
}
