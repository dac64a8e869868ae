//! Decides whether a name is a file: names in single quotes are, and others with a dot or a slash.
//!
//! DataFusion looks up a table first, and then asks for a file of that name, whether the name is
//! quoted or not. But a folder `pages` must not be read in place of a missing table `pages`.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use datafusion::common::{DataFusionError, TableReference};
use datafusion::execution::SessionState;
use datafusion::sql::sqlparser::ast::{
    Ident, ObjectName, Query, Statement, TableAlias, TableFactor, VisitorMut,
};

/// Characters that occur only in names of files, folders, globs and URLs.
const OF_FILES: [char; 6] = ['.', '/', '\\', '*', '?', '['];

/// Whether a name can be a file. All other names are tables.
pub fn may_be_file(name: &str) -> bool {
    name.contains(OF_FILES)
}

/// Rewrites names in single quotes, such as `'pages'`, to paths that can only be files.
pub struct QuotedNames<'a> {
    state: &'a SessionState,
    /// The names of WITH queries, which take precedence over files.
    hidden: HashSet<String>,
}

impl<'a> QuotedNames<'a> {
    pub fn new(state: &'a SessionState) -> Self {
        Self {
            state,
            hidden: HashSet::new(),
        }
    }

    /// Returns the path of the file or folder that a quoted name refers to.
    fn path(&self, name: &ObjectName) -> Option<(Ident, String)> {
        let [part] = name.0.as_slice() else {
            return None;
        };
        let name = part.as_ident()?;
        if name.quote_style != Some('\'')
            || may_be_file(&name.value)
            || self.hidden.contains(&name.value)
            || self.is_table(&name.value)
        {
            return None;
        }
        let path = Path::new(&name.value);
        let path = if path.is_dir() {
            format!("{}/", name.value)
        } else if path.exists() {
            format!("./{}", name.value)
        } else {
            return None;
        };
        Some((name.clone(), path))
    }

    fn is_table(&self, name: &str) -> bool {
        let schema = self.state.schema_for_ref(TableReference::bare(name));
        schema.is_ok_and(|schema| schema.table_exist(name))
    }
}

fn quote(path: String) -> ObjectName {
    ObjectName::from(vec![Ident::with_quote('\'', path)])
}

impl VisitorMut for QuotedNames<'_> {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        let with = query.with.iter().flat_map(|with| &with.cte_tables);
        let names = with.map(|table| table.alias.name.value.clone());
        self.hidden.extend(names);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = factor
        else {
            return ControlFlow::Continue(());
        };
        if let Some((written, path)) = self.path(name) {
            *name = quote(path);
            // The columns keep their qualifier.
            alias.get_or_insert_with(|| TableAlias {
                explicit: true,
                name: Ident::with_quote('"', written.value),
                columns: Vec::new(),
                at: None,
            });
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_statement(&mut self, statement: &mut Statement) -> ControlFlow<DataFusionError> {
        if let Statement::ExplainTable { table_name, .. } = statement
            && let Some((_, path)) = self.path(table_name)
        {
            *table_name = quote(path);
        }
        ControlFlow::Continue(())
    }
}
