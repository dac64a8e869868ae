//! `a NATURAL JOIN b` as `a JOIN b USING (…)` with the columns that both have. In conditions,
//! DataFusion considers these names ambiguous.
//!
//! If a column of USING has another case in one of the tables, it is renamed there.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Ident, IdentWithAlias, JoinConstraint, JoinOperator, ObjectName, Query, RenameSelectItem,
    Select, SelectItem, SetExpr, TableFactor, WildcardAdditionalOptions,
};

use super::super::rewrites::{Used, join_constraint, name_file, name_joined};
use super::columns::{Column, Kind};
use crate::sql::syntax::{
    Names, derived, in_known_case, joined, joined_mut, parse_query, selected_from, single_name,
    table_alias, table_name,
};
use crate::sql::walk::find;

/// Whether a SELECT has natural joins of tables that have names, or can get them; or joins with
/// USING, if the names of columns may have another case than the columns.
pub fn has(select: &Select, kind: Kind) -> bool {
    select.from.iter().any(|table| {
        let mut joins = table.joins.clone();
        let is_by_name = |constraint: Option<&mut JoinConstraint>| match constraint {
            Some(JoinConstraint::Natural) => true,
            // Those with quotes are written already.
            Some(JoinConstraint::Using(columns)) if kind == Kind::Named => columns
                .iter()
                .any(|column| single_name(column).is_some_and(|name| name.quote_style.is_none())),
            _ => false,
        };
        joins
            .iter_mut()
            .any(|join| is_by_name(join_constraint(join)))
            && joined(table).all(is_single)
    })
}

fn is_single(factor: &TableFactor) -> bool {
    matches!(
        factor,
        TableFactor::Table { .. } | TableFactor::Derived { .. }
    )
}

/// Returns a query for the columns of all tables of the joins.
pub fn all_columns(select: &mut Select, names: Names) -> Result<Query> {
    let mut used = Used::new(names);
    find(select, &mut used);
    for table in &mut select.from {
        for factor in joined_mut(table) {
            if let TableFactor::Table {
                name,
                alias,
                args: None,
                ..
            } = factor
            {
                name_file(name, alias, &used, names);
            }
        }
    }
    name_joined(select)?;
    let mut query = parse_query("SELECT *")?;
    if let SetExpr::Select(all) = query.body.as_mut() {
        all.from.clone_from(&select.from);
        for join in all.from.iter_mut().flat_map(|table| &mut table.joins) {
            join.join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
        }
    }
    Ok(query)
}

/// Names the columns of natural joins, and writes columns of USING in the case of the first table.
pub fn write(select: &mut Select, columns: &[Column], names: Names) -> Result<()> {
    let of_table = |factor: &TableFactor| -> Vec<String> {
        let Some(table) = table_name(factor).map(|name| names.of(&name)) else {
            return Vec::new();
        };
        let is_own = |column: &&Column| {
            let relation = column.relation.as_ref();
            relation.is_some_and(|relation| relation.table() == table)
        };
        let own = columns.iter().filter(is_own);
        own.map(|column| column.name.clone()).collect()
    };
    for table in &mut select.from {
        let mut before = of_table(&table.relation);
        for join in &mut table.joins {
            let mut own = of_table(&join.relation);
            let wanted = match join_constraint(join) {
                Some(JoinConstraint::Natural) => before.clone(),
                Some(JoinConstraint::Using(columns)) => {
                    let columns = columns.iter().filter_map(single_name);
                    columns.map(|name| names.of(name)).collect()
                }
                _ => Vec::new(),
            };
            let shared = Shared::of(&wanted, &before, &own);
            if let Some(constraint) = join_constraint(join) {
                match constraint {
                    JoinConstraint::Natural if shared.columns.is_empty() => {
                        return plan_err!(
                            "the tables of a NATURAL JOIN have no column in common: write a CROSS \
                             JOIN b, or a JOIN b ON a.x = b.y"
                        );
                    }
                    JoinConstraint::Natural => {
                        *constraint = JoinConstraint::Using(quote(&shared.columns));
                    }
                    // Columns that are missing are reported later.
                    JoinConstraint::Using(columns) => {
                        *columns = if shared.columns.len() == columns.len() {
                            quote(&shared.columns)
                        } else {
                            quote(&wanted)
                        };
                    }
                    _ => {}
                }
            }
            rename(&mut join.relation, &shared.renamed)?;
            own.retain(|name| !shared.renamed.iter().any(|(old, _)| old == name));
            before.extend(own);
        }
    }
    Ok(())
}

fn quote(columns: &[String]) -> Vec<ObjectName> {
    let columns = columns.iter().map(|name| Ident::with_quote('"', name));
    columns.map(|name| vec![name].into()).collect()
}

/// The columns that two tables have in common.
struct Shared {
    columns: Vec<String>,
    /// Columns of the second table with another case, and their new names.
    renamed: Vec<(String, String)>,
}

impl Shared {
    fn of(wanted: &[String], before: &[String], own: &[String]) -> Self {
        let mut shared = Self {
            columns: Vec::new(),
            renamed: Vec::new(),
        };
        for name in wanted {
            let known = |columns: &'_ [String]| {
                let columns = columns.iter().map(String::as_str);
                in_known_case(name, columns).map(str::to_owned)
            };
            let (Some(left), Some(right)) = (known(before), known(own)) else {
                continue;
            };
            if shared.columns.contains(&left) {
                continue;
            }
            shared.columns.push(left.clone());
            if left != right {
                shared.renamed.push((right, left));
            }
        }
        shared
    }
}

/// Renames columns of a table.
fn rename(factor: &mut TableFactor, columns: &[(String, String)]) -> Result<()> {
    let (false, Some(name)) = (columns.is_empty(), table_name(factor)) else {
        return Ok(());
    };
    let quoted = |name: &String| Ident::with_quote('"', name);
    let columns = columns.iter().map(|(old, new)| IdentWithAlias {
        ident: quoted(old),
        alias: quoted(new),
    });
    let mut query = selected_from(factor.clone(), "SELECT * FROM t")?;
    if let SetExpr::Select(select) = query.body.as_mut() {
        select.projection = vec![SelectItem::Wildcard(WildcardAdditionalOptions {
            opt_rename: Some(RenameSelectItem::Multiple(columns.collect())),
            ..WildcardAdditionalOptions::default()
        })];
    }
    *factor = derived(query, Some(table_alias(name)));
    Ok(())
}
