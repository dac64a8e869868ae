//! SQL functions of office documents, e-books and mail, and the kinds of documents.

mod document;
mod kind;
mod mail;

pub use document::office_parse;
pub use kind::document_kind;
pub use mail::{mail_messages, mail_parse};

const SECTION: &str = "Office and Mail Functions";
