//! Keeps filters from moving to another column of the same name.
//!
//! DataFusion moves filters of physical plans by the names of columns. If both sides of a join have
//! a column `id`, `WHERE b.id IS NULL` may reach the scan of `a`, and drop all rows of it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::filter_pushdown::{
    ChildFilterDescription, ChildPushdownResult, FilterDescription, FilterPushdownPhase,
    FilterPushdownPropagation,
};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};

use crate::operator::{no_expressions, one_input};
use crate::tree_walk::TreeWalk;

/// Runs a rule that moves filters. Filters on columns whose names repeat stay where they are.
#[derive(Debug)]
pub struct UnambiguousFilters(pub Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for UnambiguousFilters {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let marked = plan.transform_up_dyn(&mut |node| {
            let schema = node.schema();
            let is_unambiguous = unambiguous(&schema).len() == schema.fields().len();
            Ok(if is_unambiguous {
                Transformed::no(node)
            } else {
                Transformed::yes(Arc::new(FilterBarrier { input: node }) as Arc<dyn ExecutionPlan>)
            })
        })?;
        let plan = self.0.optimize(marked.data, config)?;
        if !marked.transformed {
            return Ok(plan);
        }
        plan.transform_up_dyn(&mut |node| {
            Ok(match node.downcast_ref::<FilterBarrier>() {
                Some(barrier) => Transformed::yes(Arc::clone(&barrier.input)),
                None => Transformed::no(node),
            })
        })
        .data()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

/// The indexes of the columns whose names do not repeat.
fn unambiguous(schema: &Schema) -> HashSet<usize> {
    let mut counts = HashMap::new();
    for field in schema.fields() {
        *counts.entry(field.name()).or_insert(0) += 1;
    }
    let fields = schema.fields().iter().enumerate();
    let once = fields.filter(|(_, field)| counts.get(field.name()) == Some(&1));
    once.map(|(place, _)| place).collect()
}

/// Lets only filters on columns with unambiguous names pass. It is in a plan only while a rule
/// runs.
#[derive(Debug)]
struct FilterBarrier {
    input: Arc<dyn ExecutionPlan>,
}

impl DisplayAs for FilterBarrier {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("FilterBarrier")
    }
}

impl ExecutionPlan for FilterBarrier {
    one_input!(FilterBarrier, input, |_, input| Ok(Self { input }));

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    no_expressions!();

    fn execute(
        &self,
        _partition: usize,
        _context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        internal_err!("FilterBarrier is removed before plans run")
    }

    fn gather_filters_for_pushdown(
        &self,
        _phase: FilterPushdownPhase,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterDescription> {
        let allowed = unambiguous(&self.schema());
        let input = ChildFilterDescription::from_child_with_allowed_indices(
            &filters,
            allowed,
            &self.input,
        )?;
        Ok(FilterDescription::new().with_child(input))
    }

    fn handle_child_pushdown_result(
        &self,
        _phase: FilterPushdownPhase,
        result: ChildPushdownResult,
        _config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        Ok(FilterPushdownPropagation::if_all(result))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::util::pretty::pretty_format_batches;

    use crate::session::{SessionOptions, session};

    #[tokio::test(flavor = "multi_thread")]
    async fn filters_keep_to_their_side_of_a_join() {
        let folder = tempfile::tempdir().unwrap();
        let context = session(&SessionOptions::default()).unwrap();
        let rows = async |sql: String| context.sql(&sql).await.unwrap().collect().await.unwrap();
        for (name, select) in [
            ("a", "SELECT value AS id, value * 2 AS number FROM range(5)"),
            (
                "b",
                "SELECT value AS id, concat(repeat('text ', 50), value) AS text FROM range(3)",
            ),
        ] {
            let path = folder.path().join(name).with_extension("parquet");
            let path = path.display();
            rows(format!("COPY ({select}) TO '{path}'")).await;
            rows(format!(
                "CREATE EXTERNAL TABLE {name} STORED AS PARQUET LOCATION '{path}'"
            ))
            .await;
        }
        for kind in ["a LEFT JOIN b", "b RIGHT JOIN a", "a FULL JOIN b"] {
            for (condition, ids) in [("b.id IS NULL", vec!["3", "4"]), ("b.id = 2", vec!["2"])] {
                let sql = format!(
                    "SELECT a.id, b.id, b.text FROM {kind} ON a.id = b.id WHERE {condition} ORDER BY a.id"
                );
                let found = rows(sql.clone()).await;
                let table = pretty_format_batches(&found).unwrap().to_string();
                let lines = table.lines().skip(3);
                let found: Vec<&str> = lines
                    .filter_map(|line| line.split('|').nth(1).map(str::trim))
                    .collect();
                assert_eq!(found, ids, "{sql}\n{table}");
            }
        }
    }
}
