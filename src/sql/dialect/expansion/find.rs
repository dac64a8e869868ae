//! Finds the first SELECT that needs the columns of its tables, and writes it out.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Expr, ObjectName, OrderByKind, PivotValueSource, Query, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, TableFactor, TableWithJoins, VisitorMut, With,
};

use super::columns::{self, Column, Kind, has_columns, is_written};
use super::file_names;
use super::natural;
use super::pivot::{self, IsAggregate};
use super::recursive::{self, Recursive};
use super::rows;
use crate::sql::syntax::{
    Names, joined, last_name, parse_query, select_all, selected_from, table_name,
};
use crate::sql::virtual_columns::FILENAME;
use crate::sql::walk::{rewrite, step};

/// The queries that the first SELECT to be written out needs.
pub struct Found {
    /// A query for all columns of the tables.
    pub tables: Query,
    /// The columns whose values are needed, too.
    pub pivoted: Vec<Expr>,
}

/// Visits the first SELECT that depends on the columns of FROM: finds it, or writes it out if the
/// columns are known.
pub struct First<'a> {
    kind: Kind,
    names: Names,
    is_aggregate: IsAggregate<'a>,
    withs: Vec<With>,
    /// Whether each query around the current SELECT is sorted by all columns of that SELECT.
    /// DataFusion does not find those with upper-case letters.
    is_sorted_by_all: Vec<bool>,
    pub found: Option<Found>,
    pub columns: Option<Vec<Column>>,
    /// The columns of all tables, if JOIN … USING leaves some of them out of `columns`.
    pub of_tables: Option<Vec<Column>>,
    /// The values of each column of PIVOT.
    pub values: Vec<Vec<Expr>>,
    /// Names of tables and virtual columns that are also names of columns.
    pub own: HashSet<String>,
    /// Values that are unnested and have no fields.
    pub lists: HashSet<String>,
    is_done: bool,
}

impl<'a> First<'a> {
    pub fn new(kind: Kind, names: Names, is_aggregate: IsAggregate<'a>) -> Self {
        Self {
            kind,
            names,
            is_aggregate,
            withs: Vec::new(),
            is_sorted_by_all: Vec::new(),
            found: None,
            columns: None,
            of_tables: None,
            values: Vec::new(),
            own: HashSet::new(),
            lists: HashSet::new(),
            is_done: false,
        }
    }

    fn visit(&mut self, select: &mut Select) -> Result<()> {
        let Some(pivot) = self.pivot(select) else {
            return self.visit_items(select);
        };
        self.is_done = true;
        match self.columns.take() {
            Some(columns) => {
                let groups = pivot::groups(select);
                let values = std::mem::take(&mut self.values);
                match pivoted(select, pivot) {
                    Some(factor) => pivot::replace(
                        factor,
                        groups,
                        &columns,
                        values,
                        self.names,
                        self.is_aggregate,
                    ),
                    None => Ok(()),
                }
            }
            None => {
                let (table, columns) = match pivoted(select, pivot).cloned() {
                    Some(TableFactor::Pivot {
                        table,
                        value_column,
                        value_source: PivotValueSource::Any(_),
                        ..
                    }) => (table, value_column),
                    Some(TableFactor::Pivot { table, .. } | TableFactor::Unpivot { table, .. }) => {
                        (table, Vec::new())
                    }
                    _ => return Ok(()),
                };
                self.need(selected_from(*table, "SELECT * FROM t")?, columns)
            }
        }
    }

    /// The position of a PIVOT or UNPIVOT among the tables and their joins.
    fn pivot(&self, select: &Select) -> Option<(usize, usize)> {
        let is_pivot = |factor: &TableFactor| {
            matches!(
                factor,
                TableFactor::Pivot { .. } | TableFactor::Unpivot { .. }
            )
        };
        select.from.iter().enumerate().find_map(|(number, table)| {
            if is_pivot(&table.relation) {
                return Some((number, 0));
            }
            let join = table.joins.iter().position(|join| is_pivot(&join.relation));
            join.map(|join| (number, join + 1))
        })
    }

    /// Expands an unnested value, whose type the only column has.
    fn visit_recursive(&mut self, select: &mut Select, item: &Recursive) -> Result<()> {
        self.is_done = true;
        match self.columns.take().as_deref() {
            Some([value]) => recursive::write(select, item, &value.kind, &mut self.lists),
            Some(_) => plan_err!("cannot find the type of {}", item.value),
            None => {
                let mut query = parse_query("SELECT 1 AS value")?;
                if let SetExpr::Select(values) = query.body.as_mut() {
                    values.from.clone_from(&select.from);
                    if let Some(SelectItem::ExprWithAlias { expr, .. }) =
                        values.projection.first_mut()
                    {
                        expr.clone_from(&item.value);
                    }
                }
                self.need(query, Vec::new())
            }
        }
    }

