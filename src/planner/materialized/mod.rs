//! Runs a query of WITH once that is used several times, if another run might return other rows.
//!
//! DataFusion plans and runs a query of WITH for each use. Random values, the numbers of unsorted
//! rows, or sums of floating-point numbers then differ between the uses.
//!
//! ```text
//! choice   the queries that run once
//! node     the node in logical plans
//! rules    optimizer rules: unused columns, clusters
//! exec     the operators: one runs the query, the others read its rows
//! rows     the rows of the query, in memory or on disk
//! ```

mod choice;
mod exec;
mod node;
mod rows;
mod rules;

pub use choice::materialize;
pub use exec::{MaterializedPlanner, MaterializedRowsExec, ShareRows};
pub use rules::{RunForEachUse, UsedColumns};
