//! Results as Excel files.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;

use super::ResultWriter;
use super::cells::names;
use crate::spreadsheet::Spreadsheet;

#[derive(Default)]
pub struct ExcelWriter(Option<Spreadsheet>);

impl ResultWriter for ExcelWriter {
    fn begin(&mut self, schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        self.0 = Some(Spreadsheet::new(schema, names(schema))?);
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        if let Some(spreadsheet) = &mut self.0 {
            out.write_all(&spreadsheet.rows(batch)?)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if let Some(spreadsheet) = self.0.take() {
            out.write_all(&spreadsheet.finish()?)?;
        }
        Ok(())
    }
}
