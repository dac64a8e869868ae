//! `a FULL JOIN b USING (x)` and `a RIGHT JOIN b USING (x)`: `x` comes from whichever row
//! exists. DataFusion takes `a.x`, which is NULL for rows of `b` only. In WHERE, it considers
//! `x` ambiguous after any join with USING.

use std::collections::{HashMap, HashSet};

use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, ExcludeSelectItem, Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName,
    ReplaceSelectElement, ReplaceSelectItem, Select, SelectItem, SelectItemQualifiedWildcardKind,
    TableFactor, TableWithJoins, WildcardAdditionalOptions,
};

use crate::sql::syntax::{
    Names, and, binary, call, joined_mut, name_item, select_all, single_name, table_alias,
    table_name,
};
use crate::sql::walk::rewrite_own;

const HELP: &str = "write FULL JOIN b ON a.x = b.x, and coalesce(a.x, b.x) for the column";

/// Replaces FULL and RIGHT JOIN with USING in a SELECT.
pub fn replace(select: &mut Select, names: Names) -> Result<()> {
    name_queries(select)?;
    if !select.from.iter().any(has_outer) {
        shorten_chains(select, names)?;
        return name_tables(select, names);
    }
    let [table] = select.from.as_mut_slice() else {
        return not_impl_err!("FULL and RIGHT JOIN with USING after a comma in FROM: {HELP}");
    };
    let merged = Merged::of(table, names)?;
    select_all(select);
    let mut items = Vec::new();
    for item in std::mem::take(&mut select.projection) {
        match item {
            SelectItem::Wildcard(options) if options == WildcardAdditionalOptions::default() => {
                items.extend(merged.all());
            }
            SelectItem::Wildcard(_) => {
                return not_impl_err!("* with clauses and FULL or RIGHT JOIN with USING: {HELP}");
            }
            SelectItem::UnnamedExpr(Expr::Identifier(name)) if merged.has(&name) => {
                items.push(SelectItem::ExprWithAlias {
                    expr: merged.value(&name),
                    alias: name,
                });
            }
            item => items.push(item),
        }
    }
    select.projection = items;
    // The names of the columns become their values.
    rewrite_own(select, |expr| {
        if let Expr::Identifier(name) = expr
            && merged.has(name)
        {
            *expr = merged.value(name);
        }
        Ok(())
    })
}

/// Names the tables and queries that have no name.
pub fn name_joined(select: &mut Select) -> Result<()> {
    for table in &mut select.from {
        for (number, relation) in joined_mut(table).enumerate() {
            named(relation, number)?;
        }
    }
    Ok(())
}

/// Names the queries that are joined by the names of columns, or these would have no table.
fn name_queries(select: &mut Select) -> Result<()> {
    for table in &mut select.from {
        let is_by_name = |join: &mut Join| {
            matches!(
                join_constraint(join),
                Some(JoinConstraint::Natural | JoinConstraint::Using(_))
            )
        };
        if !table.joins.iter_mut().any(is_by_name) {
            continue;
        }
        for (number, relation) in joined_mut(table).enumerate() {
            if matches!(relation, TableFactor::Derived { .. }) {
                named(relation, number)?;
            }
        }
    }
    Ok(())
}

/// Replaces USING by ON for columns that two earlier USING have: DataFusion takes a column of three
/// tables for ambiguous.
fn shorten_chains(select: &mut Select, names: Names) -> Result<()> {
    let [table] = select.from.as_mut_slice() else {
        return Ok(());
    };
    if !has_long_chain(table, names) {
        return Ok(());
    }
    let first = named(&mut table.relation, 0)?;
    let mut items = vec![all_but(&first, &[])];
    // The value of each column, and the number of its USING so far.
    let mut known: HashMap<String, (Expr, usize)> = HashMap::new();
    for (number, join) in (1..).zip(&mut table.joins) {
        let columns = using_columns(join);
        let right = named(&mut join.relation, number)?;
        items.push(all_but(&right, &columns));
        // Rows without a match have the column of the first table only.
        let left = if is_inner(join) { &right } else { &first };
        let mut condition = None;
        let mut is_chained = !columns.is_empty();
        for column in &columns {
            let known = known.entry(names.of(column));
            let (value, count) = known.or_insert_with(|| (qualify(left, column), 0));
            is_chained &= *count > 1;
            *count += 1;
            let equal = binary(value.clone(), BinaryOperator::Eq, qualify(&right, column));
            condition = Some(and(condition, equal));
        }
        if let (true, Some(condition)) = (is_chained, condition)
            && let Some(constraint) = join_constraint(join)
        {
            *constraint = JoinConstraint::On(condition);
        }
    }
    select_all(select);
    let selected = std::mem::take(&mut select.projection).into_iter();
    let selected = selected.flat_map(|item| match item {
        SelectItem::Wildcard(options) if options == WildcardAdditionalOptions::default() => {
            items.clone()
        }
        item => vec![item],
    });
    select.projection = selected.collect();
    Ok(())
}

