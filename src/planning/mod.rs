//! Planning steps that DataFusion lacks.
//!
//! Nothing here depends on sources or sinks, which use it.

pub mod aliases;
pub mod batch_size;
pub mod build_side;
pub mod evaluate_once;
pub mod lateral;
pub mod lineage;
pub mod nested;
pub mod row_numbers;
pub mod semi_joins;
pub mod statement;
pub mod syntax;
pub mod table_functions;
