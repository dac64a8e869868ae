//! Operators, subscripts and calls with another form here.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, DataType, DateTimeField, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArgumentClause, FunctionArgumentList, FunctionArguments, Ident,
    ObjectName, OrderByKind, Query, SelectItem, SetExpr, StructField, Subscript, TimezoneInfo,
    UnaryOperator, Value, ValueWithSpan,
};

use super::first_rows::{first_row, has_call, is_plain};
use super::list_queries;
use super::names_used::uses_other_tables;
use super::quantifiers;
use super::row_values;
use super::types;
use crate::sql::syntax::{
    Names, arguments, binary, call, function_name, integer, literal_text, text,
};

/// The schemas in which PostgreSQL's functions may be named.
const SCHEMAS: [&str; 3] = ["pg_catalog", "main", "public"];

/// Replaces an expression. Returns whether it did.
pub fn replace(expr: &mut Expr, names: Names) -> Result<bool> {
    if let Some(replaced) = list_queries::replaced(expr, names)? {
        *expr = replaced;
        return Ok(true);
    }
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
            return Ok(true);
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
        Expr::UnaryOp {
            op: UnaryOperator::BitwiseNot,
            expr,
        } => binary(
            integer(-1),
            BinaryOperator::Minus,
            Expr::Nested(Box::new(expr.as_ref().clone())),
        ),
        Expr::UnaryOp {
            op: UnaryOperator::PGPostfixFactorial,
            expr,
        } => call("factorial", vec![expr.as_ref().clone()]),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::PGOverlap,
            right,
        } => call(
            "array_has_any",
            vec![left.as_ref().clone(), right.as_ref().clone()],
        ),
        Expr::InUnnest {
            expr: value,
            array_expr,
            negated,
        } => {
            let list = array_expr.as_ref().clone();
            let has = call("array_has", vec![list, value.as_ref().clone()]);
            if *negated {
                Expr::UnaryOp {
                    op: UnaryOperator::Not,
                    expr: Box::new(has),
                }
            } else {
                has
            }
        }
        Expr::InSubquery { .. } => match row_values::replaced(expr)? {
            Some(replaced) => replaced,
            None => return Ok(false),
        },
        Expr::Like { any: true, .. } | Expr::ILike { any: true, .. } => match like_any(expr) {
            Some(replaced) => replaced,
            None => return Ok(false),
        },
        Expr::Like {
            pattern,
            escape_char,
            ..
        }
        | Expr::ILike {
            pattern,
            escape_char,
            ..
        } => return Ok(with_backslashes(pattern, escape_char)),
        Expr::Extract {
            field, expr: date, ..
        } => match named_part(field) {
            Some(function) => call(function, vec![date.as_ref().clone()]),
            None => return Ok(false),
        },
        // The local time of an instant. DataFusion would take the instant for a local time.
        Expr::AtTimeZone {
            timestamp,
            time_zone,
        } if is_instant(timestamp.as_ref()) => {
            let instant = call(
                "arrow_cast",
                vec![
                    timestamp.as_ref().clone(),
                    text("Timestamp(Microsecond, Some(\"+00:00\"))"),
                ],
            );
            let there = Expr::AtTimeZone {
                timestamp: Box::new(instant),
                time_zone: time_zone.clone(),
            };
            call("to_local_time", vec![there])
        }
        Expr::UnaryOp {
            op: UnaryOperator::PGAbs,
            expr,
        } => call("abs", vec![expr.as_ref().clone()]),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::PGStartsWith,
            right,
        } => call(
            "starts_with",
            vec![left.as_ref().clone(), right.as_ref().clone()],
        ),
        // From the end, as in DuckDB. PostgreSQL's places before the first character are rare.
        Expr::Substring {
            expr: value,
            substring_from: Some(from),
            ..
        } if is_negative(from.as_ref()) => {
            let length = call("character_length", vec![value.as_ref().clone()]);
            let start = binary(length, BinaryOperator::Plus, from.as_ref().clone());
            **from = binary(start, BinaryOperator::Plus, integer(1));
            return Ok(true);
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
            accessed(
                groups,
                vec![AccessExpr::Subscript(Subscript::Index { index })],
            )
        }
        Expr::Subquery(query) => match first_row(query, names) {
            Some(query) => Expr::Subquery(Box::new(query)),
            // DataFusion joins aggregates only.
            None if uses_other_tables(query, names) => match aggregated(query) {
                Some(values) => call("only_item", vec![values]),
                None => return Ok(false),
            },
            None => return Ok(false),
        },
        Expr::CompoundFieldAccess { root, access_chain } => {
            return accesses(root, access_chain).map(|replaced| match replaced {
                Some(value) => {
                    *expr = value;
                    true
                }
                None => false,
            });
        }
        Expr::Struct { values, fields } => match named_struct(values, fields) {
            Some(replaced) => replaced,
            None => return Ok(false),
        },
        Expr::Function(function) => match subquery(function, names) {
            Some(query) => listed(query)?,
            None => match limited(function, names).or_else(|| json_of_rows(function, names)) {
                Some(replaced) => replaced,
                None => return called(function, names),
            },
        },
        _ => return Ok(false),
    };
    *expr = replaced;
    Ok(true)
}

