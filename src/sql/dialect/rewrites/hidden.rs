//! Columns of rewritten tables that `*` leaves out.

use datafusion::common::{Result, not_impl_err};
use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Ident, ObjectName, Select, SelectItem, SelectItemQualifiedWildcardKind,
    WildcardAdditionalOptions,
};

use crate::sql::syntax::{Names, last_name, select_all};

/// A column that `*` leaves out: its table and its name.
pub type Hidden = (Ident, &'static str);

/// Leaves columns out of `*`, and out of `table.*`.
pub fn hide(select: &mut Select, hidden: &[Hidden], names: Names) -> Result<()> {
    select_all(select);
    for item in &mut select.projection {
        match item {
            SelectItem::Wildcard(options) => {
                for (_, column) in hidden {
                    exclude(options, column)?;
                }
            }
            SelectItem::QualifiedWildcard(
                SelectItemQualifiedWildcardKind::ObjectName(name),
                options,
            ) => {
                let table = last_name(name).map(|name| names.of(name));
                for (own, column) in hidden {
                    if table.as_ref() == Some(&names.of(own)) {
                        exclude(options, column)?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn exclude(options: &mut WildcardAdditionalOptions, column: &str) -> Result<()> {
    if options.opt_except.is_some() {
        return not_impl_err!("write EXCLUDE instead of EXCEPT in this join");
    }
    also_exclude(options, column);
    Ok(())
}

/// Adds a column to EXCLUDE.
pub fn also_exclude(options: &mut WildcardAdditionalOptions, column: &str) {
    let mut names = match options.opt_exclude.take() {
        None => Vec::new(),
        Some(ExcludeSelectItem::Single(name)) => vec![name],
        Some(ExcludeSelectItem::Multiple(names)) => names,
    };
    names.push(ObjectName::from(vec![Ident::new(column)]));
    options.opt_exclude = Some(ExcludeSelectItem::Multiple(names));
}