    fn visit_items(&mut self, select: &mut Select) -> Result<()> {
        if natural::has(select, self.kind) {
            self.is_done = true;
            if let Some(columns) = self.columns.take() {
                return natural::write(select, &columns, self.names);
            }
            let tables = natural::all_columns(select, self.names)?;
            return self.need(tables, Vec::new());
        }
        let lists = (self.kind == Kind::Fields).then_some(&self.lists);
        if let Some(item) = recursive::find(select, lists, self.names) {
            return self.visit_recursive(select, &item);
        }
        let kind = match self.is_sorted_by_all.last() {
            Some(true) => Kind::Wildcards,
            _ => self.kind,
        };
        let is_needed = select
            .projection
            .iter()
            .any(|item| self.is_needed(item, select, kind))
            || (kind == Kind::Wildcards && select.flavor == SelectFlavor::FromFirstNoSelect)
            || select
                .selection
                .as_ref()
                .is_some_and(|condition| has_columns(condition, self.names))
            || rows::has_row(select, &self.own, self.names)
            || file_names::has_name(select, &self.own, self.names);
        if !is_needed || select.from.is_empty() {
            return Ok(());
        }
        self.is_done = true;
        match self.columns.take() {
            Some(columns) => {
                select_all(select);
                self.own.extend(rows::write(select, &columns, self.names));
                if file_names::has_name(select, &self.own, self.names)
                    && !file_names::write(select, &columns, self.names)?
                {
                    self.own.insert(FILENAME.to_owned());
                }
                let of_tables = self.of_tables.as_ref().unwrap_or(&columns);
                columns::write(select, &columns, of_tables, kind, self.names)
            }
            None => {
                let mut query = parse_query("SELECT *")?;
                if let SetExpr::Select(all) = query.body.as_mut() {
                    all.from.clone_from(&select.from);
                }
                self.need(query, Vec::new())
            }
        }
    }

    fn is_needed(&self, item: &SelectItem, select: &Select, kind: Kind) -> bool {
        match item {
            SelectItem::Wildcard(options) => is_written(options, kind),
            SelectItem::QualifiedWildcard(
                SelectItemQualifiedWildcardKind::ObjectName(name),
                options,
            ) => is_written(options, kind) || !self.is_table(name, &select.from),
            SelectItem::QualifiedWildcard(..) => true,
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                has_columns(expr, self.names)
            }
            SelectItem::ExprWithAliases { .. } => false,
        }
    }

    /// Whether a name is a table in FROM. Other names may be structs.
    fn is_table(&self, name: &ObjectName, from: &[TableWithJoins]) -> bool {
        let Some(wanted) = last_name(name) else {
            return true;
        };
        let wanted = self.names.of(wanted);
        let is_wanted = |factor: &TableFactor| {
            let is_named = table_name(factor).is_some_and(|name| self.names.of(&name) == wanted);
            is_named
                || matches!(
                    factor,
                    TableFactor::NestedJoin { .. }
                        | TableFactor::Table {
                            args: Some(_),
                            alias: None,
                            ..
                        }
                )
        };
        from.iter().flat_map(joined).any(is_wanted)
    }

    /// Asks for the columns of a query, and the values of some.
    fn need(&mut self, tables: Query, pivoted: Vec<Expr>) -> Result<()> {
        self.found = Some(Found {
            tables: self.query(tables)?,
            pivoted,
        });
        Ok(())
    }

    /// Adds the queries after WITH that are written out already.
    fn query(&self, mut query: Query) -> Result<Query> {
        let mut tables = Vec::new();
        let mut is_recursive = false;
        for with in &self.withs {
            is_recursive |= with.recursive;
            for table in &with.cte_tables {
                let mut rest = Self::new(self.kind, self.names, self.is_aggregate);
                rest.own.clone_from(&self.own);
                rest.lists.clone_from(&self.lists);
                let mut table = table.clone();
                rewrite(&mut table, &mut rest)?;
                if rest.found.is_some() {
                    break;
                }
                tables.push(table);
            }
        }
        if let Some(mut with) = self.withs.first().cloned().filter(|_| !tables.is_empty()) {
            with.cte_tables = tables;
            with.recursive = is_recursive;
            query.with = Some(with);
        }
        Ok(query)
    }
}

fn pivoted(select: &mut Select, (number, join): (usize, usize)) -> Option<&mut TableFactor> {
    let table = select.from.get_mut(number)?;
    match join.checked_sub(1) {
        None => Some(&mut table.relation),
        Some(join) => table.joins.get_mut(join).map(|join| &mut join.relation),
    }
}

impl VisitorMut for First<'_> {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        if let Some(with) = &query.with {
            self.withs.push(with.clone());
        }
        let is_sorted = matches!(
            &query.order_by,
            Some(order_by) if matches!(order_by.kind, OrderByKind::All(_))
        );
        let is_select = matches!(query.body.as_ref(), SetExpr::Select(_));
        self.is_sorted_by_all.push(is_sorted && is_select);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        if query.with.is_some() {
            self.withs.pop();
        }
        self.is_sorted_by_all.pop();
        ControlFlow::Continue(())
    }

    /// Inner queries come first, so that their columns are known.
    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        if self.is_done {
            return ControlFlow::Continue(());
        }
        step(self.visit(select))
    }
}
