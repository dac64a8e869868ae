//! Planning steps that DataFusion lacks.
//!
//! Nothing here depends on sources or sinks, which use it.

pub mod aliases;
pub mod batch_size;
pub mod build_side;
pub mod evaluate_once;
pub mod file_names;
pub mod lateral;
pub mod lineage;
pub mod nested;
pub mod row_numbers;
pub mod semi_joins;
pub mod statement;
pub mod syntax;
pub mod table_functions;

use datafusion::physical_plan::ReplaceChildrenOptions;
use datafusion::physical_plan::execution_plan::ChildrenPropertiesMode;

/// For new inputs of an operator, whose properties may differ.
pub const RECOMPUTE: ReplaceChildrenOptions =
    ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
