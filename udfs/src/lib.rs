//! The scalar functions of corpus-sql.
//!
//! One module per family: pure functions, which know nothing of Arrow, and in `sql` what makes
//! SQL functions of them. A new function is one line in [`functions`].

mod arguments;
pub mod bytes;
pub mod charset;
pub mod function;
pub mod http;
pub mod settings;
pub mod url;
pub mod warc;

use datafusion::logical_expr::ScalarUDF;

pub use function::is_costly;

/// Every function, to be registered in a session.
pub fn functions() -> Vec<ScalarUDF> {
    vec![
        bytes::OctetLength::default().into(),
        charset::sql::charset_decode().into(),
        charset::sql::charset_detect().into(),
        http::sql::http_header().into(),
        http::sql::http_response().into(),
        url::sql::url_surt().into(),
        warc::sql::warc_cdxj().into(),
        warc::sql::warc_digest().into(),
        warc::sql::warc_digest_ok().into(),
        warc::sql::warc_payload().into(),
    ]
}
