//! Structs that lack a field. DataFusion's error for `s.a` names neither the struct nor its fields,
//! unlike ours for `s['a']`.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, Ident, VisitorMut};

use crate::sql::syntax::{Names, with_fields};
use crate::sql::walk::rewrite_statement;

/// Returns a statement with a subscript in the place of the field that an error misses. `None` if
/// the error has another cause.
pub fn as_subscripts(
    error: &DataFusionError,
    statement: &Statement,
    names: Names,
) -> Result<Option<Statement>> {
    let message = error.find_root().strip_backtrace();
    let field = message.split_once("Field ").map(|(_, rest)| rest);
    let Some((field, _)) = field.and_then(|rest| rest.split_once(" not found in struct")) else {
        return Ok(None);
    };
    let mut subscripts = Subscripts {
        names,
        field,
        is_found: false,
    };
    let mut changed = statement.clone();
    rewrite_statement(&mut changed, &mut subscripts)?;
    Ok(subscripts.is_found.then_some(changed))
}

struct Subscripts<'a> {
    names: Names,
    field: &'a str,
    is_found: bool,
}

impl VisitorMut for Subscripts<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::CompoundIdentifier(parts) = expr else {
            return ControlFlow::Continue(());
        };
        let is_missing = |part: &Ident| self.names.of(part) == self.field;
        // The first name is the struct or its table.
        let Some(at) = parts.iter().skip(1).position(is_missing) else {
            return ControlFlow::Continue(());
        };
        let (record, fields) = parts.split_at(at + 1);
        let record = match record {
            [name] => Expr::Identifier(name.clone()),
            names => Expr::CompoundIdentifier(names.to_vec()),
        };
        let fields = fields.iter().map(|field| self.names.of(field)).collect();
        *expr = with_fields(record, fields);
        self.is_found = true;
        ControlFlow::Continue(())
    }
}
