//! Functions that people know from DuckDB and other engines: macros (`duckdb.sql`), and other
//! names of functions. Macros of `jobs.sql` are part of every session, too.
//!
//! A macro takes values only. An aggregate under another name also takes DISTINCT and ORDER BY, so
//! it is renamed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock, OnceLock};

use datafusion::common::config::SqlParserOptions;
use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Array, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, HavingBound, HavingBoundKind, Ident, MacroDefinition,
    ObjectName, ObjectNamePart, Statement, Value, Visitor,
};
use datafusion::sql::sqlparser::dialect::Dialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::{Macro, new_macro};
use crate::sql::syntax::{Names, and, call, integer, literal_text, text};
use crate::sql::walk::{find as find_in, rewrite_own};

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
    ("element_at", "map_extract"),
    ("explode", "unnest"),
    ("gen_random_uuid", "uuid"),
    ("variance", "var_samp"),
    ("apply", "array_transform"),
    ("filter", "array_filter"),
    ("list_has", "array_has"),
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

const STRING_AGG: &str = "string_agg";

/// Words, and the functions that they select.
type Words = &'static [(&'static [&'static str], &'static str)];

const LIST_AGGREGATES: Words = &[
    (&["sum"], "list_sum"),
    (&["avg", "mean"], "list_avg"),
    (&["min"], "list_min"),
    (&["max"], "list_max"),
    (&["count"], "list_count"),
    (&["product"], "list_product"),
    (&["median"], "list_median"),
    (&["mode"], "list_mode"),
    (&["histogram"], "list_histogram"),
    (&["entropy"], "list_entropy"),
    (&["mad"], "list_mad"),
    (&["bool_and"], "list_bool_and"),
    (&["bool_or"], "list_bool_or"),
    (&["string_agg"], "list_string_agg"),
    (&["first"], "list_first"),
    (&["last"], "list_last"),
    (&["var_pop"], "list_var_pop"),
    (&["var_samp", "variance"], "list_var_samp"),
    (&["stddev_pop"], "list_stddev_pop"),
    (&["stddev_samp", "stddev"], "list_stddev_samp"),
];

/// DuckDB counts whole weeks, and the borders between the other parts.
const DATE_PARTS: Words = &[
    (&["year", "years", "y", "yr"], "date_diff_year"),
    (&["quarter", "quarters"], "date_diff_quarter"),
    (&["month", "months", "mon"], "date_diff_month"),
    (&["week", "weeks", "w"], "date_diff_week"),
    (&["day", "days", "d"], "date_diff_day"),
    (&["hour", "hours", "h"], "date_diff_hour"),
    (&["minute", "minutes", "m", "min"], "date_diff_minute"),
    (&["second", "seconds", "s", "sec"], "date_diff_second"),
    (
        &["millisecond", "milliseconds", "ms"],
        "date_diff_millisecond",
    ),
    (
        &["microsecond", "microseconds", "us"],
        "date_diff_microsecond",
    ),
    (&["decade", "decades"], "date_diff_decade"),
    (&["century", "centuries"], "date_diff_century"),
    (&["millennium", "millennia"], "date_diff_millennium"),
];

const WHOLE_DATE_PARTS: Words = &[
    (&["year", "years", "y", "yr"], "date_sub_year"),
    (&["quarter", "quarters"], "date_sub_quarter"),
    (&["month", "months", "mon"], "date_sub_month"),
    (&["week", "weeks", "w"], "date_sub_week"),
    (&["day", "days", "d"], "date_sub_day"),
    (&["hour", "hours", "h"], "date_sub_hour"),
    (&["minute", "minutes", "m", "min"], "date_sub_minute"),
    (&["second", "seconds", "s", "sec"], "date_sub_second"),
];

/// Parts that DataFusion does not know. It knows all others.
const OTHER_DATE_PARTS: Words = &[
    (&["decade", "decades"], "decade"),
    (&["century", "centuries"], "century"),
    (&["millennium", "millennia"], "millennium"),
    (&["era"], "era"),
    (&["julian"], "julian"),
    (&["dayofmonth"], "dayofmonth"),
    (&["dayofweek", "weekday"], "dayofweek"),
    (&["dayofyear"], "dayofyear"),
    (&["yearweek"], "yearweek"),
];

