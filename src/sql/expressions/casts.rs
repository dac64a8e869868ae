//! Casts, explicit and implicit ones, as in DuckDB.
//!
//! - Floating-point numbers and decimals become integers by rounding. DataFusion cuts the fraction
//!   off.
//! - Decimals become booleans.
//! - Texts such as `2.7` and `1e3` become integers, too.
//! - Times, lists, structs and maps become texts as DuckDB writes them.
//! - `concat` of lists is a list, and `concat_ws` joins their items.
//! - JSON, and the texts of lists and structs, become lists and structs.
//! - Dates may have slashes, but need separators. Times may have short forms, such as `7:30`.

use std::sync::{Arc, LazyLock};

use corpus_udfs::duckdb::from_json::{self, FromJson, JsonSyntax};
use corpus_udfs::duckdb::{
    date_text, instant_text, rounding, timestamp_text, value_text, written_date,
};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::functions::datetime::expr_fn::to_local_time;
use datafusion::functions::math::expr_fn::round;
use datafusion::functions::regex::expr_fn::regexp_replace;
use datafusion::functions_nested::concat::array_concat_udf;
use datafusion::functions_nested::expr_fn::array_to_string;
use datafusion::logical_expr::expr::{Cast, ScalarFunction, TryCast};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, ScalarUDF, cast as logical_cast, lit,
};
use datafusion::optimizer::AnalyzerRule;

use super::node::rewrite_plan;

static ROUNDED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(rounding()));

static TEXT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(value_text::function()));

static TIME_TEXT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(timestamp_text()));

static DATE_TEXT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(date_text()));

static INSTANT_TEXT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(instant_text()));

static NESTED: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(FromJson::new(JsonSyntax::Nested).into()));

static TRY_NESTED: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(FromJson::new(JsonSyntax::TryNested).into()));

/// Replaces casts whose results differ in DataFusion.
#[derive(Debug)]
pub struct DuckDbCasts;

impl AnalyzerRule for DuckDbCasts {
    fn name(&self) -> &str {
        "duckdb_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        rewrite_plan(plan, is_candidate, |part, schema| Ok(rewrite(part, schema)))
    }
}

/// Whether an expression may be replaced.
fn is_candidate(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(Cast { field, .. }) | Expr::TryCast(TryCast { field, .. }) => {
            let kind = field.data_type();
            kind.is_integer()
                || kind.is_string()
                || kind.is_nested()
                || matches!(kind, DataType::Date32 | DataType::Boolean)
                || matches!(kind, DataType::Time64(_) | DataType::Decimal128(..))
                || matches!(kind, DataType::Timestamp(..))
        }
        Expr::BinaryExpr(binary) => binary.op == Operator::StringConcat,
        Expr::Negative(_) | Expr::IsTrue(_) | Expr::IsFalse(_) => true,
        Expr::IsNotTrue(_) | Expr::IsNotFalse(_) => true,
        Expr::ScalarFunction(function) => {
            ["concat", "concat_ws", "round"].contains(&function.func.name())
        }
        _ => false,
    }
}

fn rewrite(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match expr {
        Expr::Cast(Cast { expr, field }) => cast(*expr, &field, false, schema),
        Expr::TryCast(TryCast { expr, field }) => cast(*expr, &field, true, schema),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if op == Operator::StringConcat => {
            let is_list = [&left, &right].iter().any(|side| is_list(side, schema));
            if is_list {
                return Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right }));
            }
            let (left, right) = (as_text(*left, schema), as_text(*right, schema));
            let is_changed = left.transformed || right.transformed;
            let (left, right) = (Box::new(left.data), Box::new(right.data));
            let both = Expr::BinaryExpr(BinaryExpr { left, op, right });
            Transformed::new_transformed(both, is_changed)
        }
        // The type of a rounded decimal depends on the literal, which later rules hide in a cast.
        Expr::ScalarFunction(mut function) if function.func.name() == "round" => {
            let digits = function.args.get_mut(1);
            let short = digits
                .as_deref()
                .and_then(|digits| i32::try_from(integer(digits)?).ok());
            let is_changed = short.is_some();
            if let (Some(digits), Some(short)) = (digits, short) {
                *digits = lit(short);
            }
            Transformed::new_transformed(Expr::ScalarFunction(function), is_changed)
        }
        // `row_number()` and other counts are unsigned.
        Expr::Negative(number) => {
            let is_unsigned = kind_of(&number, schema).is_some_and(|it| it.is_unsigned_integer());
            let number = if is_unsigned {
                Box::new(logical_cast(*number, DataType::Int64))
            } else {
                number
            };
            Transformed::new_transformed(Expr::Negative(number), is_unsigned)
        }
        // DataFusion's logical and physical plans disagree about whether the result may be NULL.
        Expr::IsTrue(value) => Transformed::yes(coalesce(vec![*value, lit(false)])),
        Expr::IsNotFalse(value) => Transformed::yes(coalesce(vec![*value, lit(true)])),
        Expr::IsNotTrue(value) => Transformed::yes(!coalesce(vec![*value, lit(false)])),
        Expr::IsFalse(value) => Transformed::yes(!coalesce(vec![*value, lit(true)])),
        Expr::ScalarFunction(function) if function.func.name() == "concat" => {
            let ScalarFunction { func, args } = function;
            if !args.is_empty() && args.iter().all(|argument| is_list(argument, schema)) {
                let lists = ScalarFunction::new_udf(array_concat_udf(), args);
                return Transformed::yes(Expr::ScalarFunction(lists));
            }
            let args = args.into_iter().map(|argument| as_text(argument, schema));
            let args: Vec<_> = args.collect();
            let is_changed = args.iter().any(|argument| argument.transformed);
            let args = args.into_iter().map(|argument| argument.data).collect();
            let texts = Expr::ScalarFunction(ScalarFunction::new_udf(func, args));
            Transformed::new_transformed(texts, is_changed)
        }
        Expr::ScalarFunction(function) if function.func.name() == "concat_ws" => {
            let ScalarFunction { func, args } = function;
            let mut args = args.into_iter();
            let separator = args.next();
            let mut is_changed = false;
            let parts = args.map(|part| match &separator {
                Some(separator) if is_list(&part, schema) => {
                    is_changed = true;
                    array_to_string(part, separator.clone())
                }
                _ => part,
            });
            let parts: Vec<Expr> = parts.collect();
            let args = separator.into_iter().chain(parts).collect();
            let text = Expr::ScalarFunction(ScalarFunction::new_udf(func, args));
            Transformed::new_transformed(text, is_changed)
        }
        other => Transformed::no(other),
    }
}

