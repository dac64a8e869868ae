//! The table of one query.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Result, internal_err, project_schema};
use datafusion::datasource::{TableProvider, TableType};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_expr::expressions::Column as ColumnExpr;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};

use super::rows::{HitColumn, HitRows, schema_of};
use super::{Indexes, exec_error};
use crate::operator::no_expressions;
use crate::planner::lateral::LateralRows;
use crate::planner::reopened_tables::TableOpening;
use corpus_search::{SCORE, Search, SearchOptions};

/// A batch ends at this many bytes of text.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// The number of batches buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

#[derive(Debug)]
pub struct SearchTable {
    indexes: Indexes,
    /// NULL finds nothing.
    query: Option<String>,
    options: SearchOptions,
    search: Arc<Search>,
    opened: TableOpening,
    shown: Vec<HitColumn>,
    schema: SchemaRef,
}

impl SearchTable {
    pub fn open(
        indexes: Indexes,
        query: Option<String>,
        options: SearchOptions,
        session: &dyn Session,
    ) -> Result<Self> {
        let search = indexes.open(query.as_deref(), &options, session)?;
        let columns = HitColumn::all(&search);
        Ok(Self {
            indexes,
            query,
            options,
            search: Arc::new(search),
            opened: TableOpening::now(session),
            shown: columns.iter().map(|(_, shown)| *shown).collect(),
            schema: schema_of(&columns, |shown| !matches!(shown, HitColumn::Score)),
        })
    }

    /// Returns the index. If a view uses the table later, the index is opened again.
    fn search(&self, session: &dyn Session) -> Result<Arc<Search>> {
        if self.opened.in_this_statement(session) {
            return Ok(Arc::clone(&self.search));
        }
        let (indexes, query) = (self.indexes.clone(), self.query.clone());
        let now = Self::open(indexes, query, self.options.clone(), session)?;
        if now.schema == self.schema {
            Ok(now.search)
        } else {
            Err(self.indexes.changed())
        }
    }
}

#[async_trait]
impl TableProvider for SearchTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = project_schema(&self.schema, projection)?;
        let shown: Vec<HitColumn> = match projection {
            Some(places) => places.iter().map(|at| self.shown[*at]).collect(),
            None => self.shown.clone(),
        };
        // Hits are sorted by score, so a LIMIT takes the best ones.
        let mut options = self.options.clone();
        options.limit = match (options.limit, limit) {
            (Some(first), Some(second)) => Some(first.min(second)),
            (first, second) => first.or(second),
        };
        Ok(Arc::new(SearchExec::new(
            self.search(session)?,
            self.query.clone(),
            options,
            shown,
            schema,
        )))
    }
}

#[derive(Debug)]
struct SearchExec {
    search: Arc<Search>,
    query: Option<String>,
    options: SearchOptions,
    shown: Vec<HitColumn>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl SearchExec {
    fn new(
        search: Arc<Search>,
        query: Option<String>,
        options: SearchOptions,
        shown: Vec<HitColumn>,
        schema: SchemaRef,
    ) -> Self {
        let best_first = shown
            .iter()
            .position(|shown| matches!(shown, HitColumn::Score))
            .map(|at| {
                let score: Arc<dyn PhysicalExpr> = Arc::new(ColumnExpr::new(SCORE, at));
                let descending = SortOptions {
                    descending: true,
                    nulls_first: true,
                };
                vec![PhysicalSortExpr::new(score, descending)]
            });
        let equivalences =
            EquivalenceProperties::new_with_orderings(Arc::clone(&schema), best_first);
        let properties = PlanProperties::new(
            equivalences,
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self {
            search,
            query,
            options,
            shown,
            schema,
            properties: Arc::new(properties),
        }
    }
}

impl DisplayAs for SearchExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query = self.query.as_deref().unwrap_or("NULL");
        write!(f, "SearchExec: query={query}")?;
        match self.options.limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for SearchExec {
    fn name(&self) -> &str {
        "SearchExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if !children.is_empty() {
            return internal_err!("SearchExec has no input");
        }
        Ok(self)
    }

    no_expressions!();

    fn execute(
        &self,
        _partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let batch_rows = context.session_config().batch_size();
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&self.schema), MAX_BUFFERED_BATCHES);
        let sender = stream.tx();
        let mut rows = HitRows::new(
            Arc::clone(&self.search),
            self.options.clone(),
            &self.shown,
            Arc::clone(&self.schema),
        );
        let query = self.query.clone();
        stream.spawn_blocking(move || {
            if let Some(query) = query {
                rows.find(&query).map_err(exec_error)?;
            }
            let mut bytes = 0;
            while let Some(row) = rows.append_next()? {
                bytes += row;
                if rows.len() == batch_rows || bytes >= MAX_BATCH_BYTES {
                    bytes = 0;
                    if sender.blocking_send(rows.finish()).is_err() {
                        // The query needs no more rows.
                        return Ok(());
                    }
                }
            }
            if rows.len() > 0 {
                // The receiver may be gone; ignore the failure to send.
                let _ = sender.blocking_send(rows.finish());
            }
            Ok(())
        });
        Ok(stream.build())
    }
}
