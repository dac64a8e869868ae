//! The scalar functions of corpus-sql.
//!
//! One module per family: the pure function first, its SQL wrapper below, tests last. A new
//! function is one line in [`functions`].

mod bytes;

use datafusion::logical_expr::ScalarUDF;

/// Every function, to be registered in a session.
pub fn functions() -> Vec<ScalarUDF> {
    vec![bytes::OctetLength::default().into()]
}
