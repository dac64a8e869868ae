//! Plans expressions: bytes as operands of patterns, fields of structs, and parts of texts.

mod bytes_as_text;
mod power;
mod struct_fields;
mod text_parts;

pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use power::PowerPlanner;
pub use struct_fields::StructFieldPlanner;
pub use text_parts::TextPartsPlanner;
