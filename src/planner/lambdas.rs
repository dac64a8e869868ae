//! Corrects the types and the indexes of the parameters of lambda functions.
//!
//! A parameter gets its type when SQL is planned. If type coercion changes the type of a list in a
//! subquery, it has the wrong one, and the query fails.
//!
//! In physical plans, it has an index after those of all columns. When a projection or a filter
//! moves to an input with more columns, its columns are numbered again, but its parameters are not.
//! A parameter then has the index of a column.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::AnalyzerRule;
use datafusion::optimizer::analyzer::type_coercion::TypeCoercion;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::LambdaVariable;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};
use datafusion::physical_plan::projection::{ProjectionExec, ProjectionExpr};

use crate::tree_walk::TreeWalk;

/// The maximum number of queries inside each other in which types change one after the other.
const MAX_CHANGES: usize = 100;

/// Gives parameters the types of the lists. It runs after type coercion.
#[derive(Debug)]
pub struct LambdaParameterTypes;

impl AnalyzerRule for LambdaParameterTypes {
    fn analyze(&self, mut plan: LogicalPlan, config: &ConfigOptions) -> Result<LogicalPlan> {
        for _ in 0..MAX_CHANGES {
            let resolved = plan.resolve_lambda_variables()?;
            plan = resolved.data;
            if !resolved.transformed {
                break;
            }
            plan = TypeCoercion::new().analyze(plan, config)?;
        }
        Ok(plan)
    }

    fn name(&self) -> &str {
        "lambda_parameter_types"
    }
}

/// The index of the first parameter: above those of all columns. Only the order of the indexes
/// counts, because a lambda function numbers what it uses again.
const FIRST_PARAMETER: usize = 1 << 24;

/// Gives parameters indexes above those of columns. It runs before the rules that merge operators.
#[derive(Debug)]
pub struct NumberLambdaParameters;

impl PhysicalOptimizerRule for NumberLambdaParameters {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up_dyn(&mut |plan| {
            if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
                let columns = projection.expr().iter().map(|column| {
                    number_parameters(&column.expr)?.map_data(|expr| {
                        let alias = column.alias.clone();
                        Ok(ProjectionExpr { expr, alias })
                    })
                });
                let columns = columns.collect::<Result<Vec<_>>>()?;
                if columns.iter().any(|column| column.transformed) {
                    let columns = columns.into_iter().map(|column| column.data);
                    let input = Arc::clone(projection.input());
                    let schema = projection.schema();
                    let projection =
                        ProjectionExec::try_new_with_schema_metadata(columns, input, &schema)?;
                    return Ok(Transformed::yes(Arc::new(projection)));
                }
            } else if let Some(filter) = plan.downcast_ref::<FilterExec>() {
                let predicate = number_parameters(filter.predicate())?;
                if predicate.transformed {
                    let filter = FilterExecBuilder::from(filter).with_predicate(predicate.data);
                    return Ok(Transformed::yes(Arc::new(filter.build()?)));
                }
            }
            Ok(Transformed::no(plan))
        })
        .data()
    }

    fn name(&self) -> &str {
        "number_lambda_parameters"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn number_parameters(expr: &Arc<dyn PhysicalExpr>) -> Result<Transformed<Arc<dyn PhysicalExpr>>> {
    Arc::clone(expr).transform_up_dyn(&mut |expr| {
        Ok(match expr.downcast_ref::<LambdaVariable>() {
            Some(parameter) => {
                let index = FIRST_PARAMETER + parameter.index();
                let field = Arc::clone(parameter.field());
                Transformed::yes(Arc::new(LambdaVariable::new(index, field)))
            }
            None => Transformed::no(expr),
        })
    })
}
