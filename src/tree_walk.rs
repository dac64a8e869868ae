//! Walks through plans and expressions with closures.
//!
//! DataFusion compiles its walk through all kinds of nodes again for each closure, 10,000 lines of
//! LLVM each time. These methods are DataFusion's, but take trait objects, so that all closures
//! share one walk.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
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

    fn map_expressions_dyn(self, change: Change<'_, Expr>) -> Result<Transformed<Self>>;

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

    fn apply_expressions_dyn(&self, inspect: Inspect<'_, Expr>) -> Result<TreeNodeRecursion> {
        self.apply_expressions(inspect)
    }
}
