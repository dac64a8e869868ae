//! `COLUMNS(c -> c LIKE 'a%')`: conditions on the names of columns.

use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};
use regex::Regex;

use crate::sql::dialect::operators::like_regex;
use crate::sql::syntax::{Names, arguments, function_name, literal_text};

/// The name of a column, as the parameter of a lambda function.
pub struct Name<'a> {
    pub names: Names,
    pub parameter: &'a str,
    pub name: &'a str,
}

impl Name<'_> {
    /// Whether a condition holds for the name.
    pub fn meets(&self, condition: &Expr) -> Result<bool> {
        let found = match condition {
            Expr::Nested(inner) => return self.meets(inner),
            Expr::UnaryOp {
                op: UnaryOperator::Not,
                expr,
            } => return Ok(!self.meets(expr)?),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::And,
                right,
            } => return Ok(self.meets(left)? && self.meets(right)?),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Or,
                right,
            } => return Ok(self.meets(left)? || self.meets(right)?),
            Expr::BinaryOp { left, op, right } if self.is_parameter(left) => {
                self.compare(op, right)?
            }
            Expr::Like {
                negated,
                expr,
                pattern,
                ..
            } if self.is_parameter(expr) => self.is_like(pattern, false, *negated)?,
            Expr::ILike {
                negated,
                expr,
                pattern,
                ..
            } if self.is_parameter(expr) => self.is_like(pattern, true, *negated)?,
            Expr::InList {
                expr,
                list,
                negated,
            } if self.is_parameter(expr) => {
                let texts: Option<Vec<&str>> = list.iter().map(literal_text).collect();
                texts.map(|texts| texts.contains(&self.name) != *negated)
            }
            Expr::Function(function) => {
                let called = function_name(function, self.names).unwrap_or_default();
                match arguments(function).as_deref() {
                    Some([value, text]) if self.is_parameter(value) => self.test(&called, text)?,
                    _ => None,
                }
            }
            _ => None,
        };
        match found {
            Some(holds) => Ok(holds),
            None => plan_err!(
                "COLUMNS(…) cannot test {condition}: compare the name of the column with a text by LIKE, =, IN or \
                 starts_with, or write COLUMNS('regular expression')"
            ),
        }
    }

    fn is_parameter(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Identifier(name) if self.names.of(name) == self.parameter)
    }

    fn matches(&self, pattern: &str) -> Result<bool> {
        match Regex::new(pattern) {
            Ok(regex) => Ok(regex.is_match(self.name)),
            Err(error) => Err(plan_datafusion_err!("COLUMNS(…): {error}")),
        }
    }

    fn is_like(&self, pattern: &Expr, ignores_case: bool, negated: bool) -> Result<Option<bool>> {
        match literal_text(pattern) {
            Some(pattern) => {
                let is_like = self.matches(&like_regex(pattern, ignores_case))?;
                Ok(Some(is_like != negated))
            }
            None => Ok(None),
        }
    }

    fn compare(&self, op: &BinaryOperator, other: &Expr) -> Result<Option<bool>> {
        let Some(other) = literal_text(other) else {
            return Ok(None);
        };
        Ok(match op {
            BinaryOperator::Eq => Some(self.name == other),
            BinaryOperator::NotEq => Some(self.name != other),
            BinaryOperator::PGRegexMatch => Some(self.matches(other)?),
            _ => None,
        })
    }

    fn test(&self, function: &str, text: &Expr) -> Result<Option<bool>> {
        let Some(text) = literal_text(text) else {
            return Ok(None);
        };
        Ok(match function {
            "starts_with" | "prefix" => Some(self.name.starts_with(text)),
            "ends_with" | "suffix" => Some(self.name.ends_with(text)),
            "contains" => Some(self.name.contains(text)),
            "regexp_matches" => Some(self.matches(text)?),
            _ => None,
        })
    }
}
