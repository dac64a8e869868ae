//! Joins rows with a query that uses their columns: the rows are numbered, and each operator of the
//! query works on the rows of each number alone.

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, JoinType, Result};
use datafusion::functions_aggregate::expr_fn::first_value;
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::expr::Sort;
use datafusion::logical_expr::logical_plan::{Distinct, Limit, Window};
use datafusion::logical_expr::utils::split_conjunction_owned;
use datafusion::logical_expr::{
    Expr, ExprFunctionExt, FetchType, LogicalPlan, LogicalPlanBuilder, SkipType, lit, when,
};

use crate::tree_walk::TreeWalk;

/// Whether a query uses columns of the rows around it.
pub fn uses_outer(query: &LogicalPlan) -> bool {
    !query.all_out_ref_exprs().is_empty()
}

/// The rows around a query.
pub struct Rows<'a> {
    rows: &'a LogicalPlan,
    /// The start of the names of the columns that are added.
    prefix: String,
    added: usize,
}

/// The rows, their numbers, and the columns of a query.
struct Joined {
    plan: LogicalPlan,
    /// The columns of the query, and their names in the plan.
    columns: Vec<(Column, String)>,
    /// Whether a row may be repeated with rows of the query that are marked as missing.
    is_repeated: bool,
}

impl<'a> Rows<'a> {
    /// `number` differs for each query of a statement.
    pub fn new(rows: &'a LogicalPlan, number: usize) -> Self {
        Self {
            rows,
            prefix: format!("__subquery_{number}"),
            added: 0,
        }
    }

    /// Returns the rows with the columns of a query, and these columns. `is_inner` leaves rows out
    /// for which the query has none. `None` if the query has other operators.
    pub fn join(
        mut self,
        query: &LogicalPlan,
        is_inner: bool,
    ) -> Result<Option<(LogicalPlan, Vec<Expr>)>> {
        let own = self.rows.schema();
        let is_known = |expr: &Expr| match expr {
            Expr::OuterReferenceColumn(_, column) => own.has_column(column),
            _ => false,
        };
        if !query.all_out_ref_exprs().iter().all(is_known) {
            return Ok(None);
        }
        let Some(joined) = self.with(query)? else {
            return Ok(None);
        };
        let is_row = column(&self.is_row()).is_true();
        let values = joined.columns.iter().map(|(_, name)| {
            if is_inner {
                Ok(column(name))
            } else {
                when(is_row.clone(), column(name)).end()
            }
        });
        let values = values.collect::<Result<_>>()?;
        let plan = LogicalPlanBuilder::from(joined.plan);
        let plan = if is_inner {
            plan.filter(is_row)?
        } else if joined.is_repeated {
            let place = self.name();
            let first = self.numbered(Vec::new())?.alias(&place);
            plan.window([first])?
                .filter(is_row.or(column(&place).eq(lit(1_u64))))?
        } else {
            plan
        };
        Ok(Some((plan.build()?, values)))
    }

    /// The name of the numbers of the rows.
    fn row(&self) -> String {
        format!("{}_row", self.prefix)
    }

    /// The name of the column that is true where the query has a row.
    fn is_row(&self) -> String {
        format!("{}_is_row", self.prefix)
    }

    /// A name that no other column has.
    fn name(&mut self) -> String {
        self.added += 1;
        format!("{}_{}", self.prefix, self.added)
    }

