//! URLs as keys of indexes.

mod idna2003;
mod percent;
mod session_ids;
pub mod sql;
mod surt;

pub use surt::surt;
