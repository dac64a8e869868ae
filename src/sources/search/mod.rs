//! `search('idx/', 'query' [, limit] [, 'option', 'value', …])`: a table of hits, the best first.
//!
//! Its columns are the ids, the other columns that are stored, `score` and `snippet`.

mod options;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::builder::Float32Builder;
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{
    DataFusionError, Result, ScalarValue, exec_datafusion_err, internal_err, plan_datafusion_err,
    plan_err, project_schema,
};
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

pub use self::options::OPTIONS;
use self::options::search_options;
use super::arguments::{TableFunctionHelp, text, text_list};
use crate::options::{Options, help_of};
use crate::planning::statement::Opened;
use corpus_bytes::columns::ColumnType as Kind;
use corpus_bytes::record::Value;
use corpus_columns::ColumnBuilder;
use corpus_columns::record::{RecordColumn, data_type};
use corpus_search::{
    ColumnType, Row, SCORE, SNIPPET, Search, SearchError, SearchOptions, StoredValue, locations,
};

/// The name of the function.
pub const NAME: &str = "search";

/// A batch ends at this many bytes of text.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// The number of batches buffered ahead of the query.
const MAX_BUFFERED_BATCHES: usize = 2;

/// The documentation of the function.
pub fn help() -> TableFunctionHelp {
    TableFunctionHelp {
        name: NAME.to_owned(),
        syntax: format!("{NAME}(index, query [, limit] [, option, value] …)"),
        description: format!(
            "The hits of a full-text search, the best first: the columns stored in the index, \
             score and snippet. COPY … STORED AS SEARCH_INDEX makes an index.{}",
            help_of(OPTIONS)
        ),
    }
}

#[derive(Debug)]
pub struct SearchFunction;

impl TableFunctionImpl for SearchFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let usage = || {
            plan_datafusion_err!(
                "{NAME}('index', 'query', limit, 'option', 'value', …) takes the folder of an \
                 index (or an array of them), a query, the number of hits if not all of them are \
                 wanted, then pairs of option and value; all of them literals"
            )
        };
        let [location, query, rest @ ..] = args.exprs() else {
            return Err(usage());
        };
        let locations = text_list(location).ok_or_else(usage)?;
        let query = text(query).ok_or_else(usage)?;
        let (limit, pairs) = match rest {
            [first, others @ ..] if text(first).is_none() => {
                (limit(first).ok_or_else(usage)?, others)
            }
            pairs => (None, pairs),
        };
        if !pairs.len().is_multiple_of(2) {
            return Err(usage());
        }
        let given: HashMap<String, String> = pairs
            .chunks_exact(2)
            .map(|pair| Some((text(&pair[0])?, text(&pair[1])?)))
            .collect::<Option<_>>()
            .ok_or_else(usage)?;
        let options = search_options(limit, &Options::check(NAME, OPTIONS, &given)?);
        let call = SearchCall {
            locations,
            query,
            options,
        };
        Ok(Arc::new(SearchTable::open(call, args.session())?))
    }
}

/// The arguments of a search.
#[derive(Debug, Clone)]
struct SearchCall {
    locations: Vec<String>,
    query: String,
    options: SearchOptions,
}

fn planning(error: SearchError) -> DataFusionError {
    plan_datafusion_err!("{error}")
}

fn execution(error: SearchError) -> DataFusionError {
    exec_datafusion_err!("{error}")
}

/// Parses a limit: a number, or NULL for all hits. `None` for anything else.
fn limit(expr: &Expr) -> Option<Option<usize>> {
    match expr {
        Expr::Literal(value, _) if value.is_null() => Some(None),
        Expr::Literal(ScalarValue::Int64(Some(limit)), _) => usize::try_from(*limit).ok().map(Some),
        Expr::Literal(ScalarValue::UInt64(Some(limit)), _) => {
            usize::try_from(*limit).ok().map(Some)
        }
        _ => None,
    }
}

/// The content of a column of the table.
#[derive(Debug, Clone, Copy)]
enum Shown {
    /// The column with this place in the index's settings, and its type.
    Stored(usize, ColumnType),
    Score,
    Snippet,
}

