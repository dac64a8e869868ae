//! What happens between SQL and execution that DataFusion does not do by itself.
//!
//! Nothing here depends on sources or sinks, which use it.

pub mod evaluate_once;
pub mod lineage;
pub mod statement;
pub mod table_functions;