/// Escapes the characters of a LIKE pattern with a backslash, the only character that DataFusion
/// knows.
fn with_backslashes(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) -> bool {
    let character = match escape.as_ref().map(|escape| &escape.value) {
        Some(Value::SingleQuotedString(escape)) => escape.clone(),
        _ => return false,
    };
    let (Some(written), Some(character)) = (literal_text(pattern), character.chars().next()) else {
        return false;
    };
    if character == '\\' {
        return false;
    }
    let mut escaped = String::new();
    let mut characters = written.chars();
    while let Some(next) = characters.next() {
        if next == character {
            escaped.push('\\');
            escaped.extend(characters.next());
        } else if next == '\\' {
            escaped.push_str("\\\\");
        } else {
            escaped.push(next);
        }
    }
    *pattern = text(&escaped);
    *escape = None;
    true
}

/// `a LIKE ANY (b, c)` as `a LIKE b OR a LIKE c`. `None` if the patterns are not listed.
fn like_any(expr: &Expr) -> Option<Expr> {
    let (Expr::Like { pattern, .. } | Expr::ILike { pattern, .. }) = expr else {
        return None;
    };
    let mut pattern = pattern.as_ref();
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
    let all = alternatives.reduce(|all, next| binary(all, BinaryOperator::Or, next))?;
    Some(Expr::Nested(Box::new(all)))
}

/// The function of a part of a date that DataFusion does not know.
fn named_part(field: &DateTimeField) -> Option<&'static str> {
    let name = field.to_string().to_ascii_lowercase();
    let name = name.trim_matches('\'').trim_end_matches('s');
    // BigQuery's names.
    match name {
        "isoweek" => return Some("week"),
        "date" => return Some("date"),
        _ => {}
    }
    let parts = [
        "century",
        "dayofmonth",
        "dayofweek",
        "dayofyear",
        "decade",
        "era",
        "julian",
        "millennium",
        "weekday",
        "yearweek",
    ];
    let mut parts = parts.into_iter();
    parts.find(|known| *known == name || (*known == "millennium" && name == "millennia"))
}

/// Whether an expression is written as a time with a zone.
fn is_instant(expr: &Expr) -> bool {
    let data_type = match expr {
        Expr::Nested(inner) => return is_instant(inner),
        Expr::Cast { data_type, .. } => data_type,
        Expr::TypedString(literal) => &literal.data_type,
        _ => return false,
    };
    matches!(
        data_type,
        DataType::Timestamp(_, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz)
    )
}

fn is_negative(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } if matches!(expr.as_ref(), Expr::Value(_))
    )
}

/// The place that `OFFSET(0)` and `ORDINAL(1)` name, counted from 1.
fn place_of(index: &Expr) -> Option<Expr> {
    let Expr::Function(function) = index else {
        return None;
    };
    let place = match arguments(function)?.as_slice() {
        [place] => (*place).clone(),
        _ => return None,
    };
    match function.name.to_string().to_ascii_lowercase().as_str() {
        "offset" | "safe_offset" => Some(binary(place, BinaryOperator::Plus, integer(1))),
        "ordinal" | "safe_ordinal" => Some(place),
        _ => None,
    }
}

/// Replaces the calls in `value.function().field`, and adds the bounds that a slice leaves out.
fn accesses(root: &Expr, chain: &mut [AccessExpr]) -> Result<Option<Expr>> {
    for access in chain.iter_mut() {
        if let AccessExpr::Subscript(Subscript::Slice {
            lower_bound,
            upper_bound,
            ..
        }) = access
        {
            lower_bound.get_or_insert_with(|| integer(1));
            upper_bound.get_or_insert_with(|| integer(-1));
        }
        // BigQuery's list[OFFSET(0)] and list[ORDINAL(1)].
        if let AccessExpr::Subscript(Subscript::Index { index }) = access
            && let Some(place) = place_of(index)
        {
            *index = place;
        }
    }
    let last = chain
        .iter()
        .rposition(|access| matches!(access, AccessExpr::Dot(Expr::Function(_))));
    let Some((before, after)) = last.map(|last| chain.split_at(last)) else {
        return Ok(None);
    };
    let Some((AccessExpr::Dot(Expr::Function(function)), after)) = after.split_first() else {
        return Ok(None);
    };
    let mut function = function.clone();
    let value = match accessed(root.clone(), before.to_vec()) {
        Expr::CompoundFieldAccess {
            root,
            access_chain: mut before,
        } => {
            let inner = accesses(&root, &mut before)?;
            inner.unwrap_or_else(|| accessed(*root, before))
        }
        other => other,
    };
    put_first(&mut function, value)?;
    Ok(Some(accessed(Expr::Function(function), after.to_vec())))
}

