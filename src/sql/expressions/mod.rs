//! Plans expressions.
//!
//! ```text
//! arithmetic          ^, / and //, products of intervals, ||
//! checked_arithmetic  +, - and * that fail on overflow
//! bytes_as_text       patterns on bytes
//! casts               casts
//! comparisons         comparisons of different types
//! difference_parts    hours and other parts of differences of timestamps
//! types               types that DataFusion's planner does not know
//! struct_fields       fields of structs, and of JSON in texts
//! json_values         JSON in to_json and json_object
//! nested_nulls        structs and lists that a condition makes NULL
//! listed_texts        copies the texts of list(text)
//! text_parts          text[2] and text[1:3]
//! node                rewrites the expressions of a node of a plan
//! ```

mod arithmetic;
mod bytes_as_text;
mod casts;
mod checked_arithmetic;
mod comparisons;
mod difference_parts;
mod json_values;
mod listed_texts;
mod nested_nulls;
mod node;
mod struct_fields;
mod text_parts;
mod types;

pub use arithmetic::ArithmeticPlanner;
pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use casts::DuckDbCasts;
pub use checked_arithmetic::{CheckedConstants, with_checked_arithmetic};
pub use comparisons::DuckDbComparisons;
pub use difference_parts::DifferenceParts;
pub use json_values::JsonValues;
pub use listed_texts::ListedTexts;
pub use nested_nulls::NestedNulls;
pub use struct_fields::StructFieldPlanner;
pub use text_parts::TextPartsPlanner;
pub use types::DuckDbTypes;
