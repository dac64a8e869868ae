//! Functions that are selected by the arguments of a call: `list_aggregate(list, 'sum')` calls
//! `list_sum(list)`, and `max(a, 3)` returns a list.
//!
//! ```text
//! aggregates  aggregates with a number, an order or a list of shares
//! lists       lists, maps and structs
//! texts       texts and regular expressions
//! times       dates and times: the order of arguments, units, and formats
//! ```

mod aggregates;
mod lists;
mod texts;
mod times;

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident,
    ObjectName, Value,
};

use crate::sql::syntax::{Names, function_name, literal_text, plain_argument};

/// Words, and the functions that they select.
type Words = &'static [(&'static [&'static str], &'static str)];

/// The argument with a word, the known words, and whether others are refused.
type Selector = (usize, Words, bool);

/// Selects a function by the arguments of a call, or by a word among them. Returns whether it did.
pub fn select(function: &mut Function, names: Names) -> Result<bool> {
    let Some(mut name) = function_name(function, names) else {
        return Ok(false);
    };
    if let Some(selected) = by_arguments(&name, function)? {
        function.name = ObjectName::from(vec![Ident::new(selected)]);
        if !["date_diff", "date_sub"].contains(&selected) {
            return Ok(true);
        }
        selected.clone_into(&mut name);
    }
    let FunctionArguments::List(list) = &function.args else {
        return Ok(false);
    };
    let count = list.args.len();
    let selector = lists::selector(&name).or_else(|| times::selector(&name, count));
    let Some((position, known, is_strict)) = selector else {
        return Ok(false);
    };
    let word = match list.args.get(position) {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(word)))) => match &word.value {
            Value::SingleQuotedString(word) => word.to_lowercase(),
            other => other.to_string(),
        },
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let selected = known
        .iter()
        .find(|(words, _)| words.contains(&word.as_str()));
    let Some((_, selected)) = selected else {
        if !is_strict {
            return Ok(false);
        }
        let words: Vec<&str> = known.iter().map(|(words, _)| words[0]).collect();
        return plan_err!(
            "argument {} of {name} must be '{}', not {word}",
            position + 1,
            words.join("', '")
        );
    };
    if let FunctionArguments::List(list) = &mut function.args {
        list.args.remove(position);
    }
    function.name = ObjectName::from(vec![Ident::new(*selected)]);
    Ok(true)
}

/// The function that a call with these arguments means, which may change.
fn by_arguments(name: &str, function: &mut Function) -> Result<Option<&'static str>> {
    if let Some(selected) = aggregates::select(name, function) {
        return Ok(Some(selected));
    }
    let FunctionArguments::List(list) = &mut function.args else {
        return Ok(None);
    };
    if let Some(selected) = times::select(name, list)? {
        return Ok(Some(selected));
    }
    if let Some(selected) = texts::select(name, list)? {
        return Ok(Some(selected));
    }
    Ok(lists::select(name, list))
}

/// An argument without a name.
fn value(list: &FunctionArgumentList, place: usize) -> Option<&Expr> {
    list.args.get(place).and_then(plain_argument)
}

/// The text of an argument that is a literal.
fn literal(list: &FunctionArgumentList, place: usize) -> Option<&str> {
    value(list, place).and_then(literal_text)
}

/// The items of an argument that is written as a list.
fn items(list: &FunctionArgumentList, place: usize) -> Option<&[Expr]> {
    match value(list, place) {
        Some(Expr::Array(items)) => Some(&items.elem),
        _ => None,
    }
}
