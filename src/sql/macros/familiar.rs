//! Functions that people know from DuckDB and other engines: macros (`familiar.sql`), and other
//! names of functions.
//!
//! A macro takes values only. An aggregate under another name also takes DISTINCT and ORDER BY, so
//! it is renamed.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use datafusion::common::config::SqlParserOptions;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName,
    ObjectNamePart, Statement, Value,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::{Macro, new_macro};
use crate::sql::syntax::Names;

/// Other names of functions, and the names here.
const RENAMED: &[(&str, &str)] = &[
    ("list", "array_agg"),
    ("group_concat", STRING_AGG),
    ("listagg", STRING_AGG),
    ("approx_count_distinct", "approx_distinct"),
    ("approx_quantile", "approx_percentile_cont"),
    ("first", "first_value"),
    ("last", "last_value"),
    ("arbitrary", "first_value"),
    ("list_value", "make_array"),
    ("list_pack", "make_array"),
    ("list_apply", "array_transform"),
    ("array_apply", "array_transform"),
    ("struct_extract", "get_field"),
    ("explode", "unnest"),
];

const STRING_AGG: &str = "string_agg";

/// The functions that call an aggregate by its name, and those of the aggregates.
const LIST_AGGREGATE: [&str; 3] = ["list_aggregate", "list_aggr", "array_aggregate"];
const OF_LISTS: [(&str, &str); 5] = [
    ("sum", "list_sum"),
    ("avg", "list_avg"),
    ("mean", "list_avg"),
    ("min", "list_min"),
    ("max", "list_max"),
];

/// The macros, by their names.
pub fn macros() -> &'static BTreeMap<String, Arc<Macro>> {
    static MACROS: LazyLock<BTreeMap<String, Arc<Macro>>> = LazyLock::new(|| {
        let statements = Parser::parse_sql(&GenericDialect {}, include_str!("familiar.sql"));
        // A test checks that they are parsed.
        let statements = statements.unwrap_or_default().into_iter();
        let macros = statements.filter_map(familiar);
        macros.map(|it| (it.name.clone(), Arc::new(it))).collect()
    });
    &MACROS
}

fn familiar(statement: Statement) -> Option<Macro> {
    let Statement::CreateMacro {
        name,
        args,
        definition,
        ..
    } = statement
    else {
        return None;
    };
    let names = Names::new(&SqlParserOptions::default());
    new_macro(&name, args.as_deref(), &definition, names).ok()
}

/// Gives a function its name here. Returns whether it had another one.
pub fn rename(function: &mut Function, names: Names) -> bool {
    let name = match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => names.of(name),
        _ => return false,
    };
    if LIST_AGGREGATE.contains(&name.as_str()) {
        return rename_aggregate(function);
    }
    let known = RENAMED.iter().find(|(other, _)| *other == name);
    let renamed = known.map(|(_, renamed)| *renamed);
    if let Some(renamed) = renamed {
        function.name = ObjectName::from(vec![Ident::new(renamed)]);
    }
    // The separator is a comma by default.
    let mut is_changed = renamed.is_some();
    if renamed.unwrap_or(name.as_str()) == STRING_AGG
        && let FunctionArguments::List(list) = &mut function.args
        && list.args.len() == 1
    {
        let comma = Expr::value(Value::SingleQuotedString(",".to_owned()));
        list.args
            .push(FunctionArg::Unnamed(FunctionArgExpr::Expr(comma)));
        is_changed = true;
    }
    is_changed
}

/// Rewrites `list_aggregate(list, 'sum')` to `list_sum(list)`.
fn rename_aggregate(function: &mut Function) -> bool {
    let FunctionArguments::List(list) = &mut function.args else {
        return false;
    };
    let [
        _,
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(name))),
    ] = list.args.as_slice()
    else {
        return false;
    };
    let Value::SingleQuotedString(name) = &name.value else {
        return false;
    };
    let mut of_lists = OF_LISTS.iter();
    let Some((_, of_lists)) = of_lists.find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
        return false;
    };
    list.args.pop();
    function.name = ObjectName::from(vec![Ident::new(*of_lists)]);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_macros_are_parsed() {
        let written = include_str!("familiar.sql").matches("CREATE MACRO").count();
        assert_eq!(macros().len(), written);
    }
}
