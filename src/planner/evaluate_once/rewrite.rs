//! The rule. It walks down the plan with the calls needed above, and back up with the columns of
//! their values.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchemaRef, JoinType, Result};
use datafusion::logical_expr::logical_plan::{Filter, Join, Projection, SubqueryAlias};
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Expr, GroupingSet, LogicalPlan, assert_expected_schema};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::calls::{CallColumns, calls_in, translate};
use super::node::EvaluateOnceNode;
use super::normalize::normalize;
use super::subqueries::move_below_calls;
use crate::planner::lateral::LateralNode;
use crate::planner::without_alias;
use crate::tree_walk::{PlanWalk, TreeWalk};

/// Evaluates costly functions once per row.
#[derive(Debug)]
pub struct EvaluateOnce;

impl OptimizerRule for EvaluateOnce {
    fn name(&self) -> &str {
        "evaluate_once"
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        if !has_calls(&plan)? {
            return Ok(Transformed::no(plan));
        }
        match extract_calls(plan.clone(), config) {
            Ok(extracted) => Ok(Transformed::yes(extracted)),
            // The statement also runs without the rule.
            Err(error) => {
                log::debug!("costly calls stay where they are: {error}");
                Ok(Transformed::no(plan))
            }
        }
    }
}

/// Returns the plan with costly calls in separate nodes. An error means that the rule does not
/// understand the plan.
pub fn extract_calls(plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<LogicalPlan> {
    let schema = Arc::clone(plan.schema());
    let plan = move_below_calls(normalize(plan, config)?)?;
    let plan = Rewriter { config }.whole(plan)?;
    assert_expected_schema(&schema, &plan)?;
    Ok(plan)
}

/// Whether a plan has calls that have not been extracted yet.
pub fn has_calls(plan: &LogicalPlan) -> Result<bool> {
    plan.exists_with_subqueries_dyn(&|node| {
        Ok(as_once(node).is_none() && !own_calls(node)?.is_empty())
    })
}

fn own_calls(node: &LogicalPlan) -> Result<Vec<Expr>> {
    let mut exprs = Vec::new();
    node.apply_expressions_dyn(&mut |expr| {
        exprs.push(expr.clone());
        Ok(TreeNodeRecursion::Continue)
    })?;
    calls_in(&exprs)
}

/// Returns the operator of a node that evaluates calls once; `None` for other nodes.
pub fn as_once(node: &LogicalPlan) -> Option<&EvaluateOnceNode> {
    match node {
        LogicalPlan::Extension(extension) => extension.node.as_any().downcast_ref(),
        _ => None,
    }
}

fn is_correlated(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Subquery(subquery) => !subquery.outer_ref_columns.is_empty(),
        _ => false,
    }
}

/// Whether the argument of an operator may be a call.
fn is_lateral(node: &LogicalPlan) -> bool {
    match node {
        LogicalPlan::Extension(extension) => extension.node.as_any().is::<LateralNode>(),
        _ => false,
    }
}

/// A plan, possibly with additional columns, and the calls whose values they contain.
struct Rewritten {
    plan: LogicalPlan,
    known: CallColumns,
}

struct Rewriter<'a> {
    config: &'a dyn OptimizerConfig,
}

