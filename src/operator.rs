//! Methods that most operators of physical plans share.

/// Implements methods of an operator with one input: its name, and replacing the input.
macro_rules! one_input {
    ($name:ident, $input:ident, $with_input:expr) => {
        fn name(&self) -> &str {
            stringify!($name)
        }

        fn children(&self) -> Vec<&std::sync::Arc<dyn datafusion::physical_plan::ExecutionPlan>> {
            vec![&self.$input]
        }

        fn with_new_children(
            self: std::sync::Arc<Self>,
            mut children: Vec<std::sync::Arc<dyn datafusion::physical_plan::ExecutionPlan>>,
        ) -> datafusion::common::Result<
            std::sync::Arc<dyn datafusion::physical_plan::ExecutionPlan>,
        > {
            let with_input: fn(&Self, _) -> datafusion::common::Result<Self> = $with_input;
            match (children.pop(), children.is_empty()) {
                (Some(input), true) => Ok(std::sync::Arc::new(with_input(&self, input)?)),
                _ => datafusion::common::internal_err!("{} has one input", stringify!($name)),
            }
        }
    };
}

/// Implements the method of an operator that evaluates no expressions itself.
macro_rules! no_expressions {
    () => {
        fn apply_expressions(
            &self,
            _f: &mut dyn for<'a> FnMut(
                &'a std::sync::Arc<dyn datafusion::physical_expr::PhysicalExpr>,
            ) -> datafusion::common::Result<
                datafusion::common::tree_node::TreeNodeRecursion,
            >,
        ) -> datafusion::common::Result<datafusion::common::tree_node::TreeNodeRecursion> {
            Ok(datafusion::common::tree_node::TreeNodeRecursion::Continue)
        }
    };
}

pub(crate) use {no_expressions, one_input};