/// Whether a literal is a text of digits, perhaps with a sign and a fraction.
fn is_digits(value: &Expr, has_fraction: bool) -> bool {
    let Expr::Literal(text, _) = value else {
        return false;
    };
    let text = text.try_as_str().flatten().unwrap_or_default();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let parts = digits.split_once('.').filter(|_| has_fraction);
    let (whole, fraction) = parts.unwrap_or((digits, "0"));
    [whole, fraction]
        .iter()
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The value of a literal number.
pub fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(number), _) => *number,
        Expr::Negative(number) => integer(number)?.checked_neg(),
        _ => None,
    }
}

/// The type of an expression. The rules that follow report an operand without one.
pub fn kind_of(expr: &Expr, schema: &DFSchema) -> Option<DataType> {
    expr.get_type(schema).ok()
}

fn is_list(expr: &Expr, schema: &DFSchema) -> bool {
    matches!(
        kind_of(expr, schema),
        Some(DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..))
    )
}

/// Writes a value as text if DataFusion writes it in another way.
fn as_text(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match kind_of(&expr, schema) {
        Some(kind) if value_text::is_needed(&kind) => Transformed::yes(call(&TEXT, expr)),
        _ => Transformed::no(expr),
    }
}

/// Rewrites a text so that DataFusion casts it to the date in it. `None` if nothing changes.
fn as_date(value: &Expr) -> Option<Expr> {
    match value {
        Expr::Literal(text, _) => {
            let given = text.try_as_str().flatten()?;
            let written = written_date(given);
            (written != given).then(|| lit(written.as_ref()))
        }
        Expr::ScalarFunction(function) if function.func.name() == DATE_TEXT.name() => None,
        value => Some(call(&DATE_TEXT, value.clone())),
    }
}

fn call(function: &Arc<ScalarUDF>, argument: Expr) -> Expr {
    Expr::ScalarFunction(ScalarFunction::new_udf(
        Arc::clone(function),
        vec![argument],
    ))
}

/// The function that reads texts which are cast to timestamps of a type.
fn time_reader(kind: &DataType) -> Option<&'static Arc<ScalarUDF>> {
    match kind {
        DataType::Timestamp(_, Some(_)) => Some(&INSTANT_TEXT),
        DataType::Timestamp(_, None) => Some(&TIME_TEXT),
        _ => None,
    }
}

/// Casts a text to a timestamp.
pub fn text_as_time(text: Expr, kind: DataType) -> Expr {
    let text = match time_reader(&kind) {
        Some(reader) => call(reader, text),
        None => text,
    };
    logical_cast(text, kind)
}

