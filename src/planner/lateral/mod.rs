//! Table functions whose argument is a column:
//! `FROM queries AS q, LATERAL search('index', q.text)`.
//!
//! DataFusion plans lateral subqueries as joins. A function that is called for each row is not a
//! join of two tables, so it has a separate operator here.
//!
//! ```text
//! call     a table that depends on an argument: the result of the function
//! node     LateralCall: the call, as planned from SQL; LateralNode: the join with it
//! rule     an analyzer rule: a join with a LateralCall becomes a LateralNode
//! columns  an optimizer rule: removes unused columns of the call
//! unnested plans lists and queries without tables in FROM as operators on the rows before them
//! exec     the operator: calls the function for each row of its input
//! ```

mod call;
mod columns;
mod exec;
mod node;
mod rule;
mod unnested;

pub use call::{LateralProvider, LateralRows, LateralTable};
pub use columns::LateralColumns;
pub use exec::{LateralExec, LateralPlanner};
pub use node::{LateralNode, lateral_call};
pub use rule::{LateralJoins, with_lateral_joins};
pub use unnested::with_unnested_lists;
