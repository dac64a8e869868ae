//! The rows of a result in a temporary file.
//!
//! The file is a sequence of small Arrow streams of one batch each, so that rows are read from
//! anywhere while more are written. It is in the folder for spilled data, counts for the same
//! limit, and is removed with the spool.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::common::{Result, exec_err};
use datafusion::execution::spill_file::{SpillFile, SpillWriter};
use datafusion::prelude::SessionContext;
use parking_lot::Mutex;

/// The maximum number of rows of a part. A page of a sorted result may read a part for each row.
pub const MAX_PART_ROWS: usize = 1024;

/// The size that parts should have.
pub const PART_BYTES: usize = 1 << 20;

/// The maximum size of all spools together.
const MAX_BYTES: u64 = 8 << 30;

/// The bytes of all spools of a page.
#[derive(Debug, Default)]
pub struct Space(AtomicU64);

impl Space {
    /// Whether older results have to make room.
    pub fn is_full(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MAX_BYTES - MAX_BYTES / 8
    }
}

/// A batch in the file.
#[derive(Debug, Clone, Copy)]
struct SpooledBatch {
    offset: u64,
    bytes: u64,
    first_row: u64,
    rows: u64,
}

/// Rows in a file.
pub struct Spool {
    pub schema: SchemaRef,
    file: Arc<dyn SpillFile>,
    writer: Mutex<Box<dyn SpillWriter>>,
    space: Arc<Space>,
    parts: Mutex<Vec<SpooledBatch>>,
}

impl Spool {
    pub fn create(context: &SessionContext, schema: SchemaRef, space: &Arc<Space>) -> Result<Self> {
        // Batches may contain NULLs where their plan declares none.
        let fields = schema.fields().iter();
        let fields = fields.map(|field| field.as_ref().clone().with_nullable(true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let file = context
            .runtime_env()
            .disk_manager
            .create_tmp_file("the rows of a result")?;
        Ok(Self {
            schema,
            writer: Mutex::new(file.open_writer()?),
            file,
            space: Arc::clone(space),
            parts: Mutex::default(),
        })
    }

    /// The number of rows written so far.
    pub fn rows(&self) -> u64 {
        let parts = self.parts.lock();
        parts.last().map_or(0, |part| part.first_row + part.rows)
    }

    pub fn bytes(&self) -> u64 {
        let parts = self.parts.lock();
        parts.last().map_or(0, |part| part.offset + part.bytes)
    }

    /// Appends rows. There is one writer.
    pub fn write(&self, batch: &RecordBatch) -> Result<()> {
        let rows = batch.num_rows();
        let row_bytes = batch.get_array_memory_size() / rows.max(1);
        let step = (PART_BYTES / row_bytes.max(1)).clamp(1, MAX_PART_ROWS);
        for start in (0..rows).step_by(step) {
            self.write_part(&batch.slice(start, step.min(rows - start)))?;
        }
        Ok(())
    }

    fn write_part(&self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().map(without_unused_bytes);
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect())?;
        let mut stream = StreamWriter::try_new(Vec::new(), &self.schema)?;
        stream.write(&batch)?;
        let bytes = stream.into_inner()?;
        let part = SpooledBatch {
            offset: self.bytes(),
            bytes: bytes.len() as u64,
            first_row: self.rows(),
            rows: batch.num_rows() as u64,
        };
        let used = self.space.0.fetch_add(part.bytes, Ordering::Relaxed) + part.bytes;
        let written = {
            let mut writer = self.writer.lock();
            writer.write_all(&bytes).and_then(|()| writer.flush())
        };
        if let Err(error) = written {
            self.space.0.fetch_sub(part.bytes, Ordering::Relaxed);
            return Err(error.into());
        }
        self.parts.lock().push(part);
        if used > MAX_BYTES {
            return exec_err!(
                "the rows of this page's results exceed {} GiB: add LIMIT, or write them to a \
                 file with COPY (…) TO 'result.parquet'",
                MAX_BYTES >> 30
            );
        }
        Ok(())
    }

    /// Calls `take` with the rows from `from` on, as batches with the number of their first row,
    /// until it returns `false`. `columns` are the columns to read.
    pub fn read(
        &self,
        from: u64,
        columns: Option<&[usize]>,
        mut take: impl FnMut(u64, RecordBatch) -> Result<bool>,
    ) -> Result<()> {
        let mut file = self.open()?;
        let mut index = self.part_of(from);
        loop {
            let Some(part) = self.parts.lock().get(index).copied() else {
                return Ok(());
            };
            let batch = read_part(&mut file, part, columns)?;
            let skipped = from.saturating_sub(part.first_row).min(part.rows);
            let rest = batch.slice(skipped as usize, (part.rows - skipped) as usize);
            if !take(part.first_row + skipped, rest)? {
                return Ok(());
            }
            index += 1;
        }
    }

    /// Returns single rows, in this order.
    pub fn rows_at(&self, rows: &[u64]) -> Result<Vec<RecordBatch>> {
        let mut file = self.open()?;
        let mut last: Option<(usize, RecordBatch)> = None;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let index = self.part_of(*row);
            let Some(part) = self.parts.lock().get(index).copied() else {
                return exec_err!("there is no row {row}");
            };
            let batch = match last.take() {
                Some((of, batch)) if of == index => batch,
                _ => read_part(&mut file, part, None)?,
            };
            found.push(batch.slice((row - part.first_row) as usize, 1));
            last = Some((index, batch));
        }
        Ok(found)
    }

