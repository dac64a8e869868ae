//! Functions of raw bytes.
//!
//! ```text
//! octet_length    the size of text and bytes
//! functions       DataFusion's text functions, extended to bytes
//! lossy           bytes read as UTF-8, for patterns
//! ```

mod functions;
pub mod lossy;
mod octet_length;

pub use functions::{contains, strpos, substr, text_functions};
pub use octet_length::OctetLength;
