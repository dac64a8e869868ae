//! `DESCRIBE`: parses `DESCRIBE read_x('…')` as `DESCRIBE SELECT * FROM read_x('…')`, and names
//! types as people write them.

use datafusion::common::Result as PlanResult;
use datafusion::logical_expr::{DescribeTable, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::sql::sqlparser::ast::Statement;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::sql::types::type_name;

/// Parses `DESCRIBE` with a table function. sqlparser knows the name of a table and a query only.
pub fn parse(parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
    let Token::Word(first) = parser.peek_nth_token(0).token else {
        return None;
    };
    let is_describe = matches!(first.keyword, Keyword::DESCRIBE | Keyword::DESC);
    let is_call = matches!(parser.peek_nth_token(1).token, Token::Word(_))
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
pub fn described(table: &DescribeTable) -> PlanResult<LogicalPlan> {
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

fn named(values: LogicalPlanBuilder, names: [&str; 3]) -> PlanResult<LogicalPlan> {
    let columns = (1..).zip(names);
    let columns = columns
        .map(|(number, name)| datafusion::logical_expr::col(format!("column{number}")).alias(name));
    let columns: Vec<_> = columns.collect();
    values.project(columns)?.build()
}
