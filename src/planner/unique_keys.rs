//! Keys that are unique below an operator that repeats rows. DataFusion takes them for unique above
//! it, too, and drops further keys of ORDER BY, GROUP BY and DISTINCT ON.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use corpus_udfs::duckdb::nonunique;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Dependency, FunctionalDependence, Result};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan, Projection, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::PlanWalk;

static NONUNIQUE: LazyLock<ScalarUDF> = LazyLock::new(nonunique);

/// Hides that columns are unique from the operators above.
#[derive(Debug)]
pub struct UniqueKeys;

impl AnalyzerRule for UniqueKeys {
    fn name(&self) -> &str {
        "unique_keys"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let mut is_changed = false;
        plan.transform_up_with_subqueries_dyn(&mut |mut plan| {
            is_changed |= hide_keys(&mut plan)?;
            if is_changed {
                Ok(Transformed::yes(plan.recompute_schema()?))
            } else {
                Ok(Transformed::no(plan))
            }
        })
        .map(|rewritten| rewritten.data)
    }
}

/// Hides the keys below an operator that repeats rows, and those with several NULLs. Returns
/// whether there are some.
fn hide_keys(plan: &mut LogicalPlan) -> Result<bool> {
    let hidden = match plan {
        LogicalPlan::Unnest(unnest) => &mut unnest.input,
        LogicalPlan::Aggregate(aggregate)
            if aggregate.group_expr.len() > 1 && follows_join(&aggregate.input) =>
        {
            &mut aggregate.input
        }
        LogicalPlan::Distinct(Distinct::All(input)) if follows_join(input) => input,
        LogicalPlan::Distinct(Distinct::On(first)) if follows_join(&first.input) => {
            &mut first.input
        }
        LogicalPlan::TableScan(_) => {
            let scan = without_keys(plan, |key| key.nullable)?;
            return Ok(scan.map(|scan| *plan = scan).is_some());
        }
        _ => return Ok(false),
    };
    let input = without_keys(hidden, |_| true)?;
    Ok(input.map(|input| *hidden = Arc::new(input)).is_some())
}

/// Returns a plan with the same columns, but without the hidden keys. `None` if there are none.
fn without_keys(
    plan: &LogicalPlan,
    is_hidden: fn(&&FunctionalDependence) -> bool,
) -> Result<Option<LogicalPlan>> {
    let schema = plan.schema();
    let keys = schema.functional_dependencies().iter().filter(is_hidden);
    let keys: HashSet<usize> = keys.flat_map(|key| key.source_indices.clone()).collect();
    if keys.is_empty() {
        return Ok(None);
    }
    let columns = schema.columns().into_iter().enumerate();
    let columns = columns.map(|(index, column)| {
        let value = Expr::Column(column.clone());
        if keys.contains(&index) {
            let value = NONUNIQUE.call(vec![value]);
            value.alias_qualified(column.relation, column.name)
        } else {
            value
        }
    });
    let plan = Projection::try_new(columns.collect(), Arc::new(plan.clone()))?;
    Ok(Some(LogicalPlan::Projection(plan)))
}

/// Whether a key may be repeated, because a join is below.
fn follows_join(plan: &LogicalPlan) -> bool {
    let mut keys = plan.schema().functional_dependencies().iter();
    keys.any(|key| key.mode == Dependency::Multi)
}
