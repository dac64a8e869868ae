//! Functions that people know from DuckDB and other engines: macros (`duckdb.sql`), and other
//! names of functions. Macros of `jobs.sql` are part of every session, too.
//!
//! A macro takes values only. An aggregate under another name also takes DISTINCT and ORDER BY, so
//! it is renamed.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use datafusion::common::Result;
use datafusion::common::config::SqlParserOptions;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArgumentClause, FunctionArguments, Ident, MacroDefinition, ObjectName,
    Statement,
};
use datafusion::sql::sqlparser::dialect::Dialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::{Macro, new_macro};
use crate::sql::syntax::{Names, and, argument, function_name, text};
use crate::sql::walk::{has_expr, rewrite_own};

/// Names of functions in other engines, with their names in this dialect.
const RENAMED: &[(&str, &str)] = &[
    ("list", "array_agg"),
    ("group_concat", STRING_AGG),
    ("listagg", STRING_AGG),
    ("approx_count_distinct", "approx_distinct"),
    ("approx_quantile", "approx_percentile_cont"),
    ("first", "first_value"),
    ("last", "last_value"),
    ("arbitrary", "first_value"),
    // DataFusion's counts the items of inner lists.
    ("cardinality", "len"),
    ("list_value", "make_array"),
    ("list_pack", "make_array"),
    ("list_apply", "array_transform"),
    ("array_apply", "array_transform"),
    ("struct_extract", "get_field"),
    ("element_at", "map_extract"),
    ("explode", "unnest"),
    ("gen_random_uuid", "uuid"),
    ("variance", "var_samp"),
    ("apply", "array_transform"),
    ("filter", "array_filter"),
    ("list_has", "array_has"),
    ("pow", "power"),
    ("array_value", "make_array"),
    ("array_unique", "list_unique"),
    ("approx_percentile", "approx_percentile_cont"),
    ("array_cosine_distance", "cosine_distance"),
    ("array_cosine_similarity", "list_cosine_similarity"),
    ("array_dot_product", "inner_product"),
    ("array_inner_product", "inner_product"),
    ("list_dot_product", "inner_product"),
    ("list_inner_product", "inner_product"),
    ("array", "make_array"),
    ("generate_array", "generate_series"),
    ("sequence", "generate_series"),
    ("json_agg", "json_group_array"),
    ("jsonb_agg", "json_group_array"),
    ("json_object_agg", "json_group_object"),
    ("jsonb_object_agg", "json_group_object"),
    ("every", "bool_and"),
    ("logical_and", "bool_and"),
    ("logical_or", "bool_or"),
    ("grouping_id", "grouping"),
    ("array_construct", "make_array"),
    ("array_cross_product", "list_cross_product"),
    ("array_negative_dot_product", "list_negative_inner_product"),
    (
        "array_negative_inner_product",
        "list_negative_inner_product",
    ),
    ("array_reverse_sort", "list_reverse_sort"),
    ("grade_up", "list_grade_up"),
    ("array_grade_up", "list_grade_up"),
    ("array_select", "list_select"),
    ("array_size", "len"),
    ("array_where", "list_where"),
    ("array_zip", "arrays_zip"),
    ("format_string", "printf"),
    ("char", "chr"),
    ("curdate", "current_date"),
    ("generate_uuid", "uuid"),
    ("greatest_common_divisor", "gcd"),
    ("jsonb_pretty", "json_pretty"),
    ("least_common_multiple", "lcm"),
    ("map_from_arrays", "map"),
    ("mid", "substr"),
    ("percentile", "quantile_cont"),
    ("rank_dense", "dense_rank"),
    ("sprintf", "printf"),
    ("to_jsonb", "to_json"),
    ("transform", "array_transform"),
    ("uuid_generate_v4", "uuid"),
];

pub const STRING_AGG: &str = "string_agg";

/// The definitions of the macros of every session.
const SQL: &str = concat!(include_str!("duckdb.sql"), include_str!("jobs.sql"));

/// The words that begin a definition.
const CREATE: &str = "CREATE MACRO ";

/// A macro that is parsed when it is first used. Most statements use none.
struct Definition {
    sql: &'static str,
    parsed: OnceLock<Option<Arc<Macro>>>,
}

impl Definition {
    fn parsed(&self, dialect: &dyn Dialect) -> Option<&Arc<Macro>> {
        let parsed = self.parsed.get_or_init(|| {
            // A test checks that all are parsed.
            let statements = Parser::parse_sql(dialect, self.sql);
            let mut statements = statements.unwrap_or_default().into_iter();
            statements.find_map(macro_of).map(Arc::new)
        });
        parsed.as_ref()
    }
}

