//! Traces the columns of a query to their source.

use datafusion::logical_expr::{Expr, LogicalPlan};

/// Whether a column of the query has the values of a table column, unchanged. A plan that might
/// change or compute the values counts as changing them.
pub fn is_passed_on(query: &LogicalPlan, column: &str) -> bool {
    let Some(index) = query.schema().index_of_column_by_name(None, column) else {
        return false;
    };
    let mut open = vec![(query, index)];
    while let Some((plan, index)) = open.pop() {
        match plan {
            LogicalPlan::TableScan(_) => {}
            LogicalPlan::Projection(projection) => {
                let mut expression = projection.expr.get(index);
                while let Some(Expr::Alias(alias)) = expression {
                    expression = Some(&alias.expr);
                }
                let Some(Expr::Column(column)) = expression else {
                    return false;
                };
                let input = &projection.input;
                match input.schema().maybe_index_of_column(column) {
                    Some(index) => open.push((input, index)),
                    None => return false,
                }
            }
            LogicalPlan::Filter(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::Repartition(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::Union(_) => {
                open.extend(plan.inputs().into_iter().map(|input| (input, index)));
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
                    Some(found) => open.push(found),
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    true
}