fn cast(value: Expr, field: &Arc<Field>, is_try: bool, schema: &DFSchema) -> Transformed<Expr> {
    let to = |value: Expr, field: &Arc<Field>| {
        let (expr, field) = (Box::new(value), Arc::clone(field));
        if is_try {
            Expr::TryCast(TryCast { expr, field })
        } else {
            Expr::Cast(Cast { expr, field })
        }
    };
    let Some(kind) = kind_of(&value, schema) else {
        return Transformed::no(to(value, field));
    };
    if field.data_type().is_string() {
        return as_text(value, schema).update_data(|text| to(text, field));
    }
    if field.data_type().is_nested() && kind.is_string() {
        return match from_json::structure_of(field.data_type()) {
            Some(structure) => {
                let arguments = vec![value, lit(structure)];
                let function = if is_try { &TRY_NESTED } else { &NESTED };
                let nested = ScalarFunction::new_udf(Arc::clone(function), arguments);
                Transformed::yes(to(Expr::ScalarFunction(nested), field))
            }
            None => Transformed::no(to(value, field)),
        };
    }
    if *field.data_type() == DataType::Date32
        && kind.is_string()
        && let Some(value) = as_date(&value)
    {
        return Transformed::yes(to(value, field));
    }
    // DataFusion makes it the time in UTC, unlike the date and the time of day.
    if let (DataType::Timestamp(_, Some(zone)), DataType::Timestamp(_, None)) =
        (&kind, field.data_type())
        && !is_utc(zone)
    {
        return Transformed::yes(to(to_local_time(vec![value]), field));
    }
    // A number with a point that is assigned to a decimal has the digits that are written.
    if let Expr::Literal(ScalarValue::Float64(Some(number)), _) = &value
        && matches!(field.data_type(), DataType::Decimal128(..))
        && let Some(decimal) = exact_decimal(*number)
    {
        return Transformed::yes(to(lit(decimal), field));
    }
    if let Some(text) = time_reader(field.data_type()).filter(|_| kind.is_string()) {
        let is_rewritten = |function: &ScalarFunction| function.func.name() == text.name();
        return match value {
            Expr::ScalarFunction(function) if is_rewritten(&function) => {
                Transformed::no(to(Expr::ScalarFunction(function), field))
            }
            value => Transformed::yes(to(call(text, value), field)),
        };
    }
    // DataFusion takes a number without colons for nanoseconds.
    if matches!(field.data_type(), DataType::Time64(_)) && kind.is_string() {
        let is_rewritten = |function: &ScalarFunction| function.func.name() == "regexp_replace";
        if matches!(&value, Expr::ScalarFunction(function) if is_rewritten(function)) {
            return Transformed::no(to(value, field));
        }
        let value = regexp_replace(value, lit("^([^:]*)$"), lit(r"\1 "), None);
        return Transformed::yes(to(value, field));
    }
    // Numbers with digits only need no detour, which would round constants.
    if kind.is_string() && is_digits(&value, !field.data_type().is_integer()) {
        return Transformed::no(to(value, field));
    }
    // Texts such as `1e3`.
    if matches!(field.data_type(), DataType::Decimal128(..)) && kind.is_string() {
        let decimal = Expr::TryCast(TryCast {
            expr: Box::new(value.clone()),
            field: Arc::clone(field),
        });
        let double = Arc::new(Field::new(field.name(), DataType::Float64, true));
        let other = to(to(value, &double), field);
        return Transformed::yes(coalesce(vec![decimal, other]));
    }
    if *field.data_type() == DataType::Boolean && kind.is_decimal() {
        let double = Arc::new(Field::new(field.name(), DataType::Float64, true));
        return Transformed::yes(to(to(value, &double), field));
    }
    if !field.data_type().is_integer() {
        return Transformed::no(to(value, field));
    }
    let is_literal = matches!(value, Expr::Literal(..));
    let is_rounded = matches!(
        &value,
        Expr::ScalarFunction(function) if function.func.name() == ROUNDED.name()
    );
    match kind {
        // Literals are decimal numbers: 2.5 becomes 3, and not the even number.
        DataType::Float32 | DataType::Float64 if is_literal => {
            Transformed::yes(to(round(vec![value, lit(0_i64)]), field))
        }
        DataType::Float16 | DataType::Float32 | DataType::Float64 if !is_rounded => {
            Transformed::yes(to(call(&ROUNDED, value), field))
        }
        DataType::Decimal32(_, 1..)
        | DataType::Decimal64(_, 1..)
        | DataType::Decimal128(_, 1..)
        | DataType::Decimal256(_, 1..) => {
            Transformed::yes(to(round(vec![value, lit(0_i64)]), field))
        }
        kind if kind.is_string() => {
            let whole = Expr::TryCast(TryCast {
                expr: Box::new(value.clone()),
                field: Arc::clone(field),
            });
            let double = Arc::new(Field::new(field.name(), DataType::Float64, true));
            let fraction = round(vec![to(value, &double), lit(0_i64)]);
            Transformed::yes(coalesce(vec![whole, to(fraction, field)]))
        }
        _ => Transformed::no(to(value, field)),
    }
}

pub fn is_utc(zone: &str) -> bool {
    ["UTC", "+00:00"].contains(&zone)
}

/// Returns the decimal of the shortest digits of a number.
pub fn exact_decimal(number: f64) -> Option<ScalarValue> {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{fraction}").parse().ok()?;
    let scale = i8::try_from(fraction.len()).ok()?;
    let whole = whole.trim_start_matches(['-', '0']).len();
    let precision = u8::try_from((whole + fraction.len()).max(1)).ok()?;
    Some(ScalarValue::Decimal128(Some(digits), precision, scale))
}
