//! The table of a query per row.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::Result;

use super::rows::{HitColumn, HitRows, schema_of};
use super::{Indexes, Search, SearchOptions};
use crate::planner::lateral::{LateralRows, LateralTable};
use crate::planner::reopened_tables::TableOpening;

/// The hits of any query. The indexes are opened once for all of them.
#[derive(Debug)]
pub struct SearchPerRow {
    indexes: Indexes,
    options: SearchOptions,
    search: Arc<Search>,
    opened: TableOpening,
    columns: Vec<(String, HitColumn)>,
    schema: SchemaRef,
}

impl SearchPerRow {
    pub fn open(indexes: Indexes, options: SearchOptions, session: &dyn Session) -> Result<Self> {
        let search = indexes.open(None, &options, session)?;
        let columns = HitColumn::all_of_queries(&search);
        Ok(Self {
            indexes,
            options,
            search: Arc::new(search),
            opened: TableOpening::now(session),
            schema: schema_of(&columns, |_| true),
            columns,
        })
    }
}

impl LateralTable for SearchPerRow {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn in_statement(self: Arc<Self>, session: &dyn Session) -> Result<Arc<dyn LateralTable>> {
        if self.opened.in_this_statement(session) {
            return Ok(self);
        }
        let now = Self::open(self.indexes.clone(), self.options.clone(), session)?;
        if now.schema == self.schema {
            Ok(Arc::new(now))
        } else {
            Err(self.indexes.changed())
        }
    }

    fn rows(&self, columns: &[usize]) -> Box<dyn LateralRows> {
        let columns: Vec<_> = columns.iter().map(|at| self.columns[*at].clone()).collect();
        let shown: Vec<HitColumn> = columns.iter().map(|(_, shown)| *shown).collect();
        Box::new(HitRows::new(
            Arc::clone(&self.search),
            self.options.clone(),
            &shown,
            schema_of(&columns, |_| true),
        ))
    }
}
