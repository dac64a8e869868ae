//! The scalar functions of corpus-sql.
//!
//! One module per family. They are thin wrappers: what parses is in the crates under `crates/`,
//! which know neither Arrow nor DataFusion. A new function is one line in [`functions`].

mod arguments;
pub mod bytes;
pub mod charset;
mod containers;
mod dedup;
mod documents;
pub mod familiar;
mod file_cache;
pub mod function;
pub mod hocr;
pub mod html;
pub mod http;
mod json;
mod language;
mod list_files;
mod list_or_null;
pub mod office;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod settings;
mod text;
mod url;
mod warc;

use datafusion::logical_expr::ScalarUDF;

pub use corpus_columns::ColumnInfo;
pub use function::{Argument, arguments_of, columns_of, is_costly, result_type};

/// The version of the results of sources and functions. It increases when one of them returns
/// something else for the same data, so that a run that continues an earlier one does not mix both.
pub const REVISION: u32 = 3;

/// All functions, to be registered in a session.
pub fn functions() -> Vec<ScalarUDF> {
    let mut functions = Vec::from([
        bytes::OctetLength::default().into(),
        charset::charset_decode().into(),
        charset::charset_detect().into(),
        hocr::hocr_blocks().into(),
        hocr::hocr_lines().into(),
        hocr::hocr_pages().into(),
        hocr::hocr_prop().into(),
        hocr::hocr_summary().into(),
        hocr::hocr_svg().into(),
        hocr::hocr_words().into(),
        html::html_document().into(),
        html::html_links().into(),
        html::html_main_text().into(),
        html::html_markdown().into(),
        html::html_meta().into(),
        html::html_paragraphs().into(),
        html::html_parse().into(),
        html::html_select().into(),
        http::http_header().into(),
        http::http_response().into(),
        language::fasttext_predict().into(),
        language::language().into(),
        list_or_null::ListOrNull::default().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_blocks().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_form_fields().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_lines().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_links().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_pages().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_parse().into(),
        #[cfg(feature = "pdf")]
        pdf::pdf_words().into(),
        office::document_kind().into(),
        office::mail_messages().into(),
        office::mail_parse().into(),
        office::office_parse().into(),
        url::url_blocked().into(),
        url::url_domain().into(),
        url::url_host().into(),
        url::url_parts().into(),
        url::url_surt().into(),
        warc::warc_cdxj().into(),
        warc::warc_digest().into(),
        warc::warc_digest_ok().into(),
        warc::warc_payload().into(),
    ]);
    functions.extend(dedup::functions());
    functions.extend(familiar::functions());
    functions.extend(json::functions());
    functions.extend(text::functions());
    functions
}

/// The error of a build without a feature that a statement needs.
pub fn not_built(part: &str, feature: &str) -> String {
    format!("this build has no support for {part}: build with --features {feature}")
}
