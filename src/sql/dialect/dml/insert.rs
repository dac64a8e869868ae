//! `INSERT` into tables in memory that have keys or columns that are NOT NULL.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result, SchemaExt, exec_err, plan_err};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::datasource::{MemTable, provider_as_source, source_as_provider};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{
    DmlStatement, Expr, LogicalPlan, Projection, TableType, Values, WriteOp,
};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use futures::TryStreamExt;

use super::{in_memory, keys};
use crate::tree_walk::TreeWalk;

/// Lets the statements in a plan that insert rows check them.
pub fn check(plan: LogicalPlan) -> Result<LogicalPlan> {
    let checked = plan.transform_down_dyn(&mut |node| {
        let LogicalPlan::Dml(insert) = node else {
            return Ok(Transformed::no(node));
        };
        let target = source_as_provider(&insert.target).ok();
        let target = target.filter(|it| in_memory(it).is_some_and(is_checked));
        let (WriteOp::Insert(_), Some(table)) = (&insert.op, target) else {
            return Ok(Transformed::no(LogicalPlan::Dml(insert)));
        };
        let name = insert.table_name.to_string();
        let target = provider_as_source(Arc::new(Checked { table, name }));
        let input = with_nullable_values(insert.input)?;
        let insert = DmlStatement::new(insert.table_name, target, insert.op, input);
        let insert = LogicalPlan::Dml(insert);
        Ok(Transformed::new(insert, true, TreeNodeRecursion::Jump))
    });
    checked.map(|it| it.data)
}

fn is_checked(table: &MemTable) -> bool {
    let has_keys = table.constraints().is_some_and(|keys| !keys.is_empty());
    has_keys || table.schema().fields().iter().any(|it| !it.is_nullable())
}

/// Lets the rows of VALUES have NULLs. DataFusion gives them the columns of the table, and fails
/// without the name of the column.
fn with_nullable_values(input: Arc<LogicalPlan>) -> Result<Arc<LogicalPlan>> {
    let LogicalPlan::Projection(projection) = input.as_ref() else {
        return Ok(input);
    };
    let LogicalPlan::Values(Values { schema, values }) = projection.input.as_ref() else {
        return Ok(input);
    };
    let fields = schema.iter().map(|(relation, field)| {
        let field = field.as_ref().clone().with_nullable(true);
        (relation.cloned(), Arc::new(field))
    });
    let schema = DFSchema::new_with_metadata(fields.collect(), schema.metadata().clone())?;
    let values = LogicalPlan::Values(Values {
        schema: Arc::new(schema),
        values: values.clone(),
    });
    let projection = Projection::try_new(projection.expr.clone(), Arc::new(values))?;
    Ok(Arc::new(LogicalPlan::Projection(projection)))
}

/// The table to insert into.
#[derive(Debug)]
struct Checked {
    table: Arc<dyn TableProvider>,
    name: String,
}

#[async_trait]
impl TableProvider for Checked {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
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
        plan_err!("'{}' is the target of INSERT and cannot be read", self.name)
    }

    async fn insert_into(
        &self,
        state: &dyn Session,
        input: Arc<dyn ExecutionPlan>,
        insert_op: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if insert_op != InsertOp::Append {
            return self.table.insert_into(state, input, insert_op).await;
        }
        self.schema()
            .logically_equivalent_names_and_types(&input.schema())?;
        let sink = InsertSink {
            table: Arc::clone(&self.table),
            name: self.name.clone(),
            schema: input.schema(),
        };
        Ok(Arc::new(DataSinkExec::new(input, Arc::new(sink), None)))
    }
}

/// Collects the rows, checks their keys against the table, and adds them.
#[derive(Debug)]
struct InsertSink {
    table: Arc<dyn TableProvider>,
    name: String,
    schema: SchemaRef,
}

impl DisplayAs for InsertSink {
    fn fmt_as(&self, _kind: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "InsertSink({})", self.name)
    }
}

#[async_trait]
impl DataSink for InsertSink {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    async fn write_all(
        &self,
        data: SendableRecordBatchStream,
        _context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let schema = self.table.schema();
        let mut added = Vec::new();
        for batch in data.try_collect::<Vec<RecordBatch>>().await? {
            keys::check_nulls(&schema, &batch)?;
            added.push(RecordBatch::try_new(
                Arc::clone(&schema),
                batch.columns().to_vec(),
            )?);
        }
        let Some(memory) = in_memory(&self.table) else {
            return exec_err!("'{}' is not a table in memory", self.name);
        };
        let mut partitions = Vec::new();
        for partition in &memory.batches {
            partitions.push(partition.write().await);
        }
        if let Some(constraints) = self.table.constraints() {
            let present = partitions.iter().flat_map(|partition| partition.iter());
            let all: Vec<&RecordBatch> = present.chain(&added).collect();
            keys::check(&self.name, &schema, constraints, &all)?;
        }
        // Rows that are added are not sorted.
        memory.sort_order.lock().clear();
        let count = added.iter().map(RecordBatch::num_rows).sum::<usize>();
        let Some(partition) = partitions.first_mut() else {
            return exec_err!("the table '{}' has no place for rows", self.name);
        };
        partition.extend(added);
        Ok(count as u64)
    }
}
