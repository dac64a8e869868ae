//! Queries that run while another statement is planned, and belong to that statement.

use std::fmt;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::context::{QueryPlanner, SessionState};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use futures::future::BoxFuture;

/// Parses and plans a query in the dialect of a session.
pub type SqlPlanner = for<'a> fn(&'a SessionState, &'a str) -> BoxFuture<'a, Result<LogicalPlan>>;

/// The planners of inner queries, an extension of the session. Sources cannot refer to the planners
/// directly, because the planners refer to the sources.
pub struct NestedPlanner {
    pub sql: SqlPlanner,
    /// Plans for this process even if the session is one of a cluster.
    pub physical: Arc<dyn QueryPlanner + Send + Sync>,
}

impl fmt::Debug for NestedPlanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NestedPlanner({:?})", self.physical)
    }
}

/// Parses and plans a query. A session that was not created by this library uses DataFusion's
/// planners.
pub async fn plan_sql(state: &SessionState, query: &str) -> Result<LogicalPlan> {
    match state.config().get_extension::<NestedPlanner>() {
        Some(planner) => (planner.sql)(state, query).await,
        None => state.create_logical_plan(query).await,
    }
}

pub async fn plan_physical(
    state: &SessionState,
    query: &LogicalPlan,
) -> Result<Arc<dyn ExecutionPlan>> {
    let Some(planner) = state.config().get_extension::<NestedPlanner>() else {
        return state.create_physical_plan(query).await;
    };
    let query = state.optimize(query)?;
    planner.physical.create_physical_plan(&query, state).await
}
