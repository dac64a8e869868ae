//! `json -> 'key'`, `json ->> 'key'`, paths with wildcards and lists of paths, and `json_array` of
//! values.
//!
//! The parser takes `name -> 'key'` for a lambda function. It is one only as the argument of a
//! function that takes one, or if its body does not begin with a literal.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    Ident, LambdaFunction, LambdaFunctionParameter, LambdaSyntax, ObjectName, OneOrManyWithParens,
    UnaryOperator, Value,
};

use crate::sql::syntax::{Names, arguments, call, function_name, literal_text, text};

/// Functions whose argument is a lambda function.
const TAKE_LAMBDAS: &[&str] = &[
    "aggregate",
    "any_match",
    "apply",
    "array_any_match",
    "array_apply",
    "array_filter",
    "array_reduce",
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

/// Replaces the operators by functions, and functions by others. Returns whether it did.
pub fn replace(expr: &mut Expr, names: Names) -> bool {
    let replaced = match expr {
        Expr::Function(function) => match rewrite_call(function, names) {
            Some(value) => value,
            None => return false,
        },
        Expr::BinaryOp {
            left,
            op: op @ (BinaryOperator::Arrow | BinaryOperator::LongArrow),
            right,
        } => extract(left.as_ref().clone(), op, right),
        Expr::BinaryOp {
            left,
            op: op @ (BinaryOperator::HashArrow | BinaryOperator::HashLongArrow),
            right,
        } => {
            let Some(keys) = literal_text(right).and_then(path_of_keys) else {
                return false;
            };
            let is_text = *op == BinaryOperator::HashLongArrow;
            extraction(left.as_ref().clone(), text(&keys), is_text)
        }
        Expr::Lambda(lambda) => match json_of(lambda) {
            Some(value) => value,
            None => return false,
        },
        Expr::Cast {
            expr, data_type, ..
        } => return is_scalar(data_type) && without_quotes(expr),
        _ => return false,
    };
    *expr = replaced;
    true
}

/// Whether a type is a number, a boolean, a date or a time.
fn is_scalar(data_type: &DataType) -> bool {
    const STARTS: [&str; 14] = [
        "BIGINT", "BOOL", "DATE", "DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "INT", "NUMERIC",
        "REAL", "SMALLINT", "TIME", "TINYINT", "U",
    ];
    let name = data_type.to_string().to_ascii_uppercase();
    !name.ends_with(']') && STARTS.iter().any(|start| name.starts_with(start))
}

/// Takes the value in JSON, which is NULL for `null`, where a cast would take its text.
fn without_quotes(expr: &mut Expr) -> bool {
    match expr {
        Expr::Nested(inner) => without_quotes(inner),
        Expr::Function(function)
            if function.name.to_string() == "json_extract"
                && arguments(function).is_some_and(|it| it.len() == 2) =>
        {
            function.name = ObjectName::from(vec![Ident::new("json_extract_string")]);
            true
        }
        _ => false,
    }
}

/// A call with several paths, one with wildcards, or `json_array` of values.
fn rewrite_call(function: &Function, names: Names) -> Option<Expr> {
    let name = function_name(function, names)?;
    if ["json_build_array", "jsonb_build_array"].contains(&name.as_str()) {
        return Some(array_of(arguments(function)?));
    }
    if name == "json_array" {
        return array(function);
    }
    let is_text = match name.as_str() {
        "json_extract" | "json_extract_path" => false,
        "json_extract_path_text" | "json_extract_string" => true,
        _ => return None,
    };
    let arguments = arguments(function)?;
    let [json, path] = arguments.as_slice() else {
        return None;
    };
    match path {
        Expr::Array(paths) => {
            let paths = paths.elem.iter();
            let values = paths.map(|path| extraction((*json).clone(), path.clone(), is_text));
            let values = call("make_array", values.collect());
            Some(call("constant_or_null", vec![values, (*json).clone()]))
        }
        path if has_wildcard(path) || !is_constant(path) => {
            Some(extraction((*json).clone(), (*path).clone(), is_text))
        }
        _ => None,
    }
}

/// `json_array(1, 'x')`, a text of JSON. `json_array(json, 'path')` is another function.
fn array(function: &Function) -> Option<Expr> {
    let arguments = arguments(function)?;
    let is_json = match arguments.as_slice() {
        [_, path] if literal_text(path).is_none() && !is_placeholder(path) => false,
        [json] | [json, _] => match json {
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(text) => text.trim_start().starts_with(['[', '{']),
                Value::Placeholder(_) => true,
                _ => false,
            },
            Expr::Array(_) | Expr::Dictionary(_) => false,
            _ => true,
        },
        _ => false,
    };
    (!is_json).then(|| array_of(arguments))
}

fn is_placeholder(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(value.value, Value::Placeholder(_)))
}

