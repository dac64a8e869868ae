//! Plans expressions: bytes as operands of patterns, and fields of structs.

mod bytes_as_text;
mod struct_fields;

pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use struct_fields::StructFieldPlanner;
