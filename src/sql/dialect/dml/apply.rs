//! Changes a table in memory, once all rows to change are known.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{Array, AsArray, BooleanArray, RecordBatch};
use datafusion::arrow::compute::{filter_record_batch, interleave};
use datafusion::arrow::datatypes::{SchemaRef, UInt64Type};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Constraint, Result, exec_datafusion_err, exec_err, plan_err};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use futures::TryStreamExt;

use super::keys;
use super::numbered::{Batches, Numbered};

/// A kind of change.
#[derive(Debug, Clone)]
pub enum Kind {
    Delete,
    /// The columns that get a value, in the order of the values.
    Update(Vec<usize>),
}

/// The table to change. It is given row numbers and new values as inserted rows.
#[derive(Debug)]
pub struct Changed {
    table: Arc<Numbered>,
    kind: Kind,
    name: String,
}

impl Changed {
    pub fn new(table: Arc<Numbered>, kind: Kind, name: String) -> Self {
        Self { table, kind, name }
    }

    pub fn verb(&self) -> &'static str {
        match self.kind {
            Kind::Delete => "deleted from",
            Kind::Update(_) => "updated in",
        }
    }
}

#[async_trait]
impl TableProvider for Changed {
    fn schema(&self) -> SchemaRef {
        self.table.table().schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        _projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan_err!(
            "'{}' is the target of a change and cannot be read",
            self.name
        )
    }

    async fn insert_into(
        &self,
        _state: &dyn Session,
        input: Arc<dyn ExecutionPlan>,
        _insert_op: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let sink = ChangeSink {
            table: Arc::clone(&self.table),
            kind: self.kind.clone(),
            name: self.name.clone(),
            schema: input.schema(),
        };
        Ok(Arc::new(DataSinkExec::new(input, Arc::new(sink), None)))
    }
}

/// Collects the rows, and then changes the table.
#[derive(Debug)]
struct ChangeSink {
    table: Arc<Numbered>,
    kind: Kind,
    name: String,
    schema: SchemaRef,
}

impl DisplayAs for ChangeSink {
    fn fmt_as(&self, _kind: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        let verb = match self.kind {
            Kind::Delete => "delete",
            Kind::Update(_) => "update",
        };
        write!(f, "ChangeSink({verb} {})", self.name)
    }
}

#[async_trait]
impl DataSink for ChangeSink {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    async fn write_all(
        &self,
        data: SendableRecordBatchStream,
        _context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let found: Vec<RecordBatch> = data.try_collect().await?;
        let scanned = self.table.scanned();
        let rows = scanned.iter().flatten().map(RecordBatch::num_rows).sum();
        let (places, count) = places(&found, rows)?;
        let schema = self.table.table().schema();
        let changed = match &self.kind {
            Kind::Delete => delete(&scanned, &places)?,
            Kind::Update(columns) => update(&scanned, &places, &found, columns, &schema)?,
        };
        if let (Kind::Update(columns), Some(constraints)) = (&self.kind, self.table.keys()) {
            let changes_key = |constraint: &Constraint| {
                let (Constraint::PrimaryKey(key) | Constraint::Unique(key)) = constraint;
                key.iter().any(|column| columns.contains(column))
            };
            if constraints.iter().any(changes_key) {
                let all: Vec<&RecordBatch> = changed.iter().flatten().collect();
                keys::check(&self.name, &schema, constraints, &all)?;
            }
        }
        self.replace(&scanned, changed).await?;
        Ok(count)
    }
}

