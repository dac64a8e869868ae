#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! document  what is returned
//! blocks    headings, lists, tables, notes and formulas
//! members   the members of the zip, up to a limit
//! metadata  values of metadata elements
//! tokens    the tokens of an XML part
//! docx, odt, epub
//! mail      messages and mailboxes
//! ```

mod blocks;
mod document;
mod docx;
mod epub;
pub mod mail;
mod members;
mod metadata;
mod odt;
mod tokens;

use corpus_blocks::Block;
use corpus_blocks::builder::MAX_NODES;
use corpus_blocks::plain_text;
use members::{Budget, Names, Package};

pub use document::{Document, Kind, Limits};

/// Returns the kind of a document; `None` if the bytes are not an EPUB, DOCX or ODT document.
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    let package = Package::new(bytes)?;
    kind_of(&package.names())
}

/// Reads a document. Never fails: `error` reports what was lost.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut text: Option<String> = None;
    let mut document = read_parts(bytes, limits, &mut |blocks| {
        let text = text.get_or_insert_default();
        let part = plain_text::of_blocks(&blocks);
        if !text.is_empty() && !part.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&part);
    });
    document.text = text;
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
    let mut blocks = Vec::new();
    let (mut parts, mut left_out) = (0, 0_usize);
    let mut document = read_parts(bytes, limits, &mut |mut chapter| {
        if parts > MAX_NODES {
            left_out += 1;
            return;
        }
        parts += chapter.iter().map(Block::node_count).sum::<usize>();
        blocks.append(&mut chapter);
    });
    if left_out > 0 {
        document.add_error(&format!(
            "the chapters have more than {MAX_NODES} blocks, rows and cells; the last {left_out} \
             chapters are left out"
        ));
    }
    Blocks {
        blocks,
        error: document.error,
    }
}

/// Passes the blocks of a document, or of each chapter of a book, to `emit`. Returns the metadata.
fn read_parts(bytes: &[u8], limits: &Limits, emit: &mut dyn FnMut(Vec<Block>)) -> Document {
    const NOT_A_DOCUMENT: &str = "not an EPUB, DOCX or ODT document";
    let mut document = Document::default();
    let Some(package) = Package::new(bytes) else {
        document.add_error(NOT_A_DOCUMENT);
        return document;
    };
    let names = package.names();
    let Some(kind) = kind_of(&names) else {
        let damage = names.damage.first();
        document.add_error(damage.map_or(NOT_A_DOCUMENT, String::as_str));
        return document;
    };
    document.kind = Some(kind);
    for damage in &names.damage {
        document.add_error(damage);
    }
    let mut budget = Budget::new(limits.max_bytes);
    match kind {
        Kind::Epub => epub::read(&package, &names, &mut budget, &mut document, emit),
        Kind::Docx => docx::read(&package, &names, &mut budget, &mut document).map_or((), emit),
        Kind::Odt => odt::read(&package, &mut budget, &mut document).map_or((), emit),
    }
    document
}

fn kind_of(names: &Names) -> Option<Kind> {
    let has = |name| names.contains(name);
    if has(epub::CONTAINER) {
        Some(Kind::Epub)
    } else if docx::main_part(names).is_some() {
        Some(Kind::Docx)
    } else if has(blocks::odt::CONTENT) && names.is_open_document_text {
        Some(Kind::Odt)
    } else if names.any(|name| name.ends_with(".opf")) {
        Some(Kind::Epub)
    } else {
        None
    }
}
