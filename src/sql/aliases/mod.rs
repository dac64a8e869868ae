//! Lets a SELECT use its own aliases, as DuckDB, Snowflake and Spark do:
//!
//! ```sql
//! SELECT http_response(body) AS http, http['status'] AS status FROM … WHERE status = 200
//! ```
//!
//! A name may be a column or an alias. Only the planner knows the columns, so the decision is left
//! to it:
//!
//! ```text
//! rewrite       before planning: walks over the SELECTs of a statement
//! substitution  replaces a name that equals an alias by `name OPERATOR expression`, with an
//!               operator that SQL cannot contain
//! resolve       while planning: keeps the name if it is a column of FROM, and the expression if
//!               not
//! conditions    replaces aliases of aggregates in HAVING
//! ```
//!
//! DataFusion itself resolves other aliases in GROUP BY, HAVING, QUALIFY and ORDER BY. The
//! expressions are planned where they are used, but costly functions are still called once per
//! record ([`evaluate_once`](crate::planner::evaluate_once)).

mod conditions;
mod resolve;
mod rewrite;
mod substitution;

use datafusion::sql::sqlparser::ast::BinaryOperator;

pub use resolve::AliasPlanner;
pub use rewrite::rewrite;

/// The operator after a name in SELECT and WINDOW that may be an alias.
const REUSED: &str = "reused alias";

/// The same in WHERE, where an alias must not contain aggregates.
const REUSED_IN_WHERE: &str = "reused alias in WHERE";

/// The operator after a name that equals an alias which cannot be used in that place. The
/// expression is the error message.
const UNUSABLE: &str = "unusable alias";

/// Whether an operator marks a name that may be an alias.
pub fn is_marker(operator: &BinaryOperator) -> bool {
    let markers = [REUSED, REUSED_IN_WHERE, UNUSABLE];
    matches!(operator, BinaryOperator::Custom(name) if markers.contains(&name.as_str()))
}
