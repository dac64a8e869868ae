//! Sorted views of results. DataFusion sorts the column with the numbers of its rows, and spills
//! what exceeds the memory; only the numbers are kept.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt64Type};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::{SessionContext, col};
use futures::StreamExt;

use super::cells;
use super::spool::{Space, Spool};

/// The name of the column with the numbers of rows.
const ROW: &str = "row";

/// The name of the column that is sorted.
const KEY: &str = "key";

/// A column by its index, and a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub column: usize,
    pub descending: bool,
}

/// Sorts the rows of a spool. Equal rows keep their order.
pub async fn sort(
    context: &SessionContext,
    spool: Arc<Spool>,
    order: Order,
    space: &Arc<Space>,
) -> Result<Spool> {
    let keys = Arc::new(Keys::new(spool, order.column));
    let schema = Arc::clone(keys.schema());
    let table = StreamingTable::try_new(schema, vec![keys])?;
    let sorted = context
        .read_table(Arc::new(table))?
        .sort(vec![
            col(KEY).sort(!order.descending, false),
            col(ROW).sort(true, false),
        ])?
        .select_columns(&[ROW])?;
    let schema = Arc::new(sorted.schema().as_arrow().clone());
    let rows = Spool::create(context, schema, space)?;
    let mut batches = sorted.execute_stream().await?;
    while let Some(batch) = batches.next().await {
        rows.write(&batch?)?;
    }
    Ok(rows)
}

/// Returns rows in an order, for the page, each with its number.
pub fn rows(
    spool: &Spool,
    order: &Spool,
    from: u64,
    count: u64,
) -> Result<(Vec<serde_json::Value>, Vec<u64>)> {
    let mut numbers = Vec::new();
    if count > 0 {
        order.read(from, None, |_, batch| {
            let column = batch.column(0).as_primitive::<UInt64Type>();
            let rest = count as usize - numbers.len();
            numbers.extend(column.values().iter().take(rest));
            Ok(numbers.len() < count as usize)
        })?;
    }
    let rows = spool.rows_at(&numbers)?;
    let rows = rows.iter().map(|row| cells::row(row, 0));
    Ok((rows.collect(), numbers))
}

/// One column of a spool, with the numbers of the rows.
struct Keys {
    spool: Arc<Spool>,
    column: usize,
    schema: SchemaRef,
}

impl Keys {
    fn new(spool: Arc<Spool>, column: usize) -> Self {
        let key = spool.schema.field(column).data_type().clone();
        let fields = vec![
            Field::new(KEY, key, true),
            Field::new(ROW, DataType::UInt64, false),
        ];
        Self {
            spool,
            column,
            schema: Arc::new(Schema::new(fields)),
        }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({})", self.column)
    }
}

impl PartitionStream for Keys {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStream::builder(Arc::clone(&self.schema), 1);
        let (sender, schema) = (stream.tx(), Arc::clone(&self.schema));
        let (spool, column) = (Arc::clone(&self.spool), self.column);
        stream.spawn_blocking(move || {
            spool.read(0, Some(&[column]), |first, batch| {
                let rows = (first..).take(batch.num_rows());
                let rows: ArrayRef = Arc::new(UInt64Array::from_iter_values(rows));
                let columns = vec![Arc::clone(batch.column(0)), rows];
                let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
                let batch = batch.map_err(DataFusionError::from);
                // The receiver is gone if nobody waits any more.
                Ok(sender.blocking_send(batch).is_ok())
            })
        });
        stream.build()
    }
}
