//! Casts to types of other engines, and to JSON.

use datafusion::sql::sqlparser::ast::{DataType, Expr};

pub use crate::foreign_types::rename;
use crate::sql::syntax::call;

/// Renames the type of a cast to its name in this dialect. Returns whether that changed it.
pub fn rename_in(expr: &mut Expr) -> bool {
    match expr {
        // Structs and lists become JSON, which is a text already in others.
        Expr::Cast {
            expr: value,
            data_type: DataType::JSON | DataType::JSONB,
            ..
        } => {
            *expr = call("json_cast", vec![value.as_ref().clone()]);
            true
        }
        Expr::Cast { data_type, .. } => rename(data_type),
        Expr::TypedString(literal) => rename(&mut literal.data_type),
        _ => false,
    }
}

/// Whether a type is a text without a maximum length.
pub fn is_text(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Text | DataType::Varchar(None) | DataType::String(None)
    )
}