impl Rewriter<'_> {
    /// Rewrites a plan and keeps its columns.
    fn whole(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let schema = Arc::clone(plan.schema());
        only_columns_of(&schema, self.rewrite(plan, &[])?.plan)
    }

    /// Rewrites a plan. `wanted` are the calls made above, in terms of the plan's columns.
    fn rewrite(&self, plan: LogicalPlan, wanted: &[Expr]) -> Result<Rewritten> {
        // DataFusion finds the conditions of a correlated subquery only in its filters. In the next
        // pass, the subquery is a join.
        let subqueries = |subquery: LogicalPlan| {
            if is_correlated(&subquery) {
                Ok(Transformed::no(subquery))
            } else {
                self.whole(subquery).map(Transformed::yes)
            }
        };
        let plan = plan.map_subqueries(subqueries)?.data;
        match plan {
            LogicalPlan::Projection(projection) => self.projection(projection, wanted),
            LogicalPlan::Filter(filter) => self.filter(filter, wanted),
            LogicalPlan::SubqueryAlias(alias) => self.alias(alias, wanted),
            LogicalPlan::Join(join) => self.join(join, wanted),
            plan @ (LogicalPlan::Sort(_) | LogicalPlan::Limit(_)) => self.passing(plan, wanted),
            plan @ (LogicalPlan::Aggregate(_) | LogicalPlan::Window(_)) => self.computing(plan),
            plan if as_once(&plan).is_some() => self.once(plan, wanted),
            plan if is_lateral(&plan) => self.computing(plan),
            plan => self.other(plan),
        }
    }

    /// Adds columns for the calls that have none yet, inner calls first.
    fn evaluate(&self, input: Rewritten, calls: &[Expr]) -> Result<Rewritten> {
        let Rewritten {
            mut plan,
            mut known,
        } = input;
        loop {
            let missing = |call: &&Expr| known.column(call).is_none();
            let missing: Vec<&Expr> = calls.iter().filter(missing).collect();
            if missing.is_empty() {
                return Ok(Rewritten { plan, known });
            }
            let mut level = Vec::new();
            let mut added = CallColumns::default();
            for call in &missing {
                let inner = |e: &Expr| Ok(e != *call && missing.contains(&e));
                if !call.exists_dyn(&inner)? {
                    let name = self.config.alias_generator().next("once");
                    level.push(known.replace_plain((*call).clone())?.alias(&name));
                    added.add((*call).clone(), Column::new_unqualified(name));
                }
            }
            plan = EvaluateOnceNode::try_new(plan, level)?.into_plan();
            known.extend(added);
        }
    }

    fn projection(&self, projection: Projection, wanted: &[Expr]) -> Result<Rewritten> {
        let own = calls_in(&projection.expr)?;
        let schema = Arc::clone(&projection.schema);
        let input_of = |column: &Column| {
            let index = schema.maybe_index_of_column(column)?;
            Some(without_alias(&projection.expr[index]).clone())
        };
        let above = translate_all(wanted, input_of)?;
        let below = all_of(&own, above.iter().map(|(_, below)| below));
        let input = self.rewrite(Arc::unwrap_or_clone(projection.input), &below)?;
        let Rewritten { plan, known } = self.evaluate(input, &own)?;
        let mut exprs = projection
            .expr
            .into_iter()
            .map(|expr| known.replace_named(expr))
            .collect::<Result<Vec<_>>>()?;
        let mut shown = CallColumns::default();
        for (call, below) in above {
            let Some(column) = known.column(&below) else {
                continue;
            };
            let column = Expr::Column(column.clone());
            let index = exprs.iter().position(|expr| *without_alias(expr) == column);
            let (qualifier, name) = match index {
                Some(index) => exprs[index].qualified_name(),
                None => column.qualified_name(),
            };
            if index.is_none() {
                exprs.push(column);
            }
            shown.add(call, Column::new(qualifier, name));
        }
        let plan = LogicalPlan::Projection(Projection::try_new(exprs, Arc::new(plan))?);
        Ok(Rewritten { plan, known: shown })
    }

    /// Rewrites a filter. Conditions that need fewer calls come first.
    fn filter(&self, filter: Filter, wanted: &[Expr]) -> Result<Rewritten> {
        let mut waiting = Vec::new();
        for condition in split_conjunction_owned(filter.predicate) {
            let calls = calls_in([&condition])?;
            waiting.push((condition, calls));
        }
        let below = all_of(wanted, waiting.iter().flat_map(|(_, calls)| calls));
        let mut input = self.rewrite(Arc::unwrap_or_clone(filter.input), &below)?;
        while !waiting.is_empty() {
            let missing = |(_, calls): &(Expr, Vec<Expr>)| {
                let known = &input.known;
                calls
                    .iter()
                    .filter(|call| known.column(call).is_none())
                    .count()
            };
            let fewest = waiting.iter().map(missing).min().unwrap_or(0);
            let next = waiting
                .iter()
                .find(|condition| missing(condition) == fewest);
            let calls = next.map(|(_, calls)| calls.clone()).unwrap_or_default();
            input = self.evaluate(input, &calls)?;
            let known = &input.known;
            let (ready, later): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .partition(|(_, calls)| calls.iter().all(|call| known.column(call).is_some()));
            let ready = ready
                .into_iter()
                .map(|(condition, _)| known.replace_plain(condition))
                .collect::<Result<Vec<_>>>()?;
            if let Some(predicate) = conjunction(ready) {
                let filter = Filter::try_new(predicate, Arc::new(input.plan))?;
                input.plan = LogicalPlan::Filter(filter);
            }
            waiting = later;
        }
        Ok(input)
    }

    fn alias(&self, alias: SubqueryAlias, wanted: &[Expr]) -> Result<Rewritten> {
        let schema = Arc::clone(&alias.schema);
        let inner = Arc::clone(alias.input.schema());
        let input_of = |column: &Column| {
            let index = schema.maybe_index_of_column(column)?;
            Some(Expr::Column(Column::from(inner.qualified_field(index))))
        };
        let above = translate_all(wanted, input_of)?;
        let below: Vec<Expr> = above.iter().map(|(_, below)| below.clone()).collect();
        let Rewritten { plan, known } = self.rewrite(Arc::unwrap_or_clone(alias.input), &below)?;
        let mut shown = CallColumns::default();
        for (call, below) in above {
            if let Some(column) = known.column(&below) {
                let name = column.name.clone();
                shown.add(call, Column::new(Some(alias.alias.clone()), name));
            }
        }
        let plan = SubqueryAlias::try_new(Arc::new(plan), alias.alias)?;
        Ok(Rewritten {
            plan: LogicalPlan::SubqueryAlias(plan),
            known: shown,
        })
    }

    fn join(&self, join: Join, wanted: &[Expr]) -> Result<Rewritten> {
        let plan = LogicalPlan::Join(join.clone());
        let own = own_calls(&plan)?;
        let before = Arc::clone(plan.schema());
        let mut known = CallColumns::default();
        let mut shown = CallColumns::default();
        let mut sides = Vec::with_capacity(2);
        for (side, keeps_rows) in [
            (join.left, keeps_left(join.join_type)),
            (join.right, keeps_right(join.join_type)),
        ] {
            let schema = Arc::clone(side.schema());
            let here = |call: &&Expr| {
                let mut columns = call.column_refs().into_iter();
                columns.all(|column| schema.has_column(column))
            };
            let calls: Vec<Expr> = own.iter().filter(here).cloned().collect();
            let below = all_of(&calls, wanted.iter().filter(here));
            let side = self.rewrite(Arc::unwrap_or_clone(side), &below)?;
            let side = self.evaluate(side, &calls)?;
            // If a join adds rows of NULLs, an equal call above it has other values than below it.
            if keeps_rows {
                shown.extend(side.known.clone());
            }
            known.extend(side.known);
            sides.push(side.plan);
        }
        let plan = plan
            .map_expressions_dyn(&mut |expr| known.replace(expr))?
            .data;
        let plan = plan.with_new_exprs(plan.expressions(), sides)?;
        let plan = if own.is_empty() && shown.is_empty() {
            only_columns_of(&before, plan)?
        } else {
            plan
        };
        Ok(Rewritten { plan, known: shown })
    }

    /// Rewrites an operator that returns rows of its only input.
    fn passing(&self, plan: LogicalPlan, wanted: &[Expr]) -> Result<Rewritten> {
        let own = own_calls(&plan)?;
        let below = all_of(wanted, &own);
        let input = plan.inputs()[0].clone();
        let input = self.rewrite(input, &below)?;
        let Rewritten { plan: input, known } = self.evaluate(input, &own)?;
        let plan = plan
            .map_expressions_dyn(&mut |expr| known.replace(expr))?
            .data;
        let plan = plan.with_new_exprs(plan.expressions(), vec![input])?;
        Ok(Rewritten { plan, known })
    }

    /// Rewrites a node that an earlier pass has made.
    fn once(&self, plan: LogicalPlan, wanted: &[Expr]) -> Result<Rewritten> {
        let input = self.rewrite(plan.inputs()[0].clone(), wanted)?;
        let calls = plan.expressions();
        let mut known = input.known;
        for call in &calls {
            let (qualifier, name) = call.qualified_name();
            known.add(without_alias(call).clone(), Column::new(qualifier, name));
        }
        let plan = plan.with_new_exprs(calls, vec![input.plan])?;
        Ok(Rewritten { plan, known })
    }

    /// Rewrites an operator with one input that computes new columns. It passes no calls on.
    fn computing(&self, plan: LogicalPlan) -> Result<Rewritten> {
        let own = own_calls(&plan)?;
        if own.is_empty() {
            return self.other(plan);
        }
        let before = Arc::clone(plan.schema());
        let mut known = CallColumns::default();
        let plan = plan.map_children(|input| {
            let input = self.rewrite(input, &own)?;
            let input = self.evaluate(input, &own)?;
            known.extend(input.known);
            Ok(Transformed::yes(input.plan))
        })?;
        let plan = plan
            .data
            .map_expressions_dyn(&mut |expr| replace_calls(&known, expr))?;
        let plan = plan.data.recompute_schema()?;
        Ok(Rewritten {
            plan: only_columns_of(&before, plan)?,
            known: CallColumns::default(),
        })
    }

    /// Rewrites the inputs of all other operators, which keep their expressions and columns, and
    /// pass no calls on.
    fn other(&self, plan: LogicalPlan) -> Result<Rewritten> {
        let plan = plan.map_children(|input| self.whole(input).map(Transformed::yes))?;
        Ok(Rewritten {
            plan: plan.data,
            known: CallColumns::default(),
        })
    }
}

