//! PIVOT as aggregates with conditions, and UNPIVOT as unnested lists.

use std::collections::{BTreeSet, HashSet};

use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, ExprWithAlias, GroupByExpr, Ident, NullInclusion, ObjectName,
    PivotValueSource, Select, SelectItem, SetExpr, TableFactor,
};

use super::MAX_PIVOTED_COLUMNS;
use super::columns::{Column, names_of};
use crate::sql::syntax::{
    Names, and, binary, cast, derived, literal, literal_text, parse_query, quoted_name,
    selected_from,
};
use crate::sql::walk::{has_expr, rewrite_own};

/// Whether the function of a name returns a value for a group.
pub type IsAggregate<'a> = &'a (dyn Fn(&ObjectName) -> bool + Sync);

const HELP: &str = "write PIVOT t ON column USING sum(other) GROUP BY third";

/// Takes the columns of `SELECT * FROM t PIVOT (…) GROUP BY a`, which belong to PIVOT.
pub fn groups(select: &mut Select) -> Option<Vec<Expr>> {
    let is_all = matches!(select.projection.as_slice(), [SelectItem::Wildcard(_)]);
    match &select.group_by {
        GroupByExpr::Expressions(keys, _) if is_all && !keys.is_empty() => {
            let keys = keys.clone();
            select.group_by = GroupByExpr::Expressions(Vec::new(), Vec::new());
            Some(keys)
        }
        _ => None,
    }
}

/// Replaces a PIVOT or UNPIVOT.
pub fn replace(
    factor: &mut TableFactor,
    groups: Option<Vec<Expr>>,
    columns: &[Column],
    values: Vec<Vec<Expr>>,
    names: Names,
    is_aggregate: IsAggregate<'_>,
) -> Result<()> {
    let TableFactor::Pivot {
        table,
        aggregate_functions,
        value_column,
        value_source,
        default_on_null,
        alias,
    } = factor
    else {
        return unpivot(factor, columns, names);
    };
    if default_on_null.is_some() {
        return not_impl_err!("PIVOT has no DEFAULT ON NULL: write coalesce(column, 0)");
    }
    let combinations = match value_source {
        PivotValueSource::List(values) => match value_column.len() {
            1 => values.iter().map(|value| vec![value.clone()]).collect(),
            _ => {
                return not_impl_err!(
                    "PIVOT of several columns takes no IN: leave it out, or filter the rows before"
                );
            }
        },
        PivotValueSource::Any(_) => combinations(values)?,
        PivotValueSource::Subquery(_) => {
            return not_impl_err!(
                "PIVOT takes no query after IN: name the values, or leave IN out"
            );
        }
    };
    let groups = groups.unwrap_or_else(|| {
        let aggregates = aggregate_functions.iter().map(|it| &it.expr);
        let used = column_names(value_column.iter().chain(aggregates), names);
        let others = columns.iter().filter(|it| !used.contains(&it.name));
        others
            .map(|column| Expr::Identifier(Ident::with_quote('"', &column.name)))
            .collect()
    });
    let mut items: Vec<SelectItem> = groups
        .iter()
        .cloned()
        .map(SelectItem::UnnamedExpr)
        .collect();
    for values in &combinations {
        let shown = values.iter().map(|value| match &value.alias {
            Some(alias) => alias.value.clone(),
            None => shown(&value.expr),
        });
        let name = shown.collect::<Vec<_>>().join("_");
        let equal = value_column.iter().zip(values).map(|(column, value)| {
            binary(as_text(column), BinaryOperator::Eq, as_text(&value.expr))
        });
        let condition = equal.fold(None, |condition, equal| Some(and(condition, equal)));
        let Some(condition) = condition else {
            return plan_err!("PIVOT needs a column after ON: {HELP}");
        };
        for aggregate in aggregate_functions.iter() {
            let alias = match &aggregate.alias {
                Some(alias) => format!("{name}_{}", alias.value),
                None if aggregate_functions.len() > 1 => format!("{name}_{}", aggregate.expr),
                None => name.clone(),
            };
            items.push(SelectItem::ExprWithAlias {
                expr: filtered(&aggregate.expr, &condition, is_aggregate)?,
                alias: Ident::with_quote('"', alias),
            });
        }
    }
    if items.is_empty() {
        let columns: Vec<String> = value_column.iter().map(ToString::to_string).collect();
        return plan_err!(
            "PIVOT finds no value of {}, and the result would have no column: name the values after IN",
            columns.join(", ")
        );
    }
    let mut query = selected_from(table.as_ref().clone(), "SELECT * FROM t")?;
    if let SetExpr::Select(select) = query.body.as_mut() {
        select.projection = items;
        select.group_by = GroupByExpr::Expressions(groups, Vec::new());
    }
    *factor = derived(query, alias.take());
    Ok(())
}

