//! Functions with the names and the behaviour of DuckDB's, where DataFusion has no function with
//! that behaviour.
//!
//! ```text
//! checked_arithmetic  operators that fail instead of overflowing
//! sum                 the aggregate `sum`
//! numbers             numbers
//! dates               dates and times
//! intervals           intervals
//! time_zones          `timezone`
//! texts               similarity, hashes, encodings of texts
//! regexp              `regexp_extract` and the like
//! format              `format` and `printf`
//! value_text          casts to text
//! type_names          `typeof`
//! from_json           JSON as values of a type
//! nested_text         lists and structs written as text
//! json_writer         JSON for the last two
//! to_json             values as JSON
//! maps_and_structs    maps and structs
//! len                 `len`
//! list_counts         `list_mode`, `list_histogram`, `list_entropy`
//! list_enumerate      numbers of items, for lambda functions
//! reduce              `list_reduce`
//! interpolation       `quantile_cont`
//! row_key             comparison of structs and lists
//! ```

mod checked_arithmetic;
mod dates;
mod format;
pub mod from_json;
mod interpolation;
mod intervals;
mod json_writer;
pub mod len;
mod list_counts;
mod list_enumerate;
mod maps_and_structs;
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

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{HigherOrderUDF, ScalarUDF};

pub use checked_arithmetic::{CheckedOperator, checked_function};
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
        list_counts::ListCounts::histogram().into(),
        list_counts::ListCounts::mode().into(),
        list_counts::ListCounts::entropy().into(),
        list_enumerate::function(),
        format::Format::braces().into(),
        format::Format::percent().into(),
        len::function(),
        division(),
        hexadecimal(),
        interpolation::function(),
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
        maps_and_structs::functions(),
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
