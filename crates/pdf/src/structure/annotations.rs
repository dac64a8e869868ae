//! The annotations of a page, other than links and form fields.

use std::collections::HashMap;

use corpus_markup::references::{self, Context};
use corpus_markup::{Syntax, Token, Tokenizer};
use hayro_syntax::object::{Dict, MaybeRef, Object, ObjectIdentifier};

use super::coordinates::Coordinates;
use super::objects::Objects;
use super::{dates, streams, text_of};
use crate::model::{Annotation, Rect};
use crate::pages::Page;
use crate::text_string;

const MAX_ANNOTATIONS: usize = 100_000;

/// The maximum number of coordinates in `QuadPoints`: 8 for each quadrilateral.
const MAX_QUAD_NUMBERS: usize = 8 * 1_000;

/// Maximum size of the rich text of a note.
const MAX_RICH_TEXT_BYTES: usize = 1 << 20;

/// Annotations that have separate functions, or only repeat another annotation.
const SEPARATE: [&[u8]; 3] = [b"Link", b"Widget", b"Popup"];

/// Annotations that mark words.
const MARKING: [&[u8]; 5] = [
    b"Highlight",
    b"Underline",
    b"Squiggly",
    b"StrikeOut",
    b"Redact",
];

/// An annotation, and the areas of the words that it marks.
#[derive(Debug)]
pub struct FoundAnnotation {
    pub annotation: Annotation,
    pub marked: Vec<Rect>,
}

/// The annotations of a page, in the order of the file.
pub(super) fn annotations<'a>(page: &Page<'a>, objects: &Objects<'a>) -> Vec<FoundAnnotation> {
    let coordinates = Coordinates::on(page);
    let Some(list) = objects.array(page.raw(), "Annots") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // Replies refer to annotations that may come later.
    let mut indexes: HashMap<ObjectIdentifier, u32> = HashMap::new();
    let mut replies = Vec::new();
    for item in list.raw_iter().take(MAX_ANNOTATIONS) {
        let id = item.as_obj_ref().map(ObjectIdentifier::from);
        let dict = objects.resolve(item).and_then(Object::into_dict);
        let Some((dict, kind)) = dict.and_then(|dict| {
            let kind = objects.name(&dict, "Subtype")?;
            Some((dict, kind))
        }) else {
            continue;
        };
        if SEPARATE.contains(&&*kind) {
            continue;
        }
        let index = found.len() as u32;
        if let Some(id) = id {
            indexes.entry(id).or_insert(index);
        }
        if let Some(MaybeRef::Ref(answered)) = dict.get_raw::<Object<'a>>("IRT") {
            replies.push((index, ObjectIdentifier::from(answered)));
        }
        let areas = if MARKING.contains(&&*kind) {
            areas(&dict, objects, &coordinates)
        } else {
            Vec::new()
        };
        found.push(FoundAnnotation {
            annotation: annotation(&dict, &kind, objects, &coordinates),
            marked: areas,
        });
    }
    for (index, answered) in replies {
        let to = indexes.get(&answered).copied().filter(|to| *to != index);
        if let Some(found) = found.get_mut(index as usize) {
            found.annotation.reply_to = to;
        }
    }
    found
}

fn annotation<'a>(
    dict: &Dict<'a>,
    kind: &[u8],
    objects: &Objects<'a>,
    coordinates: &Coordinates,
) -> Annotation {
    let text = |key: &str| text_of(objects, dict, key);
    let date = |key: &str| dates::parse(&text(key)?);
    let rect = objects
        .array(dict, "Rect")
        .map(|rect| objects.numbers(&rect, 4));
    Annotation {
        kind: String::from_utf8_lossy(kind).into_owned(),
        bbox: rect
            .filter(|corners| corners.len() == 4)
            .and_then(|corners| coordinates.around(&corners)),
        contents: text("Contents").or_else(|| rich_text(dict, objects)),
        author: text("T"),
        subject: text("Subj"),
        created: date("CreationDate"),
        modified: date("M"),
        reply_to: None,
        marked: None,
    }
}

/// The rich text of a note, converted to plain text.
fn rich_text<'a>(dict: &Dict<'a>, objects: &Objects<'a>) -> Option<String> {
    let markup = match objects.get(dict, "RC")? {
        Object::String(text) => text_string::decode(&text),
        Object::Stream(stream) => {
            text_string::decode(&streams::decode(&stream, MAX_RICH_TEXT_BYTES)?)
        }
        _ => return None,
    };
    if !objects.spend(markup.len()) {
        return None;
    }
    let text = markup_text(&markup);
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The areas of the marked words: the quadrilaterals, or else the rectangle.
fn areas<'a>(dict: &Dict<'a>, objects: &Objects<'a>, coordinates: &Coordinates) -> Vec<Rect> {
    let quads = objects
        .array(dict, "QuadPoints")
        .map(|points| objects.numbers(&points, MAX_QUAD_NUMBERS))
        .unwrap_or_default();
    if quads.len() < 8 {
        let corners = objects
            .array(dict, "Rect")
            .map(|rect| objects.numbers(&rect, 4))
            .unwrap_or_default();
        return coordinates.around(&corners).into_iter().collect();
    }
    let (quads, _) = quads.as_chunks::<8>();
    let areas = quads.iter().filter_map(|quad| coordinates.around(quad));
    areas.collect()
}

/// The text in markup; paragraphs and line breaks become line feeds.
fn markup_text(markup: &str) -> String {
    let mut text = String::new();
    let mut tokenizer = Tokenizer::new(markup, Syntax::Xml);
    while let Some(token) = tokenizer.next_token() {
        match token {
            Token::Start(tag) => {
                let is_break = matches!(tag.written(), "p" | "br" | "div" | "li");
                if is_break && !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
            }
            Token::Text(piece) => {
                references::decode(piece, Context::Text, |piece| text.push_str(piece));
            }
            Token::CData(piece) => text.push_str(piece),
            Token::End(_) | Token::Comment(_) | Token::Doctype { .. } | Token::Instruction(_) => {}
        }
    }
    text
}
