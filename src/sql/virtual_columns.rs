//! `filename` and `file_name`: columns of all tables with a column `source_file`, which `SELECT *`
//! leaves out.
//!
//! Only the planner knows the columns, so the decision is left to it, as for
//! [aliases](super::aliases):
//!
//! ```text
//! rewrite               before planning: replaces the name by `name OPERATOR NULL`, with an
//!                       operator that SQL cannot contain
//! VirtualColumnPlanner  while planning: keeps the name if it is a column
//! ```

use std::ops::ControlFlow;

use datafusion::common::{Column, DFSchema, DataFusionError, Result};
use datafusion::functions::string::expr_fn::split_part;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{Expr as LogicalExpr, lit};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Ident, Select, Value, VisitorMut};

use super::aliases::is_marker;
use super::identifiers::LambdaScopes;
use super::syntax::{Names, TitleStack};
use super::walk::rewrite_statement;

/// The column with the name of the file, as in DuckDB.
pub const FILENAME: &str = "filename";

/// The column with the name of the file without its folder.
pub const FILE_NAME: &str = "file_name";

/// The column of our sources with the name of the file.
pub const SOURCE_FILE: &str = "source_file";

/// The operator after a name that may be a virtual column.
const VIRTUAL: &str = "virtual column";

/// Marks the names in a statement that may be virtual columns. Aliases must be marked already,
/// because they take precedence.
pub fn rewrite(statement: &mut Statement, names: Names) -> Result<()> {
    rewrite_statement(
        statement,
        &mut Walk {
            names,
            lambdas: LambdaScopes::default(),
            titles: TitleStack::default(),
            marked: 0,
        },
    )
}

struct Walk {
    names: Names,
    lambdas: LambdaScopes,
    titles: TitleStack,
    marked: usize,
}

impl Walk {
    fn is_virtual(&self, name: &Ident) -> bool {
        let name = self.names.of(name);
        [FILENAME, FILE_NAME].contains(&name.as_str()) && !self.lambdas.contain(&name)
    }
}

impl VisitorMut for Walk {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.enter(select, self.marked);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        self.titles.leave(select, self.marked);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.enter(expr, self.names);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.leave(expr);
        match expr {
            // The name of an alias.
            Expr::BinaryOp { left, op, .. } if is_marker(op) => {
                if let Some(name) = marked_name(left) {
                    **left = name.clone();
                }
            }
            Expr::Identifier(name) if self.is_virtual(name) => {
                self.marked += 1;
                *expr = mark(expr.clone());
            }
            Expr::CompoundIdentifier(names) => {
                if let [_, name] = names.as_slice()
                    && self.is_virtual(name)
                {
                    self.marked += 1;
                    *expr = mark(expr.clone());
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// `(name OPERATOR NULL)`
fn mark(name: Expr) -> Expr {
    Expr::Nested(Box::new(Expr::BinaryOp {
        left: Box::new(name),
        op: BinaryOperator::Custom(VIRTUAL.to_owned()),
        right: Box::new(Expr::value(Value::Null)),
    }))
}

/// The name in the result of [`mark`].
fn marked_name(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Nested(inner) => match inner.as_ref() {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Custom(operator),
                ..
            } if operator == VIRTUAL => Some(left),
            _ => None,
        },
        _ => None,
    }
}

/// Plans the names that [`rewrite`] marks.
#[derive(Debug)]
pub struct VirtualColumnPlanner;

impl ExprPlanner for VirtualColumnPlanner {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        match &expr.op {
            BinaryOperator::Custom(operator) if operator == VIRTUAL => {}
            _ => return Ok(PlannerResult::Original(expr)),
        }
        let value = match &expr.left {
            LogicalExpr::Column(column) if !schema.has_column(column) => {
                virtual_column(column, schema)
            }
            LogicalExpr::OuterReferenceColumn(_, column) => virtual_column(column, schema),
            _ => None,
        };
        Ok(PlannerResult::Planned(value.unwrap_or(expr.left)))
    }
}

/// Returns the value of a virtual column, if the schema has the column that it is made from.
fn virtual_column(name: &Column, schema: &DFSchema) -> Option<LogicalExpr> {
    // Parquet, CSV and JSON have the name of the file as `filename`.
    let file = column(name, SOURCE_FILE, schema).or_else(|| column(name, FILENAME, schema))?;
    Some(match name.name.as_str() {
        FILENAME => file,
        _ => split_part(file, lit("/"), lit(-1_i64)),
    })
}

/// A column of the table that another one names, or of any table.
fn column(name: &Column, wanted: &str, schema: &DFSchema) -> Option<LogicalExpr> {
    let (relation, field) = match &name.relation {
        Some(relation) => {
            let field = schema.field_with_qualified_name(relation, wanted);
            (Some(relation.clone()), field.ok()?)
        }
        None => {
            let (relation, field) = schema.qualified_field_with_unqualified_name(wanted).ok()?;
            (relation.cloned(), field)
        }
    };
    Some(LogicalExpr::Column(Column::new(relation, field.name())))
}
