//! `information_schema.columns` with the names of types as people write them, and places from 1.
//! DataFusion lists its internal names, and places from 0.

use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{Ident, TableFactor};

use crate::sql::syntax::{Names, derived, parse_query, table_alias};

const COLUMNS: &str = "SELECT * REPLACE (sql_type_name(data_type) AS data_type, \
                       CAST(ordinal_position + 1 AS INT) AS ordinal_position) \
                       FROM information_schema.columns";

/// Replaces the table by a query of it.
pub fn replace(factor: &mut TableFactor, names: Names) -> Result<()> {
    let TableFactor::Table {
        name,
        alias,
        args: None,
        ..
    } = factor
    else {
        return Ok(());
    };
    let [schema, table] = name.0.as_slice() else {
        return Ok(());
    };
    let is_columns = [(schema, "information_schema"), (table, "columns")]
        .iter()
        .all(|(part, wanted)| {
            part.as_ident()
                .is_some_and(|part| names.of(part) == *wanted)
        });
    if is_columns {
        let alias = alias.take();
        let alias = alias.unwrap_or_else(|| table_alias(Ident::new("columns")));
        *factor = derived(parse_query(COLUMNS)?, Some(alias));
    }
    Ok(())
}