impl Shown {
    fn data_type(self) -> DataType {
        match self {
            Self::Stored(_, kind) => data_type(kind_of(kind)),
            Self::Snippet => data_type(Kind::Text),
            Self::Score => DataType::Float32,
        }
    }
}

/// Returns the type of a table's column for a stored column.
fn kind_of(kind: ColumnType) -> Kind {
    match kind {
        ColumnType::Text => Kind::Text,
        ColumnType::Integer => Kind::Integer,
        ColumnType::Double => Kind::Double,
        ColumnType::Boolean => Kind::Boolean,
        ColumnType::Timestamp => Kind::Timestamp,
    }
}

/// Returns a stored value for its column; NULL if it has another type.
fn value_of(stored: &StoredValue, kind: ColumnType) -> Value<'_> {
    match (kind, stored) {
        (ColumnType::Text, StoredValue::Text(text)) => Value::Text(text),
        (ColumnType::Integer, StoredValue::Integer(number)) => Value::Integer(*number),
        (ColumnType::Double, StoredValue::Double(number)) => Value::Double(*number),
        (ColumnType::Boolean, StoredValue::Integer(number)) => Value::Boolean(*number != 0),
        (ColumnType::Timestamp, StoredValue::Integer(time)) => Value::Timestamp(*time),
        _ => Value::Null,
    }
}

#[derive(Debug)]
struct SearchTable {
    call: SearchCall,
    search: Arc<Search>,
    opened: Opened,
    shown: Vec<Shown>,
    schema: SchemaRef,
}

impl SearchTable {
    fn open(call: SearchCall, session: &dyn Session) -> Result<Self> {
        let mut folders = Vec::new();
        for location in &call.locations {
            folders.extend(locations::resolve(location).map_err(planning)?);
        }
        let search = Search::open(&folders).map_err(planning)?;
        search.check(&call.query, &call.options).map_err(planning)?;
        let mut shown = Vec::new();
        let mut fields = Vec::new();
        for (at, column) in search.columns() {
            let column_shown = Shown::Stored(at, column.kind);
            fields.push(Field::new(&column.name, column_shown.data_type(), true));
            shown.push(column_shown);
        }
        fields.push(Field::new(SCORE, Shown::Score.data_type(), false));
        shown.push(Shown::Score);
        fields.push(Field::new(SNIPPET, Shown::Snippet.data_type(), true));
        shown.push(Shown::Snippet);
        Ok(Self {
            call,
            search: Arc::new(search),
            opened: Opened::now(session),
            shown,
            schema: Arc::new(Schema::new(fields)),
        })
    }

    /// Returns the index. A view or a prepared statement that uses the table again opens the index again.
    fn search(&self, session: &dyn Session) -> Result<Arc<Search>> {
        if self.opened.in_this_statement(session) {
            return Ok(Arc::clone(&self.search));
        }
        let now = Self::open(self.call.clone(), session)?;
        if now.schema != self.schema {
            return plan_err!(
                "the columns of the index at '{}' have changed: create the view or the prepared \
                 statement again",
                self.call.locations.join("', '")
            );
        }
        Ok(now.search)
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
        let shown: Vec<Shown> = match projection {
            Some(places) => places.iter().map(|at| self.shown[*at]).collect(),
            None => self.shown.clone(),
        };
        // Hits are sorted by score, so a LIMIT takes the best ones.
        let mut options = self.call.options.clone();
        options.limit = match (options.limit, limit) {
            (Some(first), Some(second)) => Some(first.min(second)),
            (first, second) => first.or(second),
        };
        Ok(Arc::new(SearchExec::new(
            self.search(session)?,
            self.call.query.clone(),
            options,
            shown,
            schema,
        )))
    }
}

