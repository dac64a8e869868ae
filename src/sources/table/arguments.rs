//! Arguments of table functions, and their documentation.
//!
//! `name => value` arrives here as the pair `'name', value`.

use std::collections::HashSet;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::TableFunctionArgs;
use datafusion::common::{Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::Expr;

/// The syntax and description of a table function.
pub struct TableFunctionHelp {
    pub name: String,
    pub syntax: String,
    pub description: String,
}

/// Returns the session in which a table function is called.
pub fn session_of<'a>(
    args: &'a TableFunctionArgs<'_, '_>,
    function: &str,
) -> Result<&'a SessionState> {
    let session = args.session().as_any().downcast_ref();
    session.ok_or_else(|| plan_datafusion_err!("{function}() needs a session of DataFusion"))
}

pub fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Literal(
            ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text),
            _,
        ) => text.clone(),
        _ => None,
    }
}

/// Returns the texts of a literal: one text, or an array of texts that the planner has already
/// folded to a constant.
pub fn text_list(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Literal(ScalarValue::List(list), _) = expr else {
        return Some(vec![text(expr)?]);
    };
    let texts = cast(list.values(), &DataType::Utf8).ok()?;
    let texts = texts.as_string_opt::<i32>()?;
    texts.iter().map(|text| text.map(str::to_owned)).collect()
}

/// Returns the options of a call, from the pairs of name and value after its other arguments. Names
/// are in lower case.
pub fn pairs(function: &str, pairs: &[Expr]) -> Result<Vec<(String, ScalarValue)>> {
    let mut options = Vec::new();
    let mut names = HashSet::new();
    for pair in pairs.chunks(2) {
        let name = text(&pair[0]).map(|name| name.to_ascii_lowercase());
        let Some(name) = name else {
            return plan_err!(
                "{function} takes options as name => value, or as pairs 'name', value, not {}",
                pair[0]
            );
        };
        let Some(value) = pair.get(1) else {
            if name.contains(['/', '.', '*']) {
                return plan_err!(
                    "{function} takes one location: write {function}(['a', 'b']) for several"
                );
            }
            return plan_err!("option '{name}' of {function} has no value");
        };
        let Expr::Literal(value, _) = value else {
            return plan_err!("option '{name}' of {function} must be a constant, not {value}");
        };
        if value.is_null() {
            return plan_err!(
                "option '{name}' of {function} is NULL: leave it out, or give a value"
            );
        }
        if !names.insert(name.clone()) {
            return plan_err!("option '{name}' of {function} is given twice");
        }
        options.push((name, value.clone()));
    }
    Ok(options)
}

/// Like [`pairs`], with the values as text: numbers in digits, `true` or `false`, and the items of
/// lists with commas between them.
pub fn options(function: &str, exprs: &[Expr]) -> Result<Vec<(String, String)>> {
    let mut options = Vec::new();
    for (name, value) in pairs(function, exprs)? {
        let Some(text) = option_text(&value) else {
            if name == "hive_types" {
                return plan_err!(
                    "{function} has no option '{name}': cast the column, as in year::INTEGER"
                );
            }
            return plan_err!(
                "option '{name}' of {function} is a text, a number, true or false, or a list of \
                 texts without commas, not {value}"
            );
        };
        options.push((name, text));
    }
    Ok(options)
}

/// Returns the value of an option as text.
fn option_text(value: &ScalarValue) -> Option<String> {
    match value {
        ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text) => {
            text.clone()
        }
        ScalarValue::List(_) => {
            let items = text_list(&Expr::Literal(value.clone(), None))?;
            let has_comma = items.iter().any(|item| item.contains(','));
            (!has_comma).then(|| items.join(","))
        }
        value if value.data_type().is_numeric() || value.data_type() == DataType::Boolean => {
            Some(value.to_string())
        }
        _ => None,
    }
}
