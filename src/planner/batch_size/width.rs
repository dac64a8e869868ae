//! Estimates whether the values of columns and expressions are narrow.

use corpus_udfs::{ColumnInfo, columns_of, is_costly};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::ScalarValue;
use datafusion::physical_expr::expressions::{Column, Literal};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};

/// The maximum average size of narrow values. A batch of 8,192 of them has up to 2 MiB, like a
/// source's batch.
pub const MAX_NARROW_BYTES: usize = 256;

/// Functions whose results are short, however long their arguments are.
const SHORT_RESULTS: [&str; 10] = [
    "arrow_typeof",
    "digest",
    "md5",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "to_char",
    "to_hex",
    "uuid",
];

/// Functions that return at most a given number of characters, with the index of the argument that
/// limits it.
const TRUNCATING_FUNCTIONS: [(&str, usize); 5] = [
    ("left", 1),
    ("lpad", 1),
    ("right", 1),
    ("rpad", 1),
    ("substr", 2),
];

/// Functions whose results may be much longer than their arguments.
const EXPANDING_FUNCTIONS: [&str; 8] = [
    "array_repeat",
    "array_resize",
    "gen_series",
    "generate_series",
    "lpad",
    "range",
    "repeat",
    "rpad",
];

/// The size of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// At most [`MAX_NARROW_BYTES`] on average.
    Narrow,
    /// Lists of narrow values, such as the words of a page.
    NarrowElements,
    /// Structs that a function returns, or lists of such structs. Some of their columns are narrow,
    /// others wide.
    Structs(&'static [ColumnInfo]),
    /// Larger, or unknown.
    Wide,
}

/// Whether all values of a row are narrow.
pub fn is_narrow(row: &[Width]) -> bool {
    row.iter().all(|width| *width == Width::Narrow)
}

/// Whether all values of a type have the same small size, or share larger data.
pub fn is_fixed(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null | DataType::Boolean | DataType::Dictionary(..) => true,
        DataType::FixedSizeBinary(bytes) => usize::try_from(*bytes).is_ok_and(is_small),
        DataType::Struct(fields) => fields.iter().all(|field| is_fixed(field.data_type())),
        DataType::FixedSizeList(element, length) => {
            let bytes = element.data_type().primitive_width();
            let length = usize::try_from(*length).ok();
            matches!((bytes, length), (Some(bytes), Some(length)) if is_small(bytes * length))
        }
        _ => data_type.primitive_width().is_some(),
    }
}

fn is_small(bytes: usize) -> bool {
    bytes <= MAX_NARROW_BYTES
}

/// The type of a list's elements.
pub fn element_type(data_type: &DataType) -> Option<&DataType> {
    match data_type {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _) => Some(field.data_type()),
        _ => None,
    }
}

/// Returns the width of a column if only its type is known.
pub fn of_type(data_type: &DataType) -> Width {
    if is_fixed(data_type) {
        return Width::Narrow;
    }
    match element_type(data_type) {
        Some(element) if is_fixed(element) => Width::NarrowElements,
        _ => Width::Wide,
    }
}

/// The width of a field of structs that a function returns.
pub fn of_field(columns: &'static [ColumnInfo], name: &str) -> Width {
    match columns.iter().find(|column| column.name == name) {
        Some(column) if column.is_short => Width::Narrow,
        Some(column) if !column.columns.is_empty() => Width::Structs(column.columns),
        Some(column) => of_type(&column.data_type),
        None => Width::Wide,
    }
}

/// Returns the width of a column of this total size.
pub fn of_average(bytes: usize, rows: usize) -> Width {
    if bytes <= rows.saturating_mul(MAX_NARROW_BYTES) {
        Width::Narrow
    } else {
        Width::Wide
    }
}

/// Returns the width of an expression's result.
pub fn of_expr(expr: &dyn PhysicalExpr, row: &[Width], schema: &Schema) -> Width {
    Computed::of(expr, row, schema).result
}