/// The definitions, by their names.
fn definitions() -> &'static BTreeMap<&'static str, Definition> {
    static DEFINITIONS: LazyLock<BTreeMap<&'static str, Definition>> = LazyLock::new(|| {
        let starts = SQL.match_indices(CREATE).map(|(start, _)| start);
        let ends = starts.clone().skip(1).chain([SQL.len()]);
        let definitions = starts.zip(ends).filter_map(|(start, end)| {
            let sql = SQL.get(start..end)?;
            let name = sql.strip_prefix(CREATE)?.split('(').next()?;
            let parsed = OnceLock::new();
            Some((name, Definition { sql, parsed }))
        });
        definitions.collect()
    });
    &DEFINITIONS
}

/// Returns the macro with this name.
pub fn find(name: &str, dialect: &dyn Dialect) -> Option<Arc<Macro>> {
    definitions().get(name)?.parsed(dialect).cloned()
}

/// Returns all macros, by their names.
pub fn all(dialect: &dyn Dialect) -> BTreeMap<String, Arc<Macro>> {
    let definitions = definitions().values();
    let macros = definitions.filter_map(|definition| definition.parsed(dialect));
    macros.map(|it| (it.name.clone(), Arc::clone(it))).collect()
}

fn macro_of(statement: Statement) -> Option<Macro> {
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

/// The aggregates in the definitions of macros.
const AGGREGATES: [&str; 12] = [
    "approx_percentile_cont",
    "array_agg",
    "avg",
    "count",
    "first_value",
    "last_value",
    "max",
    "min",
    "stddev_pop",
    "stddev_samp",
    "string_agg",
    "sum",
];

/// Gives the aggregates of a definition the FILTER and the OVER of a call. Returns whether there
/// are any.
pub fn give_clauses(definition: &mut Expr, call: &Function) -> Result<bool> {
    let mut is_given = false;
    rewrite_own(definition, |expr| {
        if let Expr::Function(inner) = expr
            && inner.over.is_none()
            && AGGREGATES.contains(&inner.name.to_string().as_str())
        {
            is_given = true;
            inner.over.clone_from(&call.over);
            if let Some(condition) = &call.filter {
                let condition = and(inner.filter.take().map(|it| *it), *condition.clone());
                inner.filter = Some(Box::new(condition));
            }
        }
        Ok(())
    })?;
    Ok(is_given)
}

/// Returns the name of a function in this dialect.
pub fn name_here(name: &str) -> &str {
    let known = RENAMED.iter().find(|(other, _)| *other == name);
    known.map_or(name, |(_, renamed)| renamed)
}

/// Whether the definition of a macro has an aggregate.
pub fn has_aggregate(called: &Macro) -> bool {
    let is_aggregate = |expr: &Expr| match expr {
        Expr::Function(call) => AGGREGATES.contains(&call.name.to_string().as_str()),
        _ => false,
    };
    matches!(&called.definition, MacroDefinition::Expr(body) if has_expr(body, is_aggregate))
}

/// Renames a function to its name in this dialect. Returns whether that changed it.
pub fn rename(function: &mut Function, names: Names) -> bool {
    let Some(name) = function_name(function, names) else {
        return false;
    };
    let known = RENAMED.iter().find(|(other, _)| *other == name);
    let renamed = known.map(|(_, renamed)| *renamed);
    if let Some(renamed) = renamed {
        function.name = ObjectName::from(vec![Ident::new(renamed)]);
    }
    let mut is_changed = renamed.is_some();
    // MySQL's group_concat(a ORDER BY b SEPARATOR '; ').
    if let FunctionArguments::List(list) = &mut function.args
        && let Some(FunctionArgumentClause::Separator(separator)) = list.clauses.last()
    {
        let separator = Expr::value(separator.value.clone());
        list.args.push(argument(separator));
        list.clauses.pop();
        is_changed = true;
    }
    // The separator is a comma by default.
    if renamed.unwrap_or(name.as_str()) == STRING_AGG
        && let FunctionArguments::List(list) = &mut function.args
        && list.args.len() == 1
    {
        list.args.push(argument(text(",")));
        is_changed = true;
    }
    is_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::dialect::CorpusDialect;

    #[test]
    fn all_macros_are_parsed() {
        let written = SQL.matches(CREATE).count();
        let all = all(&CorpusDialect);
        assert_eq!(all.len(), written);
        for (name, called) in all {
            assert_eq!(name, called.name);
            assert!(find(&name, &CorpusDialect).is_some(), "{name}");
        }
    }
}