fn accessed(root: Expr, access_chain: Vec<AccessExpr>) -> Expr {
    if access_chain.is_empty() {
        return root;
    }
    Expr::CompoundFieldAccess {
        root: Box::new(root),
        access_chain,
    }
}

fn put_first(function: &mut Function, value: Expr) -> Result<()> {
    let FunctionArguments::List(list) = &mut function.args else {
        return plan_err!("{function} is called with parentheses");
    };
    let value = FunctionArg::Unnamed(FunctionArgExpr::Expr(value));
    list.args.insert(0, value);
    Ok(())
}

/// The query in `ARRAY(SELECT …)`.
fn subquery(function: &Function, names: Names) -> Option<&Query> {
    match &function.args {
        FunctionArguments::Subquery(query)
            if function_name(function, names).as_deref() == Some("array") =>
        {
            Some(query)
        }
        _ => None,
    }
}

/// Replaces calls: `column.function(…)`, `struct_pack(a := 1)` and `json_object('a', 1)`.
fn called(function: &mut Function, names: Names) -> Result<bool> {
    let mut parts: Vec<Ident> = function
        .name
        .0
        .iter()
        .filter_map(|part| part.as_ident().cloned())
        .collect();
    if parts.len() > 1
        && parts.len() == function.name.0.len()
        && let Some(name) = parts.pop()
    {
        let is_schema =
            matches!(parts.as_slice(), [schema] if SCHEMAS.contains(&names.of(schema).as_str()));
        if !is_schema {
            let value = match parts.as_slice() {
                [column] => Expr::Identifier(column.clone()),
                _ => Expr::CompoundIdentifier(parts),
            };
            put_first(function, value)?;
        }
        function.name = ObjectName::from(vec![name]);
        return Ok(true);
    }
    match function_name(function, names).as_deref() {
        Some("struct_pack") => {
            fields(function)?;
            Ok(true)
        }
        Some("struct_insert" | "struct_update") => {
            with_fields(function)?;
            Ok(true)
        }
        Some(
            "json_object" | "json_build_object" | "jsonb_build_object" | "jsonb_object"
            | "object_construct",
        ) => {
            function.name = ObjectName::from(vec![Ident::new("named_struct")]);
            let object =
                FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Function(function.clone())));
            function.name = ObjectName::from(vec![Ident::new("to_json")]);
            function.args = list(vec![object]);
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// `STRUCT(a, 1 AS b)` and `STRUCT<a INT64>(1)` as `named_struct('a', a, 'b', 1)`. `None` if no
/// field has a name.
fn named_struct(values: &[Expr], fields: &[StructField]) -> Option<Expr> {
    let mut is_named = false;
    let mut arguments = Vec::new();
    for (number, value) in values.iter().enumerate() {
        let field = fields.get(number);
        let declared = field.and_then(|field| field.field_name.clone());
        let (name, value) = match value {
            Expr::Named { expr, name } => (Some(name.clone()), expr.as_ref()),
            Expr::Identifier(name) => (Some(name.clone()), value),
            Expr::CompoundIdentifier(names) => (names.last().cloned(), value),
            other => (None, other),
        };
        let name = declared.or(name);
        is_named |= name.is_some();
        let name = name.map_or_else(|| format!("c{number}"), |name| name.value);
        let value = match field {
            Some(field) => {
                let mut data_type = field.field_type.clone();
                types::rename(&mut data_type);
                Expr::Cast {
                    kind: CastKind::Cast,
                    expr: Box::new(value.clone()),
                    data_type,
                    array: false,
                    format: None,
                }
            }
            None => value.clone(),
        };
        arguments.extend([text(&name), value]);
    }
    is_named.then(|| call("named_struct", arguments))
}

/// `array_agg(a ORDER BY b LIMIT 2)` as the first items of the list.
fn limited(function: &Function, names: Names) -> Option<Expr> {
    let name = function_name(function, names)?;
    let mut function = function.clone();
    let FunctionArguments::List(list) = &mut function.args else {
        return None;
    };
    let limit = |clause: &FunctionArgumentClause| match clause {
        FunctionArgumentClause::Limit(limit) => Some(limit.clone()),
        _ => None,
    };
    let number = list.clauses.iter().find_map(limit)?;
    if !["array_agg", "list"].contains(&name.as_str()) {
        return None;
    }
    list.clauses.retain(|clause| limit(clause).is_none());
    let first = AccessExpr::Subscript(Subscript::Slice {
        lower_bound: Some(integer(1)),
        upper_bound: Some(number),
        stride: None,
    });
    Some(accessed(Expr::Function(function), vec![first]))
}

/// `json_agg(a ORDER BY b)` as the JSON of a list. Macros take values only.
fn json_of_rows(function: &Function, names: Names) -> Option<Expr> {
    let name = function_name(function, names)?;
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    let is_plain = list.clauses.is_empty()
        && list.duplicate_treatment.is_none()
        && function.filter.is_none()
        && function.over.is_none();
    if is_plain || !["json_agg", "json_group_array", "jsonb_agg"].contains(&name.as_str()) {
        return None;
    }
    let mut rows = function.clone();
    rows.name = ObjectName::from(vec![Ident::new("array_agg")]);
    let json = call("to_json", vec![Expr::Function(rows)]);
    Some(call("coalesce", vec![json, text("[]")]))
}

fn list(args: Vec<FunctionArg>) -> FunctionArguments {
    FunctionArguments::List(FunctionArgumentList {
        duplicate_treatment: None,
        args,
        clauses: Vec::new(),
    })
}

/// The values of a query as a list.
fn listed(query: &Query) -> Result<Expr> {
    let values = match aggregated(query) {
        Some(values) => values,
        None => quantifiers::aggregate(query, "array_agg(v)")?,
    };
    Ok(call(
        "coalesce",
        vec![values, call("make_array", Vec::new())],
    ))
}

/// The query of a plain SELECT, whose conditions may compare with columns around it.
fn aggregated(query: &Query) -> Option<Expr> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let is_plain = query.with.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && is_plain(select);
    let [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }] =
        select.projection.as_slice()
    else {
        return None;
    };
    if !is_plain || has_call(value) {
        return None;
    }
    let mut clauses = Vec::new();
    match query.order_by.as_ref().map(|order| &order.kind) {
        None => {}
        // Numbers mean columns of the SELECT.
        Some(OrderByKind::Expressions(keys))
            if !keys.iter().any(|key| matches!(key.expr, Expr::Value(_))) =>
        {
            clauses.push(FunctionArgumentClause::OrderBy(keys.clone()));
        }
        Some(_) => return None,
    }
    let mut listed = call("array_agg", vec![value.clone()]);
    if let Expr::Function(function) = &mut listed
        && let FunctionArguments::List(arguments) = &mut function.args
    {
        arguments.clauses = clauses;
    }
    let mut outer = query.clone();
    outer.order_by = None;
    if let SetExpr::Select(select) = outer.body.as_mut() {
        select.projection = vec![SelectItem::UnnamedExpr(listed)];
    }
    Some(Expr::Subquery(Box::new(outer)))
}

