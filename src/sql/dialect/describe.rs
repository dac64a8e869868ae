//! `DESCRIBE`: parses `DESCRIBE read_x('…')` as `DESCRIBE SELECT * FROM read_x('…')`, and names
//! types as people write them. `pragma_table_info('t')` also has keys and defaults.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use datafusion::catalog::TableProvider;
use datafusion::common::{Constraint, DataFusionError, Result as PlanResult, TableReference};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{DescribeTable, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{
    FunctionArg, FunctionArgExpr, Query, Statement, TableFactor, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::{Token, Word};
use datafusion::sql::unparser::expr_to_sql;

use crate::sql::syntax::{Names, derived, literal, literal_text, parse_query};
use crate::sql::types::type_name;
use crate::sql::walk::rewrite_statement;

/// Parses `DESCRIBE` with a table function. sqlparser knows the name of a table and a query only.
pub fn parse(parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
    let Token::Word(first) = parser.peek_nth_token(0).token else {
        return None;
    };
    let is_describe = matches!(first.keyword, Keyword::DESCRIBE | Keyword::DESC);
    let is_name = |word: &Word| !matches!(word.keyword, Keyword::SELECT | Keyword::WITH);
    let is_call = matches!(&parser.peek_nth_token_ref(1).token, Token::Word(word) if is_name(word))
        && parser.peek_nth_token(2).token == Token::LParen;
    if !is_describe || !is_call {
        return None;
    }
    parser.next_token();
    Some(parse_described(parser))
}

fn parse_described(parser: &mut Parser<'_>) -> Result<Statement, ParserError> {
    let sql = format!("DESCRIBE SELECT * FROM {}", parser.parse_table_factor()?);
    Parser::new(&GenericDialect {})
        .try_with_sql(&sql)?
        .parse_statement()
}

/// The columns of a table: its name, type, and whether it may be NULL.
pub fn describe(table: &DescribeTable) -> PlanResult<LogicalPlan> {
    let rows = table.schema.fields().iter().map(|field| {
        let is_nullable = if field.is_nullable() { "YES" } else { "NO" };
        vec![
            lit(field.name().as_str()),
            lit(type_name(field.data_type())),
            lit(is_nullable),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let names = ["column_name", "data_type", "is_nullable"];
    if rows.is_empty() {
        let none = vec![vec![lit(""), lit(""), lit("")]];
        let none = LogicalPlanBuilder::values(none)?.filter(lit(false))?;
        return named(none, names);
    }
    named(LogicalPlanBuilder::values(rows)?, names)
}

/// Replaces `pragma_table_info('t')` in FROM by the columns of the table.
pub async fn write_table_infos(
    state: &SessionState,
    statement: &mut DfStatement,
) -> PlanResult<()> {
    let names = Names::new(&state.config_options().sql_parser);
    let mut found = TableInfos {
        names,
        tables: Vec::new(),
        queries: VecDeque::new(),
    };
    rewrite_statement(statement, &mut found)?;
    for table in std::mem::take(&mut found.tables) {
        let name = TableReference::parse_str(&table);
        let provider = super::existing_table(state, &name).await?;
        found
            .queries
            .push_back(parse_query(&table_info(provider.as_ref()))?);
    }
    rewrite_statement(statement, &mut found)
}

/// A query for the columns of a table, as DuckDB has them.
fn table_info(table: &dyn TableProvider) -> String {
    let schema = table.schema();
    let keys = table.constraints().into_iter().flat_map(|it| it.iter());
    let keys: Vec<usize> = keys
        .filter_map(|key| match key {
            Constraint::PrimaryKey(columns) => Some(columns.clone()),
            Constraint::Unique(_) => None,
        })
        .flatten()
        .collect();
    let rows = schema.fields().iter().enumerate().map(|(number, field)| {
        let default = table.get_column_default(field.name());
        let default = default.and_then(|default| expr_to_sql(default).ok());
        let default = default.map(|default| literal(&default.to_string()));
        format!(
            "({number}, {}, sql_type_name({}), {}, CAST({} AS VARCHAR), {})",
            literal(field.name()),
            literal(&field.data_type().to_string()),
            !field.is_nullable(),
            default.as_deref().unwrap_or("NULL"),
            keys.contains(&number)
        )
    });
    format!(
        "SELECT column1 AS cid, column2 AS name, column3 AS \"type\", column4 AS \"notnull\", column5 AS \
         dflt_value, column6 AS pk FROM (VALUES {})",
        rows.collect::<Vec<_>>().join(", ")
    )
}

/// Finds the tables of `pragma_table_info('t')`, and puts queries in the place of the calls.
struct TableInfos {
    names: Names,
    tables: Vec<String>,
    queries: VecDeque<Query>,
}

impl TableInfos {
    fn table(&self, factor: &TableFactor) -> Option<String> {
        let TableFactor::Table {
            name,
            args: Some(arguments),
            ..
        } = factor
        else {
            return None;
        };
        let ([function], [FunctionArg::Unnamed(FunctionArgExpr::Expr(table))]) =
            (name.0.as_slice(), arguments.args.as_slice())
        else {
            return None;
        };
        let is_info = self.names.of(function.as_ident()?) == "pragma_table_info";
        literal_text(table).filter(|_| is_info).map(str::to_owned)
    }
}

impl VisitorMut for TableInfos {
    type Break = DataFusionError;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        if let Some(table) = self.table(factor) {
            match self.queries.pop_front() {
                Some(query) => {
                    let alias = match factor {
                        TableFactor::Table { alias, .. } => alias.take(),
                        _ => None,
                    };
                    *factor = derived(query, alias);
                }
                None => self.tables.push(table),
            }
        }
        ControlFlow::Continue(())
    }
}

fn named(values: LogicalPlanBuilder, names: [&str; 3]) -> PlanResult<LogicalPlan> {
    let columns = (1..).zip(names);
    let columns = columns
        .map(|(number, name)| datafusion::logical_expr::col(format!("column{number}")).alias(name));
    let columns: Vec<_> = columns.collect();
    values.project(columns)?.build()
}