/// Replaces the calls in an expression of an operator, and keeps the name of its column. In
/// grouping sets, the groups are the columns.
fn replace_calls(known: &CallColumns, expr: Expr) -> Result<Transformed<Expr>> {
    let all = |groups: Vec<Expr>| -> Result<Vec<Expr>> {
        let groups = groups.into_iter();
        groups.map(|group| known.replace_named(group)).collect()
    };
    let expr = match expr {
        Expr::GroupingSet(GroupingSet::Rollup(groups)) => {
            Expr::GroupingSet(GroupingSet::Rollup(all(groups)?))
        }
        Expr::GroupingSet(GroupingSet::Cube(groups)) => {
            Expr::GroupingSet(GroupingSet::Cube(all(groups)?))
        }
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            let sets = sets.into_iter().map(all).collect::<Result<_>>()?;
            Expr::GroupingSet(GroupingSet::GroupingSets(sets))
        }
        expr => known.replace_named(expr)?,
    };
    Ok(Transformed::yes(expr))
}

/// Whether the left columns of a join's result contain rows of its left input, unchanged.
fn keeps_left(join: JoinType) -> bool {
    use JoinType::{Inner, Left, LeftAnti, LeftMark, LeftSemi};
    matches!(join, Inner | Left | LeftSemi | LeftAnti | LeftMark)
}

