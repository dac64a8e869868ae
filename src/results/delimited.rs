//! CSV, TSV and JSON, written by Arrow.

use std::io::Write;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv::WriterBuilder as CsvBuilder;
use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::json::writer::LineDelimited;
use datafusion::error::Result;

use super::ResultWriter;
use crate::nested_as_json::{flatten, json_lines, write_json};

enum Kind {
    /// The delimiter.
    Separated(u8),
    JsonLines,
    JsonArray,
}

pub struct DelimitedWriter {
    kind: Kind,
    rows: usize,
}

impl DelimitedWriter {
    pub fn csv() -> Self {
        Self::new(Kind::Separated(b','))
    }

    pub fn tsv() -> Self {
        Self::new(Kind::Separated(b'\t'))
    }

    pub fn json_lines() -> Self {
        Self::new(Kind::JsonLines)
    }

    pub fn json_array() -> Self {
        Self::new(Kind::JsonArray)
    }

    fn new(kind: Kind) -> Self {
        Self { kind, rows: 0 }
    }
}

impl ResultWriter for DelimitedWriter {
    fn begin(&mut self, schema: &Schema, out: &mut dyn Write) -> Result<()> {
        match self.kind {
            Kind::Separated(delimiter) => {
                let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
                write_separated(&empty, delimiter, true, out)
            }
            Kind::JsonLines => Ok(()),
            Kind::JsonArray => Ok(out.write_all(b"[")?),
        }
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        match self.kind {
            Kind::Separated(delimiter) => write_separated(batch, delimiter, false, out)?,
            Kind::JsonLines => write_json::<LineDelimited>(batch, out)?,
            Kind::JsonArray => {
                for line in json_lines(batch)?.lines() {
                    let separator = if self.rows == 0 { "\n" } else { ",\n" };
                    write!(out, "{separator}{line}")?;
                    self.rows += 1;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if matches!(self.kind, Kind::JsonArray) {
            out.write_all(if self.rows == 0 { b"]\n" } else { b"\n]\n" })?;
        }
        Ok(())
    }
}

fn write_separated(
    batch: &RecordBatch,
    delimiter: u8,
    header: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let batch = flatten(batch)?;
    let mut writer = CsvBuilder::new()
        .with_header(header)
        .with_delimiter(delimiter)
        .build(out);
    Ok(writer.write(&batch)?)
}

#[cfg(test)]
mod tests {
    use super::super::testing::written;
    use super::*;
    use datafusion::arrow::array::{ArrayRef, BinaryArray, Int64Array, ListArray, StringArray};
    use datafusion::arrow::datatypes::Int64Type;

    fn batch() -> RecordBatch {
        let lists =
            ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), None]), None]);
        RecordBatch::try_from_iter_with_nullable([
            (
                "n",
                Arc::new(Int64Array::from(vec![Some(1), None])) as ArrayRef,
                true,
            ),
            (
                "text",
                Arc::new(StringArray::from(vec!["a,\"b\"", "日\n本"])) as ArrayRef,
                true,
            ),
            ("list", Arc::new(lists) as ArrayRef, true),
            (
                "bytes",
                Arc::new(BinaryArray::from(vec![&b"\xff\x00"[..], b""])) as ArrayRef,
                true,
            ),
        ])
        .unwrap()
    }

    #[test]
    fn csv_with_nested_and_binary_values() {
        assert_eq!(
            written(DelimitedWriter::csv(), &[batch()]),
            "n,text,list,bytes\n1,\"a,\"\"b\"\"\",\"[1,null]\",ff00\n,\"日\n本\",,\n"
        );
    }

    #[test]
    fn json_arrays_and_lines() {
        let row = "{\"n\":1,\"text\":\"a,\\\"b\\\"\",\"list\":[1,null],\"bytes\":\"ff00\"}";
        let lines = written(DelimitedWriter::json_lines(), &[batch()]);
        assert_eq!(lines.lines().next(), Some(row));
        let array = written(DelimitedWriter::json_array(), &[batch(), batch()]);
        assert!(array.starts_with(&format!("[\n{row},\n")), "{array}");
        assert!(array.ends_with("}\n]\n"), "{array}");
        let empty = RecordBatch::new_empty(batch().schema());
        assert_eq!(written(DelimitedWriter::json_array(), &[empty]), "[]\n");
    }
}
