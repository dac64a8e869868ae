//! Gathers small batches. A scan of small files returns one batch for each, and every operator
//! above it takes some microseconds per batch and column.

use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll};

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream};
use futures::{Stream, StreamExt};

/// The number of rows after which a batch is passed on.
const MAX_ROWS: usize = 64;

/// The number of bytes after which a batch is passed on. Copying them takes less time than an
/// operator takes for a batch.
const MAX_BYTES: usize = 256 << 10;

/// Gathers the batches that the input has ready.
pub struct SmallBatches {
    input: SendableRecordBatchStream,
    gathered: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    /// The item that the input returned after the gathered batches.
    next: Option<Option<Result<RecordBatch>>>,
}

impl SmallBatches {
    pub fn new(input: SendableRecordBatchStream) -> Self {
        Self {
            input,
            gathered: Vec::new(),
            rows: 0,
            bytes: 0,
            next: None,
        }
    }

    fn is_full(&self) -> bool {
        self.rows >= MAX_ROWS || self.bytes >= MAX_BYTES
    }

    /// The gathered rows as one batch.
    fn flush(&mut self) -> Result<RecordBatch> {
        (self.rows, self.bytes) = (0, 0);
        let mut gathered = take(&mut self.gathered);
        match gathered.pop() {
            Some(only) if gathered.is_empty() => Ok(only),
            last => {
                gathered.extend(last);
                Ok(concat_batches(&self.input.schema(), &gathered)?)
            }
        }
    }
}

impl Stream for SmallBatches {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let next = match self.next.take() {
                Some(next) => next,
                None => match self.input.poll_next_unpin(context) {
                    Poll::Ready(next) => next,
                    Poll::Pending if self.gathered.is_empty() => return Poll::Pending,
                    Poll::Pending => return Poll::Ready(Some(self.flush())),
                },
            };
            match next {
                Some(Ok(batch)) => {
                    let (rows, bytes) = (batch.num_rows(), size_of_rows(&batch));
                    if !self.gathered.is_empty() && bytes >= MAX_BYTES {
                        // A large batch is not copied.
                        self.next = Some(Some(Ok(batch)));
                        return Poll::Ready(Some(self.flush()));
                    }
                    self.rows += rows;
                    self.bytes += bytes;
                    self.gathered.push(batch);
                    if self.is_full() {
                        return Poll::Ready(Some(self.flush()));
                    }
                }
                end_or_error if self.gathered.is_empty() => return Poll::Ready(end_or_error),
                end_or_error => {
                    self.next = Some(end_or_error);
                    return Poll::Ready(Some(self.flush()));
                }
            }
        }
    }
}

/// The bytes of the values, without the unused space of buffers.
fn size_of_rows(batch: &RecordBatch) -> usize {
    let columns = batch.columns().iter();
    let sizes = columns.map(|column| {
        column
            .to_data()
            .get_slice_memory_size()
            .unwrap_or(MAX_BYTES)
    });
    sizes.sum()
}

impl RecordBatchStream for SmallBatches {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, StringArray};
    use datafusion::common::exec_err;
    use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
    use futures::{FutureExt, stream};

    use super::*;

    fn batch(texts: &[&str]) -> RecordBatch {
        let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        RecordBatch::try_from_iter([("text", column)]).unwrap()
    }

    /// The number of rows of each batch, -1 for an error, -2 for a wait.
    fn gathered(polls: Vec<Poll<Result<RecordBatch>>>) -> Vec<i64> {
        let schema = batch(&["a"]).schema();
        let mut polls = polls.into_iter();
        let input = stream::poll_fn(move |context| match polls.next() {
            Some(Poll::Pending) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Some(Poll::Ready(batch)) => Poll::Ready(Some(batch)),
            None => Poll::Ready(None),
        });
        let input = Box::pin(RecordBatchStreamAdapter::new(schema, input));
        let mut batches = SmallBatches::new(input);
        let mut found = Vec::new();
        loop {
            match batches.next().now_or_never() {
                Some(Some(Ok(batch))) => found.push(batch.num_rows() as i64),
                Some(Some(Err(_))) => found.push(-1),
                Some(None) => return found,
                None => found.push(-2),
            }
        }
    }

    fn ready(batch: RecordBatch) -> Poll<Result<RecordBatch>> {
        Poll::Ready(Ok(batch))
    }

    #[test]
    fn only_small_batches_that_are_ready_are_gathered() {
        let long = "x".repeat(MAX_BYTES);
        let small = || ready(batch(&["a", "b"]));
        let many: Vec<_> = (0..MAX_ROWS).map(|_| small()).collect();
        let half = MAX_ROWS as i64;
        for (polls, expected) in [
            (vec![], vec![]),
            (vec![small(), small(), small()], vec![6]),
            (many, vec![half, half]),
            (vec![small(), Poll::Pending, small()], vec![2, 2]),
            (vec![Poll::Pending, small()], vec![-2, 2]),
            (
                vec![small(), ready(batch(&[&long])), small()],
                vec![2, 1, 2],
            ),
            (
                vec![small(), small(), Poll::Ready(exec_err!("damaged")), small()],
                vec![4, -1, 2],
            ),
        ] {
            assert_eq!(gathered(polls), expected);
        }
    }
}
