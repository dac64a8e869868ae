//! Calls with another form here: structs, JSON objects, aggregates with LIMIT and
//! `count(DISTINCT a, b)`.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    AccessExpr, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentClause, FunctionArguments, Ident, ObjectName, StructField, Subscript,
};

use super::subscripts::{access, put_first};
use super::types;
use crate::sql::syntax::{
    Names, and, argument, argument_list, arguments, call, cast, function_name, integer,
    literal_number, literal_text, text, value_if,
};

/// The schemas in which PostgreSQL's functions may be named.
const SCHEMAS: [&str; 3] = ["pg_catalog", "main", "public"];

/// Replaces a call. Returns whether it did.
pub fn replace(expr: &mut Expr, names: Names) -> Result<bool> {
    let replaced = match expr {
        Expr::Struct { values, fields } => named_struct(values, fields),
        Expr::Function(function) => {
            drop_constant_order(function);
            let replaced = rewrite_limit(function, names)
                .or_else(|| json_of_rows(function, names))
                .or_else(|| count_rows(function, names));
            match replaced.or_else(|| rewrite_extract(function, names)) {
                Some(replaced) => Some(replaced),
                None => return rewrite_call(function, names),
            }
        }
        _ => None,
    };
    let is_replaced = replaced.is_some();
    if let Some(replaced) = replaced {
        *expr = replaced;
    }
    Ok(is_replaced)
}

/// `struct_extract(record, 'a')` as `record['a']`, which takes names in another case, too.
fn rewrite_extract(function: &Function, names: Names) -> Option<Expr> {
    if function_name(function, names)? != "struct_extract" {
        return None;
    }
    let [record, field] = arguments(function)?.try_into().ok()?;
    let field = literal_text(field)?.to_owned();
    Some(crate::sql::syntax::with_fields(record.clone(), vec![field]))
}

/// Replaces calls: `column.function(…)`, `struct_pack(a := 1)` and `json_object('a', 1)`.
fn rewrite_call(function: &mut Function, names: Names) -> Result<bool> {
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
            let object = argument(Expr::Function(function.clone()));
            function.name = ObjectName::from(vec![Ident::new("to_json")]);
            function.args = argument_list(vec![object]);
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
                cast(value.clone(), data_type)
            }
            None => value.clone(),
        };
        arguments.extend([text(&name), value]);
    }
    is_named.then(|| call("named_struct", arguments))
}

/// Drops numbers from the ORDER BY of an aggregate, where they are constants. DataFusion takes them
/// for columns of the table.
fn drop_constant_order(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else {
        return;
    };
    list.clauses.retain_mut(|clause| match clause {
        FunctionArgumentClause::OrderBy(keys) => {
            keys.retain(|key| literal_number(&key.expr).is_none());
            !keys.is_empty()
        }
        _ => true,
    });
}

/// `array_agg(a ORDER BY b LIMIT 2)` as the first items of the list.
fn rewrite_limit(function: &Function, names: Names) -> Option<Expr> {
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
    Some(access(Expr::Function(function), vec![first]))
}

/// `count(DISTINCT a, b)` as the number of different structs. As in Spark and MySQL, rows with NULL
/// do not count.
fn count_rows(function: &Function, names: Names) -> Option<Expr> {
    if function_name(function, names)? != "count" || arguments(function)?.len() < 2 {
        return None;
    }
    let mut counted = function.clone();
    let FunctionArguments::List(list) = &mut counted.args else {
        return None;
    };
    list.duplicate_treatment
        .filter(|it| *it == DuplicateTreatment::Distinct)?;
    let mut condition = None;
    let mut fields = Vec::new();
    for (number, value) in arguments(function)?.into_iter().enumerate() {
        let is_given = Expr::IsNotNull(Box::new(Expr::Nested(Box::new(value.clone()))));
        condition = Some(and(condition, is_given));
        fields.extend([text(&format!("c{number}")), value.clone()]);
    }
    list.args = vec![argument(value_if(condition?, call("named_struct", fields)))];
    Some(Expr::Function(counted))
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
    let added = argument(Expr::Function(function.clone()));
    function.name = ObjectName::from(vec![Ident::new("struct_concat")]);
    function.args = argument_list(vec![value, added]);
    Ok(())
}

/// `struct_pack(a := 1)` as `named_struct('a', 1)`.
fn fields(function: &mut Function) -> Result<()> {
    let FunctionArguments::List(arguments) = &function.args else {
        return plan_err!("struct_pack takes fields: struct_pack(a := 1)");
    };
    let mut fields = Vec::new();
    for given in &arguments.args {
        let (name, value) = match given {
            FunctionArg::Named { name, arg, .. } => (name.value.clone(), arg),
            FunctionArg::Unnamed(value @ FunctionArgExpr::Expr(Expr::Identifier(name))) => {
                (name.value.clone(), value)
            }
            other => {
                return plan_err!("struct_pack needs a name of {other}: struct_pack(a := {other})");
            }
        };
        fields.extend([argument(text(&name)), FunctionArg::Unnamed(value.clone())]);
    }
    function.name = ObjectName::from(vec![Ident::new("named_struct")]);
    function.args = argument_list(fields);
    Ok(())
}