/// Returns an expression whose aggregates take only the rows that meet a condition.
fn filtered(expr: &Expr, condition: &Expr, is_aggregate: IsAggregate<'_>) -> Result<Expr> {
    let mut expr = expr.clone();
    let mut has_aggregate = false;
    rewrite_own(&mut expr, |part| {
        if let Expr::Function(function) = part
            && is_aggregate(&function.name)
        {
            has_aggregate = true;
            let filter = function.filter.take().map(|filter| *filter);
            function.filter = Some(Box::new(and(filter, condition.clone())));
        }
        Ok(())
    })?;
    if !has_aggregate {
        return not_impl_err!("PIVOT takes aggregates after USING, not {expr}: {HELP}");
    }
    Ok(expr)
}

/// The combinations of the values of several columns.
fn combinations(values: Vec<Vec<Expr>>) -> Result<Vec<Vec<ExprWithAlias>>> {
    let number = values.iter().fold(1_usize, |number, values| {
        number.saturating_mul(values.len())
    });
    if number > MAX_PIVOTED_COLUMNS {
        return plan_err!(
            "PIVOT would make more than {MAX_PIVOTED_COLUMNS} columns: pivot fewer columns, or filter the rows before"
        );
    }
    let mut combinations = vec![Vec::new()];
    for values in values {
        combinations = combinations
            .iter()
            .flat_map(|before: &Vec<ExprWithAlias>| {
                values.iter().map(|expr| {
                    let (expr, alias) = (expr.clone(), None);
                    let mut combination = before.clone();
                    combination.push(ExprWithAlias { expr, alias });
                    combination
                })
            })
            .collect();
    }
    combinations.retain(|combination| !combination.is_empty());
    Ok(combinations)
}

fn as_text(expr: &Expr) -> Expr {
    cast(expr.clone(), DataType::Text)
}

/// The text of a literal as the name of a column.
fn shown(value: &Expr) -> String {
    literal_text(value).map_or_else(|| value.to_string(), str::to_owned)
}

/// The names of the columns in expressions.
fn column_names<'a>(exprs: impl Iterator<Item = &'a Expr>, names: Names) -> HashSet<String> {
    let mut found = HashSet::new();
    for expr in exprs {
        has_expr(expr, |part| {
            let name = match part {
                Expr::Identifier(name) => Some(name),
                Expr::CompoundIdentifier(parts) => parts.last(),
                _ => None,
            };
            found.extend(name.map(|name| names.of(name)));
            false
        });
    }
    found
}

fn unpivot(factor: &mut TableFactor, columns: &[Column], names: Names) -> Result<()> {
    let TableFactor::Unpivot {
        table,
        value,
        name,
        columns: listed,
        null_inclusion,
        alias,
    } = factor
    else {
        return Ok(());
    };
    let values = match value {
        Expr::Tuple(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    // The columns that become rows: one for each value.
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut titles = Vec::new();
    for item in listed {
        let row = match &item.expr {
            Expr::Tuple(parts) => {
                let parts = parts.iter().map(|part| names_of(part, columns, names));
                vec![parts.collect::<Result<Vec<_>>>()?.concat()]
            }
            expr => {
                let found = names_of(expr, columns, names)?.into_iter();
                found.map(|column| vec![column]).collect()
            }
        };
        for row in row {
            if let Some(missing) = row
                .iter()
                .find(|name| !columns.iter().any(|known| known.name == **name))
            {
                return plan_err!("no column '{missing}' for UNPIVOT");
            }
            if row.len() != values.len() {
                return plan_err!(
                    "UNPIVOT needs a name for each of {}: write ON (a, b), (c, d) INTO NAME k VALUE v, w",
                    row.join(", ")
                );
            }
            titles.push(literal(
                match &item.alias {
                    Some(alias) => alias.value.clone(),
                    None => row.join("_"),
                }
                .as_str(),
            ));
            rows.push(row);
        }
    }
    // A column may be in several groups.
    let all: BTreeSet<String> = rows
        .iter()
        .flatten()
        .map(|name| quoted_name(name))
        .collect();
    let all: Vec<String> = all.into_iter().collect();
    let lists = values.iter().enumerate().map(|(number, value)| {
        let list: Vec<String> = rows.iter().map(|row| quoted_name(&row[number])).collect();
        format!("unnest([{}]) AS {value}", list.join(", "))
    });
    let lists: Vec<String> = lists.collect();
    let condition = match null_inclusion {
        Some(NullInclusion::IncludeNulls) => String::new(),
        _ => {
            let present = values.iter().map(|value| format!("{value} IS NOT NULL"));
            format!(" WHERE {}", present.collect::<Vec<_>>().join(" AND "))
        }
    };
    let inner = format!(
        "SELECT * EXCLUDE ({}), unnest([{}]) AS {name}, {} FROM t",
        all.join(", "),
        titles.join(", "),
        lists.join(", ")
    );
    let inner = selected_from(table.as_ref().clone(), &inner)?;
    let mut query = parse_query(&format!("SELECT * FROM t{condition}"))?;
    if let SetExpr::Select(select) = query.body.as_mut()
        && let Some(first) = select.from.first_mut()
    {
        first.relation = derived(inner, None);
    }
    *factor = derived(query, alias.take());
    Ok(())
}
