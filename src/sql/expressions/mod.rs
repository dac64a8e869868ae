//! Plans expressions: bytes as operands of patterns, and fields of structs.

mod bytes_as_text;
mod power;
mod struct_fields;

pub use bytes_as_text::{BytesAsText, BytesPlanner, before_view};
pub use power::PowerPlanner;
pub use struct_fields::StructFieldPlanner;
