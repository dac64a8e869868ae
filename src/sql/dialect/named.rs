//! `read_csv('x.csv', header = true)`: DuckDB also writes named arguments of table functions with
//! `=`.

use std::ops::ControlFlow;

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, TableFactor,
    VisitorMut,
};

/// Makes arguments `name = value` of table functions named arguments. No table function takes a
/// comparison.
pub struct NamedByEquals;

impl VisitorMut for NamedByEquals {
    type Break = DataFusionError;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        let arguments = match factor {
            TableFactor::Table {
                args: Some(arguments),
                ..
            } => &mut arguments.args,
            TableFactor::Function { args, .. } => args,
            _ => return ControlFlow::Continue(()),
        };
        for argument in arguments {
            if let Some(named) = named(argument) {
                *argument = named;
            }
        }
        ControlFlow::Continue(())
    }
}

fn named(argument: &FunctionArg) -> Option<FunctionArg> {
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::BinaryOp {
        left,
        op: BinaryOperator::Eq,
        right,
    })) = argument
    else {
        return None;
    };
    let Expr::Identifier(name) = left.as_ref() else {
        return None;
    };
    Some(FunctionArg::Named {
        name: name.clone(),
        arg: FunctionArgExpr::Expr(right.as_ref().clone()),
        operator: FunctionArgOperator::Equals,
    })
}
