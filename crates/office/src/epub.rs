//! EPUB: the chapters that the package document lists.

use std::collections::{HashMap, HashSet};

use corpus_blocks::block::for_each_mut;
use corpus_blocks::{Block, Kind, MarkKind};
use corpus_charset::decode_text;
use corpus_html::extract::{Addresses, blocks as page_blocks};
use corpus_html::{Engine, Options};
use corpus_markup::xhtml::as_html;
use corpus_markup::{Syntax, Token, Tokenizer};
use percent_encoding::percent_decode_str;

use crate::document::Document;
use crate::members::{Budget, Members, Names, Package};
use crate::metadata::{self, attribute, decode, dublin_core, leaves};

pub const CONTAINER: &str = "META-INF/container.xml";
const ENCRYPTION: &str = "META-INF/encryption.xml";

/// Maximum number of chapters, because each link costs time to resolve. Further ones are not read.
const MAX_CHAPTERS: usize = 100_000;
/// Maximum number of missing chapters and items that are reported.
const MAX_REPORTED_MISSING: usize = 20;
/// Maximum length of an identifier in a message.
const MAX_ID_BYTES: usize = 100;

/// Media types of chapters. Other items in the reading order are pictures.
const TEXT_TYPES: &[&str] = &[
    "application/xhtml+xml",
    "text/html",
    "text/x-oeb1-document",
    "application/x-dtbook+xml",
];

/// Reads the metadata, and passes the blocks of each chapter to `emit` in reading order.
pub fn read(
    package: &Package,
    names: &Names,
    budget: &mut Budget,
    document: &mut Document,
    emit: &mut dyn FnMut(Vec<Block>),
) {
    let heads = package.read(budget, |name| {
        name == CONTAINER || name == ENCRYPTION || name.ends_with(".opf")
    });
    heads.report(document);
    let Some(path) = package_document(&heads) else {
        return document.add_error("the package document is missing");
    };
    let opf = decode(heads.get(&path).unwrap_or_default());
    read_metadata(&opf, document);
    let Chapters {
        names: mut chapters,
        errors,
        listed,
    } = reading_order(&opf, &path, names);
    errors.iter().for_each(|error| document.add_error(error));
    if listed == 0 {
        document.add_error("the package document lists no chapters");
        // In the order of their names, which is usually the reading order.
        let files = names.iter().filter(|name| has_text_extension(name));
        chapters = files.map(str::to_owned).collect();
    }
    let encrypted = encrypted_members(&heads);
    let wanted: HashSet<&str> = chapters.iter().map(String::as_str).collect();
    let is_wanted = |name: &str| wanted.contains(name) && !encrypted.contains(name);
    let mut members = package.read(budget, is_wanted);
    members.report(document);
    let mut labels = HashSet::new();
    for (index, chapter) in chapters.iter().enumerate() {
        match members.remove(chapter) {
            Some(page) => {
                let mut blocks = blocks_of(&page);
                distinguish_notes(&mut blocks, &mut labels, index + 1);
                emit(blocks);
            }
            None if encrypted.contains(chapter) => {
                document.add_error(&format!("{chapter} is encrypted"));
            }
            None => {}
        }
    }
}

/// The blocks of a chapter, which is XHTML.
fn blocks_of(page: &[u8]) -> Vec<Block> {
    let page = decode_text(page, None, None);
    let page = as_html(&page);
    page_blocks(
        Engine::Native,
        &Options::default(),
        &page,
        &Addresses::AsWritten,
    )
}

/// Renames note labels that an earlier chapter already uses.
fn distinguish_notes(blocks: &mut [Block], labels: &mut HashSet<Box<str>>, chapter: usize) {
    let mut changed: HashMap<Box<str>, Box<str>> = HashMap::new();
    for block in &mut *blocks {
        if let Kind::Footnote { label } = &mut block.kind
            && !labels.insert(label.clone())
        {
            let other: Box<str> = format!("{chapter}-{label}").into();
            changed.insert(std::mem::replace(label, other.clone()), other);
        }
    }
    if changed.is_empty() {
        return;
    }
    for_each_mut(blocks, &mut |block| {
        for mark in &mut block.text.marks {
            if let MarkKind::Note(label) = &mut mark.kind
                && let Some(other) = changed.get(label)
            {
                label.clone_from(other);
            }
        }
    });
}