    fn with(&mut self, query: &LogicalPlan) -> Result<Option<Joined>> {
        if !uses_outer(query) {
            return self.all(query, None).map(Some);
        }
        match query {
            LogicalPlan::Filter(filter) if has_query(&filter.predicate)? => Ok(None),
            LogicalPlan::Filter(filter) if !uses_outer(&filter.input) => {
                self.all(&filter.input, Some(&filter.predicate)).map(Some)
            }
            LogicalPlan::Filter(filter) => self.on(&filter.input, |rows, joined| {
                let condition = joined.expr(&filter.predicate)?;
                rows.kept(joined, condition)
            }),
            LogicalPlan::Projection(projection) => {
                for item in &projection.expr {
                    if has_query(item)? {
                        return Ok(None);
                    }
                }
                self.on(&projection.input, |rows, joined| {
                    rows.projected(joined, &projection.expr, projection.schema.columns())
                })
            }
            LogicalPlan::SubqueryAlias(alias) => self.on(&alias.input, |_, mut joined| {
                let columns = alias.schema.columns().into_iter();
                for ((own, _), column) in joined.columns.iter_mut().zip(columns) {
                    *own = column;
                }
                Ok(joined)
            }),
            LogicalPlan::Aggregate(aggregate) => {
                let is_set = |key: &Expr| matches!(key, Expr::GroupingSet(_));
                if aggregate.group_expr.iter().any(is_set) {
                    return Ok(None);
                }
                let (keys, values) = (&aggregate.group_expr, &aggregate.aggr_expr);
                self.on(&aggregate.input, |rows, joined| {
                    rows.grouped(joined, keys, values, aggregate.schema.columns())
                })
            }
            LogicalPlan::Distinct(Distinct::All(input)) => {
                let columns = input.schema().columns();
                let keys: Vec<Expr> = columns.iter().cloned().map(Expr::Column).collect();
                self.on(input, |rows, joined| {
                    rows.grouped(joined, &keys, &[], columns)
                })
            }
            LogicalPlan::Window(window) => {
                self.on(&window.input, |rows, joined| rows.windowed(joined, window))
            }
            LogicalPlan::Sort(sort) if sort.fetch.is_none() => self.with(&sort.input),
            LogicalPlan::Limit(limit) => self.limited(limit),
            _ => Ok(None),
        }
    }

    /// Joins the rows with the input of an operator, and applies the operator.
    fn on(
        &mut self,
        input: &LogicalPlan,
        operator: impl FnOnce(&mut Self, Joined) -> Result<Joined>,
    ) -> Result<Option<Joined>> {
        match self.with(input)? {
            Some(joined) => operator(self, joined).map(Some),
            None => Ok(None),
        }
    }

    /// Joins each row with all rows that meet a condition.
    fn all(&mut self, input: &LogicalPlan, condition: Option<&Expr>) -> Result<Joined> {
        let columns = input.schema().columns().into_iter();
        let columns: Vec<(Column, String)> = columns.map(|own| (own, self.name())).collect();
        let (used, own): (Vec<Expr>, Vec<Expr>) =
            split_conjunction_owned(condition.cloned().unwrap_or_else(|| lit(true)))
                .into_iter()
                .partition(Expr::contains_outer);
        let mut inner = LogicalPlanBuilder::from(input.clone());
        if let Some(own) = own.into_iter().reduce(Expr::and) {
            inner = inner.filter(own)?;
        }
        let items = columns
            .iter()
            .map(|(own, name)| Expr::Column(own.clone()).alias(name));
        let inner = inner.project(items.chain([lit(true).alias(self.is_row())]))?;
        let conditions = used.iter().map(|part| renamed(part, &columns));
        let condition = conditions.reduce(|all, part| Ok(all?.and(part?)));
        let plan = LogicalPlanBuilder::from(self.rows.clone())
            .window([row_number().alias(self.row())])?
            .join_on(
                inner.build()?,
                JoinType::Left,
                [condition.unwrap_or_else(|| Ok(lit(true)))?],
            )?
            .build()?;
        Ok(Joined {
            plan,
            columns,
            is_repeated: false,
        })
    }

    /// The columns of the rows, and their number.
    fn own(&self) -> impl Iterator<Item = Expr> {
        let own = self.rows.schema().columns().into_iter().map(Expr::Column);
        own.chain([column(&self.row())])
    }

