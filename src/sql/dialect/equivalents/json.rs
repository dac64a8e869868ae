//! `json -> 'key'` and `json ->> 'key'`.
//!
//! The parser takes `name -> 'key'` for a lambda function. It is one only as the argument of a
//! function that takes one, or if its body does not begin with a literal.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, LambdaFunction,
    LambdaSyntax, OneOrManyWithParens, Value,
};

use crate::sql::syntax::{Names, call, function_name, text};

/// Functions whose argument is a lambda function.
const TAKE_LAMBDAS: &[&str] = &[
    "any_match",
    "apply",
    "array_any_match",
    "array_apply",
    "array_filter",
    "array_transform",
    "filter",
    "list_any_match",
    "list_apply",
    "list_filter",
    "list_reduce",
    "list_transform",
    "reduce",
    "transform",
];

/// Marks the lambda functions among the arguments of a function that takes them.
pub fn keep_lambdas(expr: &mut Expr, names: Names) {
    let Expr::Function(function) = expr else {
        return;
    };
    let takes_lambdas =
        function_name(function, names).is_some_and(|name| TAKE_LAMBDAS.contains(&name.as_str()));
    let FunctionArguments::List(list) = &mut function.args else {
        return;
    };
    if !takes_lambdas {
        return;
    }
    for argument in &mut list.args {
        if let FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(lambda))) = argument {
            lambda.syntax = LambdaSyntax::LambdaKeyword;
        }
    }
}

/// Replaces the operators by functions. Returns whether it did.
pub fn replace(expr: &mut Expr) -> bool {
    let replaced = match expr {
        Expr::BinaryOp {
            left,
            op: op @ (BinaryOperator::Arrow | BinaryOperator::LongArrow),
            right,
        } => extract(left.as_ref().clone(), op, right),
        Expr::Lambda(lambda) => match json_of(lambda) {
            Some(value) => value,
            None => return false,
        },
        _ => return false,
    };
    *expr = replaced;
    true
}

fn extract(json: Expr, op: &BinaryOperator, key: &Expr) -> Expr {
    let function = match op {
        BinaryOperator::Arrow => "json_extract",
        _ => "json_extract_string",
    };
    call(function, vec![json, path(key)])
}

/// `-> 1` is an item of an array.
fn path(key: &Expr) -> Expr {
    match key {
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => text(&format!("$[{number}]")),
            _ => key.clone(),
        },
        other => other.clone(),
    }
}

/// Rewrites a lambda function that the parser made of JSON's `->`.
fn json_of(lambda: &LambdaFunction) -> Option<Expr> {
    let OneOrManyWithParens::One(parameter) = &lambda.params else {
        return None;
    };
    if lambda.syntax != LambdaSyntax::Arrow || parameter.data_type.is_some() {
        return None;
    }
    let mut value = lambda.body.as_ref().clone();
    let json = Expr::Identifier(parameter.name.clone());
    put_before(json, &mut value).then_some(value)
}

/// Puts `json ->` before the first operand of an expression. Returns whether that is a literal.
fn put_before(json: Expr, expr: &mut Expr) -> bool {
    match expr {
        Expr::Value(_) => {
            *expr = extract(json, &BinaryOperator::Arrow, expr);
            true
        }
        Expr::BinaryOp { left: inner, .. }
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::InList { expr: inner, .. }
        | Expr::InSubquery { expr: inner, .. }
        | Expr::Between { expr: inner, .. }
        | Expr::Like { expr: inner, .. }
        | Expr::ILike { expr: inner, .. } => put_before(json, inner),
        // Inner operators are replaced before the lambda function around them.
        Expr::Function(function) if is_extraction(&function.name.to_string()) => {
            match &mut function.args {
                FunctionArguments::List(list) => match list.args.first_mut() {
                    Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first))) => {
                        put_before(json, first)
                    }
                    _ => false,
                },
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_extraction(name: &str) -> bool {
    ["json_extract", "json_extract_string"].contains(&name)
}
