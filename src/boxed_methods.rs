//! Async methods whose arguments are plans.
//!
//! For each method of `#[async_trait]`, the compiler proves again that plans are `Send`, which
//! takes eight seconds. For functions without lifetime bounds, it proves that once per crate. Each
//! macro declares a DataFusion method that calls such an associated function.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::physical_plan::ExecutionPlan;
use futures::future::BoxFuture;

/// `TableProvider::scan`.
macro_rules! scan {
    ($type:ty, $function:ident) => {
        fn scan<'life0, 'life1, 'life2, 'life3, 'async_trait>(
            &'life0 self,
            session: &'life1 dyn datafusion::catalog::Session,
            projection: Option<&'life2 Vec<usize>>,
            filters: &'life3 [datafusion::logical_expr::Expr],
            limit: Option<usize>,
        ) -> $crate::boxed_methods::Planned<'async_trait>
        where
            'life0: 'async_trait,
            'life1: 'async_trait,
            'life2: 'async_trait,
            'life3: 'async_trait,
            Self: 'async_trait,
        {
            fn boxed<'a>(
                owner: &'a $type,
                session: &'a dyn datafusion::catalog::Session,
                projection: Option<&'a Vec<usize>>,
                filters: &'a [datafusion::logical_expr::Expr],
                limit: Option<usize>,
            ) -> $crate::boxed_methods::Planned<'a> {
                Box::pin(owner.$function(session, projection, filters, limit))
            }
            boxed(self, session, projection, filters, limit)
        }
    };
}

/// `TableProviderFactory::create`.
macro_rules! create {
    ($type:ty, $function:ident) => {
        fn create<'life0, 'life1, 'life2, 'async_trait>(
            &'life0 self,
            session: &'life1 dyn datafusion::catalog::Session,
            statement: &'life2 datafusion::logical_expr::CreateExternalTable,
        ) -> $crate::boxed_methods::OpenedTable<'async_trait>
        where
            'life0: 'async_trait,
            'life1: 'async_trait,
            'life2: 'async_trait,
            Self: 'async_trait,
        {
            fn boxed<'a>(
                owner: &'a $type,
                session: &'a dyn datafusion::catalog::Session,
                statement: &'a datafusion::logical_expr::CreateExternalTable,
            ) -> $crate::boxed_methods::OpenedTable<'a> {
                Box::pin(owner.$function(session, statement))
            }
            boxed(self, session, statement)
        }
    };
}

/// `QueryPlanner::create_physical_plan`.
macro_rules! create_physical_plan {
    ($type:ty, $function:ident) => {
        fn create_physical_plan<'life0, 'life1, 'life2, 'async_trait>(
            &'life0 self,
            plan: &'life1 datafusion::logical_expr::LogicalPlan,
            session: &'life2 dyn datafusion::catalog::Session,
        ) -> $crate::boxed_methods::Planned<'async_trait>
        where
            'life0: 'async_trait,
            'life1: 'async_trait,
            'life2: 'async_trait,
            Self: 'async_trait,
        {
            fn boxed<'a>(
                owner: &'a $type,
                plan: &'a datafusion::logical_expr::LogicalPlan,
                session: &'a dyn datafusion::catalog::Session,
            ) -> $crate::boxed_methods::Planned<'a> {
                Box::pin(owner.$function(plan, session))
            }
            boxed(self, plan, session)
        }
    };
}

/// `ExtensionPlanner::plan_extension`. The function gets no logical inputs.
macro_rules! plan_extension {
    ($type:ty, $function:ident) => {
        fn plan_extension<'life0, 'life1, 'life2, 'life3, 'life4, 'life5, 'life6, 'life7, 'async_trait>(
            &'life0 self,
            planner: &'life1 dyn datafusion::physical_planner::PhysicalPlanner,
            node: &'life2 dyn datafusion::logical_expr::UserDefinedLogicalNode,
            _logical_inputs: &'life3 [&'life4 datafusion::logical_expr::LogicalPlan],
            inputs: &'life5 [std::sync::Arc<dyn datafusion::physical_plan::ExecutionPlan>],
            session: &'life6 dyn datafusion::catalog::Session,
            context: &'life7 datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext,
        ) -> $crate::boxed_methods::PlannedNode<'async_trait>
        where
            'life0: 'async_trait,
            'life1: 'async_trait,
            'life2: 'async_trait,
            'life3: 'async_trait,
            'life4: 'async_trait,
            'life5: 'async_trait,
            'life6: 'async_trait,
            'life7: 'async_trait,
            Self: 'async_trait,
        {
            fn boxed<'a>(
                owner: &'a $type,
                planner: &'a dyn datafusion::physical_planner::PhysicalPlanner,
                node: &'a dyn datafusion::logical_expr::UserDefinedLogicalNode,
                inputs: &'a [std::sync::Arc<dyn datafusion::physical_plan::ExecutionPlan>],
                session: &'a dyn datafusion::catalog::Session,
                context: &'a datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext,
            ) -> $crate::boxed_methods::PlannedNode<'a> {
                Box::pin(owner.$function(planner, node, inputs, session, context))
            }
            boxed(self, planner, node, inputs, session, context)
        }
    };
}

pub type Planned<'a> = BoxFuture<'a, Result<Arc<dyn ExecutionPlan>>>;

pub type PlannedNode<'a> = BoxFuture<'a, Result<Option<Arc<dyn ExecutionPlan>>>>;

pub type OpenedTable<'a> = BoxFuture<'a, Result<Arc<dyn TableProvider>>>;

pub(crate) use {create, create_physical_plan, plan_extension, scan};