    fn projected(
        &mut self,
        joined: Joined,
        exprs: &[Expr],
        columns: Vec<Column>,
    ) -> Result<Joined> {
        let names: Vec<String> = columns.iter().map(|_| self.name()).collect();
        let mut items: Vec<Expr> = self.own().chain([column(&self.is_row())]).collect();
        for (expr, name) in exprs.iter().zip(&names) {
            items.push(joined.expr(expr)?.unalias().alias(name));
        }
        Ok(Joined {
            plan: LogicalPlanBuilder::from(joined.plan)
                .project(items)?
                .build()?,
            columns: columns.into_iter().zip(names).collect(),
            is_repeated: joined.is_repeated,
        })
    }

    /// Marks rows of the query that do not meet a condition as missing. The outer rows stay.
    fn kept(&self, joined: Joined, condition: Expr) -> Result<Joined> {
        let is_row = column(&self.is_row()).and(condition);
        let others = joined.columns.iter().map(|(_, name)| column(name));
        let items = self
            .own()
            .chain([is_row.alias(self.is_row())])
            .chain(others);
        Ok(Joined {
            plan: LogicalPlanBuilder::from(joined.plan)
                .project(items)?
                .build()?,
            columns: joined.columns,
            is_repeated: true,
        })
    }

    /// Groups the rows of the query for each row.
    fn grouped(
        &mut self,
        joined: Joined,
        own_keys: &[Expr],
        values: &[Expr],
        columns: Vec<Column>,
    ) -> Result<Joined> {
        let is_row = column(&self.is_row()).is_true();
        let is_single = own_keys.is_empty();
        let names: Vec<String> = columns.iter().map(|_| self.name()).collect();
        let mut keys = vec![column(&self.row())];
        if !is_single {
            keys.push(is_row.clone().alias(self.is_row()));
        }
        let mut own_names = names.iter();
        for (key, name) in own_keys.iter().zip(&mut own_names) {
            keys.push(joined.expr(key)?.unalias().alias(name));
        }
        let kept = self.rows.schema().columns().into_iter().map(|column| {
            let value = first_value(Expr::Column(column.clone()), Vec::new());
            value.alias_qualified(column.relation, column.name)
        });
        let mut aggregates: Vec<Expr> = kept.collect();
        for (value, name) in values.iter().zip(own_names) {
            let value = joined.expr(value)?.unalias();
            let value = if is_single {
                of_rows(value, &is_row)
            } else {
                value
            };
            aggregates.push(value.alias(name));
        }
        let mut plan = LogicalPlanBuilder::from(joined.plan).aggregate(keys, aggregates)?;
        if is_single {
            let values = names.iter().map(|name| column(name));
            let is_row = lit(true).alias(self.is_row());
            plan = plan.project(self.own().chain([is_row]).chain(values))?;
        }
        Ok(Joined {
            plan: plan.build()?,
            columns: columns.into_iter().zip(names).collect(),
            is_repeated: joined.is_repeated && !is_single,
        })
    }

    /// Computes windows over the rows of the query for each row.
    fn windowed(&mut self, joined: Joined, window: &Window) -> Result<Joined> {
        let mut columns = joined.columns.clone();
        let added = window.schema.columns().split_off(columns.len());
        let mut exprs = Vec::new();
        for (expr, own) in window.window_expr.iter().zip(added) {
            let name = self.name();
            let mut expr = joined.expr(expr)?.unalias();
            if let Expr::WindowFunction(function) = &mut expr {
                let group = [column(&self.row()), column(&self.is_row()).is_true()];
                function.params.partition_by.extend(group);
            }
            exprs.push(expr.alias(&name));
            columns.push((own, name));
        }
        Ok(Joined {
            plan: LogicalPlanBuilder::from(joined.plan)
                .window(exprs)?
                .build()?,
            columns,
            is_repeated: joined.is_repeated,
        })
    }