/// Whether more than two USING have the same column, and all tables have columns in `*`.
fn has_long_chain(table: &mut TableWithJoins, names: Names) -> bool {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for join in &mut table.joins {
        let is_cross = matches!(join.join_operator, JoinOperator::CrossJoin(_));
        if join_constraint(join).is_none() && !is_cross {
            return false;
        }
        for column in using_columns(join) {
            *counts.entry(names.of(&column)).or_default() += 1;
        }
    }
    counts.values().any(|count| *count > 2)
}

/// The columns after USING.
fn using_columns(join: &mut Join) -> Vec<Ident> {
    match join_constraint(join) {
        Some(JoinConstraint::Using(columns)) => {
            columns.iter().filter_map(single_name).cloned().collect()
        }
        _ => Vec::new(),
    }
}

fn is_inner(join: &Join) -> bool {
    matches!(
        join.join_operator,
        JoinOperator::Join(_) | JoinOperator::Inner(_)
    )
}

/// Qualifies the columns of USING with their tables: in WHERE, and where several USING have them.
fn name_tables(select: &mut Select, names: Names) -> Result<()> {
    let mut values: Vec<(String, Expr)> = Vec::new();
    let mut repeated = HashSet::new();
    for table in &mut select.from {
        for (number, join) in (1..).zip(&mut table.joins) {
            let is_inner = is_inner(join);
            for column in using_columns(join) {
                let name = names.of(&column);
                if values.iter().any(|(known, _)| *known == name) {
                    repeated.insert(name);
                    continue;
                }
                // Rows without a match have the column of the first table only.
                let table = if is_inner {
                    named(&mut join.relation, number)
                } else {
                    named(&mut table.relation, 0)
                };
                values.extend(table.ok().map(|table| (name, qualify(&table, &column))));
            }
        }
    }
    let value = |name: &Ident| {
        let name = names.of(name);
        values.iter().find(|(known, _)| *known == name)
    };
    if let Some(condition) = &mut select.selection {
        rewrite_own(condition, |expr| {
            if let Expr::Identifier(name) = expr
                && let Some((_, value)) = value(name)
            {
                *expr = value.clone();
            }
            Ok(())
        })?;
    }
    if repeated.is_empty() {
        return Ok(());
    }
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(Expr::Identifier(name)) = item
            && repeated.contains(&names.of(name))
        {
            let alias = name.clone();
            name_item(item, alias);
        }
    }
    rewrite_own(select, |expr| {
        if let Expr::Identifier(name) = expr
            && let Some((_, value)) = value(name).filter(|(name, _)| repeated.contains(name))
        {
            *expr = value.clone();
        }
        Ok(())
    })
}

/// The columns after USING of a join that keeps rows of its right side.
fn outer_columns(join: &Join) -> Option<&JoinConstraint> {
    match &join.join_operator {
        JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => match constraint {
            JoinConstraint::Using(_) | JoinConstraint::Natural => Some(constraint),
            _ => None,
        },
        _ => None,
    }
}

fn has_outer(table: &TableWithJoins) -> bool {
    table.joins.iter().any(|join| outer_columns(join).is_some())
}

/// The condition of a join that may have USING.
pub fn join_constraint(join: &mut Join) -> Option<&mut JoinConstraint> {
    match &mut join.join_operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => Some(constraint),
        _ => None,
    }
}

