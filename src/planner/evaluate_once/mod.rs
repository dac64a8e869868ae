//! Evaluates costly functions once per record, after the cheap filters, however the SQL is written.
//!
//! DataFusion assumes that functions are cheap: it inlines calls into the filters above them,
//! merges these with cheaper filters, and evaluates both sides of an AND for all rows. A parser
//! that appears once in SQL then runs several times, even for records that a filter drops.
//!
//! ```text
//! normalize  applies rules of DataFusion first, so that fewer kinds of operators remain
//! rewrite    a rule before all others: moves each call of a costly function from its place into a
//!            separate node below, and puts a column in its place
//! subqueries moves filters such as `url IN (SELECT …)`, which become joins, below the calls
//! calls      finds these calls, and replaces them with columns
//! fields     passes functions the fields of their structs that are used
//! node       that node in logical plans; filters on other columns move below it
//! exec       the same in physical plans: a projection that is not merged with others
//! ```
//!
//! Operators that the rule does not understand keep their expressions. If the rule fails, the plan
//! stays unchanged.
//!
//! An equal call on the same columns above a join, above a sort or in an outer query becomes the
//! same column.

mod calls;
mod exec;
mod fields;
mod node;
mod normalize;
mod rewrite;
mod subqueries;
#[cfg(test)]
mod tests;

pub use exec::{EvaluateOnceExec, EvaluateOncePlanner};
pub use fields::with_used_fields;
pub use rewrite::EvaluateOnce;
