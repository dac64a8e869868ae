//! `unnest(value, recursive := true)` and `unnest(value, max_depth := 2)`, whose rows and columns
//! depend on the type of the value. So do those of `unnest(record)`, which DataFusion names
//! `t.record.field`.

use std::collections::HashSet;

use datafusion::arrow::datatypes::{DataType, Fields};
use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Select, SelectItem,
    Value,
};

use crate::sql::syntax::{Names, call, function_name, with_fields};

/// An item of a SELECT that unnests recursively.
pub struct Recursive {
    number: usize,
    pub value: Expr,
    /// The number of nested lists to unnest; all by default.
    depth: usize,
    is_plain: bool,
}

/// Finds the first item that unnests recursively, or, with `lists`, one value that is not among
/// these lists.
pub fn find(select: &Select, lists: Option<&HashSet<String>>, names: Names) -> Option<Recursive> {
    let mut items = select.projection.iter().enumerate();
    items.find_map(|(number, item)| {
        let (SelectItem::UnnamedExpr(Expr::Function(function))
        | SelectItem::ExprWithAlias {
            expr: Expr::Function(function),
            ..
        }) = item
        else {
            return None;
        };
        let (value, depth) = arguments(function, names)?;
        let is_plain = depth.is_none();
        if is_plain && lists.is_none_or(|lists| lists.contains(&value.to_string())) {
            return None;
        }
        Some(Recursive {
            number,
            value: value.clone(),
            depth: depth.unwrap_or(1),
            is_plain,
        })
    })
}

/// The value of a call, and the depth that it names.
fn arguments(function: &Function, names: Names) -> Option<(&Expr, Option<usize>)> {
    if function_name(function, names).as_deref() != Some("unnest") {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(value))] = list.args.as_slice() {
        return Some((value, None));
    }
    let [
        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)),
        FunctionArg::Named {
            name,
            arg: FunctionArgExpr::Expr(Expr::Value(option)),
            ..
        },
    ] = list.args.as_slice()
    else {
        return None;
    };
    let depth = match (names.of(name).as_str(), &option.value) {
        ("recursive", Value::Boolean(true)) => usize::MAX,
        ("recursive", Value::Boolean(false)) => 1,
        ("max_depth", Value::Number(depth, _)) => depth.parse().ok()?,
        _ => return None,
    };
    Some((value, Some(depth)))
}

/// Replaces the item. `kind` is the type of its value. A list that is unnested once stays, and
/// becomes one of `lists`.
pub fn write(
    select: &mut Select,
    item: &Recursive,
    kind: &DataType,
    lists: &mut HashSet<String>,
) -> Result<()> {
    if item.is_plain && !matches!(kind, DataType::Struct(_)) {
        lists.insert(item.value.to_string());
        return Ok(());
    }
    let mut value = item.value.clone();
    let mut kind = kind;
    let mut depth = 0;
    while let DataType::List(inner)
    | DataType::LargeList(inner)
    | DataType::FixedSizeList(inner, _) = kind
    {
        if depth == item.depth {
            break;
        }
        value = call("unnest", vec![value]);
        kind = inner.data_type();
        depth += 1;
    }
    let mut items = Vec::new();
    match kind {
        DataType::Struct(fields) if depth < item.depth => {
            let rest = item.depth - depth;
            add_fields(&value, fields, &mut Vec::new(), rest, &mut items);
        }
        _ if depth == 0 => {
            return plan_err!("unnest takes a list or a struct, not {}", item.value);
        }
        _ => {
            let alias = match select.projection.get(item.number) {
                Some(SelectItem::ExprWithAlias { alias, .. }) => alias.clone(),
                _ => Ident::new("unnest"),
            };
            items.push(SelectItem::ExprWithAlias { expr: value, alias });
        }
    }
    let at = item.number;
    select.projection.splice(at..=at, items);
    Ok(())
}

/// Adds the fields of a struct, and of structs in it.
fn add_fields(
    value: &Expr,
    fields: &Fields,
    path: &mut Vec<String>,
    depth: usize,
    items: &mut Vec<SelectItem>,
) {
    for field in fields {
        path.push(field.name().clone());
        match field.data_type() {
            DataType::Struct(inner) if depth > 1 => {
                add_fields(value, inner, path, depth - 1, items);
            }
            _ => items.push(SelectItem::ExprWithAlias {
                expr: with_fields(value.clone(), path.clone()),
                alias: Ident::with_quote('"', field.name()),
            }),
        }
        path.pop();
    }
}
