//! Plans expressions: bytes as operands of patterns, arithmetic, casts, fields of structs and JSON,
//! parts of texts, and the types of maps.

mod arithmetic;
mod bytes_as_text;
mod casts;
mod checked_arithmetic;
mod node;
mod struct_fields;
mod text_parts;
mod types;

pub use arithmetic::ArithmeticPlanner;
pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use casts::DuckDbCasts;
pub use checked_arithmetic::CheckedArithmetic;
pub use struct_fields::StructFieldPlanner;
pub use text_parts::TextPartsPlanner;
pub use types::DuckDbTypes;
