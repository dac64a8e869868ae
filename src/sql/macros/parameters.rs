//! Puts the arguments of a call in place of a macro's parameters.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::sql::sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, VisitMut, VisitorMut};

use super::Macro;
use crate::sql::identifiers::LambdaScopes;
use crate::sql::syntax::{Contents, Names, with_fields};
use crate::sql::walk::{rewrite, step};

/// The arguments of a call, by the names of the parameters.
pub struct Arguments<'a> {
    called: &'a Macro,
    names: Names,
    values: HashMap<&'a str, (Expr, Contents)>,
}

impl<'a> Arguments<'a> {
    pub fn try_new(called: &'a Macro, arguments: &[FunctionArg], names: Names) -> Result<Self> {
        let syntax = || called.syntax();
        let mut values: HashMap<&str, Expr> = HashMap::new();
        for (position, argument) in arguments.iter().enumerate() {
            let (parameter, value) = match argument {
                FunctionArg::Unnamed(value) => (called.parameters.get(position), value),
                FunctionArg::Named { name, arg, .. } => {
                    let name = names.of(name);
                    let parameters = called.parameters.iter();
                    let parameter = parameters.clone().find(|known| known.name == name);
                    if parameter.is_none() {
                        return plan_err!("no parameter '{name}' in the macro {}", syntax());
                    }
                    (parameter, arg)
                }
                FunctionArg::ExprNamed { .. } => {
                    return plan_err!("the macro {} does not accept '{argument}'", syntax());
                }
            };
            let Some(parameter) = parameter else {
                return plan_err!(
                    "too many arguments for the macro {}: {}",
                    syntax(),
                    arguments.len()
                );
            };
            let FunctionArgExpr::Expr(value) = value else {
                return plan_err!("the macro {} does not accept '{value}'", syntax());
            };
            if values.insert(&parameter.name, value.clone()).is_some() {
                return plan_err!(
                    "two values for the parameter '{}' of the macro {}",
                    parameter.name,
                    syntax()
                );
            }
        }
        for parameter in &called.parameters {
            match (
                &parameter.default,
                values.contains_key(parameter.name.as_str()),
            ) {
                (_, true) => {}
                (Some(default), false) => {
                    values.insert(&parameter.name, default.clone());
                }
                (None, false) => {
                    return plan_err!(
                        "no value for the parameter '{}' of the macro {}",
                        parameter.name,
                        syntax()
                    );
                }
            }
        }
        let values = values.into_iter().map(|(name, mut value)| {
            let contents = Contents::of(&mut value, names);
            (name, (value, contents))
        });
        Ok(Self {
            called,
            names,
            values: values.collect(),
        })
    }

    /// Replaces the parameters in a copy of the macro's definition. Returns the number of
    /// expressions added.
    pub fn put_into(&self, definition: &mut impl VisitMut) -> Result<usize> {
        let mut walk = Walk {
            arguments: self,
            lambdas: LambdaScopes::default(),
            added: 0,
        };
        rewrite(definition, &mut walk)?;
        Ok(walk.added)
    }
}

struct Walk<'a> {
    arguments: &'a Arguments<'a>,
    /// The parameters of each lambda function around the current expression.
    lambdas: LambdaScopes,
    added: usize,
}

impl Walk<'_> {
    fn replace(&mut self, expr: &mut Expr) -> Result<()> {
        let names = self.arguments.names;
        let (first, fields) = match expr {
            Expr::Identifier(name) => (names.of(name), Vec::new()),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [first, fields @ ..] => {
                    let fields = fields.iter().map(|field| names.of(field));
                    (names.of(first), fields.collect())
                }
                [] => return Ok(()),
            },
            _ => return Ok(()),
        };
        let Some((value, contents)) = self.arguments.values.get(first.as_str()) else {
            return Ok(());
        };
        if self.lambdas.contain(&first) {
            return Ok(());
        }
        let mut around = self.lambdas.names();
        if let Some(parameter) = around.find(|parameter| contents.names.contains(*parameter)) {
            return plan_err!(
                "the argument '{value}' contains the name '{parameter}', which is a parameter of a \
                 lambda function in the macro '{}': rename that parameter",
                self.arguments.called.name
            );
        }
        self.added += contents.size;
        *expr = with_fields(value.clone(), fields);
        // Table functions take literals, and operators bind as in the call.
        if !matches!(
            expr,
            Expr::Value(_)
                | Expr::Identifier(_)
                | Expr::CompoundIdentifier(_)
                | Expr::Function(_)
                | Expr::Array(_)
                | Expr::CompoundFieldAccess { .. }
                | Expr::Nested(_)
                // Only a call may have a lambda function as an argument.
                | Expr::Lambda(_)
        ) {
            *expr = Expr::Nested(Box::new(expr.clone()));
        }
        Ok(())
    }
}

impl VisitorMut for Walk<'_> {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.enter(expr, self.arguments.names);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.leave(expr);
        step(self.replace(expr))
    }
}
