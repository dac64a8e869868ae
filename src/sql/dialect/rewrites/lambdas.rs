//! `list_transform(list, (x, i) -> x + i)`: lambda functions with the number of the item, and
//! `x -> x.a`: fields of parameters.
//!
//! DataFusion's have one parameter. The items and their numbers become structs.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, VisitorMut,
};
use datafusion::sql::sqlparser::parser::Parser;

use crate::sql::dialect::CorpusDialect;
use crate::sql::identifiers::LambdaScopes;
use crate::sql::syntax::{Names, function_name, with_fields};
use crate::sql::walk::rewrite;

const TRANSFORM: &[&str] = &[
    "apply",
    "array_apply",
    "array_transform",
    "list_apply",
    "list_transform",
    "transform",
];

const FILTER: &[&str] = &["array_filter", "filter", "list_filter"];

/// Replaces a call with a lambda function that takes the number of the item. Returns whether it
/// did.
pub fn replace(expr: &mut Expr, names: Names) -> Result<bool> {
    let Expr::Function(function) = expr else {
        return Ok(false);
    };
    let FunctionArguments::List(arguments) = &function.args else {
        return Ok(false);
    };
    let [
        FunctionArg::Unnamed(FunctionArgExpr::Expr(list)),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(lambda))),
    ] = arguments.args.as_slice()
    else {
        return Ok(false);
    };
    let parameters = names.of_parameters(lambda);
    let name = function_name(function, names).unwrap_or_default();
    if let ([item], "forall") = (parameters.as_slice(), name.as_str()) {
        let (item, body) = (Ident::with_quote('"', item), &lambda.body);
        let sql = format!("NOT any_match({list}, {item} -> (NOT ({body})))");
        *expr = parse(&sql)?;
        return Ok(true);
    }
    let [item, number] = parameters.as_slice() else {
        return Ok(false);
    };
    // Nested functions with other parameters keep their own pair.
    let pair = Ident::with_quote('"', format!("__{item}_{number}"));
    let mut body = lambda.body.as_ref().clone();
    let mut fields = Fields {
        names,
        pair: &pair,
        item,
        number,
        lambdas: LambdaScopes::default(),
    };
    rewrite(&mut body, &mut fields)?;
    let pairs = format!("list_enumerate({list})");
    let sql = if TRANSFORM.contains(&name.as_str()) {
        format!("array_transform({pairs}, {pair} -> ({body}))")
    } else if FILTER.contains(&name.as_str()) {
        format!(
            "array_transform(array_filter({pairs}, {pair} -> ({body})), {pair} -> {pair}['item'])"
        )
    } else {
        return Ok(false);
    };
    *expr = parse(&sql)?;
    Ok(true)
}

fn parse(sql: &str) -> Result<Expr> {
    Ok(Parser::new(&CorpusDialect)
        .try_with_sql(sql)?
        .parse_expr()?)
}

/// Replaces `x -> x.a` with `x -> x['a']`. DataFusion would search for a table `x`. Returns whether
/// it did.
pub fn replace_fields(expr: &mut Expr, names: Names) -> Result<bool> {
    let Expr::Lambda(lambda) = expr else {
        return Ok(false);
    };
    let mut fields = ParameterFields {
        names,
        parameters: names.of_parameters(lambda),
        is_found: false,
    };
    rewrite(lambda.body.as_mut(), &mut fields)?;
    Ok(fields.is_found)
}

struct ParameterFields {
    names: Names,
    parameters: Vec<String>,
    is_found: bool,
}

impl VisitorMut for ParameterFields {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if let Expr::CompoundIdentifier(parts) = expr
            && let Some((first, fields)) = parts.split_first()
            && self.parameters.contains(&self.names.of(first))
        {
            let fields = fields.iter().map(|field| self.names.of(field)).collect();
            *expr = with_fields(Expr::Identifier(first.clone()), fields);
            self.is_found = true;
        }
        ControlFlow::Continue(())
    }
}

/// Replaces the item and its number by the fields of the pair.
struct Fields<'a> {
    names: Names,
    pair: &'a Ident,
    item: &'a str,
    number: &'a str,
    lambdas: LambdaScopes,
}

impl Fields<'_> {
    fn field(&self, name: &Ident) -> Option<&'static str> {
        let name = self.names.of(name);
        if self.lambdas.contain(&name) {
            return None;
        }
        match name {
            name if name == self.item => Some("item"),
            name if name == self.number => Some("number"),
            _ => None,
        }
    }
}

impl VisitorMut for Fields<'_> {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.enter(expr, self.names);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.leave(expr);
        let (first, rest) = match expr {
            Expr::Identifier(name) => (name.clone(), Vec::new()),
            Expr::CompoundIdentifier(names) => match names.split_first() {
                Some((first, rest)) => {
                    let rest = rest.iter().map(|name| self.names.of(name));
                    (first.clone(), rest.collect())
                }
                None => return ControlFlow::Continue(()),
            },
            _ => return ControlFlow::Continue(()),
        };
        if let Some(field) = self.field(&first) {
            let fields = std::iter::once(field.to_owned()).chain(rest).collect();
            *expr = with_fields(Expr::Identifier(self.pair.clone()), fields);
        }
        ControlFlow::Continue(())
    }
}