/// Whether an intermediate value is wide, such as the text in `length(repeat(url, 1000))`.
pub fn computes_wide_values(expr: &dyn PhysicalExpr, row: &[Width], schema: &Schema) -> bool {
    Computed::of(expr, row, schema).has_wide
}

/// The values that an expression computes.
struct Computed {
    /// The width of the result.
    result: Width,
    /// Whether the result, or an intermediate value, is not narrow. Columns and literals are not
    /// computed.
    has_wide: bool,
}

impl Computed {
    /// Visits each part of an expression once: chains of operators are long.
    fn of(expr: &dyn PhysicalExpr, row: &[Width], schema: &Schema) -> Self {
        let inputs = expr.children().into_iter();
        let inputs: Vec<Self> = inputs
            .map(|input| Self::of(input.as_ref(), row, schema))
            .collect();
        let widest = inputs.iter().map(|input| input.result).max();
        let result = of_result(expr, widest, row, schema);
        let is_computed = !inputs.is_empty();
        Self {
            result,
            has_wide: is_computed && result != Width::Narrow
                || inputs.iter().any(|input| input.has_wide),
        }
    }
}

/// Returns the width of an expression's result. `widest` is that of its inputs.
fn of_result(
    expr: &dyn PhysicalExpr,
    widest: Option<Width>,
    row: &[Width],
    schema: &Schema,
) -> Width {
    if let Some(column) = expr.downcast_ref::<Column>() {
        return row.get(column.index()).copied().unwrap_or(Width::Wide);
    }
    if let Some(literal) = expr.downcast_ref::<Literal>() {
        let bytes = literal.value().size();
        return of_average(bytes.saturating_sub(size_of::<ScalarValue>()), 1);
    }
    match expr.data_type(schema) {
        Ok(data_type) if is_fixed(&data_type) => return Width::Narrow,
        Ok(_) => {}
        Err(_) => return Width::Wide,
    }
    match expr.downcast_ref::<ScalarFunctionExpr>() {
        Some(call) => of_call(call, widest),
        None => widest.unwrap_or(Width::Wide),
    }
}

fn of_call(call: &ScalarFunctionExpr, widest: Option<Width>) -> Width {
    let name = call.fun().name();
    let constant = |index: usize| {
        let argument = call.args().get(index)?;
        argument.downcast_ref::<Literal>().map(Literal::value)
    };
    if name.ends_with("_words") {
        return Width::NarrowElements;
    }
    let cut = TRUNCATING_FUNCTIONS
        .iter()
        .find(|(function, _)| *function == name);
    if cut.is_some_and(|(_, index)| constant(*index).is_some_and(is_small_number)) {
        return Width::Narrow;
    }
    if is_costly(call.fun()) {
        return match columns_of(call.fun()) {
            [] => Width::Wide,
            columns => Width::Structs(columns),
        };
    }
    if EXPANDING_FUNCTIONS.contains(&name) {
        return Width::Wide;
    }
    if SHORT_RESULTS.contains(&name) {
        return Width::Narrow;
    }
    let width = widest.unwrap_or(Width::Narrow);
    match (name, width) {
        ("get_field", Width::Structs(_)) => (1..call.args().len())
            .map(constant)
            .fold(width, |width, field| of_named_field(width, field)),
        ("array_element", Width::NarrowElements) => Width::Narrow,
        _ => width,
    }
}

/// Whether a constant is the length of a small text. Negative numbers are not: `left(text, -1)`
/// returns nearly the whole text.
fn is_small_number(value: &ScalarValue) -> bool {
    let Ok(ScalarValue::Int64(Some(number))) = value.cast_to(&DataType::Int64) else {
        return false;
    };
    usize::try_from(number).is_ok_and(is_small)
}

/// The width of a field with a constant name.
fn of_named_field(width: Width, name: Option<&ScalarValue>) -> Width {
    match (width, name.and_then(|name| name.try_as_str().flatten())) {
        (Width::Structs(columns), Some(name)) => of_field(columns, name),
        (width, _) => width,
    }
}
