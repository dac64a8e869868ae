//! Functions with the names and the behaviour of DuckDB's, where DataFusion has no function with
//! that behaviour.

mod checked;
mod counts;
mod dates;
mod enumerate;
mod format;
pub mod from_json;
mod interpolated;
mod intervals;
pub mod len;
mod nested;
mod nested_text;
mod numbers;
mod reduce;
mod regexp;
mod row_key;
mod sum;
mod texts;
mod time_zones;
mod to_json;
mod type_names;
pub mod value_text;
mod written_json;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{HigherOrderUDF, ScalarUDF};

pub use checked::{Checked, checked};
pub use dates::time_in;
pub use intervals::{interval_order, interval_product};
use numbers::hexadecimal;
pub use numbers::{division, rounding};
pub use row_key::row_key;
pub use sum::checked_sum;
pub use type_names::type_name;

/// The section of the documentation.
const SECTION: &str = "Functions of DuckDB";

const TEXT: DataType = DataType::LargeUtf8;

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    let others = vec![
        counts::Counts::histogram().into(),
        counts::Counts::mode().into(),
        counts::Counts::entropy().into(),
        enumerate::function(),
        format::Format::braces().into(),
        format::Format::percent().into(),
        len::function(),
        division(),
        hexadecimal(),
        interpolated::function(),
        rounding(),
        row_key(),
        time_zones::function(),
        to_json::cast(),
        to_json::function(),
        type_names::TypeOf::default().into(),
        value_text::function(),
    ];
    let checked = Checked::ALL.into_iter().map(checked);
    let readings = from_json::JsonSyntax::ALL.into_iter();
    let readings = readings.map(|reading| from_json::FromJson::new(reading).into());
    [
        others,
        checked.collect(),
        readings.collect(),
        dates::functions(),
        intervals::functions(),
        nested::functions(),
        numbers::functions(),
        regexp::functions(),
        texts::functions(),
        type_names::functions(),
    ]
    .concat()
}

/// The functions of this family that take lambda functions.
pub fn higher_order_functions() -> Vec<HigherOrderUDF> {
    vec![HigherOrderUDF::new_from_impl(reduce::Reduce::default())]
}
