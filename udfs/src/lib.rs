//! The scalar functions of corpus-sql.
//!
//! One module per family: pure functions, which know nothing of Arrow, and their SQL wrappers.
//! A new function is one line in [`functions`].

mod arguments;
pub mod bytes;
pub mod http;
pub mod url;
pub mod warc;

use datafusion::logical_expr::ScalarUDF;

/// Every function, to be registered in a session.
pub fn functions() -> Vec<ScalarUDF> {
    vec![
        bytes::OctetLength::default().into(),
        http::sql::HttpHeader::default().into(),
        http::sql::HttpResponse::default().into(),
        url::sql::UrlSurt::default().into(),
        warc::sql::WarcCdxj::default().into(),
        warc::sql::WarcDigest::default().into(),
        warc::sql::WarcDigestOk::default().into(),
        warc::sql::WarcPayload::default().into(),
    ]
}
