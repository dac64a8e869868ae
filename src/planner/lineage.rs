//! Traces the columns of a query to their sources.

use datafusion::logical_expr::{Expr, LogicalPlan};

/// A source of the values of a column.
pub enum Origin<'a> {
    /// A table, whose column it is.
    Table,
    /// An expression over the columns of a plan's inputs.
    Expression(&'a Expr, &'a LogicalPlan),
    /// A column of a plan, whose lists are unnested.
    Items(&'a LogicalPlan, usize),
    /// A plan that might change or compute the values.
    Unknown,
}

/// Whether a column of the query has the values of a table column, unchanged.
pub fn is_passed_on(query: &LogicalPlan, column: &str) -> bool {
    let index = query.schema().index_of_column_by_name(None, column);
    index.is_some_and(|index| {
        all_origins(query, index, &mut |origin| matches!(origin, Origin::Table))
    })
}

/// Whether a condition holds for each origin of a column. A union has several.
pub fn all_origins(
    query: &LogicalPlan,
    index: usize,
    holds: &mut dyn FnMut(Origin<'_>) -> bool,
) -> bool {
    let mut open = vec![(query, index)];
    while let Some((plan, index)) = open.pop() {
        let origin = match plan {
            LogicalPlan::TableScan(_) => Origin::Table,
            LogicalPlan::Projection(projection) => {
                let mut expression = &projection.expr[index];
                while let Expr::Alias(alias) = expression {
                    expression = &alias.expr;
                }
                let input = projection.input.as_ref();
                match expression {
                    Expr::Column(column) => match input.schema().maybe_index_of_column(column) {
                        Some(index) => {
                            open.push((input, index));
                            continue;
                        }
                        None => Origin::Unknown,
                    },
                    computed => Origin::Expression(computed, plan),
                }
            }
            LogicalPlan::Aggregate(aggregate) => {
                let groups = &aggregate.group_expr;
                let computed = groups.iter().chain(&aggregate.aggr_expr).nth(index);
                let has_grouping_sets = matches!(groups.as_slice(), [Expr::GroupingSet(_)]);
                match computed.filter(|_| !has_grouping_sets) {
                    Some(computed) => Origin::Expression(computed, plan),
                    None => Origin::Unknown,
                }
            }
            LogicalPlan::Unnest(unnest) => match unnest.dependency_indices.get(index) {
                Some(&source)
                    if unnest
                        .list_type_columns
                        .iter()
                        .any(|(list, _)| *list == source) =>
                {
                    Origin::Items(&unnest.input, source)
                }
                _ => Origin::Unknown,
            },
            LogicalPlan::Filter(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::Repartition(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::Union(_) => {
                open.extend(plan.inputs().into_iter().map(|input| (input, index)));
                continue;
            }
            LogicalPlan::Join(_) | LogicalPlan::Extension(_) | LogicalPlan::Window(_) => {
                let (qualifier, field) = plan.schema().qualified_field(index);
                let found = plan.inputs().into_iter().find_map(|input| {
                    let index = input
                        .schema()
                        .index_of_column_by_name(qualifier, field.name())?;
                    Some((input, index))
                });
                match found {
                    Some(found) => {
                        open.push(found);
                        continue;
                    }
                    None => Origin::Unknown,
                }
            }
            _ => Origin::Unknown,
        };
        if !holds(origin) {
            return false;
        }
    }
    true
}
