//! Titles of result columns: an expression without an alias is named by its text in the statement.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::Result;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Query, SelectItem, SetExpr, Statement as SqlStatement,
};

/// The title of each item of the outermost SELECT, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Titles(Vec<Item>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    /// The text of an expression without an alias.
    Written(String),
    /// A column or an alias, which already has its name.
    Named,
    /// A call of `unnest`, which yields a column for each field of a struct.
    Unnest(String),
    /// A wildcard.
    Many,
}

impl Titles {
    pub fn of(statement: &Statement) -> Self {
        let Statement::Statement(statement) = statement else {
            return Self::default();
        };
        match statement.as_ref() {
            SqlStatement::Query(query) => Self::of_query(query),
            _ => Self::default(),
        }
    }

    fn of_query(query: &Query) -> Self {
        let mut body = query.body.as_ref();
        // The first SELECT of a UNION names the columns.
        let select = loop {
            match body {
                SetExpr::Select(select) => break select,
                SetExpr::SetOperation { left, .. } => body = left,
                SetExpr::Query(query) => body = query.body.as_ref(),
                _ => return Self::default(),
            }
        };
        Self(select.projection.iter().map(item).collect())
    }

    /// Renames the columns whose position is certain and whose new name is unique.
    pub fn applied_to(&self, schema: &SchemaRef) -> SchemaRef {
        let columns = schema.fields().len();
        let mut names: Vec<Option<&str>> = vec![None; columns];
        let is_one_each = self.0.len() == columns && !self.0.contains(&Item::Many);
        let is_many = |item: &Item| match item {
            Item::Many => true,
            Item::Unnest(_) => !is_one_each,
            Item::Written(_) | Item::Named => false,
        };
        let from_start = self.0.iter().take_while(|item| !is_many(item)).count();
        if from_start == self.0.len() && columns != from_start {
            return Arc::clone(schema);
        }
        let from_end = if from_start == self.0.len() {
            0
        } else {
            self.0
                .iter()
                .rev()
                .take_while(|item| !is_many(item))
                .count()
        };
        if from_start + from_end > columns {
            return Arc::clone(schema);
        }
        for (name, item) in names.iter_mut().zip(&self.0[..from_start]) {
            *name = item.written();
        }
        let last = &self.0[self.0.len() - from_end..];
        for (name, item) in names[columns - from_end..].iter_mut().zip(last) {
            *name = item.written();
        }
        if names.iter().all(Option::is_none) {
            return Arc::clone(schema);
        }
        let fields = schema.fields();
        let mut taken: HashSet<&str> = fields.iter().map(|field| field.name().as_str()).collect();
        // Nullable, because batches may contain NULLs where their plan declares none.
        let renamed: Vec<_> = fields
            .iter()
            .zip(names)
            .map(|(field, name)| match name {
                Some(name) if taken.insert(name) => field.as_ref().clone().with_name(name),
                _ => field.as_ref().clone(),
            })
            .map(|field| field.with_nullable(true))
            .collect();
        Arc::new(Schema::new_with_metadata(
            renamed,
            schema.metadata().clone(),
        ))
    }
}

/// The rows of a batch under the names of `schema`.
pub fn rename(batch: RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    if batch.schema().fields() == schema.fields() {
        return Ok(batch);
    }
    let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let columns = batch.columns().to_vec();
    let schema = Arc::clone(schema);
    Ok(RecordBatch::try_new_with_options(schema, columns, &rows)?)
}

impl Item {
    fn written(&self) -> Option<&str> {
        match self {
            Self::Written(text) | Self::Unnest(text) => Some(text),
            Self::Named | Self::Many => None,
        }
    }
}

fn item(item: &SelectItem) -> Item {
    match item {
        SelectItem::UnnamedExpr(Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => Item::Named,
        SelectItem::UnnamedExpr(call @ Expr::Function(function))
            if function.name.to_string().eq_ignore_ascii_case("unnest") =>
        {
            Item::Unnest(call.to_string())
        }
        SelectItem::UnnamedExpr(Expr::Function(function))
            if function.name.to_string().eq_ignore_ascii_case("columns") =>
        {
            Item::Many
        }
        SelectItem::UnnamedExpr(expression) => Item::Written(expression.to_string()),
        SelectItem::ExprWithAlias { .. } => Item::Named,
        _ => Item::Many,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::datatypes::{DataType, Field};
    use datafusion::sql::parser::DFParser;

    fn titles(sql: &str, columns: &[&str]) -> Vec<String> {
        let statement = DFParser::parse_sql(sql).unwrap().pop_front().unwrap();
        let fields: Vec<_> = columns
            .iter()
            .map(|name| Field::new(*name, DataType::Int64, true))
            .collect();
        let schema = Titles::of(&statement).applied_to(&Arc::new(Schema::new(fields)));
        schema.fields().iter().map(|f| f.name().clone()).collect()
    }

    #[test]
    fn expressions_are_named_as_written() {
        assert_eq!(
            titles(
                "SELECT url, left(d, 60), n AS m FROM t",
                &["url", "left(t.d,Int64(60))", "m"]
            ),
            ["url", "left(d, 60)", "m"]
        );
        assert_eq!(
            titles("(SELECT max(n) FROM t) UNION SELECT 2", &["max(t.n)"]),
            ["max(n)"]
        );
    }

    #[test]
    fn columns_around_a_wildcard_are_counted_from_their_end() {
        assert_eq!(
            titles(
                "SELECT a + 1, *, b + 1 FROM t",
                &["t.a + Int64(1)", "a", "b", "t.b + Int64(1)"]
            ),
            ["a + 1", "a", "b", "b + 1"]
        );
        assert_eq!(
            titles("SELECT *, a + 1, t.* FROM t", &["x", "y", "z", "u"]),
            ["x", "y", "z", "u"]
        );
        assert_eq!(
            titles(
                "SELECT unnest(s), a + 1 FROM t",
                &["__unnest.a", "__unnest.b", "t.a + Int64(1)"]
            ),
            ["__unnest.a", "__unnest.b", "a + 1"]
        );
    }

    #[test]
    fn unnest_is_named_if_it_is_one_column() {
        assert_eq!(
            titles("SELECT a, unnest(f(b)) FROM t", &["a", "UNNEST(f(t.b))"]),
            ["a", "unnest(f(b))"]
        );
    }

    #[test]
    fn names_stay_unique() {
        assert_eq!(
            titles(
                "SELECT \"a + 1\", a + 1 FROM t",
                &["a + 1", "t.a + Int64(1)"]
            ),
            ["a + 1", "t.a + Int64(1)"]
        );
        assert_eq!(titles("EXPLAIN SELECT a + 1 FROM t", &["plan"]), ["plan"]);
    }
}
