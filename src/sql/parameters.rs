//! Parameters of statements, `$name`. Their values replace them in the parsed statement, so that a
//! value is never read as SQL, and may appear wherever a literal may: `read_warc($input)`, `LIMIT
//! $n`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Array, DataType, ExactNumberInfo, Expr, Statement as SqlStatement, TimezoneInfo, TypedString,
    UnaryOperator, Value as Literal, ValueWithSpan, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect};
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Span, Token, Tokenizer};

use super::walk::rewrite_statement;
use crate::similar_names::nearest;

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    /// A day, as SQL writes it.
    Date(String),
    /// A time without a zone, as SQL writes it.
    Timestamp(String),
    /// A time with its offset from UTC, as SQL writes it.
    TimestampWithZone(String),
    List(Vec<Value>),
}

/// The parameters of statements, by name. Those of `$1`, `$2` … are named `1`, `2` ….
pub type Parameters = BTreeMap<String, Value>;

impl Value {
    fn expression(&self, span: Span) -> Expr {
        let literal = |value| Expr::Value(ValueWithSpan { value, span });
        let typed = |data_type, text: &str| {
            let value = Literal::SingleQuotedString(text.to_owned());
            Expr::TypedString(TypedString {
                data_type,
                value: ValueWithSpan { value, span },
                uses_odbc_syntax: false,
            })
        };
        let number = |text: String, is_negative| {
            let positive = literal(Literal::Number(text, false));
            if is_negative {
                Expr::UnaryOp {
                    op: UnaryOperator::Minus,
                    expr: Box::new(positive),
                }
            } else {
                positive
            }
        };
        match self {
            Self::Null => literal(Literal::Null),
            Self::Boolean(value) => literal(Literal::Boolean(*value)),
            Self::Integer(value) => number(value.unsigned_abs().to_string(), *value < 0),
            Self::Float(value) if value.is_finite() => {
                // With a point or an exponent, so that it does not become an integer.
                number(format!("{:?}", value.abs()), value.is_sign_negative())
            }
            Self::Float(value) => {
                typed(DataType::Double(ExactNumberInfo::None), &value.to_string())
            }
            Self::Text(value) => literal(Literal::SingleQuotedString(value.clone())),
            Self::Bytes(value) => literal(Literal::HexStringLiteral(hex(value))),
            Self::Date(value) => typed(DataType::Date, value),
            Self::Timestamp(value) => typed(DataType::Timestamp(None, TimezoneInfo::None), value),
            Self::TimestampWithZone(value) => {
                in_utc(value).unwrap_or_else(|| literal(Literal::SingleQuotedString(value.clone())))
            }
            Self::List(values) => Expr::Array(Array {
                elem: values.iter().map(|value| value.expression(span)).collect(),
                named: false,
            }),
        }
    }
}

/// The type of DataFusion's `TIMESTAMP WITH TIME ZONE` has a zone only if the session has one.
fn in_utc(time: &str) -> Option<Expr> {
    let time = time.replace('\'', "''");
    let sql = format!("arrow_cast('{time}', 'Timestamp(Microsecond, Some(\"+00:00\"))')");
    let parser = Parser::new(&GenericDialect {}).try_with_sql(&sql);
    parser.ok()?.parse_expr().ok()
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02X}");
    }
    text
}

/// Puts the values into a statement. `PREPARE` and `CREATE FUNCTION` keep their parameters, because
/// they get values later.
pub fn bind(statement: &mut Statement, parameters: &Parameters) -> Result<()> {
    if let Statement::Statement(statement) = statement
        && matches!(
            statement.as_ref(),
            SqlStatement::Prepare { .. } | SqlStatement::CreateFunction(_)
        )
    {
        return Ok(());
    }
    rewrite_statement(statement, &mut Binding(parameters))
}

/// Replaces parameters by their values.
struct Binding<'a>(&'a Parameters);

impl VisitorMut for Binding<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::Value(ValueWithSpan {
            value: Literal::Placeholder(text),
            span,
        }) = expression
        else {
            return ControlFlow::Continue(());
        };
        let name = text.strip_prefix('$').unwrap_or(text);
        let Some(value) = self.0.get(name) else {
            return ControlFlow::Break(missing(name, self.0));
        };
        *expression = value.expression(*span);
        ControlFlow::Continue(())
    }
}

fn missing(name: &str, parameters: &Parameters) -> DataFusionError {
    let near = nearest(name, parameters.keys().map(String::as_str));
    let advice = match near {
        Some(near) => format!("; did you mean ${near}?"),
        None => {
            format!(": set it with -p {name}=…, or in Python with params={{\"{name}\": …}}")
        }
    };
    plan_datafusion_err!("the parameter ${name} has no value{advice}")
}

/// Returns the names of the parameters in a script.
pub fn names(sql: &str, dialect: &dyn Dialect) -> Result<BTreeSet<String>> {
    let tokens = Tokenizer::new(dialect, sql).tokenize();
    let tokens = tokens.map_err(|error| plan_datafusion_err!("syntax error: {error}"))?;
    let names = tokens.into_iter().filter_map(|token| match token {
        Token::Placeholder(text) => text.strip_prefix('$').map(str::to_owned),
        _ => None,
    });
    Ok(names.collect())
}

