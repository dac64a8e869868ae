//! Filters that readers evaluate.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::expressions::{
    BinaryExpr, DynamicFilterTracking, LikeExpr, Literal,
};
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_expr_common::physical_expr::is_volatile;

use crate::sources::format::RecordFormat;
use crate::tree_walk::TreeWalk;
use corpus_bytes::columns::{Availability, Column};
use corpus_columns::record::schema;

/// A filter on columns that are known early, evaluated for each record before its payload is
/// read.
#[derive(Debug, Clone)]
pub struct RecordFilter {
    /// Indexes into the format's columns.
    pub columns: Vec<usize>,
    pub schema: SchemaRef,
    pub predicate: Arc<dyn PhysicalExpr>,
}

impl RecordFilter {
    /// Whether the reader of a format should evaluate this filter for each record.
    pub fn accepts(predicate: &Arc<dyn PhysicalExpr>, format: &dyn RecordFormat) -> bool {
        let read = collect_columns(predicate);
        let columns = format.columns();
        let is_known = |index| {
            let column: Option<&Column> = columns.get(index);
            column.is_some_and(|column| column.availability == Availability::Early)
        };
        let is_early = !read.is_empty() && read.iter().all(|column| is_known(column.index()));
        let is_cheap = !is_dynamic(predicate) && !compiles_a_pattern(predicate);
        is_early && !is_volatile(predicate) && (is_cheap || format.records_are_files())
    }

    /// `predicate` refers to the table's columns.
    pub fn try_new(predicate: Arc<dyn PhysicalExpr>, all: &[Column]) -> Result<Self> {
        let mut columns: Vec<_> = collect_columns(&predicate)
            .iter()
            .map(|column| column.index())
            .collect();
        columns.sort_unstable();
        let schema = Arc::new(schema(all).project(&columns)?);
        let predicate = reassign_expr_columns(predicate, &schema)?;
        Ok(Self {
            columns,
            schema,
            predicate,
        })
    }
}

/// Whether this is a dynamic filter: it accepts all rows until the query tightens it.
pub fn is_dynamic(filter: &Arc<dyn PhysicalExpr>) -> bool {
    DynamicFilterTracking::classify(filter).contains_dynamic_filter()
}

/// Whether the filter has a pattern that is compiled at every evaluation. Compiling takes longer
/// than reading a small record, so such a filter is evaluated once per batch instead.
fn compiles_a_pattern(filter: &Arc<dyn PhysicalExpr>) -> bool {
    let found = filter.exists_dyn(&|part| {
        Ok(
            if let Some(function) = part.downcast_ref::<ScalarFunctionExpr>() {
                function.name().starts_with("regexp_")
            } else if let Some(binary) = part.downcast_ref::<BinaryExpr>() {
                use Operator::{RegexIMatch, RegexMatch, RegexNotIMatch, RegexNotMatch};
                let patterns = [RegexMatch, RegexIMatch, RegexNotMatch, RegexNotIMatch];
                patterns.contains(binary.op())
            } else if let Some(like) = part.downcast_ref::<LikeExpr>() {
                like.case_insensitive() || !is_part_of_text(like.pattern())
            } else {
                false
            },
        )
    });
    found.unwrap_or(true)
}

/// Whether a pattern of LIKE is a text with `%` before or after it.
fn is_part_of_text(pattern: &Arc<dyn PhysicalExpr>) -> bool {
    let literal = pattern.downcast_ref::<Literal>();
    let text = literal.and_then(|literal| ScalarValue::try_as_str(literal.value()).flatten());
    text.is_some_and(|text| !text.trim_matches('%').contains(['%', '_', '\\']))
}
