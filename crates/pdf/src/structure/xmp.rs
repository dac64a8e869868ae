//! Reads the relevant properties from a document's XMP packet. It scans the markup for the usual
//! prefixes and supports only the RDF that producers actually write.

use encoding_rs::UTF_8;

use crate::text_string::one_line;
use corpus_markup::references::{self, Context};
use corpus_markup::{RawAttributes, Syntax, Tag, Token, Tokenizer};

/// The maximum size of a packet. Larger ones contain images.
pub(super) const MAX_BYTES: usize = 4 << 20;

const MAX_ITEMS: usize = 1_000;

/// Placeholders that Ghostscript writes for empty values.
const PLACEHOLDERS: [&str; 3] = ["()", "Untitled", "UnknownApplication"];

#[derive(Debug, Default, PartialEq)]
pub(super) struct Xmp {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) keywords: Option<String>,
    pub(super) creator: Option<String>,
    pub(super) producer: Option<String>,
    pub(super) created: Option<String>,
    pub(super) modified: Option<String>,
}

impl Xmp {
    pub(super) fn read(bytes: &[u8]) -> Self {
        // With a byte order mark, it may be UTF-16.
        let (text, ..) = UTF_8.decode(bytes);
        let mut scan = Scan::default();
        let mut tokenizer = Tokenizer::new(&text, Syntax::Xml);
        while let Some(token) = tokenizer.next_token() {
            match token {
                Token::Start(tag) => scan.start(&tag),
                Token::End(_) => scan.end(),
                Token::Text(text) => {
                    references::decode(text, Context::Text, |piece| scan.text.push_str(piece));
                }
                Token::CData(text) => scan.text.push_str(text),
                Token::Comment(_) | Token::Doctype { .. } | Token::Instruction(_) => {}
            }
        }
        scan.found
    }

    fn place(&mut self, property: &str) -> Option<&mut Option<String>> {
        Some(match property {
            "dc:title" => &mut self.title,
            "dc:creator" => &mut self.author,
            "dc:description" => &mut self.subject,
            "pdf:Keywords" => &mut self.keywords,
            "pdf:Producer" => &mut self.producer,
            // The prefix before 2004.
            "xmp:CreatorTool" | "xap:CreatorTool" => &mut self.creator,
            "xmp:CreateDate" | "xap:CreateDate" => &mut self.created,
            "xmp:ModifyDate" | "xap:ModifyDate" => &mut self.modified,
            _ => return None,
        })
    }

    fn set(&mut self, property: &str, value: Option<String>) {
        let value = value.filter(|value| !PLACEHOLDERS.contains(&value.as_str()));
        if let Some(index @ None) = self.place(property) {
            *index = value;
        }
    }
}

/// The state of the scan. Properties are the children of descriptions, which are the children of
/// `rdf:RDF`. Properties may contain anything, including other descriptions.
#[derive(Default)]
struct Scan {
    found: Xmp,
    /// The depth of the open element: 1 for `rdf:RDF`, 0 outside of it.
    depth: usize,
    /// The name of the open property, if it is a relevant one.
    property: Option<String>,
    items: Vec<String>,
    /// The index of the default among items that are translations of each other, if declared.
    default_item: Option<usize>,
    text: String,
}

const RDF: usize = 1;
const DESCRIPTION: usize = 2;
const PROPERTY: usize = 3;

impl Scan {
    fn start(&mut self, tag: &Tag<'_>) {
        if self.depth == 0 && tag.written() != "rdf:RDF" {
            return;
        }
        self.depth += 1;
        self.text.clear();
        match self.depth {
            DESCRIPTION => self.short_forms(&tag.attributes()),
            PROPERTY => {
                let is_wanted = self.found.place(tag.written()).is_some();
                self.property = is_wanted.then(|| tag.written().to_owned());
                self.items.clear();
                self.default_item = None;
            }
            _ if tag.written() == "rdf:li" => {
                let language = tag.attributes().value("xml:lang");
                if language.as_deref() == Some("x-default") {
                    self.default_item.get_or_insert(self.items.len());
                }
            }
            _ => {}
        }
        if tag.self_closing() {
            self.end();
        }
    }

    /// Reads properties that are attributes of the description.
    fn short_forms(&mut self, attributes: &RawAttributes<'_>) {
        for attribute in attributes.iter() {
            self.found.set(attribute.name, one_line(&attribute.value()));
        }
    }

    fn end(&mut self) {
        if self.depth > PROPERTY {
            // The end of an item of a list, or of the list itself, whose text is white space.
            if self.property.is_some() && self.items.len() < MAX_ITEMS {
                self.items.extend(one_line(&self.text));
            }
        } else if self.depth == PROPERTY
            && let Some(property) = self.property.take()
        {
            let value = self.value(&property);
            self.found.set(&property, value);
        }
        self.text.clear();
        self.depth = self.depth.saturating_sub(RDF);
    }

    /// The value of the property that ends here. Several authors are joined; other lists contain
    /// translations.
    fn value(&mut self, property: &str) -> Option<String> {
        if self.items.is_empty() {
            return one_line(&self.text);
        }
        if property == "dc:creator" {
            return Some(self.items.join("; "));
        }
        let wanted = self.default_item.unwrap_or_default();
        self.items.get(wanted).or(self.items.first()).cloned()
    }
}
