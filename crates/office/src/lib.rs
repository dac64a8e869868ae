#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! document  what is returned
//! blocks    headings, lists, tables, notes and formulas
//! members   the members of the zip, up to a limit
//! lines     paragraphs and tables as lines
//! metadata  values of metadata elements
//! docx, odt, epub
//! mail      messages and mailboxes
//! ```

mod blocks;
mod document;
mod docx;
mod epub;
mod lines;
pub mod mail;
mod members;
mod metadata;
mod odt;
mod tokens;

use corpus_blocks::Block;
use members::{Budget, Names, Package};

pub use document::{Document, Kind, Limits};

/// Returns the kind of a document; `None` if the bytes are not an EPUB, DOCX or ODT document.
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    let package = Package::new(bytes)?;
    kind_of(&package.names())
}

/// Reads a document. Never fails: `error` reports what was lost.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut document = Document::default();
    with_package(
        bytes,
        limits,
        &mut document,
        |kind, package, names, budget, document| match kind {
            Kind::Epub => epub::read(package, names, budget, document),
            Kind::Docx => docx::read(package, names, budget, document),
            Kind::Odt => odt::read(package, budget, document),
        },
    );
    document
}

/// The blocks of a document.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Blocks {
    /// The blocks in reading order, then the notes.
    pub blocks: Vec<Block>,
    /// The error, if something could not be read.
    pub error: Option<String>,
}

/// Reads the blocks of a document. Never fails: `error` reports what was lost.
pub fn read_blocks(bytes: &[u8], limits: &Limits) -> Blocks {
    let mut document = Document::default();
    let mut found = Vec::new();
    with_package(
        bytes,
        limits,
        &mut document,
        |kind, package, names, budget, document| {
            found = match kind {
                Kind::Epub => epub::blocks(package, names, budget, document),
                Kind::Docx => blocks::docx(package, names, budget, document),
                Kind::Odt => blocks::odt(package, budget, document),
            };
        },
    );
    Blocks {
        blocks: found,
        error: document.error,
    }
}

/// Opens the zip of a document and passes it to `read`, with its kind.
fn with_package(
    bytes: &[u8],
    limits: &Limits,
    document: &mut Document,
    read: impl FnOnce(Kind, &Package, &Names, &mut Budget, &mut Document),
) {
    const NOT_A_DOCUMENT: &str = "not an EPUB, DOCX or ODT document";
    let Some(package) = Package::new(bytes) else {
        return document.add_error(NOT_A_DOCUMENT);
    };
    let names = package.names();
    let Some(kind) = kind_of(&names) else {
        let damage = names.damage.first();
        return document.add_error(damage.map_or(NOT_A_DOCUMENT, String::as_str));
    };
    document.kind = Some(kind);
    for damage in &names.damage {
        document.add_error(damage);
    }
    let mut budget = Budget::new(limits.max_bytes);
    read(kind, &package, &names, &mut budget, document);
}

fn kind_of(names: &Names) -> Option<Kind> {
    let has = |name| names.contains(name);
    if has(epub::CONTAINER) {
        Some(Kind::Epub)
    } else if docx::main_part(names).is_some() {
        Some(Kind::Docx)
    } else if has(odt::CONTENT) && names.is_open_document_text {
        Some(Kind::Odt)
    } else if names.any(|name| name.ends_with(".opf")) {
        Some(Kind::Epub)
    } else {
        None
    }
}