    /// Keeps the first rows of the query for each row.
    fn limited(&mut self, limit: &Limit) -> Result<Option<Joined>> {
        let (SkipType::Literal(skip), FetchType::Literal(fetch)) =
            (limit.get_skip_type()?, limit.get_fetch_type()?)
        else {
            return Ok(None);
        };
        // The SELECT list is above ORDER BY if it lacks a key.
        let mut lists = Vec::new();
        let mut input = limit.input.as_ref();
        while let LogicalPlan::Projection(projection) = input {
            lists.push(projection);
            input = projection.input.as_ref();
        }
        let (input, keys) = match input {
            LogicalPlan::Sort(sort) if sort.fetch.is_none() => {
                (sort.input.as_ref(), sort.expr.as_slice())
            }
            LogicalPlan::Sort(_) => return Ok(None),
            _ => {
                lists.clear();
                (limit.input.as_ref(), [].as_slice())
            }
        };
        let Some(joined) = self.with(input)? else {
            return Ok(None);
        };
        let keys = keys
            .iter()
            .map(|key| Ok(key.with_expr(joined.expr(&key.expr)?)));
        let keys = keys.collect::<Result<_>>()?;
        let place = self.name();
        let number = self.numbered(keys)?.alias(&place);
        let plan = LogicalPlanBuilder::from(joined.plan)
            .window([number])?
            .build()?;
        let joined = Joined { plan, ..joined };
        let place = column(&place);
        let mut condition = place.clone().gt(lit(skip as u64));
        if let Some(fetch) = fetch {
            condition = condition.and(place.lt_eq(lit((skip + fetch) as u64)));
        }
        let mut joined = self.kept(joined, condition)?;
        for list in lists.into_iter().rev() {
            joined = self.projected(joined, &list.expr, list.schema.columns())?;
        }
        Ok(Some(joined))
    }

    /// The place of a row of the query among those of the same number.
    fn numbered(&self, keys: Vec<Sort>) -> Result<Expr> {
        let is_row = column(&self.is_row()).is_true().sort(false, false);
        let keys = [is_row].into_iter().chain(keys).collect();
        row_number()
            .partition_by(vec![column(&self.row())])
            .order_by(keys)
            .build()
    }
}

impl Joined {
    /// An expression of the query with the names of its columns in the plan.
    fn expr(&self, expr: &Expr) -> Result<Expr> {
        renamed(expr, &self.columns)
    }
}

fn column(name: &str) -> Expr {
    Expr::Column(Column::new_unqualified(name))
}

fn renamed(expr: &Expr, columns: &[(Column, String)]) -> Result<Expr> {
    let renamed = expr.clone().transform_up_dyn(&mut |expr| {
        Ok(match &expr {
            Expr::OuterReferenceColumn(_, outer) => Transformed::yes(Expr::Column(outer.clone())),
            Expr::Column(own) => match columns.iter().find(|(known, _)| known == own) {
                Some((_, name)) => Transformed::yes(column(name)),
                None => Transformed::no(expr),
            },
            _ => Transformed::no(expr),
        })
    });
    renamed.map(|it| it.data)
}

/// Whether an expression contains a query.
fn has_query(expr: &Expr) -> Result<bool> {
    expr.exists_dyn(&|part| {
        Ok(matches!(
            part,
            Expr::ScalarSubquery(_)
                | Expr::Exists(_)
                | Expr::InSubquery(_)
                | Expr::SetComparison(_)
        ))
    })
}

/// Leaves missing rows out of an aggregate.
fn of_rows(expr: Expr, is_row: &Expr) -> Expr {
    let Expr::AggregateFunction(mut function) = expr else {
        return expr;
    };
    let condition = match function.params.filter.take() {
        Some(filter) => filter.and(is_row.clone()),
        None => is_row.clone(),
    };
    function.params.filter = Some(Box::new(condition));
    Expr::AggregateFunction(function)
}