const LONG_TRUNCATIONS: Words = &[
    (&["decade", "decades"], "date_trunc_decade"),
    (&["century", "centuries"], "date_trunc_century"),
    (&["millennium", "millennia"], "date_trunc_millennium"),
];

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
            statements.find_map(familiar).map(Arc::new)
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

/// Returns the name here of a function.
pub fn renamed(name: &str) -> &str {
    let known = RENAMED.iter().find(|(other, _)| *other == name);
    known.map_or(name, |(_, renamed)| renamed)
}

/// Whether the definition of a macro has an aggregate.
pub fn has_aggregate(called: &Macro) -> bool {
    matches!(&called.definition, MacroDefinition::Expr(body) if find_in(&mut body.clone(), &mut Aggregates))
}

/// Stops at the call of an aggregate.
struct Aggregates;

impl Visitor for Aggregates {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(call) if AGGREGATES.contains(&call.name.to_string().as_str()) => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Gives a function its name here. Returns whether it had another one.
pub fn rename(function: &mut Function, names: Names) -> bool {
    let name = match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => names.of(name),
        _ => return false,
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
        let separator = FunctionArgExpr::Expr(Expr::value(separator.value.clone()));
        list.args.push(FunctionArg::Unnamed(separator));
        list.clauses.pop();
        is_changed = true;
    }
    // The separator is a comma by default.
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

/// Selects a function by a word among the arguments: `list_aggregate(list, 'sum')` becomes
/// `list_sum(list)`, and `date_diff('day', a, b)` becomes `date_diff_day(a, b)`. Returns whether it
/// did.
pub fn select(function: &mut Function, names: Names) -> Result<bool> {
    let name = match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => names.of(name),
        _ => return Ok(false),
    };
    let mut name = name;
    if let Some(selected) = select_by_arguments(&name, function)? {
        function.name = ObjectName::from(vec![Ident::new(selected)]);
        if !["date_diff", "date_sub"].contains(&selected) {
            return Ok(true);
        }
        name = selected.to_owned();
    }
    let count = match &function.args {
        FunctionArguments::List(list) => list.args.len(),
        _ => 0,
    };
    let (position, known, is_strict) = match name.as_str() {
        "list_aggregate" | "list_aggr" | "array_aggregate" | "array_aggr" => {
            (1, LIST_AGGREGATES, true)
        }
        "date_diff" | "datediff" => (0, DATE_PARTS, true),
        "date_sub" | "datesub" if count == 3 => (0, WHOLE_DATE_PARTS, true),
        "date_part" | "datepart" => (0, OTHER_DATE_PARTS, false),
        "date_trunc" | "datetrunc" => (0, LONG_TRUNCATIONS, false),
        _ => return Ok(false),
    };
    let word = match &function.args {
        FunctionArguments::List(list) => match list.args.get(position) {
            Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(word)))) => {
                match &word.value {
                    Value::SingleQuotedString(word) => word.to_lowercase(),
                    other => other.to_string(),
                }
            }
            Some(other) => other.to_string(),
            None => String::new(),
        },
        _ => return Ok(false),
    };
    let selected = known
        .iter()
        .find(|(words, _)| words.contains(&word.as_str()));
    if selected.is_none() && !is_strict {
        return Ok(false);
    }
    let Some((_, selected)) = selected else {
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

/// Functions of dates with a format: the name, and the place of the format.
const FORMATS: &[(&str, usize)] = &[
    ("date_format", 1),
    ("strftime", 1),
    ("strptime", 1),
    ("try_strptime", 1),
    ("to_char", 1),
    ("to_date", 1),
    ("to_timestamp", 1),
];

/// Selects a function by its arguments: `max(a, 3)` returns a list. Checks formats.
fn select_by_arguments(name: &str, function: &mut Function) -> Result<Option<&'static str>> {
    if let Some(selected) = select_by_group(name, function) {
        return Ok(Some(selected));
    }
    let FunctionArguments::List(list) = &mut function.args else {
        return Ok(None);
    };
    let literal = |list: &FunctionArgumentList, place: usize| match list.args.get(place) {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(value))) => {
            literal_text(value).map(str::to_owned)
        }
        _ => None,
    };
    // DuckDB takes the format first, too.
    if name == "strftime"
        && list.args.len() == 2
        && literal(list, 0).is_some_and(|format| format.contains('%'))
        && literal(list, 1).is_none()
    {
        list.args.swap(0, 1);
        return Ok(Some("strftime"));
    }
    // A list of formats: the first that fits counts.
    if ["strptime", "try_strptime"].contains(&name)
        && let [
            text,
            FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Array(formats))),
        ] = list.args.as_slice()
    {
        let formats = formats.elem.iter().cloned();
        let last = formats.len().saturating_sub(1);
        let FunctionArg::Unnamed(FunctionArgExpr::Expr(text)) = text.clone() else {
            return Ok(None);
        };
        // Only the last one may fail.
        let calls = formats.enumerate().map(|(number, format)| {
            let function = if number == last { name } else { "try_strptime" };
            call(function, vec![text.clone(), format])
        });
        list.args = calls
            .map(|it| FunctionArg::Unnamed(FunctionArgExpr::Expr(it)))
            .collect();
        return Ok(Some("coalesce"));
    }
    // A list of names returns a struct of the groups.
    if name == "regexp_extract"
        && let [
            text,
            pattern,
            FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Array(fields))),
            options @ ..,
        ] = list.args.as_slice()
        && let (
            FunctionArg::Unnamed(FunctionArgExpr::Expr(text)),
            FunctionArg::Unnamed(FunctionArgExpr::Expr(pattern)),
        ) = (text, pattern)
    {
        let mut structure = Vec::new();
        for (number, field) in (1..).zip(&fields.elem) {
            let mut group = call(
                "regexp_extract",
                vec![text.clone(), pattern.clone(), integer(number)],
            );
            if let Expr::Function(group) = &mut group
                && let FunctionArguments::List(arguments) = &mut group.args
            {
                arguments.args.extend(options.iter().cloned());
            }
            structure.extend([field.clone(), group]);
        }
        list.args = structure
            .into_iter()
            .map(|it| FunctionArg::Unnamed(FunctionArgExpr::Expr(it)))
            .collect();
        return Ok(Some("named_struct"));
    }
    // BigQuery's approx_quantiles(a, 4) has the bounds of four parts.
    let mut name = name;
    if name == "approx_quantiles"
        && let [
            _,
            FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(count))),
        ] = list.args.as_slice()
        && let Value::Number(count, _) = &count.value
        && let Some(count) = count.parse().ok().filter(|it| (1..=1000).contains(it))
    {
        let share = |part: u32| {
            Expr::value(Value::Number(
                (f64::from(part) / f64::from(count)).to_string(),
                false,
            ))
        };
        let shares = Expr::Array(Array {
            elem: (0..=count).map(share).collect(),
            named: false,
        });
        list.args[1] = FunctionArg::Unnamed(FunctionArgExpr::Expr(shares));
        name = "quantile_disc";
    }
    // A list of shares returns a list.
    let quantiles = [
        "approx_quantile",
        "quantile",
        "quantile_cont",
        "quantile_disc",
    ];
    if quantiles.contains(&name)
        && function.filter.is_none()
        && let [
            FunctionArg::Unnamed(FunctionArgExpr::Expr(value)),
            FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Array(shares))),
        ] = list.args.as_slice()
    {
        let shares = shares.elem.iter();
        let calls = shares.map(|share| call(name, vec![value.clone(), share.clone()]));
        // Without a value, there is no list.
        let list_of = call("make_array", calls.collect());
        let count = call("count", vec![value.clone()]);
        let arguments = [list_of, count].into_iter().map(FunctionArgExpr::Expr);
        list.args = arguments.map(FunctionArg::Unnamed).collect();
        return Ok(Some("quantiles"));
    }
    if let Some((_, place)) = FORMATS.iter().find(|(known, _)| *known == name)
        && let Some(format) = literal(list, *place)
        && !format.contains('%')
        && format.chars().any(char::is_alphabetic)
    {
        return plan_err!(
            "the format '{format}' of {name} has no part of a date: write it as in strftime, such as '%Y-%m-%d %H:%M:%S'"
        );
    }
    Ok(match (name, list.args.len()) {
        // BigQuery's any_value(a HAVING MAX b).
        ("any_value", 1)
            if matches!(list.clauses.as_slice(), [FunctionArgumentClause::Having(_)]) =>
        {
            let Some(FunctionArgumentClause::Having(HavingBound(kind, key))) = list.clauses.pop()
            else {
                return Ok(None);
            };
            list.args
                .push(FunctionArg::Unnamed(FunctionArgExpr::Expr(key)));
            Some(match kind {
                HavingBoundKind::Max => "arg_max",
                HavingBoundKind::Min => "arg_min",
            })
        }
        ("isnull", 2) => Some("coalesce"),
        ("max", 2) => Some("max_n"),
        ("min", 2) => Some("min_n"),
        ("arg_max" | "argmax" | "max_by", 3) => Some("arg_max_n"),
        ("arg_min" | "argmin" | "min_by", 3) => Some("arg_min_n"),
        // BigQuery's order: date_diff(end, start, DAY) and date_trunc(date, MONTH).
        (
            "date_diff" | "date_trunc" | "datetime_diff" | "datetime_trunc" | "timestamp_diff"
            | "timestamp_trunc",
            2 | 3,
        ) if unit_name(list.args.last()).is_some() && literal(list, 0).is_none() => {
            let unit = unit_name(list.args.pop().as_ref()).map(|unit| text(&unit));
            list.args.reverse();
            let unit = unit.map(|unit| FunctionArg::Unnamed(FunctionArgExpr::Expr(unit)));
            list.args.splice(0..0, unit);
            let is_difference = list.args.len() == 3;
            Some(if is_difference {
                "date_diff"
            } else {
                "date_trunc"
            })
        }
        // Spark's order: aggregate(list, start, lambda).
        ("aggregate", 3) => {
            list.args.swap(1, 2);
            Some("list_reduce")
        }
        ("split", 1) => {
            list.args
                .push(FunctionArg::Unnamed(FunctionArgExpr::Expr(text(","))));
            Some("split")
        }
        // DuckDB's plural units.
        ("date_trunc" | "datetrunc", 2) if plural_unit(list.args.first()).is_some() => {
            let unit = plural_unit(list.args.first()).map(|unit| text(&unit));
            if let (Some(unit), Some(first)) = (unit, list.args.first_mut()) {
                *first = FunctionArg::Unnamed(FunctionArgExpr::Expr(unit));
            }
            Some("date_trunc")
        }
        ("age", 1) => Some("age_today"),
        ("percentile_cont" | "quantile_cont", 2) => {
            // The order of the values is an argument here.
            if let [FunctionArgumentClause::OrderBy(keys)] = list.clauses.as_slice()
                && let [key] = keys.as_slice()
                && list
                    .args
                    .first()
                    .is_some_and(|value| value.to_string() == key.expr.to_string())
            {
                if key.options.asc == Some(false) {
                    let order = FunctionArgExpr::Expr(text("DESC"));
                    list.args.push(FunctionArg::Unnamed(order));
                }
                list.clauses.clear();
            }
            Some("quantile_cont")
        }
        ("array_cat" | "array_concat" | "list_cat" | "list_concat", 2..) => {
            if list.args.iter().all(is_null) {
                list.args.truncate(1);
                return Ok(Some("coalesce"));
            }
            list.args.retain(|argument| !is_null(argument));
            None
        }
        ("date", 3) => Some("make_date"),
        // Spark's and MySQL's order: datediff(end, start).
        ("date_diff" | "datediff", 2) => {
            list.args.reverse();
            Some("date_diff_day")
        }
        // Snowflake's dateadd(day, 1, date).
        ("date_add" | "dateadd" | "timestampadd", 3) => {
            let unit = unit_name(list.args.first());
            let unit = unit.or_else(|| literal(list, 0)).map(|unit| text(&unit));
            let (Some(unit), FunctionArg::Unnamed(FunctionArgExpr::Expr(number))) =
                (unit, list.args[1].clone())
            else {
                return Ok(None);
            };
            let interval = call("interval_of", vec![number, unit]);
            let interval = FunctionArg::Unnamed(FunctionArgExpr::Expr(interval));
            list.args = vec![list.args[2].clone(), interval];
            Some("add")
        }
        ("date_sub", 2) => Some("date_minus"),
        // Whole units, as in Spark and MySQL.
        ("timestampdiff", 3) => {
            let unit = unit_name(list.args.first()).map(|unit| text(&unit));
            if let (Some(unit), Some(first)) = (unit, list.args.first_mut()) {
                *first = FunctionArg::Unnamed(FunctionArgExpr::Expr(unit));
            }
            Some("date_sub")
        }
        // The smallest of the most frequent values.
        ("mode", 1)
            if matches!(
                list.clauses.as_slice(),
                [FunctionArgumentClause::OrderBy(keys)] if keys.len() == 1
                    && keys[0].options.asc != Some(false)
                    && list.args[0].to_string() == keys[0].expr.to_string()
            ) =>
        {
            list.clauses.clear();
            Some("mode_in_order")
        }
        ("decode", 1) => Some("decode_utf8"),
        ("encode", 1) => Some("encode_utf8"),
        ("make_timestamp", 1) => Some("make_timestamp_of"),
        ("epoch_ms", 1)
            if matches!(
                list.args.first(),
                Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value))))
                    if matches!(value.value, Value::Number(..))
            ) =>
        {
            Some("make_timestamp_ms")
        }
        ("time_bucket", 3) => Some(match list.args.last() {
            Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Interval(_)))) => {
                "time_bucket_offset"
            }
            _ => "date_bin",
        }),
        ("count_star", 0) => {
            list.args
                .push(FunctionArg::Unnamed(FunctionArgExpr::Wildcard));
            Some("count")
        }
        ("time_bucket", 2) => {
            let width = list.args.first().map(ToString::to_string);
            let width = width.unwrap_or_default().to_lowercase();
            let is_months = ["month", "quarter", "year", "decade", "centur"]
                .iter()
                .any(|unit| width.contains(unit));
            Some(if is_months {
                "time_bucket_months"
            } else {
                "time_bucket_days"
            })
        }
        _ => None,
    })
}

