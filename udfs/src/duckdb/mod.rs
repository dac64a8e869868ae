//! Functions with the names and the behaviour of DuckDB's, where DataFusion has no function with
//! that behaviour.
//!
//! ```text
//! checked_arithmetic  operators that fail instead of overflowing
//! coalesce            `coalesce`
//! sum                 the aggregate `sum`
//! sliding             sums and averages of window frames
//! min_max             minima and maxima of groups with NaN
//! adjusted            aggregates with other accumulators
//! as_inner            names and signatures of DataFusion's functions
//! numbers             numbers
//! dates               dates and times
//! date_range          `range` of dates
//! intervals           intervals
//! interval_text       intervals as texts, for formats without them
//! time_zones          `timezone`
//! timestamp_text      texts that are cast to timestamps
//! epoch_ms            `epoch_ms`
//! now                 `now`
//! far_times           `date_trunc` and `date_bin` before 1678 and after 2261
//! texts               similarity, hashes, encodings of texts
//! regexp              `regexp_extract` and the like
//! format              `format` and `printf`
//! value_text          casts to text
//! type_names          `typeof`
//! from_json           JSON as values of a type
//! nested_text         lists and structs written as text
//! json_writer         JSON for the last two
//! to_json             values as JSON
//! to_timestamp        `to_timestamp` of seconds
//! maps_and_structs    maps and structs
//! lead                `lead` and `lag`
//! signed              numbers of rows and items
//! len                 `len`
//! list_counts         `list_mode`, `list_histogram`, `list_entropy`
//! list_contains       `list_contains`
//! list_overlaps       `list_has_all`, `list_has_any`, `list_intersect`
//! list_results        `array_concat`, `array_max` and `array_min`
//! list_sum            `list_sum`
//! list_enumerate      numbers of items, for lambda functions
//! reduce              `list_reduce`
//! interpolation       `quantile_cont`
//! row_key             comparison of structs and lists
//! null_masked         structs and lists that are NULL
//! identities          functions that return their argument
//! ```

mod adjusted;
mod as_inner;
mod checked_arithmetic;
mod coalesce;
mod date_range;
mod dates;
mod epoch_ms;
mod far_times;
mod format;
pub mod from_json;
mod identities;
mod interpolation;
mod interval_text;
mod intervals;
mod json_writer;
mod lead;
pub mod len;
mod list_contains;
mod list_counts;
mod list_enumerate;
mod list_overlaps;
mod list_results;
mod list_sum;
mod maps_and_structs;
mod min_max;
mod nested_text;
mod now;
mod null_masked;
mod numbers;
mod reduce;
mod regexp;
mod row_key;
mod signed;
mod sliding;
mod sum;
mod texts;
mod time_zones;
mod timestamp_text;
mod to_json;
mod to_timestamp;
mod type_names;
pub mod value_text;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::functions_nested::remove::array_remove_all_udf;
use datafusion::functions_nested::replace::array_replace_all_udf;
use datafusion::logical_expr::{AggregateUDF, HigherOrderUDF, ScalarUDF, WindowUDF};

pub use checked_arithmetic::{CheckedOperator, checked_function};
pub use dates::{in_chrono, time_in};
pub use identities::{kept_cast, nonunique, nullable};
pub use interval_text::{batch_with_texts, interval_text, is_interval, type_with_texts};
pub use intervals::{interval_order, interval_product};
pub use null_masked::{null_masked, without_hidden_fields};
use numbers::hexadecimal;
pub use numbers::{division, power, rounding};
pub use row_key::row_key;
pub use timestamp_text::{date_text, instant_text, timestamp_text, written_date};
pub use to_json::{function as to_json, json_value_of_text};
pub use type_names::type_name;

/// The section of the documentation.
const SECTION: &str = "Functions of DuckDB";

const TEXT: DataType = DataType::LargeUtf8;

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    let others = vec![
        list_enumerate::function(),
        dates::chrono_format(),
        epoch_ms::function(),
        len::function(),
        null_masked(),
        kept_cast(),
        nonunique(),
        nullable(),
        division(),
        hexadecimal(),
        interpolation::function(),
        interval_text(),
        power(),
        rounding(),
        row_key(),
        time_zones::function(),
        date_text(),
        instant_text(),
        timestamp_text(),
        json_value_of_text(),
        to_json::cast(),
        to_json::function(),
        value_text::function(),
    ];
    let checked = CheckedOperator::ALL.into_iter().map(checked_function);
    let readings = from_json::JsonSyntax::ALL.into_iter();
    let readings = readings.map(|reading| from_json::FromJson::new(reading).into());
    [
        others,
        checked.collect(),
        readings.collect(),
        dates::functions(),
        format::functions(),
        intervals::functions(),
        list_counts::functions(),
        maps_and_structs::functions(),
        numbers::functions(),
        regexp::functions(),
        texts::functions(),
        type_names::functions(),
    ]
    .concat()
}

/// Functions of DataFusion with other results for some arguments. They have its documentation.
pub fn replacements() -> Vec<ScalarUDF> {
    let mut functions = far_times::functions();
    functions.extend(list_overlaps::functions());
    functions.push(coalesce::function());
    functions.push(date_range::function());
    functions.push(list_contains::function());
    functions.push(list_sum::function());
    functions.extend(list_changes());
    functions.extend(list_results::functions());
    functions.extend(signed::functions());
    functions.push(to_timestamp::function());
    functions.push(now::Now::new(&ConfigOptions::default()).into());
    functions
}

/// `array_remove` and `array_replace`, which change all equal items, as in PostgreSQL and Spark.
/// DataFusion's change the first one.
fn list_changes() -> [ScalarUDF; 2] {
    let remove = array_remove_all_udf().as_ref().clone();
    let replace = array_replace_all_udf().as_ref().clone();
    [
        remove.with_aliases(["array_remove", "list_remove"]),
        replace.with_aliases(["array_replace", "list_replace"]),
    ]
}

/// Aggregates of DataFusion with other results for some arguments.
pub fn aggregates() -> Vec<AggregateUDF> {
    let mut functions = min_max::functions();
    functions.push(sliding::average());
    functions.push(sum::checked_sum());
    functions
}

/// Window functions of DataFusion with other results.
pub fn window_functions() -> Vec<WindowUDF> {
    let mut functions = lead::functions().to_vec();
    functions.extend(signed::window_functions());
    functions
}

/// The functions of this family that take lambda functions.
pub fn higher_order_functions() -> Vec<HigherOrderUDF> {
    vec![HigherOrderUDF::new_from_impl(reduce::Reduce::default())]
}
