//! Functions with the names and the meaning of DuckDB's, where DataFusion has none with that
//! meaning.

mod counts;
mod format;
pub mod len;
mod numbers;
mod regexp;
mod texts;
mod to_json;
mod type_names;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

pub use numbers::{quotient, round_even as rounded};

/// The section of the documentation.
const SECTION: &str = "Functions of DuckDB";

const TEXT: DataType = DataType::LargeUtf8;

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    vec![
        counts::Counts::histogram().into(),
        counts::Counts::mode().into(),
        format::Format::braces().into(),
        format::Format::percent().into(),
        len::Len::default().into(),
        numbers::bin().into(),
        numbers::bit_count().into(),
        numbers::format_bytes().into(),
        numbers::format_decimal_bytes().into(),
        quotient().into(),
        numbers::round_even().into(),
        regexp::regexp_extract().into(),
        regexp::regexp_extract_all().into(),
        regexp::regexp_split().into(),
        texts::jaccard().into(),
        texts::nfc_normalize().into(),
        texts::sha1().into(),
        texts::strip_accents().into(),
        texts::url_decode().into(),
        texts::url_encode().into(),
        to_json::ToJson::default().into(),
        type_names::TypeOf::default().into(),
    ]
}
