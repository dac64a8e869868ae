//! Subscripts, and calls of functions after a value: `list[OFFSET(0)]`, `list[2:]`, `name.upper()`.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, Expr, Function, FunctionArguments, Subscript,
};

use crate::sql::syntax::{argument, arguments, binary, integer};

/// Replaces the calls in `value.function().field`, and adds the bounds that a slice leaves out.
pub fn accesses(root: &Expr, chain: &mut [AccessExpr]) -> Result<Option<Expr>> {
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
    let value = match access(root.clone(), before.to_vec()) {
        Expr::CompoundFieldAccess {
            root,
            access_chain: mut before,
        } => {
            let inner = accesses(&root, &mut before)?;
            inner.unwrap_or_else(|| access(*root, before))
        }
        other => other,
    };
    put_first(&mut function, value)?;
    Ok(Some(access(Expr::Function(function), after.to_vec())))
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

pub fn access(root: Expr, access_chain: Vec<AccessExpr>) -> Expr {
    if access_chain.is_empty() {
        return root;
    }
    Expr::CompoundFieldAccess {
        root: Box::new(root),
        access_chain,
    }
}

pub fn put_first(function: &mut Function, value: Expr) -> Result<()> {
    let FunctionArguments::List(list) = &mut function.args else {
        return plan_err!("{function} is called with parentheses");
    };
    list.args.insert(0, argument(value));
    Ok(())
}