/// The columns that the tables have in common.
struct Merged {
    names: Names,
    tables: Vec<Ident>,
    columns: Vec<Ident>,
}

impl Merged {
    /// Finds the tables and columns of joins with USING, and replaces USING by ON.
    fn of(table: &mut TableWithJoins, names: Names) -> Result<Self> {
        let mut merged = Self {
            names,
            tables: vec![named(&mut table.relation, 0)?],
            columns: Vec::new(),
        };
        for (number, join) in (1..).zip(&mut table.joins) {
            let name = named(&mut join.relation, number)?;
            let Some(constraint) = join_constraint(join) else {
                return not_impl_err!("FULL and RIGHT JOIN with USING beside other joins: {HELP}");
            };
            let JoinConstraint::Using(columns) = constraint else {
                return not_impl_err!("FULL and RIGHT JOIN with USING beside ON: {HELP}");
            };
            let columns = columns.iter().map(|column| match single_name(column) {
                Some(name) => Ok(name.clone()),
                None => plan_err!("USING takes names of columns, not {column}"),
            });
            let columns = columns.collect::<Result<Vec<_>>>()?;
            let of = |columns: &[Ident]| -> Vec<String> {
                columns.iter().map(|column| names.of(column)).collect()
            };
            if number > 1 && of(&columns) != of(&merged.columns) {
                return not_impl_err!(
                    "FULL and RIGHT JOIN with USING beside a join with other columns: {HELP}"
                );
            }
            merged.columns = columns;
            let condition = merged.columns.iter().fold(None, |condition, column| {
                let right = qualify(&name, column);
                let equal = binary(merged.value(column), BinaryOperator::Eq, right);
                Some(and(condition, equal))
            });
            if let Some(condition) = condition {
                *constraint = JoinConstraint::On(condition);
            }
            merged.tables.push(name);
        }
        Ok(merged)
    }

    fn has(&self, name: &Ident) -> bool {
        let name = self.names.of(name);
        let mut columns = self.columns.iter();
        columns.any(|column| self.names.of(column) == name)
    }

    /// The value of the first table that has one.
    fn value(&self, column: &Ident) -> Expr {
        let values: Vec<Expr> = self
            .tables
            .iter()
            .map(|table| qualify(table, column))
            .collect();
        match values.as_slice() {
            [value] => value.clone(),
            _ => call("coalesce", values),
        }
    }

    /// The items that `*` expands to: the common columns have their places in the first table.
    fn all(&self) -> Vec<SelectItem> {
        let mut items: Vec<SelectItem> = (self.tables.iter())
            .map(|table| all_but(table, &self.columns))
            .collect();
        let common = self.columns.iter().map(|column| {
            Box::new(ReplaceSelectElement {
                expr: self.value(column),
                column_name: column.clone(),
                as_keyword: true,
            })
        });
        if let Some(SelectItem::QualifiedWildcard(_, options)) = items.first_mut() {
            options.opt_exclude = None;
            options.opt_replace = Some(ReplaceSelectItem {
                items: common.collect(),
            });
        }
        items
    }
}

/// `table.* EXCLUDE (columns)`
fn all_but(table: &Ident, columns: &[Ident]) -> SelectItem {
    let excluded = columns
        .iter()
        .map(|column| ObjectName::from(vec![column.clone()]));
    let options = WildcardAdditionalOptions {
        opt_exclude: (!columns.is_empty()).then(|| ExcludeSelectItem::Multiple(excluded.collect())),
        ..WildcardAdditionalOptions::default()
    };
    let table = ObjectName::from(vec![table.clone()]);
    SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(table), options)
}

fn qualify(table: &Ident, column: &Ident) -> Expr {
    Expr::CompoundIdentifier(vec![table.clone(), column.clone()])
}

/// Returns the name of a table. Gives it an alias if it has no name.
fn named(table: &mut TableFactor, number: usize) -> Result<Ident> {
    if let Some(name) = table_name(table) {
        return Ok(name);
    }
    let name = Ident::new(format!("__joined_{number}"));
    match table {
        TableFactor::Table { alias, .. } | TableFactor::Derived { alias, .. } => {
            *alias = Some(table_alias(name.clone()));
            Ok(name)
        }
        other => plan_err!("give {other} an alias for USING"),
    }
}
