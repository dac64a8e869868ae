//! Plans expressions: bytes as operands of patterns, arithmetic, casts, comparisons, types, fields
//! of structs and JSON, parts of texts, and texts in lists.

mod arithmetic;
mod bytes_as_text;
mod casts;
mod checked_arithmetic;
mod comparisons;
mod difference_parts;
mod listed_texts;
mod nested_nulls;
mod node;
mod struct_fields;
mod text_parts;
mod types;

pub use arithmetic::ArithmeticPlanner;
pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use casts::DuckDbCasts;
pub use checked_arithmetic::CheckedArithmetic;
pub use comparisons::DuckDbComparisons;
pub use difference_parts::DifferenceParts;
pub use listed_texts::ListedTexts;
pub use nested_nulls::NestedNulls;
pub use struct_fields::StructFieldPlanner;
pub use text_parts::TextPartsPlanner;
pub use types::DuckDbTypes;
