//! Drops equal keys of `IN (SELECT …)`, `NOT IN`, `EXISTS` and `NOT EXISTS`.
//!
//! These are semi joins, in which DataFusion visits every pair of rows with equal keys: for a
//! hundred hosts, each in ten thousand rows of both tables, ten billion pairs.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{JoinSide, JoinType, Result};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{PhysicalExpr, PhysicalExprRef};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateMode, PhysicalGroupBy};
use datafusion::physical_plan::joins::HashJoinExec;

use crate::tree_walk::TreeWalk;

/// Groups the filtering side of a semi join by its keys. It runs after the rules that choose the
/// side to hold, and before those that distribute rows.
#[derive(Debug)]
pub struct GroupSemiJoinKeys;

impl PhysicalOptimizerRule for GroupSemiJoinKeys {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up_dyn(&mut |plan| {
            let join = plan.downcast_ref::<HashJoinExec>();
            Ok(match join.map(with_grouped_keys).transpose()?.flatten() {
                Some(join) => Transformed::yes(join),
                None => Transformed::no(plan),
            })
        })
        .data()
    }

    fn name(&self) -> &str {
        "group_semi_join_keys"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Returns the side whose rows do not appear in the result.
fn filtering_side(join_type: JoinType) -> Option<JoinSide> {
    match join_type {
        JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => Some(JoinSide::Right),
        JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => Some(JoinSide::Left),
        JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full => None,
    }
}

/// Returns the join with the keys of one side grouped. `None` if they are already grouped, or if
/// the join also compares other columns.
fn with_grouped_keys(join: &HashJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let side = match filtering_side(*join.join_type()) {
        Some(side) if join.filter().is_none() && !join.on().is_empty() => side,
        _ => return Ok(None),
    };
    let is_left = side == JoinSide::Left;
    let input = if is_left { join.left() } else { join.right() };
    let aggregate = input.downcast_ref::<AggregateExec>();
    if aggregate.is_some_and(|aggregate| is_distinct(aggregate, join.on().len())) {
        return Ok(None);
    }
    let (left, right): (Vec<_>, Vec<_>) = join.on().iter().cloned().unzip();
    let (keys, others) = if is_left {
        (left, right)
    } else {
        (right, left)
    };
    let grouped = group_by(input, &keys)?;
    let names = grouped.schema();
    let keys = names.fields().iter().enumerate();
    let keys = keys.map(|(index, key)| Arc::new(Column::new(key.name(), index)) as PhysicalExprRef);
    let (on, inputs) = if is_left {
        (
            keys.zip(others).collect(),
            vec![grouped, Arc::clone(join.right())],
        )
    } else {
        (
            others.into_iter().zip(keys).collect(),
            vec![Arc::clone(join.left()), grouped],
        )
    };
    let join = join
        .builder()
        .with_new_children(inputs)?
        .with_on(on)
        .recompute_properties();
    join.build_exec().map(Some)
}

/// Whether an aggregation returns this number of columns, all of which are groups.
fn is_distinct(aggregate: &AggregateExec, columns: usize) -> bool {
    aggregate.aggr_expr().is_empty() && aggregate.schema().fields().len() == columns
}

/// Groups rows by keys as far as memory allows. Groups of a partial aggregation need not be
/// complete, and it passes rows on if most keys are distinct.
fn group_by(
    input: &Arc<dyn ExecutionPlan>,
    keys: &[PhysicalExprRef],
) -> Result<Arc<dyn ExecutionPlan>> {
    let name = |key: &dyn PhysicalExpr| match key.downcast_ref::<Column>() {
        Some(column) => column.name().to_owned(),
        None => key.to_string(),
    };
    let groups = keys.iter().map(|key| (Arc::clone(key), name(key.as_ref())));
    let grouped = AggregateExec::try_new(
        AggregateMode::Partial,
        PhysicalGroupBy::new_single(groups.collect()),
        Vec::new(),
        Vec::new(),
        Arc::clone(input),
        input.schema(),
    )?;
    Ok(Arc::new(grouped))
}