    fn open(&self) -> Result<File> {
        match self.file.path() {
            Some(path) => Ok(File::open(path)?),
            None => exec_err!("results need a temporary folder on this machine"),
        }
    }

    /// The index of the part with a row; that after the last part for rows after the last one.
    fn part_of(&self, row: u64) -> usize {
        let parts = self.parts.lock();
        parts.partition_point(|part| part.first_row + part.rows <= row)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        self.space.0.fetch_sub(self.bytes(), Ordering::Relaxed);
    }
}

fn read_part(
    file: &mut File,
    part: SpooledBatch,
    columns: Option<&[usize]>,
) -> Result<RecordBatch> {
    let mut bytes = vec![0; part.bytes as usize];
    file.seek(SeekFrom::Start(part.offset))?;
    file.read_exact(&mut bytes)?;
    let mut stream = StreamReader::try_new(bytes.as_slice(), columns.map(<[_]>::to_vec))?;
    match stream.next() {
        Some(batch) => Ok(batch?),
        None => exec_err!("the temporary file of the result has changed"),
    }
}

/// Copies the bytes that a column of views uses. A slice would be written with all bytes of the
/// column that it is from.
fn without_unused_bytes(column: &ArrayRef) -> ArrayRef {
    match column.data_type() {
        DataType::Utf8View => Arc::new(column.as_string_view().gc()),
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
        _ => Arc::clone(column),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{Int64Array, StringViewArray};
    use datafusion::arrow::datatypes::Field;

    use super::*;
    use crate::session::{SessionOptions, session};

    fn batch(from: i64, rows: i64) -> RecordBatch {
        let numbers: Vec<i64> = (from..from + rows).collect();
        let texts = numbers
            .iter()
            .map(|n| Some(format!("the text of number {n}")));
        let schema = Schema::new(vec![
            Field::new("n", DataType::Int64, true),
            Field::new("t", DataType::Utf8View, true),
        ]);
        let columns: [ArrayRef; 2] = [
            Arc::new(Int64Array::from(numbers.clone())),
            Arc::new(StringViewArray::from_iter(texts)),
        ];
        RecordBatch::try_new(Arc::new(schema), columns.into()).unwrap()
    }

    fn numbers(batch: &RecordBatch) -> Vec<i64> {
        let column = batch.column_by_name("n").unwrap();
        let column = column.as_primitive::<datafusion::arrow::datatypes::Int64Type>();
        column.values().to_vec()
    }

    #[tokio::test]
    async fn rows_are_read_from_anywhere() {
        let context = session(&SessionOptions::default()).unwrap();
        let space = Arc::new(Space::default());
        let first = batch(0, 5000);
        let spool = Spool::create(&context, first.schema(), &space).unwrap();
        spool.write(&first).unwrap();
        spool.write(&batch(5000, 10)).unwrap();
        assert_eq!(spool.rows(), 5010);
        let mut read = Vec::new();
        spool
            .read(4090, Some(&[0]), |first, batch| {
                assert_eq!(numbers(&batch)[0], first as i64);
                assert_eq!(batch.num_columns(), 1);
                read.extend(numbers(&batch));
                Ok(true)
            })
            .unwrap();
        assert_eq!(read, (4090..5010).collect::<Vec<_>>());
        let rows = spool.rows_at(&[5009, 0, 1024, 1025]).unwrap();
        let rows: Vec<_> = rows.iter().flat_map(numbers).collect();
        assert_eq!(rows, [5009, 0, 1024, 1025]);
        assert!(spool.rows_at(&[5010]).is_err());
        spool
            .read(5010, None, |_, _| panic!("there are no more rows"))
            .unwrap();
        // Parts have no bytes of other parts.
        assert!(spool.bytes() < 500_000, "{}", spool.bytes());
        assert_eq!(space.0.load(Ordering::Relaxed), spool.bytes());
        let path = spool.file.path().unwrap().to_owned();
        drop(spool);
        assert!(!path.exists());
        assert_eq!(space.0.load(Ordering::Relaxed), 0);
    }
}
