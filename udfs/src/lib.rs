//! The scalar functions of corpus-sql.
//!
//! One module per family: pure functions, which know nothing of Arrow, and in `sql` what makes
//! SQL functions of them. A new function is one line in [`functions`].

mod arguments;
pub mod bytes;
pub mod charset;
mod containers;
pub mod function;
pub mod hocr;
pub mod html;
pub mod http;
mod lists;
pub mod markup;
pub mod pdf;
pub mod settings;
pub mod url;
pub mod warc;
mod work;

use datafusion::logical_expr::ScalarUDF;

pub use function::{is_costly, result_type};

/// Every function, to be registered in a session.
pub fn functions() -> Vec<ScalarUDF> {
    vec![
        bytes::OctetLength::default().into(),
        charset::sql::charset_decode().into(),
        charset::sql::charset_detect().into(),
        hocr::sql::hocr_blocks().into(),
        hocr::sql::hocr_lines().into(),
        hocr::sql::hocr_pages().into(),
        hocr::sql::hocr_prop().into(),
        hocr::sql::hocr_summary().into(),
        hocr::sql::hocr_svg().into(),
        hocr::sql::hocr_words().into(),
        html::sql::html_document().into(),
        html::sql::html_links().into(),
        html::sql::html_main_text().into(),
        html::sql::html_meta().into(),
        html::sql::html_paragraphs().into(),
        html::sql::html_parse().into(),
        html::sql::html_select().into(),
        http::sql::http_header().into(),
        http::sql::http_response().into(),
        pdf::sql::pdf_blocks().into(),
        pdf::sql::pdf_form_fields().into(),
        pdf::sql::pdf_lines().into(),
        pdf::sql::pdf_links().into(),
        pdf::sql::pdf_pages().into(),
        pdf::sql::pdf_parse().into(),
        pdf::sql::pdf_words().into(),
        url::sql::url_surt().into(),
        warc::sql::warc_cdxj().into(),
        warc::sql::warc_digest().into(),
        warc::sql::warc_digest_ok().into(),
        warc::sql::warc_payload().into(),
    ]
}
