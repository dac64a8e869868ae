//! The rows of hits, as Arrow batches.

use std::sync::Arc;

use datafusion::arrow::array::builder::Float32Builder;
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::common::Result;

use super::exec_error;
use crate::planner::lateral::LateralRows;
use corpus_bytes::columns::ColumnType as Kind;
use corpus_bytes::record::Value;
use corpus_columns::ColumnBuilder;
use corpus_columns::record::{RecordColumn, data_type};
use corpus_search::{
    ColumnType, Hits, Row, SCORE, SNIPPET, Search, SearchError, SearchOptions, StoredValue,
};

/// The column with the error of a row's query.
const QUERY_ERROR: &str = "query_error";

/// The content of a column of the table.
#[derive(Debug, Clone, Copy)]
pub enum HitColumn {
    /// The stored column with this index in the settings, and its type.
    Stored(usize, ColumnType),
    Score,
    Snippet,
    Error,
}

impl HitColumn {
    /// Returns the columns of a search, with their names.
    pub fn all(search: &Search) -> Vec<(String, Self)> {
        let stored = search.columns().into_iter();
        let stored =
            stored.map(|(at, column)| (column.name.clone(), Self::Stored(at, column.kind)));
        let scored = [(SCORE, Self::Score), (SNIPPET, Self::Snippet)];
        let scored = scored.map(|(name, shown)| (name.to_owned(), shown));
        stored.chain(scored).collect()
    }

    /// Returns the columns of searches whose query is a column.
    pub fn all_of_queries(search: &Search) -> Vec<(String, Self)> {
        let mut all = Self::all(search);
        all.push((QUERY_ERROR.to_owned(), Self::Error));
        all
    }

    pub fn field(self, name: &str, is_nullable: bool) -> Field {
        Field::new(name, self.data_type(), is_nullable)
    }

    fn data_type(self) -> DataType {
        match self {
            Self::Stored(_, kind) => data_type(kind_of(kind)),
            Self::Snippet | Self::Error => data_type(Kind::Text),
            Self::Score => DataType::Float32,
        }
    }

    fn place(self) -> Option<usize> {
        match self {
            Self::Stored(place, _) => Some(place),
            Self::Score | Self::Snippet | Self::Error => None,
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

fn text_or_null(text: Option<&str>) -> Value<'_> {
    text.map_or(Value::Null, Value::Text)
}

/// Runs queries one after the other, and builds batches of their hits.
pub struct HitRows {
    search: Arc<Search>,
    options: SearchOptions,
    schema: SchemaRef,
    stored: Vec<usize>,
    has_snippets: bool,
    columns: Vec<(HitColumn, Builder)>,
    /// The number of rows in the batch.
    rows: usize,
    current: Current,
}

/// The remaining rows of the current query.
enum Current {
    Hits { hits: Box<Hits>, next: usize },
    Error(String),
    Nothing,
}

enum Builder {
    Value(RecordColumn),
    Score(Float32Builder),
}

impl HitRows {
    pub fn new(
        search: Arc<Search>,
        options: SearchOptions,
        shown: &[HitColumn],
        schema: SchemaRef,
    ) -> Self {
        let columns = shown.iter().map(|shown| {
            let builder = match shown {
                HitColumn::Stored(_, kind) => Builder::Value(RecordColumn::new(kind_of(*kind))),
                HitColumn::Snippet | HitColumn::Error => {
                    Builder::Value(RecordColumn::new(Kind::Text))
                }
                HitColumn::Score => Builder::Score(Float32Builder::new()),
            };
            (*shown, builder)
        });
        Self {
            search,
            options,
            schema,
            stored: shown.iter().filter_map(|shown| shown.place()).collect(),
            has_snippets: shown
                .iter()
                .any(|shown| matches!(shown, HitColumn::Snippet)),
            columns: columns.collect(),
            rows: 0,
            current: Current::Nothing,
        }
    }

    /// Continues with the hits of a query.
    pub fn find(&mut self, query: &str) -> Result<(), SearchError> {
        let hits = self.search.find(query, &self.options)?;
        let hits = Box::new(hits);
        self.current = Current::Hits { hits, next: 0 };
        Ok(())
    }

    /// The number of rows in the batch.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Appends a row, and returns its size. The values are those of the stored columns, in their
    /// order.
    fn append(&mut self, row: Option<Row>, error: Option<&str>) -> usize {
        let (values, score, snippet) = match row {
            Some(row) => (row.values, Some(row.score), row.snippet),
            None => (Vec::new(), None, None),
        };
        let mut values = values.into_iter();
        let mut bytes = 0;
        for (shown, builder) in &mut self.columns {
            bytes += match (shown, builder) {
                (HitColumn::Stored(_, kind), Builder::Value(column)) => {
                    let stored = values.next().unwrap_or(StoredValue::Null);
                    column.append(value_of(&stored, *kind))
                }
                (HitColumn::Error, Builder::Value(column)) => column.append(text_or_null(error)),
                (_, Builder::Value(column)) => column.append(text_or_null(snippet.as_deref())),
                (_, Builder::Score(scores)) => {
                    scores.append_option(score);
                    size_of::<f32>()
                }
            };
        }
        self.rows += 1;
        bytes
    }
}

impl LateralRows for HitRows {
    /// Starts a query. An invalid one becomes a row with its error.
    fn begin(&mut self, query: Option<&str>) -> Result<()> {
        self.current = Current::Nothing;
        match query.map_or(Ok(()), |query| self.find(query)) {
            Err(error @ SearchError::Query { .. }) => {
                self.current = Current::Error(error.to_string());
                Ok(())
            }
            found => found.map_err(exec_error),
        }
    }

    fn append_next(&mut self) -> Result<Option<usize>> {
        let (row, error) = match &mut self.current {
            Current::Hits { hits, next } => {
                let row = hits.row(*next, &self.stored, self.has_snippets);
                *next += 1;
                match row.map_err(exec_error)? {
                    Some(row) => (Some(row), None),
                    None => return Ok(None),
                }
            }
            Current::Error(error) => (None, Some(std::mem::take(error))),
            Current::Nothing => return Ok(None),
        };
        if error.is_some() {
            self.current = Current::Nothing;
        }
        Ok(Some(self.append(row, error.as_deref())))
    }

    fn append_nulls(&mut self) {
        self.append(None, None);
    }

    fn finish(&mut self) -> Result<RecordBatch> {
        let columns = self.columns.iter_mut().map(|(_, builder)| match builder {
            Builder::Value(column) => column.finish(),
            Builder::Score(scores) => ColumnBuilder::finish(scores),
        });
        let columns: Vec<ArrayRef> = columns.collect::<Result<_, ArrowError>>()?;
        // A batch without columns cannot infer its number of rows.
        let rows = std::mem::take(&mut self.rows);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::clone(&self.schema);
        Ok(RecordBatch::try_new_with_options(
            schema, columns, &options,
        )?)
    }
}

/// The schema of these columns.
pub fn schema_of(
    columns: &[(String, HitColumn)],
    is_nullable: impl Fn(HitColumn) -> bool,
) -> SchemaRef {
    let fields = columns.iter();
    let fields = fields.map(|(name, shown)| shown.field(name, is_nullable(*shown)));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}
