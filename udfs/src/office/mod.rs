//! SQL functions of office documents, e-books and mail, and the kinds of documents.
//!
//! ```text
//! document     `office_parse`
//! blocks       blocks, tables, Markdown
//! mail         messages
//! attachments  `document_attachments`
//! kind         `document_kind`
//! ```

mod attachments;
mod blocks;
mod document;
mod kind;
mod mail;

use datafusion::logical_expr::ScalarUDF;

use crate::function::by_name;

const SECTION: &str = "Office and Mail Functions";

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    by_name(&[
        attachments::functions(),
        blocks::functions(),
        document::functions(),
        kind::functions(),
        mail::functions(),
    ])
}
