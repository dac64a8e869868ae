//! Checks the format that a statement names with `STORED AS`.
//!
//! DataFusion ignores an unknown format of a `COPY` if the target has an extension, and writes the
//! format of the extension.

use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::Statement;

use crate::sinks::names;
use crate::sql::suggestions;

/// Fails if the format is unknown, and suggests one, or if the name of the file says another one.
pub fn check(context: &SessionContext, statement: &Statement) -> Result<()> {
    let state = context.state();
    let (name, known) = match statement {
        Statement::Explain(explain) => return check(context, &explain.statement),
        Statement::CopyTo(copy) => match &copy.stored_as {
            Some(name) if state.get_file_format_factory(name).is_none() => {
                (name, suggestions::written_formats())
            }
            _ if !copy.partitioned_by.is_empty() => return Ok(()),
            name => return names::check(&copy.target, name.as_deref()),
        },
        Statement::CreateExternalTable(table) => {
            let factories = state.table_factories();
            if factories.contains_key(&table.file_type.to_uppercase()) {
                return Ok(());
            }
            let mut known: Vec<_> = factories.keys().cloned().collect();
            known.sort();
            (&table.file_type, known)
        }
        _ => return Ok(()),
    };
    plan_err!("{}", suggestions::unknown_format(name, &known))
}