fn keeps_right(join: JoinType) -> bool {
    use JoinType::{Inner, Right, RightAnti, RightMark, RightSemi};
    matches!(join, Inner | Right | RightSemi | RightAnti | RightMark)
}

/// Translates the calls needed above to the input, and returns both forms.
fn translate_all(
    wanted: &[Expr],
    input_of: impl Fn(&Column) -> Option<Expr>,
) -> Result<Vec<(Expr, Expr)>> {
    let mut both = Vec::new();
    for call in wanted {
        if let Some(below) = translate(call, &input_of)? {
            both.push((call.clone(), below));
        }
    }
    Ok(both)
}

fn all_of<'a>(calls: &[Expr], others: impl IntoIterator<Item = &'a Expr>) -> Vec<Expr> {
    let mut all = calls.to_vec();
    for call in others {
        if !all.contains(call) {
            all.push(call.clone());
        }
    }
    all
}

/// Removes the additional columns.
fn only_columns_of(schema: &DFSchemaRef, plan: LogicalPlan) -> Result<LogicalPlan> {
    if plan.schema().fields().len() == schema.fields().len() {
        return Ok(plan);
    }
    let columns = schema.columns().into_iter().map(Expr::Column).collect();
    let projection = Projection::try_new(columns, Arc::new(plan))?;
    Ok(LogicalPlan::Projection(projection))
}