#[derive(Debug)]
struct SearchExec {
    search: Arc<Search>,
    query: String,
    options: SearchOptions,
    shown: Vec<Shown>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl SearchExec {
    fn new(
        search: Arc<Search>,
        query: String,
        options: SearchOptions,
        shown: Vec<Shown>,
        schema: SchemaRef,
    ) -> Self {
        let best_first = shown
            .iter()
            .position(|shown| matches!(shown, Shown::Score))
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
        write!(f, "SearchExec: query={}", self.query)?;
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

    fn apply_expressions(
        &self,
        _f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(
        &self,
        _partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let batch_rows = context.session_config().batch_size();
        let mut stream =
            RecordBatchReceiverStream::builder(Arc::clone(&self.schema), MAX_BUFFERED_BATCHES);
        let sender = stream.tx();
        let search = Arc::clone(&self.search);
        let (query, options) = (self.query.clone(), self.options.clone());
        let (shown, schema) = (self.shown.clone(), Arc::clone(&self.schema));
        stream.spawn_blocking(move || {
            let mut hits = search.find(&query, &options).map_err(execution)?;
            let stored: Vec<usize> = shown.iter().filter_map(Shown::place).collect();
            let snippets = shown.iter().any(|shown| matches!(shown, Shown::Snippet));
            let mut batch = Batch::new(&shown);
            for at in 0..hits.len() {
                let Some(row) = hits.row(at, &stored, snippets).map_err(execution)? else {
                    break;
                };
                batch.push(row);
                let full = batch.rows == batch_rows || batch.bytes >= MAX_BATCH_BYTES;
                if full {
                    let full = std::mem::replace(&mut batch, Batch::new(&shown));
                    if sender.blocking_send(full.finish(&schema)).is_err() {
                        // The query needs no more rows.
                        return Ok(());
                    }
                }
            }
            if batch.rows > 0 {
                // The receiver may be gone. Nobody needs the batch then.
                let _ = sender.blocking_send(batch.finish(&schema));
            }
            Ok(())
        });
        Ok(stream.build())
    }
}

impl Shown {
    fn place(&self) -> Option<usize> {
        match self {
            Self::Stored(place, _) => Some(*place),
            Self::Score | Self::Snippet => None,
        }
    }
}

/// The rows of the next batch.
struct Batch {
    columns: Vec<(Shown, Builder)>,
    rows: usize,
    bytes: usize,
}

enum Builder {
    Value(RecordColumn),
    Score(Float32Builder),
}

impl Batch {
    fn new(shown: &[Shown]) -> Self {
        let columns = shown.iter().map(|shown| {
            let builder = match shown {
                Shown::Stored(_, kind) => Builder::Value(RecordColumn::new(kind_of(*kind))),
                Shown::Snippet => Builder::Value(RecordColumn::new(Kind::Text)),
                Shown::Score => Builder::Score(Float32Builder::new()),
            };
            (*shown, builder)
        });
        Self {
            columns: columns.collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Appends a row. Its values are those of the stored columns, in their order.
    fn push(&mut self, row: Row) {
        let mut values = row.values.into_iter();
        for (shown, builder) in &mut self.columns {
            self.bytes += match (shown, builder) {
                (Shown::Stored(_, kind), Builder::Value(column)) => {
                    let stored = values.next().unwrap_or(StoredValue::Null);
                    column.append(value_of(&stored, *kind))
                }
                (_, Builder::Value(column)) => {
                    let snippet = row.snippet.as_deref();
                    column.append(snippet.map_or(Value::Null, Value::Text))
                }
                (_, Builder::Score(scores)) => {
                    scores.append_value(row.score);
                    size_of::<f32>()
                }
            };
        }
        self.rows += 1;
    }

    fn finish(self, schema: &SchemaRef) -> Result<RecordBatch> {
        let columns = self.columns.into_iter().map(|(_, builder)| match builder {
            Builder::Value(mut column) => column.finish(),
            Builder::Score(mut scores) => ColumnBuilder::finish(&mut scores),
        });
        let columns: Vec<ArrayRef> = columns.collect::<Result<_, ArrowError>>()?;
        // Without columns, the number of rows has to be given.
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?;
        Ok(batch)
    }
}
