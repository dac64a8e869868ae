//! Plans fields of structs, and reports missing ones; plans fields of texts as fields of JSON.

use std::sync::LazyLock;

use corpus_udfs::{JSON_FIELD, json_field_function};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::{Column, DFSchema, Result, ScalarValue, TableReference, plan_err};
use datafusion::functions::core::expr_fn::get_field;
use datafusion::functions_nested::expr_fn::{array_element, map_extract};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, GetFieldAccess, ScalarUDF, cast, lit};

use crate::sql::missing_names;
use crate::sql::syntax::in_known_case;

static JSON_VALUE: LazyLock<Option<ScalarUDF>> = LazyLock::new(json_field_function);

/// Plans fields before DataFusion's planner, whose error does not list the fields of a struct.
#[derive(Debug)]
pub struct StructFieldPlanner;

/// `json.a.b` as the value at a path.
fn json_value<'a>(json: Expr, fields: impl IntoIterator<Item = &'a str>) -> Option<Expr> {
    let steps = fields.into_iter().map(|field| format!(".\"{field}\""));
    let path = format!("${}", steps.collect::<String>());
    let function = JSON_VALUE.as_ref()?;
    Some(function.call(vec![json, lit(path)]))
}

/// `json.a[0]` as the value at a path. Items are counted from 0, as in paths and in DuckDB.
fn json_item(json: &Expr, place: &Expr) -> Option<Expr> {
    let Expr::ScalarFunction(ScalarFunction { func, args }) = json else {
        return None;
    };
    let (true, [document, path]) = (func.name() == JSON_FIELD, args.as_slice()) else {
        return None;
    };
    let Expr::Literal(ScalarValue::Int64(Some(place)), _) = place else {
        return None;
    };
    let path = path.as_literal()?.try_as_str()??;
    let function = JSON_VALUE.as_ref()?;
    Some(function.call(vec![document.clone(), lit(format!("{path}[{place}]"))]))
}

/// Gives the number in `map[1]` the type of the keys, with which DataFusion compares it.
fn with_fitting_key(mut access: RawFieldAccessExpr, schema: &DFSchema) -> RawFieldAccessExpr {
    let Ok(DataType::Map(entries, _)) = access.expr.get_type(schema) else {
        return with_signed_index(access, schema);
    };
    let DataType::Struct(fields) = entries.data_type() else {
        return access;
    };
    if let (GetFieldAccess::ListIndex { key }, Some(kind)) =
        (&mut access.field_access, fields.first())
        && let Expr::Literal(value, _) = key.as_ref()
        && let Ok(value) = value.cast_to(kind.data_type())
    {
        **key = lit(value);
    }
    access
}

/// `map[column]`. DataFusion's subscripts of maps are literals only.
fn map_value(map: &Expr, key: &Expr, schema: &DFSchema) -> Option<Expr> {
    if key.as_literal().is_some() {
        return None;
    }
    let Ok(DataType::Map(entries, _)) = map.get_type(schema) else {
        return None;
    };
    let DataType::Struct(fields) = entries.data_type() else {
        return None;
    };
    let key = cast(key.clone(), fields.first()?.data_type().clone());
    Some(array_element(map_extract(map.clone(), key), lit(1_i64)))
}

/// The fields of a struct that `names` means, if a name has another case than its field.
fn exact_fields(kind: &DataType, names: &[String]) -> Option<Vec<String>> {
    let mut kind = kind;
    let mut exact = Vec::with_capacity(names.len());
    for name in names {
        let DataType::Struct(fields) = kind else {
            return None;
        };
        let known = fields.iter().map(|field| field.name().as_str());
        let (_, field) = fields.find(in_known_case(name, known)?)?;
        exact.push(field.name().clone());
        kind = field.data_type();
    }
    (exact != names).then_some(exact)
}

/// Casts unsigned indexes, such as `cardinality(list)`, to the signed type that lists need.
fn with_signed_index(mut access: RawFieldAccessExpr, schema: &DFSchema) -> RawFieldAccessExpr {
    let sign = |index: &mut Box<Expr>| {
        if matches!(index.get_type(schema), Ok(DataType::UInt64)) {
            **index = cast(std::mem::take(index.as_mut()), DataType::Int64);
        }
    };
    match &mut access.field_access {
        GetFieldAccess::ListIndex { key } => sign(key),
        GetFieldAccess::ListRange { start, stop, .. } => [start, stop].into_iter().for_each(sign),
        GetFieldAccess::NamedStructField { .. } => {}
    }
    access
}

impl ExprPlanner for StructFieldPlanner {
    fn plan_field_access(
        &self,
        access: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        let name = match &access.field_access {
            GetFieldAccess::NamedStructField { name } => name,
            GetFieldAccess::ListIndex { key } => {
                let item = json_item(&access.expr, key);
                return Ok(
                    match item.or_else(|| map_value(&access.expr, key, schema)) {
                        Some(item) => PlannerResult::Planned(item),
                        None => PlannerResult::Original(with_fitting_key(access, schema)),
                    },
                );
            }
            GetFieldAccess::ListRange { .. } => {
                return Ok(PlannerResult::Original(with_signed_index(access, schema)));
            }
        };
        let (Some(Some(name)), Ok(kind)) = (name.try_as_str(), access.expr.get_type(schema)) else {
            return Ok(PlannerResult::Original(access));
        };
        match kind {
            DataType::Struct(fields) if fields.find(name).is_none() => {
                let fields: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
                if let Some(exact) = in_known_case(name, fields.iter().copied()) {
                    let name = ScalarValue::from(exact);
                    return Ok(PlannerResult::Original(RawFieldAccessExpr {
                        expr: access.expr,
                        field_access: GetFieldAccess::NamedStructField { name },
                    }));
                }
                let value = access.expr.human_display().to_string();
                plan_err!("{}", missing_names::missing_field(&value, name, &fields))
            }
            kind if kind.is_string() => Ok(match json_value(access.expr.clone(), [name]) {
                Some(value) => PlannerResult::Planned(value),
                None => PlannerResult::Original(access),
            }),
            _ => Ok(PlannerResult::Original(access)),
        }
    }

    fn plan_compound_identifier(
        &self,
        field: &Field,
        qualifier: Option<&TableReference>,
        nested_names: &[String],
    ) -> Result<PlannerResult<Vec<Expr>>> {
        if field.data_type().is_string() {
            let column = Column::new(qualifier.cloned(), field.name());
            let names = nested_names.iter().map(String::as_str);
            if let Some(value) = json_value(Expr::Column(column), names) {
                return Ok(PlannerResult::Planned(value));
            }
        }
        if let Some(exact) = exact_fields(field.data_type(), nested_names) {
            let column = Expr::Column(Column::new(qualifier.cloned(), field.name()));
            let value = exact.into_iter().fold(column, get_field);
            return Ok(PlannerResult::Planned(value));
        }
        Ok(PlannerResult::Original(Vec::new()))
    }
}
