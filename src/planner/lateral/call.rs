//! Tables whose rows depend on an argument.

use std::fmt::Debug;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::{TableProvider, TableType};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;

use crate::boxed_methods::scan;

/// A table whose rows depend on a text argument.
pub trait LateralTable: Debug + Send + Sync {
    /// The columns. All of them are nullable.
    fn schema(&self) -> SchemaRef;

    /// Returns the table for the statement that is being planned. A view may have opened this one
    /// earlier.
    fn in_statement(self: Arc<Self>, session: &dyn Session) -> Result<Arc<dyn LateralTable>>;

    /// Returns a builder of batches with these columns, for threads that may block.
    fn rows(&self, columns: &[usize]) -> Box<dyn LateralRows>;
}

/// Builds batches of the rows for one argument after another.
pub trait LateralRows: Send {
    /// Continues with the rows for another argument.
    fn begin(&mut self, argument: Option<&str>) -> Result<()>;

    /// Appends the next row to the batch, and returns its size in bytes. `None` after the last row.
    fn append_next(&mut self) -> Result<Option<usize>>;

    /// Appends a row of NULLs.
    fn append_nulls(&mut self);

    /// Returns the batch, and starts the next one.
    fn finish(&mut self) -> Result<RecordBatch>;
}

/// The provider that a table function returns if its argument is a column. Only a join can read it.
#[derive(Debug)]
pub struct LateralProvider {
    pub table: Arc<dyn LateralTable>,
    pub argument: Expr,
}

impl TableProvider for LateralProvider {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    scan!(LateralProvider, refuse_scan);
}

impl LateralProvider {
    async fn refuse_scan(
        &self,
        _session: &dyn Session,
        _projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan_err!("a table function with a column as argument has no rows of its own")
    }
}
