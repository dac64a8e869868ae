//! Computes the keys of GROUPING SETS in a projection below the aggregate.
//!
//! Rules that rewrite a key keep its name, but the names of keys inside of GROUPING SETS are lost:
//! `GROUP BY ROLLUP (date + 1)` would have a column that nothing above it finds.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Aggregate, Expr, LogicalPlan, LogicalPlanBuilder};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::{PlanWalk, TreeWalk};

/// Replaces computed keys of GROUPING SETS by columns of the same names.
#[derive(Debug)]
pub struct GroupingSetKeys;

impl AnalyzerRule for GroupingSetKeys {
    fn name(&self) -> &str {
        "grouping_set_keys"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries_dyn(&mut |plan| match plan {
            LogicalPlan::Aggregate(aggregate) => with_columns(aggregate),
            plan => Ok(Transformed::no(plan)),
        })
        .map(|rewritten| rewritten.data)
    }
}

fn with_columns(aggregate: Aggregate) -> Result<Transformed<LogicalPlan>> {
    let [Expr::GroupingSet(sets)] = aggregate.group_expr.as_slice() else {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    };
    let name = |key: &Expr| key.schema_name().to_string();
    let columns = aggregate.input.schema().columns();
    let mut computed: Vec<Expr> = Vec::new();
    for key in sets.distinct_expr() {
        // A column, and a cast of one, has the name of the column.
        let is_named = |column: &Column| column.flat_name() == name(key);
        if !columns.iter().any(is_named) && !computed.contains(key) {
            computed.push(key.clone());
        }
    }
    if computed.is_empty() {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    }
    let columns = columns.into_iter();
    let keys = computed.iter().map(|key| key.clone().alias(name(key)));
    let input = LogicalPlanBuilder::from(Arc::unwrap_or_clone(aggregate.input))
        .project(columns.map(Expr::Column).chain(keys))?
        .build()?;
    let by_column = |expr: Expr| {
        let replaced = expr.transform_down_dyn(&mut |part| {
            Ok(if computed.contains(&part) {
                let column = Column::new_unqualified(name(&part));
                Transformed::yes(Expr::Column(column))
            } else {
                Transformed::no(part)
            })
        });
        replaced.map(|it| it.data)
    };
    let groups: Result<Vec<Expr>> = aggregate.group_expr.into_iter().map(by_column).collect();
    let calls = aggregate.aggr_expr.into_iter().map(|call| {
        let title = name(&call);
        let call = by_column(call)?;
        Ok(if name(&call) == title {
            call
        } else {
            call.alias(title)
        })
    });
    let calls: Result<Vec<Expr>> = calls.collect();
    let aggregate = Aggregate::try_new(Arc::new(input), groups?, calls?)?;
    Ok(Transformed::yes(LogicalPlan::Aggregate(aggregate)))
}
