//! The scalar functions of corpus-sql.
//!
//! One module per family. They are thin wrappers: parsers are in the crates under `crates/`, which
//! know neither Arrow nor DataFusion. The macro `functions!` defines functions, with their
//! documentation; a new family is one line in [`functions`].
//!
//! ```text
//! function       a function, and the macro that defines it
//! any_typed      a function of arguments of any type
//! arguments      types of arguments
//! text_or_bytes  arguments that are text or bytes
//! text_or_list   functions of texts that take lists, too
//! settings       the settings `corpus.*`
//! file_cache     files that functions use
//! list_files     lists that functions use
//! containers     detects files of many documents
//! blocks         rows of blocks and tables
//! attachment     rows of attachments
//! list_or_null   `unnest` of empty lists
//! nested_types   types inside of lists and structs
//! ```
//!
//! The families:
//!
//! ```text
//! bytes     raw bytes
//! charset   charsets
//! text      texts: normal forms, parts, measures, rules, personal data
//! language  languages
//! dedup     similar texts, and samples
//! html      web pages
//! http      HTTP
//! url       URLs
//! warc      WARC records
//! json      JSON, such as the metadata in WAT archives
//! pdf       PDFs
//! hocr      pages that OCR programs have written
//! office    office documents, e-books and mail
//! duckdb    functions of DuckDB that DataFusion lacks
//! ```

mod any_typed;
mod arguments;
mod attachment;
mod blocks;
pub mod bytes;
pub mod charset;
pub mod containers;
mod dedup;
pub mod duckdb;
mod file_cache;
pub mod function;
pub mod hocr;
pub mod html;
pub mod http;
mod json;
mod language;
mod list_files;
mod list_or_null;
pub mod nested_types;
pub mod office;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod settings;
mod text;
mod text_or_bytes;
pub mod text_or_list;
mod url;
mod warc;

use datafusion::logical_expr::ScalarUDF;

pub use corpus_columns::ColumnInfo;
pub use function::{
    ALL_FIELDS, Argument, arguments_of, columns_of, fields_position, is_costly, is_internal,
    reads_json, result_type,
};
pub use json::{JSON_FIELD, JSON_MEMBER, json_field_function};

/// The version of the results of sources and functions. It increases when one of them returns a
/// different result for the same data, so that a resumed run does not mix both.
pub const REVISION: u32 = 17;

/// All functions, to be registered in a session.
pub fn functions() -> Vec<ScalarUDF> {
    let families = [
        vec![bytes::OctetLength::default().into()],
        charset::functions(),
        function::by_name(&[
            hocr::functions(),
            hocr::structure::functions(),
            hocr::summary::functions(),
        ]),
        html::functions(),
        http::functions(),
        language::functions(),
        vec![list_or_null::function()],
        #[cfg(feature = "pdf")]
        pdf::functions(),
        office::functions(),
        url::functions(),
        warc::functions(),
        dedup::functions(),
        duckdb::functions(),
        json::functions(),
        vec![json::member::function()],
        text::functions(),
    ];
    families.concat()
}

/// The error of a build without a feature that a statement needs.
pub fn not_built(part: &str, feature: &str) -> String {
    format!("this build has no support for {part}: build with --features {feature}")
}
