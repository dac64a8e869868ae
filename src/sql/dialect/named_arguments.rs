//! `read_csv('x.csv', header = true)`: DuckDB also writes named arguments of table functions with
//! `=`, and types as names, such as `types = {id: BIGINT}`.

use std::ops::ControlFlow;

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, TableFactor,
    VisitorMut,
};

use crate::sql::syntax::text;

/// Arguments with the types of columns.
const OF_TYPES: [&str; 5] = ["column_types", "columns", "dtypes", "hive_types", "types"];

/// Makes arguments `name = value` of table functions named arguments, and types in them texts. No
/// table function takes a comparison.
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
            name_types(argument);
        }
        ControlFlow::Continue(())
    }
}

fn name_types(argument: &mut FunctionArg) {
    let FunctionArg::Named {
        name,
        arg: FunctionArgExpr::Expr(Expr::Dictionary(columns)),
        ..
    } = argument
    else {
        return;
    };
    if !OF_TYPES.contains(&name.value.to_lowercase().as_str()) {
        return;
    }
    for column in columns {
        if let Expr::Identifier(_) | Expr::Function(_) = column.value.as_ref() {
            *column.value = text(&column.value.to_string());
        }
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
