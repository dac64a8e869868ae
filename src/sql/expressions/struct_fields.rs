//! Reports struct fields that do not exist.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, plan_err};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{ExprSchemable, GetFieldAccess};

use crate::sql::missing_names;

/// Checks `value['field']` before DataFusion's planner, whose error does not list the fields.
#[derive(Debug)]
pub struct StructFieldPlanner;

impl ExprPlanner for StructFieldPlanner {
    fn plan_field_access(
        &self,
        access: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        if let GetFieldAccess::NamedStructField { name } = &access.field_access
            && let Some(Some(name)) = name.try_as_str()
            && let Ok(DataType::Struct(fields)) = access.expr.get_type(schema)
            && fields.find(name).is_none()
        {
            let fields: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            let value = access.expr.human_display().to_string();
            return plan_err!("{}", missing_names::missing_field(&value, name, &fields));
        }
        Ok(PlannerResult::Original(access))
    }
}
