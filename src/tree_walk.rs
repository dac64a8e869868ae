//! Walks through plans and expressions with closures.
//!
//! DataFusion compiles its walk through all kinds of nodes again for each closure, 10,000 lines of
//! LLVM each time. These methods are DataFusion's, but take trait objects, so that all closures
//! share one walk.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan};

/// Changes a node.
type Change<'a, Node> = &'a mut dyn FnMut(Node) -> Result<Transformed<Node>>;

/// Inspects a node, and decides where the walk continues.
type Inspect<'a, Node> = &'a mut dyn FnMut(&Node) -> Result<TreeNodeRecursion>;

/// Walks through any tree.
pub trait TreeWalk: TreeNode {
    fn transform_up_dyn(self, change: Change<'_, Self>) -> Result<Transformed<Self>> {
        self.transform_up(change)
    }

    fn transform_down_dyn(self, change: Change<'_, Self>) -> Result<Transformed<Self>> {
        self.transform_down(change)
    }

    fn exists_dyn(&self, is_wanted: &dyn Fn(&Self) -> Result<bool>) -> Result<bool> {
        self.exists(is_wanted)
    }

    fn apply_dyn(&self, inspect: Inspect<'_, Self>) -> Result<TreeNodeRecursion> {
        self.apply(inspect)
    }
}

impl<Node: TreeNode> TreeWalk for Node {}

/// Walks through a logical plan, its subqueries and its expressions.
pub trait PlanWalk: Sized {
    fn transform_up_with_subqueries_dyn(
        self,
        change: Change<'_, Self>,
    ) -> Result<Transformed<Self>>;

    fn transform_down_with_subqueries_dyn(
        self,
        change: Change<'_, Self>,
    ) -> Result<Transformed<Self>>;

    fn apply_with_subqueries_dyn(&self, inspect: Inspect<'_, Self>) -> Result<TreeNodeRecursion>;

    /// Whether a node of the plan or of its subqueries meets a condition.
    fn exists_with_subqueries_dyn(
        &self,
        is_wanted: &dyn Fn(&Self) -> Result<bool>,
    ) -> Result<bool> {
        let mut is_found = false;
        self.apply_with_subqueries_dyn(&mut |node| {
            is_found = is_wanted(node)?;
            Ok(if is_found {
                TreeNodeRecursion::Stop
            } else {
                TreeNodeRecursion::Continue
            })
        })?;
        Ok(is_found)
    }

    fn map_expressions_dyn(self, change: Change<'_, Expr>) -> Result<Transformed<Self>>;

    /// Rewrites the expressions of a node from the inside out. Columns keep their names.
    fn rewrite_expressions_dyn(self, change: Change<'_, Expr>) -> Result<Transformed<Self>>;

    fn apply_expressions_dyn(&self, inspect: Inspect<'_, Expr>) -> Result<TreeNodeRecursion>;
}

impl PlanWalk for LogicalPlan {
    fn transform_up_with_subqueries_dyn(
        self,
        change: Change<'_, Self>,
    ) -> Result<Transformed<Self>> {
        self.transform_up_with_subqueries(change)
    }

    fn transform_down_with_subqueries_dyn(
        self,
        change: Change<'_, Self>,
    ) -> Result<Transformed<Self>> {
        self.transform_down_with_subqueries(change)
    }

    fn apply_with_subqueries_dyn(&self, inspect: Inspect<'_, Self>) -> Result<TreeNodeRecursion> {
        self.apply_with_subqueries(inspect)
    }

    fn map_expressions_dyn(self, change: Change<'_, Expr>) -> Result<Transformed<Self>> {
        self.map_expressions(change)
    }

    fn rewrite_expressions_dyn(self, change: Change<'_, Expr>) -> Result<Transformed<Self>> {
        let names = NamePreserver::new(&self);
        self.map_expressions_dyn(&mut |expr| {
            let name = names.save(&expr);
            let rewritten = expr.transform_up_dyn(change)?;
            Ok(if rewritten.transformed {
                rewritten.update_data(|expr| name.restore(expr))
            } else {
                rewritten
            })
        })
    }

    fn apply_expressions_dyn(&self, inspect: Inspect<'_, Expr>) -> Result<TreeNodeRecursion> {
        self.apply_expressions(inspect)
    }
}
