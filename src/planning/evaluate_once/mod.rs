//! Costly functions run once per record, after the cheap filters, whatever the SQL looks like.
//!
//! DataFusion takes a function for cheap: it inlines calls into filters above them, merges those
//! with cheaper filters and evaluates both sides of an AND for all rows. A parser that SQL names
//! once then runs several times, also for records that a filter drops.
//!
//! ```text
//! rewrite    a rule, before all others: takes every call of a costly function out of the place
//!            that uses it, into a node of its own below, and leaves a column there
//! calls      which expressions these are, and how a column takes their place
//! node       that node, in logical plans; filters on other columns pass it
//! exec       the same in physical plans: a projection that is merged with no other
//! ```
//!
//! Above a join, a sort or in an outer query the same call on the same columns is the same column.

mod calls;
mod exec;
mod node;
mod rewrite;
#[cfg(test)]
mod tests;

pub use exec::EvaluateOncePlanner;
pub use rewrite::EvaluateOnce;
