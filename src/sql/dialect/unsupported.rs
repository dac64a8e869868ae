//! Clauses that DataFusion parses and ignores.

use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, not_impl_err};
use datafusion::sql::sqlparser::ast::{TableFactor, VisitorMut};

use crate::sql::syntax::flow;

/// Refuses statements with such clauses.
pub struct RefuseIgnored;

impl VisitorMut for RefuseIgnored {
    type Break = DataFusionError;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<DataFusionError> {
        match factor {
            TableFactor::Table {
                sample: Some(_), ..
            }
            | TableFactor::Derived {
                sample: Some(_), ..
            } => flow(not_impl_err!(
                "TABLESAMPLE is not supported: use WHERE random() < 0.01 for one row in a hundred"
            )),
            _ => ControlFlow::Continue(()),
        }
    }
}
