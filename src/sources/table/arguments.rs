//! Arguments of table functions, and their documentation.

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr;

/// The syntax and description of a table function.
pub struct TableFunctionHelp {
    pub name: String,
    pub syntax: String,
    pub description: String,
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

/// Returns the texts of a literal: one text, or an array of texts, which the planner has already
/// made a constant.
pub fn text_list(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Literal(ScalarValue::List(list), _) = expr else {
        return Some(vec![text(expr)?]);
    };
    let texts = cast(list.values(), &DataType::Utf8).ok()?;
    let texts = texts.as_string_opt::<i32>()?;
    texts.iter().map(|text| text.map(str::to_owned)).collect()
}
