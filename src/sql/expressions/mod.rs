//! Plans expressions: bytes as operands of patterns, arithmetic, casts, fields of structs, and
//! parts of texts.

mod arithmetic;
mod bytes_as_text;
mod rounded_casts;
mod struct_fields;
mod text_parts;

pub use arithmetic::ArithmeticPlanner;
pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use rounded_casts::RoundedCasts;
pub use struct_fields::StructFieldPlanner;
pub use text_parts::TextPartsPlanner;