impl ChangeSink {
    /// Replaces the batches of the table, unless another statement has done so since the scan.
    async fn replace(&self, scanned: &Batches, changed: Batches) -> Result<()> {
        let table = self.table.memory()?;
        let mut partitions = Vec::new();
        for partition in &table.batches {
            partitions.push(partition.write().await);
        }
        let is_same = partitions.len() == scanned.len()
            && partitions.iter().zip(scanned).all(|(now, before)| {
                now.len() == before.len()
                    && now
                        .iter()
                        .zip(before)
                        .all(|(now, before)| is_same(now, before))
            });
        if !is_same {
            return exec_err!(
                "another statement changed '{}' at the same time: run this one again",
                self.name
            );
        }
        if matches!(self.kind, Kind::Update(_)) {
            table.sort_order.lock().clear();
        }
        for (partition, changed) in partitions.iter_mut().zip(changed) {
            **partition = changed;
        }
        Ok(())
    }
}

/// Whether two batches share their values.
fn is_same(one: &RecordBatch, other: &RecordBatch) -> bool {
    let columns = one.columns().iter().zip(other.columns());
    one.num_rows() == other.num_rows()
        && columns
            .into_iter()
            .all(|(one, other)| Arc::ptr_eq(one, other))
}

/// The batch and row with the new values of each row of the table, and the number of changed rows.
/// The first of several rows with the same number counts.
type Places = Vec<Option<(usize, usize)>>;

fn places(found: &[RecordBatch], rows: usize) -> Result<(Places, u64)> {
    let mut places = vec![None; rows];
    let mut count = 0;
    for (number, batch) in found.iter().enumerate() {
        let numbers = batch.column(0).as_primitive::<UInt64Type>();
        for (index, row) in numbers.iter().enumerate() {
            let row = row.and_then(|row| usize::try_from(row).ok());
            let place = row.and_then(|row| places.get_mut(row));
            let place =
                place.ok_or_else(|| exec_datafusion_err!("a row to change has no number"))?;
            if place.is_none() {
                *place = Some((number, index));
                count += 1;
            }
        }
    }
    Ok((places, count))
}

/// Calls a function for each batch and the places of its rows. Batches without places stay as they
/// are.
fn change(
    scanned: &Batches,
    places: &Places,
    mut change: impl FnMut(&RecordBatch, &[Option<(usize, usize)>]) -> Result<RecordBatch>,
) -> Result<Batches> {
    let mut rest = places.as_slice();
    let mut partitions = Vec::new();
    for partition in scanned {
        let mut batches = Vec::new();
        for batch in partition {
            let (own, after) = rest.split_at(batch.num_rows().min(rest.len()));
            rest = after;
            let batch = if own.iter().any(Option::is_some) {
                change(batch, own)?
            } else {
                batch.clone()
            };
            if batch.num_rows() > 0 {
                batches.push(batch);
            }
        }
        partitions.push(batches);
    }
    Ok(partitions)
}

fn delete(scanned: &Batches, places: &Places) -> Result<Batches> {
    change(scanned, places, |batch, own| {
        let kept = own.iter().map(|place| Some(place.is_none()));
        Ok(filter_record_batch(batch, &BooleanArray::from_iter(kept))?)
    })
}

fn update(
    scanned: &Batches,
    places: &Places,
    found: &[RecordBatch],
    columns: &[usize],
    schema: &SchemaRef,
) -> Result<Batches> {
    change(scanned, places, |batch, own| {
        // The value of each row is in its own batch, or in one of those found.
        let indices: Vec<(usize, usize)> = own
            .iter()
            .enumerate()
            .map(|(row, place)| place.map_or((0, row), |(number, index)| (number + 1, index)))
            .collect();
        let mut values = batch.columns().to_vec();
        for (number, column) in columns.iter().enumerate() {
            let sources = std::iter::once(batch.column(*column))
                .chain(found.iter().map(|found| found.column(number + 1)));
            let sources: Vec<&dyn Array> = sources.map(AsRef::as_ref).collect();
            let new = interleave(&sources, &indices)?;
            keys::check_column(schema.field(*column), &new)?;
            if let Some(value) = values.get_mut(*column) {
                *value = new;
            }
        }
        Ok(RecordBatch::try_new(Arc::clone(schema), values)?)
    })
}