fn has_text_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| matches!(extension, "xhtml" | "html" | "htm"))
}

/// Returns the path of the package document: the first one in the container that the zip contains,
/// or else any.
fn package_document(heads: &Members) -> Option<String> {
    let container = heads.get(CONTAINER).map(decode).unwrap_or_default();
    let named = Tokenizer::new(&container, Syntax::Xml).find_map(|token| match token {
        Token::Start(tag) if tag.local_name() == "rootfile" => {
            let path = attribute(&tag, "full-path")?;
            heads.get(&path).map(|_| path.into_owned())
        }
        _ => None,
    });
    named.or_else(|| {
        let packages = heads.iter().map(|(name, _)| name);
        let packages = packages.filter(|name| name.ends_with(".opf"));
        packages.min().map(str::to_owned)
    })
}

fn read_metadata(opf: &str, document: &mut Document) {
    leaves(opf, |tag, value| match tag.local_name() {
        // EPUB 3 has the property as an attribute.
        "meta" => {
            let property = attribute(tag, "property");
            if property.is_some_and(|property| property == "dcterms:modified") {
                metadata::set(&mut document.modified, value);
            }
        }
        "date" => match attribute(tag, "event").as_deref() {
            Some("modification") => metadata::set(&mut document.modified, value),
            _ => metadata::set(&mut document.created, value),
        },
        name => dublin_core(document, name, value),
    });
}

/// The chapters of a book: the names of members in reading order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Chapters {
    names: Vec<String>,
    /// The reasons why chapters are missing.
    errors: Vec<String>,
    /// The number of listed chapters, whether missing or not.
    listed: usize,
}

/// Finds the chapters that the package document at this path lists. A chapter that is listed twice
/// is read once.
fn reading_order(opf: &str, path: &str, members: &Names) -> Chapters {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    // The link of each item that is text, until the item is listed; `None` for other items.
    let mut items: HashMap<_, Option<_>> = HashMap::new();
    let mut found = HashSet::new();
    let mut chapters = Chapters::default();
    for token in Tokenizer::new(opf, Syntax::Xml) {
        let Token::Start(tag) = token else {
            continue;
        };
        let value = |name| attribute(&tag, name);
        match tag.local_name() {
            "item" => {
                let media_type = value("media-type").unwrap_or_default();
                if let Some(id) = value("id") {
                    let is_text = TEXT_TYPES.contains(&media_type.trim());
                    items.insert(id, value("href").filter(|_| is_text));
                }
            }
            "itemref" => {
                let Some(id) = value("idref") else {
                    continue;
                };
                let Some(item) = items.get_mut(&id) else {
                    if chapters.errors.len() < MAX_REPORTED_MISSING {
                        let id = id.get(..id.floor_char_boundary(MAX_ID_BYTES));
                        let id = id.unwrap_or_default();
                        let error = format!("the manifest has no item {id}");
                        chapters.errors.push(error);
                    }
                    continue;
                };
                let Some(link) = item.take() else {
                    continue;
                };
                chapters.listed += 1;
                if chapters.listed > MAX_CHAPTERS {
                    let error = format!("the book has more than {MAX_CHAPTERS} chapters");
                    chapters.errors.push(error);
                    return chapters;
                }
                let name = resolve(folder, &link);
                if !members.contains(&name) {
                    if chapters.errors.len() < MAX_REPORTED_MISSING {
                        chapters.errors.push(format!("{name} is missing"));
                    }
                } else if found.insert(name.clone()) {
                    chapters.names.push(name);
                }
            }
            _ => {}
        }
    }
    chapters
}

