#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! document  what is returned
//! members   the members of the zip, up to a limit
//! lines     paragraphs and tables as lines
//! metadata  values of metadata elements
//! docx, odt, epub
//! mail      messages and mailboxes
//! ```

mod document;
mod docx;
mod epub;
mod lines;
pub mod mail;
mod members;
mod metadata;
mod odt;
mod tokens;

use members::{Budget, Names, Package};

pub use document::{Document, Kind, Limits};

/// Returns the kind of a document; `None` if the bytes are not an EPUB, DOCX or ODT document.
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    let package = Package::new(bytes)?;
    kind_of(&package.names())
}

/// Reads a document. Never fails: `error` reports what was lost.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let not_one = || Document::failed("not an EPUB, DOCX or ODT document");
    let Some(package) = Package::new(bytes) else {
        return not_one();
    };
    let names = package.names();
    let Some(kind) = kind_of(&names) else {
        let damage = names.damage.first();
        return damage.map_or_else(not_one, |damage| Document::failed(damage));
    };
    let mut budget = Budget::new(limits.max_bytes);
    let mut document = Document {
        kind: Some(kind),
        ..Document::default()
    };
    for damage in &names.damage {
        document.add_error(damage);
    }
    match kind {
        Kind::Epub => epub::read(&package, &names, &mut budget, &mut document),
        Kind::Docx => docx::read(&package, &names, &mut budget, &mut document),
        Kind::Odt => odt::read(&package, &mut budget, &mut document),
    }
    document
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
