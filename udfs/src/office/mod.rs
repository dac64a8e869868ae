//! SQL functions of office documents, e-books and mail, and the kinds of documents.

mod document;
mod kind;
mod mail;

use datafusion::logical_expr::ScalarUDF;

const SECTION: &str = "Office and Mail Functions";

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    [document::functions(), kind::functions(), mail::functions()].concat()
}
