//! `a NATURAL JOIN b` as `a JOIN b USING (…)` with the columns that both have. DataFusion finds two
//! columns of each of these names in conditions.

use std::collections::HashSet;

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Ident, JoinConstraint, JoinOperator, ObjectName, Query, Select, SetExpr, TableFactor,
};

use super::super::rewrites::{Used, join_constraint, name_file, name_joined};
use super::columns::Column;
use crate::sql::syntax::{Names, parse_query, table_name};
use crate::sql::walk::find;

/// Whether a SELECT has natural joins of tables that have names, or can get them.
pub fn has(select: &Select) -> bool {
    select.from.iter().any(|table| {
        let joins = table.joins.iter();
        let factors = std::iter::once(&table.relation).chain(joins.map(|join| &join.relation));
        let mut joins = table.joins.clone();
        let is_natural = |constraint: Option<&mut JoinConstraint>| {
            matches!(constraint, Some(JoinConstraint::Natural))
        };
        joins
            .iter_mut()
            .any(|join| is_natural(join_constraint(join)))
            && factors.into_iter().all(is_single)
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
        let joined = table.joins.iter_mut().map(|join| &mut join.relation);
        for factor in std::iter::once(&mut table.relation).chain(joined) {
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

/// Names the columns of natural joins.
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
            let own: HashSet<String> = of_table(&join.relation).into_iter().collect();
            let mut seen = HashSet::new();
            let shared = before
                .iter()
                .filter(|name| own.contains(*name) && seen.insert(*name));
            let shared = shared.map(|name| Ident::with_quote('"', name));
            let shared: Vec<ObjectName> = shared.map(|name| vec![name].into()).collect();
            if let Some(constraint) = join_constraint(join)
                && *constraint == JoinConstraint::Natural
            {
                if shared.is_empty() {
                    return plan_err!(
                        "the tables of a NATURAL JOIN have no column in common: write a CROSS JOIN \
                         b, or a JOIN b ON a.x = b.y"
                    );
                }
                *constraint = JoinConstraint::Using(shared);
            }
            before.extend(own);
        }
    }
    Ok(())
}