/// Fails if a parameter has a value but no statement uses it.
pub fn check_all_used(used: &BTreeSet<String>, parameters: &Parameters) -> Result<(), String> {
    let Some(name) = parameters.keys().find(|name| !used.contains(*name)) else {
        return Ok(());
    };
    let names: Vec<String> = used.iter().map(|name| format!("${name}")).collect();
    let known = match nearest(name, used.iter().map(String::as_str)) {
        Some(near) => format!("; did you mean ${near}?"),
        None if names.is_empty() => "; the statements have no parameters".to_owned(),
        None => format!("; their parameters: {}", names.join(", ")),
    };
    Err(format!("no statement uses the parameter ${name}{known}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::dialect;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::prelude::SessionContext;

    fn bound(sql: &str, parameters: &Parameters) -> Result<Statement> {
        let mut statement = dialect::parse(&SessionContext::new().state(), sql).unwrap();
        bind(&mut statement, parameters).map(|()| statement)
    }

    fn one(value: Value) -> Parameters {
        Parameters::from([("x".to_owned(), value)])
    }

    #[tokio::test]
    async fn values_keep_their_type_and_their_text() {
        let text = "it's \\ \"$y\" -- ' OR 1=1";
        for (value, kind, shown) in [
            (Value::Null, "Null", ""),
            (Value::Boolean(true), "Boolean", "true"),
            (Value::Integer(-3), "Int64", "-3"),
            (
                Value::Integer(i128::from(i64::MIN)),
                "Int64",
                "-9223372036854775808",
            ),
            (
                Value::Integer(i128::from(u64::MAX)),
                "UInt64",
                "18446744073709551615",
            ),
            (Value::Float(2.0), "Float64", "2.0"),
            (Value::Float(-1e300), "Float64", "-1e300"),
            (Value::Float(f64::NAN), "Float64", "NaN"),
            (Value::Float(f64::NEG_INFINITY), "Float64", "-inf"),
            (Value::Text(text.to_owned()), "Utf8", text),
            (Value::Bytes(vec![0, 255]), "Binary", "00ff"),
            (Value::Date("2024-02-29".to_owned()), "Date32", "2024-02-29"),
            (
                Value::Timestamp("2024-02-29T01:02:03.000004".to_owned()),
                "Timestamp(ns)",
                "2024-02-29T01:02:03.000004",
            ),
            (
                Value::TimestampWithZone("2024-02-29T01:02:03+09:00".to_owned()),
                "Timestamp(µs, \"+00:00\")",
                "2024-02-28T16:02:03Z",
            ),
            (
                Value::List(vec![Value::Integer(1), Value::Null]),
                "List(Int64)",
                "[1, ]",
            ),
        ] {
            let statement = bound("SELECT $x, arrow_typeof($x)", &one(value.clone())).unwrap();
            let context = SessionContext::new();
            let plan = context.state().statement_to_plan(statement).await.unwrap();
            let frame = context.execute_logical_plan(plan).await.unwrap();
            let table = pretty_format_batches(&frame.collect().await.unwrap()).unwrap();
            let table = table.to_string();
            let row: Vec<&str> = table.lines().nth(3).unwrap().split('|').collect();
            assert_eq!(row[1].trim(), shown, "{value:?}");
            assert_eq!(row[row.len() - 2].trim(), kind, "{value:?}");
        }
    }

    #[test]
    fn parameters_stand_wherever_literals_do() {
        let parameters = one(Value::Integer(7));
        for sql in [
            "SELECT a FROM t WHERE a IN (1, $x) LIMIT $x",
            "FROM read_warc('a', $x) SELECT *",
            "WITH q AS (SELECT $x) SELECT * FROM q JOIN r ON q.a = $x",
            "COPY (SELECT $x) TO 'x.parquet'",
            "EXPLAIN ANALYZE SELECT $x",
            "INSERT INTO t VALUES ($x)",
            "CREATE VIEW v AS SELECT $x",
            "CREATE TABLE t AS SELECT $x",
        ] {
            let expected = bound(&sql.replace("$x", "7"), &Parameters::new()).unwrap();
            let found = bound(sql, &parameters).unwrap();
            assert_eq!(found.to_string(), expected.to_string(), "{sql}");
            let error = bound(sql, &Parameters::new()).unwrap_err().to_string();
            assert!(error.contains("$x has no value"), "{error}");
        }
        let text = one(Value::Integer(1));
        for sql in ["PREPARE p AS SELECT $1", "SELECT '$x'"] {
            assert_eq!(
                bound(sql, &text).unwrap(),
                bound(sql, &Parameters::new()).unwrap()
            );
        }
    }

    #[test]
    fn misspelled_parameters_are_named() {
        let parameters = Parameters::from([("input".to_owned(), Value::Null)]);
        let error = bound("SELECT $inptu", &parameters).unwrap_err().to_string();
        assert!(error.contains("did you mean $input?"), "{error}");
        let dialect = GenericDialect {};
        let used = names("SELECT $a, '$b' -- $c\n, $1", &dialect).unwrap();
        assert_eq!(used, BTreeSet::from(["1".to_owned(), "a".to_owned()]));
        let error = check_all_used(&used, &parameters).unwrap_err();
        assert!(
            error.contains("$input") && error.contains("$1, $a"),
            "{error}"
        );
    }
}
