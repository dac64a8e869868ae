//! Functions that return their argument. They hide it from optimizer rules whose results are wrong.

use std::sync::Arc;

use datafusion::logical_expr::{ScalarUDF, Volatility};

use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

/// Declares the value of a subquery, which may have no row, as nullable. The function is volatile:
/// the value of a constant would be a constant again.
pub fn nullable() -> ScalarUDF {
    identity("nullable", "nullable(value)", "> SELECT nullable(1);\n1")
        .with_volatility(Volatility::Volatile)
        .into()
}

/// Keeps a cast that may lose a value, or the order of values, in comparisons.
pub fn kept_cast() -> ScalarUDF {
    identity("kept_cast", "kept_cast(value)", "> SELECT kept_cast(1);\n1").into()
}

/// Hides that the values of a column are unique.
pub fn nonunique() -> ScalarUDF {
    identity("nonunique", "nonunique(value)", "> SELECT nonunique(1);\n1").into()
}

fn identity(name: &'static str, syntax: &str, example: &str) -> AnyTyped {
    AnyTyped::new(
        name,
        document(
            INTERNAL,
            syntax,
            "Returns the value.",
            example,
            &[("value", "Any value.")],
        ),
        |given| Ok(given.to_vec()),
        |types| Ok(types[0].clone()),
        |args| Ok(Arc::clone(&args[0])),
    )
}
