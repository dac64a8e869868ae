//! `connected_components('SELECT a, b FROM …' [, 'max_size', n])`: the component of each id that is
//! connected by the edges of a query.
//!
//! ```text
//! mod    the function: plans the query of the edges, and puts the node on top
//! node   the node in logical plans
//! exec   the operator: reads all edges, then emits the ids
//! ```

mod exec;
mod node;

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::view::ViewTable;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{Column, Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::datasource::TableProvider;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, cast};

use crate::sources::table::arguments::{TableFunctionHelp, session_of, text};
use crate::sql::dialect;
#[cfg(feature = "cluster")]
pub use exec::ConnectedComponentsExec;
pub use exec::ConnectedComponentsPlanner;
use node::ConnectedComponentsNode;

/// The name of the function.
pub const NAME: &str = "connected_components";

/// The only option.
const MAX_SIZE: &str = "max_size";

/// The documentation of the function.
pub fn help() -> TableFunctionHelp {
    TableFunctionHelp {
        name: NAME.to_owned(),
        syntax: format!("{NAME}(query [, option, value])"),
        description: format!(
            "The connected components of a graph: id, component (its smallest id), size, \
             refused_edges. The query returns the two ids of each edge. Option '{MAX_SIZE}': edges \
             that would make a larger component are not used but counted."
        ),
    }
}

#[derive(Debug)]
pub struct ConnectedComponentsFunction;

impl TableFunctionImpl for ConnectedComponentsFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let usage = || {
            plan_datafusion_err!(
                "{NAME}('SELECT a, b FROM …', '{MAX_SIZE}', n) takes a query that returns edges, \
                 and the largest allowed size of a component if there is one; both literals"
            )
        };
        let (query, max_size) = match args.exprs() {
            [query] => (text(query), None),
            [query, option, value] => {
                let option = text(option).ok_or_else(usage)?;
                if !option.eq_ignore_ascii_case(MAX_SIZE) {
                    return plan_err!(
                        "unknown option '{option}' for {NAME}: the only option is '{MAX_SIZE}'"
                    );
                }
                (text(query), Some(max_size(value)?))
            }
            _ => return Err(usage()),
        };
        let query = query.ok_or_else(usage)?;
        let session = session_of(&args, NAME)?;
        let edges = dialect::parse(session, &query)?;
        let edges = dialect::plan_waiting(session, edges)?;
        let options = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        options.verify_plan(&edges)?;
        let node = ConnectedComponentsNode::try_new(with_equal_types(edges)?, max_size)?;
        Ok(Arc::new(ViewTable::new(node.into_plan(), None)))
    }
}

/// Parses the value of the option.
fn max_size(value: &Expr) -> Result<u32> {
    let number = match value {
        Expr::Literal(ScalarValue::Int64(Some(number)), _) => u32::try_from(*number).ok(),
        value => text(value).and_then(|text| text.parse().ok()),
    };
    let number = number.filter(|number| *number > 0);
    number.ok_or_else(|| {
        plan_datafusion_err!(
            "option '{MAX_SIZE}' of {NAME}: expected a number from 1 to {}, got {value}",
            u32::MAX
        )
    })
}

/// Casts the two columns of a query to the type of ids.
fn with_equal_types(edges: LogicalPlan) -> Result<LogicalPlan> {
    let fields = edges.schema().fields();
    let [first, second] = fields.as_ref() else {
        return plan_err!(
            "the query of {NAME} has to return two columns, the ids of an edge, not {}",
            fields.len()
        );
    };
    let Some(kind) = id_type(first.data_type(), second.data_type()) else {
        return plan_err!(
            "the query of {NAME} has to return two integers or two texts, not {} and {}",
            first.data_type(),
            second.data_type()
        );
    };
    let columns = edges.schema().columns();
    let ids = columns.into_iter().zip([node::FIRST, node::SECOND]);
    let ids: Vec<Expr> = ids
        .map(|(column, name): (Column, _)| cast(Expr::Column(column), kind.clone()).alias(name))
        .collect();
    LogicalPlanBuilder::from(edges).project(ids)?.build()
}

/// The type that ids of two types are cast to; `None` if they cannot be compared.
fn id_type(first: &DataType, second: &DataType) -> Option<DataType> {
    let value = |kind: &DataType| match kind {
        DataType::Dictionary(_, value) => value.as_ref().clone(),
        kind => kind.clone(),
    };
    match (value(first), value(second)) {
        (DataType::UInt64, other) | (other, DataType::UInt64)
            if other.is_unsigned_integer() || other.is_null() =>
        {
            Some(DataType::UInt64)
        }
        (DataType::UInt64, _) | (_, DataType::UInt64) => None,
        (first, second) => {
            let all = |test: fn(&DataType) -> bool| {
                [&first, &second]
                    .iter()
                    .all(|kind| test(kind) || kind.is_null())
            };
            if all(DataType::is_integer) {
                Some(DataType::Int64)
            } else if all(DataType::is_string) {
                Some(DataType::LargeUtf8)
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_integers_or_texts() {
        let text = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        for (first, second, expected) in [
            (DataType::Int8, DataType::UInt32, Some(DataType::Int64)),
            (DataType::UInt64, DataType::UInt8, Some(DataType::UInt64)),
            (DataType::Null, DataType::UInt64, Some(DataType::UInt64)),
            (DataType::UInt64, DataType::Int64, None),
            (DataType::Utf8View, text(), Some(DataType::LargeUtf8)),
            (DataType::Null, DataType::Utf8, Some(DataType::LargeUtf8)),
            (DataType::Utf8, DataType::Int64, None),
            (DataType::Float64, DataType::Float64, None),
            (DataType::Binary, DataType::Binary, None),
        ] {
            assert_eq!(id_type(&first, &second), expected, "{first} {second}");
        }
    }
}
