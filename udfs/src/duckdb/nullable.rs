//! `nullable`, which keeps the value of a subquery from being declared without NULL.

use std::sync::Arc;

use datafusion::logical_expr::{ScalarUDF, Volatility};

use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

/// The function is volatile: the value of a constant would be a constant again.
pub fn nullable() -> ScalarUDF {
    AnyTyped::new(
        "nullable",
        document(
            INTERNAL,
            "nullable(value)",
            "Returns the value.",
            "> SELECT nullable(1);\n1",
            &[("value", "Any value.")],
        ),
        |given| Ok(given.to_vec()),
        |types| Ok(types[0].clone()),
        |args| Ok(Arc::clone(&args[0])),
    )
    .with_volatility(Volatility::Volatile)
    .into()
}
