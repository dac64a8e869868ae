//! Columns of rewritten tables that `*` leaves out.

use datafusion::common::{Result, not_impl_err};
use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Ident, ObjectName, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};

use crate::sql::syntax::Names;

/// A column that `*` leaves out: its table and its name.
pub type Hidden = (Ident, &'static str);

/// Leaves columns out of `*`, and out of `table.*`.
pub fn hide(select: &mut Select, hidden: &[Hidden], names: Names) -> Result<()> {
    if select.projection.is_empty() {
        select.flavor = SelectFlavor::Standard;
        let all = WildcardAdditionalOptions::default();
        select.projection.push(SelectItem::Wildcard(all));
    }
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
                let table = name.0.last().and_then(|part| part.as_ident());
                let table = table.map(|name| names.of(name));
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
    let mut names = match options.opt_exclude.take() {
        None => Vec::new(),
        Some(ExcludeSelectItem::Single(name)) => vec![name],
        Some(ExcludeSelectItem::Multiple(names)) => names,
    };
    if options.opt_except.is_some() {
        return not_impl_err!("write EXCLUDE instead of EXCEPT in this join");
    }
    names.push(ObjectName::from(vec![Ident::new(column)]));
    options.opt_exclude = Some(ExcludeSelectItem::Multiple(names));
    Ok(())
}