fn is_null(argument: &FunctionArg) -> bool {
    matches!(
        argument,
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value))) if value.value == Value::Null
    )
}

/// The unit of dates that an argument without quotes names.
fn unit_name(argument: Option<&FunctionArg>) -> Option<String> {
    const UNITS: [&str; 8] = [
        "year", "quarter", "month", "week", "day", "hour", "minute", "second",
    ];
    match argument {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(name)))) => {
            let name = name.value.to_ascii_lowercase();
            UNITS.contains(&name.as_str()).then_some(name)
        }
        _ => None,
    }
}

/// The unit of a plural such as `'days'`, which `date_trunc` does not know.
fn plural_unit(argument: Option<&FunctionArg>) -> Option<String> {
    const UNITS: [&str; 10] = [
        "years",
        "quarters",
        "months",
        "weeks",
        "days",
        "hours",
        "minutes",
        "seconds",
        "milliseconds",
        "microseconds",
    ];
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(value))) = argument else {
        return None;
    };
    let unit = literal_text(value)?.to_ascii_lowercase();
    UNITS
        .contains(&unit.as_str())
        .then(|| unit.trim_end_matches('s').to_owned())
}

/// Selects an aggregate that takes its values after WITHIN GROUP.
fn select_by_group(name: &str, function: &mut Function) -> Option<&'static str> {
    let [key] = function.within_group.as_slice() else {
        return None;
    };
    let value = FunctionArg::Unnamed(FunctionArgExpr::Expr(key.expr.clone()));
    let is_ascending = key.options.asc != Some(false);
    let FunctionArguments::List(list) = &mut function.args else {
        return None;
    };
    let selected = match (name, list.args.len()) {
        ("mode", 0) if is_ascending => {
            list.args.push(value);
            "mode_in_order"
        }
        ("percentile_cont", 1) => {
            list.args.insert(0, value);
            if !is_ascending {
                let order = FunctionArgExpr::Expr(text("DESC"));
                list.args.push(FunctionArg::Unnamed(order));
            }
            "quantile_cont"
        }
        ("percentile_disc", 1) if is_ascending => {
            list.args.insert(0, value);
            "quantile_disc"
        }
        ("group_concat" | "listagg" | "string_agg", _) => {
            let order = FunctionArgumentClause::OrderBy(std::mem::take(&mut function.within_group));
            list.clauses.push(order);
            return Some(STRING_AGG);
        }
        _ => return None,
    };
    function.within_group.clear();
    Some(selected)
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