/// `struct_insert(value, b := 2)` as `struct_concat(value, named_struct('b', 2))`.
fn with_fields(function: &mut Function) -> Result<()> {
    let FunctionArguments::List(arguments) = &mut function.args else {
        return plan_err!(
            "{function} takes a struct and fields: {}(value, b := 2)",
            function.name
        );
    };
    if arguments.args.is_empty() {
        return plan_err!(
            "{0} takes a struct and fields: {0}(value, b := 2)",
            function.name
        );
    }
    let value = arguments.args.remove(0);
    fields(function)?;
    let added = FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Function(function.clone())));
    function.name = ObjectName::from(vec![Ident::new("struct_concat")]);
    function.args = list(vec![value, added]);
    Ok(())
}

/// `struct_pack(a := 1)` as `named_struct('a', 1)`.
fn fields(function: &mut Function) -> Result<()> {
    let FunctionArguments::List(arguments) = &function.args else {
        return plan_err!("struct_pack takes fields: struct_pack(a := 1)");
    };
    let mut fields = Vec::new();
    for argument in &arguments.args {
        let (name, value) = match argument {
            FunctionArg::Named { name, arg, .. } => (name.value.clone(), arg),
            FunctionArg::Unnamed(value @ FunctionArgExpr::Expr(Expr::Identifier(name))) => {
                (name.value.clone(), value)
            }
            other => {
                return plan_err!("struct_pack needs a name of {other}: struct_pack(a := {other})");
            }
        };
        fields.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(text(&name))));
        fields.push(FunctionArg::Unnamed(value.clone()));
    }
    function.name = ObjectName::from(vec![Ident::new("named_struct")]);
    function.args = list(fields);
    Ok(())
}
