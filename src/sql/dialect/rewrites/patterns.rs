//! Patterns and parts of texts: LIKE, SIMILAR TO, RLIKE and SUBSTRING.

use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, Expr, FunctionArguments, Subscript, Value, ValueWithSpan,
};

use super::subscripts::access;
use crate::sql::syntax::{
    Names, arguments, binary, call, function_name, integer, literal_text, text,
};

/// Replaces an expression. Returns whether it did.
pub fn replace(expr: &mut Expr, names: Names) -> bool {
    let replaced = match expr {
        // The pattern has to match the whole text.
        Expr::SimilarTo { pattern, .. } => {
            let anchored = match literal_text(pattern) {
                Some(pattern) => text(&format!("^(?:{pattern})$")),
                None => binary(
                    binary(
                        text("^(?:"),
                        BinaryOperator::StringConcat,
                        pattern.as_ref().clone(),
                    ),
                    BinaryOperator::StringConcat,
                    text(")$"),
                ),
            };
            **pattern = anchored;
            return true;
        }
        Expr::RLike {
            negated,
            expr,
            pattern,
            ..
        } => {
            let op = if *negated {
                BinaryOperator::PGRegexNotMatch
            } else {
                BinaryOperator::PGRegexMatch
            };
            binary(expr.as_ref().clone(), op, pattern.as_ref().clone())
        }
        Expr::Like {
            pattern,
            any,
            escape_char,
            ..
        }
        | Expr::ILike {
            pattern,
            any,
            escape_char,
            ..
        } => {
            let all = all_of(pattern, names);
            if !*any && all.is_none() {
                return with_backslashes(pattern, escape_char);
            }
            match like_each(expr, all) {
                Some(replaced) => replaced,
                None => return false,
            }
        }
        // PostgreSQL's substring(text FROM 'pattern').
        Expr::Substring {
            expr: value,
            substring_from: Some(pattern),
            substring_for: None,
            ..
        } if literal_text(pattern).is_some() => {
            let groups = call(
                "regexp_match",
                vec![value.as_ref().clone(), pattern.as_ref().clone()],
            );
            let index = integer(1);
            access(
                groups,
                vec![AccessExpr::Subscript(Subscript::Index { index })],
            )
        }
        _ => return false,
    };
    *expr = replaced;
    true
}

/// The patterns of `LIKE ALL (…)`, which the parser takes for a function.
fn all_of(pattern: &Expr, names: Names) -> Option<Expr> {
    let Expr::Function(function) = pattern else {
        return None;
    };
    if function_name(function, names).as_deref() != Some("all")
        || !matches!(function.args, FunctionArguments::List(_))
    {
        return None;
    }
    let patterns = arguments(function)?.into_iter().cloned();
    Some(match patterns.collect::<Vec<_>>().as_slice() {
        [one] => one.clone(),
        several => Expr::Tuple(several.to_vec()),
    })
}

/// Escapes the characters of a LIKE pattern with a backslash, which DataFusion always takes for the
/// escape character. As in DuckDB, a backslash has no meaning without ESCAPE.
fn with_backslashes(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) -> bool {
    let character = match escape.as_ref().map(|escape| &escape.value) {
        Some(Value::SingleQuotedString(escape)) => escape.chars().next(),
        Some(_) => return false,
        None => None,
    };
    if character == Some('\\') {
        return false;
    }
    match (literal_text(pattern), character) {
        (Some(written), None) if !written.contains('\\') => return false,
        (Some(written), _) => *pattern = text(&escaped(written, character)),
        (None, character) => {
            let written = std::mem::replace(pattern, text(""));
            let doubled = call("replace", vec![written, text("\\"), text("\\\\")]);
            *pattern = match character {
                Some(character) => {
                    let from = text(&character.to_string());
                    call("replace", vec![doubled, from, text("\\")])
                }
                None => doubled,
            };
        }
    }
    *escape = Some(Value::SingleQuotedString("\\".to_owned()).into());
    true
}

/// Returns a pattern with a backslash for its escape character.
fn escaped(pattern: &str, character: Option<char>) -> String {
    let mut escaped = String::new();
    let mut characters = pattern.chars();
    while let Some(next) = characters.next() {
        if Some(next) == character {
            escaped.push('\\');
            escaped.extend(characters.next());
        } else if next == '\\' {
            escaped.push_str("\\\\");
        } else {
            escaped.push(next);
        }
    }
    escaped
}

/// `a LIKE ANY (b, c)` as `a LIKE b OR a LIKE c`, and `a LIKE ALL (b, c)` with AND. `None` if the
/// patterns are not listed.
fn like_each(expr: &Expr, all: Option<Expr>) -> Option<Expr> {
    let (Expr::Like { pattern, .. } | Expr::ILike { pattern, .. }) = expr else {
        return None;
    };
    let op = match all {
        Some(_) => BinaryOperator::And,
        None => BinaryOperator::Or,
    };
    let mut pattern = all.as_ref().unwrap_or(pattern);
    while let Expr::Nested(inner) = pattern {
        pattern = inner;
    }
    let patterns = match pattern {
        Expr::Array(list) => list.elem.as_slice(),
        Expr::Tuple(patterns) => patterns.as_slice(),
        Expr::Value(_) => std::slice::from_ref(pattern),
        _ => return None,
    };
    let alternatives = patterns.iter().map(|pattern| {
        let mut alternative = expr.clone();
        if let Expr::Like {
            any,
            pattern: place,
            ..
        }
        | Expr::ILike {
            any,
            pattern: place,
            ..
        } = &mut alternative
        {
            *any = false;
            **place = pattern.clone();
        }
        alternative
    });
    let all = alternatives.reduce(|all, next| binary(all, op.clone(), next))?;
    Some(Expr::Nested(Box::new(all)))
}