/// A text of JSON with these values.
fn array_of(arguments: Vec<&Expr>) -> Expr {
    let mut parts = vec![text("[")];
    for (number, value) in arguments.into_iter().enumerate() {
        if number > 0 {
            parts.push(text(","));
        }
        let value = call("to_json", vec![value.clone()]);
        parts.push(call("coalesce", vec![value, text("null")]));
    }
    parts.push(text("]"));
    call("json_cast", vec![call("concat", parts)])
}

/// Whether a key or a path is the same for all rows.
fn is_constant(path: &Expr) -> bool {
    match path {
        Expr::Value(_) => true,
        Expr::Nested(inner) => is_constant(inner),
        _ => false,
    }
}

fn has_wildcard(path: &Expr) -> bool {
    literal_text(path).is_some_and(|path| path.contains("[*]") || path.contains(".*"))
}

/// The values at a path, as text or as JSON.
fn extraction(json: Expr, path: Expr, is_text: bool) -> Expr {
    if !is_constant(&path) {
        let member = call("json_member", vec![json, path]);
        return if is_text {
            call("json_extract_string", vec![member, text("$")])
        } else {
            member
        };
    }
    if !has_wildcard(&path) {
        let function = if is_text {
            "json_extract_string"
        } else {
            "json_extract"
        };
        return call(function, vec![json, path]);
    }
    let all = call("json_extract_all", vec![json, path]);
    if !is_text {
        return all;
    }
    let item = Ident::new("__json");
    let body = call("json_text", vec![Expr::Identifier(item.clone()), text("$")]);
    let lambda = Expr::Lambda(LambdaFunction {
        params: OneOrManyWithParens::One(LambdaFunctionParameter {
            name: item,
            data_type: None,
        }),
        body: Box::new(body),
        syntax: LambdaSyntax::LambdaKeyword,
    });
    call("array_transform", vec![all, lambda])
}

fn extract(json: Expr, op: &BinaryOperator, key: &Expr) -> Expr {
    extraction(json, path(key), *op != BinaryOperator::Arrow)
}

/// `-> 1` is an item of an array, and `-> -1` the last one.
fn path(key: &Expr) -> Expr {
    match key {
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => match expr.as_ref() {
            Expr::Value(value) => text(&format!("$[#-{}]", value.value)),
            _ => key.clone(),
        },
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => text(&format!("$[{number}]")),
            _ => key.clone(),
        },
        other => other.clone(),
    }
}

/// The path of PostgreSQL's keys: `{a,b,0}` as `$."a"."b"[0]`.
fn path_of_keys(keys: &str) -> Option<String> {
    let keys = keys.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut path = "$".to_owned();
    for key in keys.split(',').map(str::trim).filter(|key| !key.is_empty()) {
        let key = key.trim_matches('"');
        if key.contains('"') {
            return None;
        }
        path.push_str(&match key.parse::<i64>() {
            Ok(number) if number < 0 => format!("[#{number}]"),
            Ok(number) => format!("[{number}]"),
            Err(_) => format!(".\"{key}\""),
        });
    }
    Some(path)
}

/// Rewrites a lambda function that the parser made of JSON's `->`.
fn json_of(lambda: &LambdaFunction) -> Option<Expr> {
    let [parameter] = lambda.params.as_ref() else {
        return None;
    };
    if lambda.syntax != LambdaSyntax::Arrow || parameter.data_type.is_some() {
        return None;
    }
    let mut value = lambda.body.as_ref().clone();
    let json = Expr::Identifier(parameter.name.clone());
    put_before(json, &parameter.name, &mut value).then_some(value)
}

/// Puts `json ->` before the first operand of an expression. Returns whether that is a literal, or
/// a column other than the parameter of a lambda function.
fn put_before(json: Expr, parameter: &Ident, expr: &mut Expr) -> bool {
    let is_key = match expr {
        Expr::Value(_) => true,
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => matches!(expr.as_ref(), Expr::Value(_)),
        Expr::Identifier(name) => name != parameter,
        Expr::CompoundIdentifier(names) => names.first() != Some(parameter),
        _ => false,
    };
    if is_key {
        *expr = extract(json, &BinaryOperator::Arrow, expr);
        return true;
    }
    match expr {
        Expr::BinaryOp { left: inner, .. }
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::InList { expr: inner, .. }
        | Expr::InSubquery { expr: inner, .. }
        | Expr::Between { expr: inner, .. }
        | Expr::Like { expr: inner, .. }
        | Expr::ILike { expr: inner, .. } => put_before(json, parameter, inner),
        // Inner operators are replaced before the lambda function around them.
        Expr::Function(function) if is_extraction(&function.name.to_string()) => {
            match &mut function.args {
                FunctionArguments::List(list) => match list.args.first_mut() {
                    Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first))) => {
                        put_before(json, parameter, first)
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
    ["json_extract", "json_extract_string", "json_member"].contains(&name)
}
