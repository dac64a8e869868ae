//! The operators: one runs the query, the others read its rows.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::UserDefinedLogicalNode;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning,
    PlanProperties,
};
use datafusion::physical_planner::{ExtensionPlanner, PhysicalPlanner};

use super::node::{MaterializedNode, SharedQuery};
use super::rows::SharedRows;
use crate::boxed_methods::plan_extension;
use crate::operator::{no_expressions, one_input};
use crate::tree_walk::TreeWalk;

/// Plans `MaterializedNode`.
#[derive(Debug)]
pub struct MaterializedPlanner;

impl ExtensionPlanner for MaterializedPlanner {
    plan_extension!(MaterializedPlanner, plan);
}

impl MaterializedPlanner {
    async fn plan(
        &self,
        planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let (Some(node), [input]) = (node.as_any().downcast_ref::<MaterializedNode>(), inputs)
        else {
            return Ok(None);
        };
        let rows = SharedRows::new(&node.shared.name, Arc::clone(input));
        let shared = Arc::clone(&node.shared);
        let exec = MaterializedExec::new(shared, Arc::new(rows), Arc::clone(input));
        let mut plan: Arc<dyn ExecutionPlan> = Arc::new(exec);
        for condition in &node.conditions {
            let schema = node.input.schema();
            let condition = planner.create_physical_expr(condition, schema, session, context)?;
            plan = Arc::new(FilterExec::try_new(condition, plan)?);
        }
        Ok(Some(plan))
    }
}

/// Lets one operator run each query, and all other uses read its rows. It comes last: the rules
/// before it see the query below each use.
#[derive(Debug)]
pub struct ShareRows;

impl PhysicalOptimizerRule for ShareRows {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut uses: HashMap<u64, Uses> = HashMap::new();
        // The walk leaves out the inputs of a use that only reads.
        let plan = plan.transform_down_dyn(&mut |plan| {
            let Some(query) = plan.downcast_ref::<MaterializedExec>() else {
                return Ok(Transformed::no(plan));
            };
            let Some(uses) = uses.get_mut(&query.shared.id()) else {
                let first = Uses {
                    rows: Arc::clone(&query.rows),
                    properties: Arc::clone(&query.properties),
                    readers: 0,
                };
                uses.insert(query.shared.id(), first);
                return Ok(Transformed::no(plan));
            };
            uses.readers += 1;
            let reader = MaterializedRowsExec {
                rows: Arc::clone(&uses.rows),
                properties: Arc::clone(&uses.properties),
            };
            Ok(Transformed::yes(Arc::new(reader) as _))
        })?;
        plan.data
            .transform_up_dyn(&mut |plan| {
                let query = plan.downcast_ref::<MaterializedExec>();
                let only_use = query.filter(|query| {
                    uses.get(&query.shared.id())
                        .is_some_and(|uses| uses.readers == 0)
                });
                Ok(match only_use {
                    Some(query) => Transformed::yes(Arc::clone(&query.query)),
                    None => Transformed::no(plan),
                })
            })
            .data()
    }

    fn name(&self) -> &str {
        "share_rows"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The uses of a query in a plan.
struct Uses {
    rows: Arc<SharedRows>,
    properties: Arc<PlanProperties>,
    /// The uses after the first one.
    readers: usize,
}

/// Runs a query of WITH, and keeps its rows.
#[derive(Debug)]
pub struct MaterializedExec {
    shared: Arc<SharedQuery>,
    rows: Arc<SharedRows>,
    query: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl MaterializedExec {
    fn new(shared: Arc<SharedQuery>, rows: Arc<SharedRows>, query: Arc<dyn ExecutionPlan>) -> Self {
        let partitions = query.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(query.schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self {
            shared,
            rows,
            query,
            properties: Arc::new(properties),
        }
    }
}

impl DisplayAs for MaterializedExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "MaterializedExec: {}", self.rows.name())
    }
}

impl ExecutionPlan for MaterializedExec {
    one_input!(MaterializedExec, query, |exec, query| {
        exec.rows.set_query(Arc::clone(&query));
        let shared = Arc::clone(&exec.shared);
        Ok(Self::new(shared, Arc::clone(&exec.rows), query))
    });

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    no_expressions!();

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        Ok(self.rows.read(partition, context))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.rows.metrics().clone_inner())
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        match inputs {
            [input] => Ok(Arc::clone(input)),
            _ => internal_err!("MaterializedExec has one input"),
        }
    }
}

/// Reads the rows of a query that another operator of the plan runs.
#[derive(Debug)]
pub struct MaterializedRowsExec {
    rows: Arc<SharedRows>,
    properties: Arc<PlanProperties>,
}

impl DisplayAs for MaterializedRowsExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "MaterializedRowsExec: {}", self.rows.name())
    }
}

impl ExecutionPlan for MaterializedRowsExec {
    fn name(&self) -> &str {
        "MaterializedRowsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    no_expressions!();

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        Ok(self.rows.read(partition, context))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::physical_plan::displayable;

    use crate::session::{SessionOptions, session};
    use crate::sql::dialect::sql;

    async fn plan_of(query: &str) -> String {
        let context = session(&SessionOptions::default()).unwrap();
        let table = "CREATE TABLE t AS SELECT 1 AS id, 2 AS other, 'x' AS long_text";
        sql(&context, table).await.unwrap();
        let plan = sql(&context, query).await.unwrap();
        let plan = plan.create_physical_plan().await.unwrap();
        displayable(plan.as_ref()).indent(false).to_string()
    }

    #[tokio::test]
    async fn one_operator_runs_a_query_without_its_unused_columns() {
        let query = "WITH s AS (SELECT *, random() AS r FROM t) \
             SELECT (SELECT count(other) FROM s WHERE r < 0.5), x.id FROM \
             (SELECT id FROM (SELECT id, long_text FROM s)) x JOIN s AS y USING (id)";
        let plan = plan_of(query).await;
        assert_eq!(plan.matches("MaterializedExec: s").count(), 1, "{plan}");
        assert_eq!(plan.matches("MaterializedRowsExec: s").count(), 2, "{plan}");
        assert!(!plan.contains("long_text"), "{plan}");
    }

    #[tokio::test]
    async fn queries_that_cannot_differ_and_those_with_one_use_run_as_written() {
        for query in [
            "WITH s AS (SELECT id, count(*) AS n, sum(other) AS o FROM t GROUP BY id) \
             SELECT count(*) FROM s a JOIN s b USING (id)",
            "WITH s AS (SELECT id, random() AS r FROM t) SELECT * FROM s WHERE id = 1",
            "SELECT * FROM (SELECT random() AS r) s JOIN (SELECT random() AS r) s2 USING (r)",
        ] {
            let plan = plan_of(query).await;
            assert!(!plan.contains("Materialized"), "{plan}");
        }
    }
}
