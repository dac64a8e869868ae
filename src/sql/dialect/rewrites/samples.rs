//! `TABLESAMPLE 10 PERCENT` and `USING SAMPLE 10 ROWS`.

use datafusion::common::{Result, not_impl_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, Query, Select, SetExpr, TableFactor, TableSample,
    TableSampleKind, TableSampleMethod, TableSampleUnit, Value,
};

use crate::sql::dialect::tokens::{PERCENT, ROWS, SEED, USING_SAMPLE};
use crate::sql::syntax::{
    and, arguments, binary, call, derived, integer, literal_number, literal_text, parse_query,
    table_alias, table_name,
};

const HELP: &str = "write TABLESAMPLE 10 PERCENT, or TABLESAMPLE 100 ROWS";

/// The column that samples are sorted by.
const ORDER: &str = "__sample";

const NO_SEED: &str = "samples have no seed, buckets and offsets: write WHERE text_hash(url) % 100 = 0 to get the \
     same rows again";

/// A part of the rows of a table.
struct Sample {
    number: String,
    is_percent: bool,
}

impl Sample {
    /// The query for a part of the rows of `t`.
    fn query(&self) -> String {
        let number = &self.number;
        if self.is_percent {
            format!("SELECT * FROM t WHERE random() * 100 < {number}")
        } else {
            // DataFusion cannot sort rows whose columns are all unused.
            format!(
                "SELECT * EXCLUDE (\"{ORDER}\") FROM (SELECT *, random() AS \"{ORDER}\" FROM t) ORDER BY \
                 \"{ORDER}\" LIMIT {number}"
            )
        }
    }

    /// Replaces a table by a query for a part of its rows.
    fn take_from(&self, factor: &mut TableFactor) -> Result<()> {
        let name = table_name(factor).map(table_alias);
        let alias = match factor {
            TableFactor::Table { alias, .. } => alias.take().or(name),
            TableFactor::Derived { alias, .. } | TableFactor::Function { alias, .. } => {
                alias.take()
            }
            _ => name,
        };
        let mut query = parse_query(&self.query())?;
        let SetExpr::Select(select) = query.body.as_mut() else {
            return plan_err!("not a SELECT");
        };
        match select.from.first_mut().map(|table| &mut table.relation) {
            Some(TableFactor::Derived { subquery, .. }) => put_table(subquery, factor),
            _ => put_table(&mut query, factor),
        }
        *factor = derived(query, alias);
        Ok(())
    }
}

/// Puts a table in the place of the one in a query.
fn put_table(query: &mut Query, table: &TableFactor) {
    if let SetExpr::Select(select) = query.body.as_mut()
        && let Some(first) = select.from.first_mut()
    {
        first.relation = table.clone();
    }
}

/// Replaces `TABLESAMPLE`.
pub fn of_table(factor: &mut TableFactor) -> Result<()> {
    let (TableFactor::Table { sample, .. } | TableFactor::Derived { sample, .. }) = factor else {
        return Ok(());
    };
    let Some(sample) = sample.take() else {
        return Ok(());
    };
    let (TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample)) =
        sample;
    table_sample(&sample)?.take_from(factor)
}

fn table_sample(sample: &TableSample) -> Result<Sample> {
    if sample.seed.is_some() || sample.bucket.is_some() || sample.offset.is_some() {
        return not_impl_err!("{NO_SEED}");
    }
    let Some(quantity) = &sample.quantity else {
        return plan_err!("TABLESAMPLE needs a number of rows or a percentage: {HELP}");
    };
    let Some(number) = literal_number(&quantity.value) else {
        return plan_err!("TABLESAMPLE needs a number: {HELP}");
    };
    let is_percent = match (&quantity.unit, &sample.name) {
        (Some(unit), _) => *unit == TableSampleUnit::Percent,
        // PostgreSQL's form: BERNOULLI (10).
        (None, Some(TableSampleMethod::Bernoulli | TableSampleMethod::System)) => true,
        (None, _) => false,
    };
    Ok(Sample {
        number: number.to_owned(),
        is_percent,
    })
}

/// Replaces `USING SAMPLE`, which takes a part of the rows of all tables in FROM, and ClickHouse's
/// PREWHERE, which is a condition.
pub fn using(select: &mut Select) -> Result<()> {
    let Some(condition) = select.prewhere.take() else {
        return Ok(());
    };
    let sample = match &condition {
        Expr::Function(function) => using_sample(function)?,
        _ => None,
    };
    let Some(sample) = sample else {
        select.selection = Some(and(select.selection.take(), condition));
        return Ok(());
    };
    if sample.is_percent {
        let share = binary(
            call("random", Vec::new()),
            BinaryOperator::Multiply,
            integer(100),
        );
        let limit = Expr::value(Value::Number(sample.number, false));
        let condition = binary(share, BinaryOperator::Lt, limit);
        select.selection = Some(and(select.selection.take(), condition));
        return Ok(());
    }
    match select.from.as_mut_slice() {
        [table] if table.joins.is_empty() => sample.take_from(&mut table.relation),
        _ => not_impl_err!(
            "USING SAMPLE {} ROWS takes one table: write USING SAMPLE 10%, or join in a query in FROM",
            sample.number
        ),
    }
}

fn using_sample(function: &Function) -> Result<Option<Sample>> {
    if function.name.to_string() != USING_SAMPLE {
        return Ok(None);
    }
    let arguments = arguments(function).unwrap_or_default();
    let [quantity, unit] = arguments.as_slice() else {
        return Ok(None);
    };
    let is_percent = match literal_text(unit) {
        Some(PERCENT) => true,
        Some(ROWS) => false,
        Some(SEED) => return not_impl_err!("{NO_SEED}"),
        _ => return Ok(None),
    };
    Ok(literal_number(quantity).map(|number| Sample {
        number: number.to_owned(),
        is_percent,
    }))
}
