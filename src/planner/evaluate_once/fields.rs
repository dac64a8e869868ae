//! Passes the fields that a query uses to the function that returns them, so that it computes no
//! others.
//!
//! This is the last step before physical planning, so that calls are still equal when the rule
//! compares them. The columns of calls have unique names, by which their uses are found, also where
//! projections rename them. A use that this module does not understand is one of all fields.

use std::collections::{BTreeSet, HashMap};

use corpus_udfs::{ALL_FIELDS, arguments_of, fields_position};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery};

use super::node::EvaluateOnceNode;
use super::rewrite::as_once;
use crate::planner::without_alias;
use crate::tree_walk::{PlanWalk, TreeWalk};

/// The uses of the result of each call, by the name of its column.
#[derive(Default)]
struct FieldUses {
    calls: HashMap<String, Fields>,
    /// The columns of calls, by other names that projections give them. Other columns may have
    /// such a name: their uses count, too.
    renamed: HashMap<String, BTreeSet<String>>,
}

/// The fields used of a result.
#[derive(Default)]
struct Fields {
    named: BTreeSet<String>,
    /// Whether the whole result is used, too.
    all: bool,
}

/// Returns the plan with calls that name the fields that it uses; `None` if it has no such calls.
pub fn with_used_fields(plan: &LogicalPlan) -> Result<Option<LogicalPlan>> {
    let mut uses = FieldUses::default();
    plan.apply_with_subqueries_dyn(&mut |node| {
        for call in as_once(node).iter().flat_map(|once| &once.calls) {
            if position(call).is_some() {
                uses.calls
                    .insert(call.qualified_name().1, Fields::default());
            }
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    if uses.calls.is_empty() {
        return Ok(None);
    }
    uses.find_renamed(plan)?;
    uses.add_columns(plan.schema());
    plan.apply_with_subqueries_dyn(&mut |node| {
        if !names_columns(node) {
            for input in node.inputs() {
                uses.add_columns(input.schema());
            }
        }
        let is_projection = matches!(node, LogicalPlan::Projection(_));
        node.apply_expressions_dyn(&mut |expr| {
            if is_projection && (renaming(expr).is_some() || matches!(expr, Expr::Column(_))) {
                return Ok(TreeNodeRecursion::Continue);
            }
            uses.add_expression(expr)
        })
    })?;
    let changed = plan
        .clone()
        .transform_down_with_subqueries_dyn(&mut |node| {
            let Some(once) = as_once(&node) else {
                return Ok(Transformed::no(node));
            };
            let calls = once.calls.iter().map(|call| uses.named_in(call));
            let calls = calls.collect::<Result<Vec<_>>>()?;
            let once = EvaluateOnceNode::try_new(once.input.clone(), calls)?;
            Ok(Transformed::yes(once.into_plan()))
        })?;
    Ok(Some(changed.data))
}

/// The position of the argument for the fields, if the call has none yet.
fn position(call: &Expr) -> Option<usize> {
    match without_alias(call) {
        Expr::ScalarFunction(call) => {
            fields_position(&call.func).filter(|position| call.args.len() <= *position)
        }
        _ => None,
    }
}

/// Whether all uses of the columns of an operator's input are in its expressions. It may pass them
/// on under their names.
fn names_columns(node: &LogicalPlan) -> bool {
    matches!(
        node,
        LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::Join(_)
            | LogicalPlan::Aggregate(_)
            | LogicalPlan::Window(_)
    ) || as_once(node).is_some()
}

impl FieldUses {
    fn add_columns(&mut self, schema: &DFSchema) {
        for field in schema.fields() {
            self.add_all(field.name());
        }
    }

    /// Finds the names to which projections rename the columns of calls, also in several steps.
    fn find_renamed(&mut self, plan: &LogicalPlan) -> Result<()> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        plan.apply_with_subqueries_dyn(&mut |node| {
            if let LogicalPlan::Projection(projection) = node {
                let names = projection.expr.iter().filter_map(renaming);
                pairs.extend(names.map(|(old, new)| (old.to_owned(), new.to_owned())));
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        let mut is_complete = false;
        while !is_complete {
            is_complete = true;
            for (old, new) in &pairs {
                for call in self.calls_of(old) {
                    is_complete &= !self.renamed.entry(new.clone()).or_default().insert(call);
                }
            }
        }
        Ok(())
    }

    /// The calls whose column may have this name.
    fn calls_of(&self, column: &str) -> Vec<String> {
        let own = self.calls.get_key_value(column).map(|(name, _)| name);
        let others = self.renamed.get(column).into_iter().flatten();
        own.into_iter().chain(others).cloned().collect()
    }

    fn add(&mut self, column: &str, add: impl Fn(&mut Fields)) {
        for call in self.calls_of(column) {
            self.calls.get_mut(&call).into_iter().for_each(&add);
        }
    }

    fn add_all(&mut self, column: &str) {
        self.add(column, |fields| fields.all = true);
    }

    fn add_expression(&mut self, expr: &Expr) -> Result<TreeNodeRecursion> {
        expr.apply_dyn(&mut |part| {
            if let Some((column, field)) = field_access(part) {
                self.add(column, |fields| {
                    fields.named.insert(field.to_owned());
                });
                return Ok(TreeNodeRecursion::Jump);
            }
            if let Expr::Column(column) | Expr::OuterReferenceColumn(_, column) = part {
                self.add_all(&column.name);
            }
            if let Some(query) = subquery(part) {
                self.add_columns(query.subquery.schema());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(TreeNodeRecursion::Continue)
    }

    /// The call with its used fields as an argument.
    fn named_in(&self, call: &Expr) -> Result<Expr> {
        let (qualifier, name) = call.qualified_name();
        let (Some(position), Some(fields)) = (position(call), self.calls.get(&name)) else {
            return Ok(call.clone());
        };
        if fields.named.is_empty() {
            return Ok(call.clone());
        }
        let Expr::ScalarFunction(ScalarFunction { func, args }) = without_alias(call) else {
            return Ok(call.clone());
        };
        let mut args = args.clone();
        let left_out = arguments_of(func).into_iter().take(position);
        for argument in left_out.skip(args.len()) {
            let null = ScalarValue::try_from(&argument.data_type)?;
            args.push(Expr::Literal(null, None));
        }
        // Functions leave out fields that are seldom used, unless they are named.
        let all = fields.all.then_some(ALL_FIELDS).into_iter();
        let fields: Vec<&str> = all.chain(fields.named.iter().map(String::as_str)).collect();
        let fields = ScalarValue::LargeUtf8(Some(fields.join(" ")));
        args.push(Expr::Literal(fields, None));
        let call = Expr::ScalarFunction(ScalarFunction::new_udf(func.clone(), args));
        Ok(call.alias_qualified(qualifier, name))
    }
}

/// The query in an expression, whose columns are used as they are.
fn subquery(expr: &Expr) -> Option<&Subquery> {
    match expr {
        Expr::ScalarSubquery(query) => Some(query),
        Expr::InSubquery(query) => Some(&query.subquery),
        Expr::Exists(query) => Some(&query.subquery),
        Expr::SetComparison(query) => Some(&query.subquery),
        _ => None,
    }
}

/// The column that a projection passes on under another name, and that name.
fn renaming(expr: &Expr) -> Option<(&str, &str)> {
    match expr {
        Expr::Alias(alias) => match &*alias.expr {
            Expr::Column(column) => Some((&column.name, &alias.name)),
            _ => None,
        },
        _ => None,
    }
}

/// The column and the name of the field that an expression takes from it.
fn field_access(expr: &Expr) -> Option<(&str, &str)> {
    match expr {
        Expr::ScalarFunction(call) if call.name() == "get_field" => match call.args.as_slice() {
            [Expr::Column(column), Expr::Literal(field, _), ..] => {
                Some((&column.name, field.try_as_str()??))
            }
            _ => None,
        },
        _ => None,
    }
}