/// The name of the member that a link refers to.
fn resolve(folder: &str, link: &str) -> String {
    let link = link.split(['#', '?']).next().unwrap_or_default();
    let link = percent_decode_str(link).decode_utf8_lossy();
    let from_root = link.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    let folders = folder.split('/').filter(|_| !from_root);
    for part in folders.chain(link.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The names of encrypted members.
fn encrypted_members(heads: &Members) -> HashSet<String> {
    let encryption = heads.get(ENCRYPTION).map(decode).unwrap_or_default();
    let tags = Tokenizer::new(&encryption, Syntax::Xml).filter_map(|token| match token {
        Token::Start(tag) if tag.local_name() == "CipherReference" => Some(tag),
        _ => None,
    });
    let links = tags.filter_map(|tag| attribute(&tag, "URI"));
    links.map(|link| resolve("", &link)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved() {
        for (folder, link, expected) in [
            ("OEBPS", "a%20b.xhtml#x", "OEBPS/a b.xhtml"),
            ("OEBPS/x", "../c.xhtml", "OEBPS/c.xhtml"),
            ("", "./d.xhtml?x", "d.xhtml"),
            ("OEBPS", "/e.xhtml", "e.xhtml"),
            ("", "../../f.xhtml", "f.xhtml"),
        ] {
            assert_eq!(resolve(folder, link), expected);
        }
    }

    #[test]
    fn the_spine_is_the_order() {
        let opf = "<manifest><item id='b' href='2.xhtml' media-type='application/xhtml+xml'/>\
            <item id='a' href='1.xhtml' media-type='application/xhtml+xml'/>\
            <item id='p' href='p.png' media-type='image/png'/></manifest>\
            <spine><itemref idref='a'/><itemref idref='p'/><itemref idref='x'/><itemref idref='b'/>";
        let members = ["t/1.xhtml", "t/2.xhtml"];
        let chapters = reading_order(opf, "t/c.opf", &Names::from_iter(members));
        assert_eq!(chapters.names, members);
        let unknown = "the manifest has no item x";
        assert_eq!(chapters.errors, [unknown]);
        let chapters = reading_order(opf, "t/c.opf", &Names::from_iter(["t/2.xhtml"]));
        assert_eq!(chapters.errors, ["t/1.xhtml is missing", unknown]);
        assert_eq!(chapters.names, ["t/2.xhtml"]);
    }

    #[test]
    fn a_chapter_listed_twice_is_read_once() {
        let opf = "<manifest><item id='a' href='1.xhtml' media-type='application/xhtml+xml'/>\
            </manifest><spine><itemref idref='a'/><itemref idref='a'/></spine>";
        let chapters = reading_order(opf, "c.opf", &Names::from_iter(["1.xhtml"]));
        assert_eq!(chapters.names, ["1.xhtml"]);
        assert_eq!(chapters.errors, [""; 0]);
        let opf = opf.replace("idref='a'", "idref='é'");
        let chapters = reading_order(&opf, "c.opf", &Names::from_iter(["1.xhtml"]));
        assert_eq!((chapters.names.len(), chapters.listed), (0, 0));
        assert_eq!(chapters.errors, ["the manifest has no item é"; 2]);
    }

    #[test]
    fn metadata_of_both_versions() {
        let mut document = Document::default();
        let opf = "<metadata><dc:title>T</dc:title><dc:creator>A</dc:creator><dc:creator>B\
            </dc:creator><dc:language>fr</dc:language><dc:date opf:event='modification'>2002\
            </dc:date><dc:date>2001</dc:date><meta property='dcterms:modified'>2003</meta>\
            <meta name='x' content='y'/></metadata>";
        read_metadata(opf, &mut document);
        let expected = Document {
            title: Some("T".to_owned()),
            author: Some("A; B".to_owned()),
            language: Some("fr".to_owned()),
            created: Some("2001".to_owned()),
            modified: Some("2002".to_owned()),
            ..Document::default()
        };
        assert_eq!(document, expected);
    }
}
