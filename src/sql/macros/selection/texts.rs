//! Texts and regular expressions.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{Expr, FunctionArgumentList, FunctionArguments};

use super::{items, literal, value};
use crate::sql::syntax::{argument, call, integer, text};

/// The function of texts that a call means.
pub fn select(name: &str, list: &mut FunctionArgumentList) -> Result<Option<&'static str>> {
    if ["split", "string_split", "str_split"].contains(&name) {
        check_separator(name, list)?;
    }
    Ok(match (name, list.args.len()) {
        ("regexp_extract", 3 | 4) => groups(list),
        ("split", 1) => {
            list.args.push(argument(text(",")));
            Some("split")
        }
        // The formats of PostgreSQL and BigQuery.
        ("format", 2..)
            if literal(list, 0)
                .is_some_and(|format| format.contains('%') && !format.contains('{')) =>
        {
            Some("printf")
        }
        ("decode", 1) => Some("decode_utf8"),
        ("encode", 1) => Some("encode_utf8"),
        _ => None,
    })
}

/// Refuses the regular expressions of Spark's `split`, which would be texts here.
fn check_separator(name: &str, list: &FunctionArgumentList) -> Result<()> {
    let Some(separator) = literal(list, 1) else {
        return Ok(());
    };
    let classes = ["\\s", "\\S", "\\w", "\\W", "\\d", "\\D", "\\b"];
    if classes.iter().any(|class| separator.contains(class)) {
        let pattern = separator.replace("\\\\", "\\");
        return plan_err!(
            "{name} takes a text, not a regular expression: write regexp_split_to_array(text, '{pattern}')"
        );
    }
    Ok(())
}

/// `regexp_extract(text, pattern, ['a', 'b'])` as a struct of the groups.
fn groups(list: &mut FunctionArgumentList) -> Option<&'static str> {
    let fields = items(list, 2)?;
    let (subject, pattern) = (value(list, 0)?, value(list, 1)?);
    let mut structure = Vec::new();
    for (number, field) in (1..).zip(fields) {
        let arguments = vec![subject.clone(), pattern.clone(), integer(number)];
        let mut group = call("regexp_extract", arguments);
        if let Expr::Function(group) = &mut group
            && let FunctionArguments::List(arguments) = &mut group.args
        {
            arguments.args.extend(list.args.iter().skip(3).cloned());
        }
        structure.extend([field.clone(), group]);
    }
    let subject = subject.clone();
    list.args = vec![argument(call("named_struct", structure)), argument(subject)];
    Some("constant_or_null")
}
