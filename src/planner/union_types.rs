//! Columns of UNION in which a query has texts and another one dates, times or booleans become
//! texts, as in DuckDB: `SELECT day, n FROM … UNION ALL SELECT 'total', sum(n) FROM …`. Booleans
//! become numbers beside numbers, decimals DOUBLE beside these, and times get one precision.
//! DataFusion reads the texts as dates, makes numbers decimals of 30 digits, and refuses the
//! others.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr_rewriter::coerce_plan_expr_for_schema;
use datafusion::logical_expr::{LogicalPlan, Union};
use datafusion::optimizer::AnalyzerRule;

use crate::tree_walk::PlanWalk;

/// Casts the columns of unions whose types differ.
#[derive(Debug)]
pub struct UnionTypes;

impl AnalyzerRule for UnionTypes {
    fn name(&self) -> &str {
        "union_types"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let mut is_changed = false;
        plan.transform_up_with_subqueries_dyn(&mut |plan| {
            let plan = match plan {
                LogicalPlan::Union(union) => {
                    let common = common_types(&union);
                    is_changed |= !common.is_empty();
                    if is_changed {
                        unite(union, &common)?
                    } else {
                        LogicalPlan::Union(union)
                    }
                }
                // The types below may have changed.
                plan if is_changed => plan.recompute_schema()?,
                plan => plan,
            };
            Ok(Transformed::new_transformed(plan, is_changed))
        })
        .map(|rewritten| rewritten.data)
    }
}

/// A union whose columns are cast to these types. The types of the others may still differ.
fn unite(union: Union, types: &HashMap<usize, DataType>) -> Result<LogicalPlan> {
    let inputs = union.inputs.into_iter().map(|input| {
        let schema = with_types(input.schema(), types)?;
        coerce_plan_expr_for_schema(Arc::unwrap_or_clone(input), &schema).map(Arc::new)
    });
    Union::try_new_with_loose_types(inputs.collect::<Result<_>>()?).map(LogicalPlan::Union)
}

/// The numbers of the columns whose types DataFusion unites in another way, and their types.
fn common_types(union: &Union) -> HashMap<usize, DataType> {
    let columns = 0..union.schema.fields().len();
    let types_of = |column: usize| {
        let inputs = union.inputs.iter();
        inputs.map(move |input| input.schema().field(column).data_type())
    };
    columns
        .filter_map(|column| {
            let kind = common_type(&types_of(column).collect::<Vec<_>>())?;
            Some((column, kind))
        })
        .collect()
}

fn common_type(kinds: &[&DataType]) -> Option<DataType> {
    let is_boolean = |kind: &DataType| *kind == DataType::Boolean;
    let text = kinds.iter().find(|kind| kind.is_string());
    if let Some(text) = text {
        let is_other = |kind: &DataType| kind.is_temporal() || is_boolean(kind);
        let has_others = kinds.iter().any(|kind| is_other(kind));
        return has_others.then(|| DataType::clone(text));
    }
    let is_time = |kind: &DataType| matches!(kind, DataType::Time32(_) | DataType::Time64(_));
    if kinds.iter().all(|kind| is_time(kind)) && kinds.iter().any(|kind| *kind != kinds[0]) {
        return Some(DataType::Time64(TimeUnit::Nanosecond));
    }
    let has = |is_kind: fn(&DataType) -> bool| kinds.iter().any(|kind| is_kind(kind));
    if has(DataType::is_decimal) && has(DataType::is_floating) {
        return Some(DataType::Float64);
    }
    let number = kinds.iter().find(|kind| kind.is_numeric())?;
    let has_booleans = kinds.iter().any(|kind| is_boolean(kind));
    has_booleans.then(|| DataType::clone(number))
}

/// A schema with other types of some columns.
fn with_types(schema: &DFSchema, types: &HashMap<usize, DataType>) -> Result<DFSchema> {
    let fields = schema.iter().enumerate().map(|(number, (table, field))| {
        let mut field = Arc::clone(field);
        if let Some(kind) = types.get(&number) {
            field = Arc::new(field.as_ref().clone().with_data_type(kind.clone()));
        }
        (table.cloned(), field)
    });
    DFSchema::new_with_metadata(fields.collect(), schema.metadata().clone())
}
