//! hOCR, in HTML or XHTML.
//!
//! Parsed like HTML, except that self-closed elements are closed as in XHTML, because programs that
//! write `<div/>` mean it. End tags determine the nesting. Of HTML's other rules, two matter here:
//! an inline end tag closes nothing outside the enclosing block, and a paragraph ends where the
//! next block starts.

use std::borrow::Cow;

use super::classes::{is_alternative, levels_of};
use super::element::{Element, Page};
use super::format::is_xml;
use super::html_elements::{Traits, gap_of};
use super::level::{Level, Levels};
use super::open_elements::{CloseScope, OpenElements};
use super::row::Row;
use super::rows::{Rows, Scope, Selection};
use super::shapes::{Piece, Pieces, TextUse, Values};
use super::text::Gap;
use super::title;
use super::title_properties::TitleProperties;
use corpus_markup::references::{Context, decode, decode_value};
use corpus_markup::{Name, Tag, Token, Tokenizer};

/// The unit of all boxes.
const UNIT: &str = "pixel";

pub(super) fn read<'a>(
    document: &'a str,
    selection: Selection,
    emit: impl FnMut(Row<'_, 'a>),
) -> Vec<usize> {
    let is_xml = is_xml(document);
    let pieces = Pieces::new(document, is_xml, text_use(selection));
    read_pieces(pieces, is_xml, selection, emit)
}

fn text_use(selection: Selection) -> TextUse {
    if selection.text {
        TextUse::Collected
    } else if selection.counts_divided() {
        TextUse::Counted
    } else {
        TextUse::Ignored
    }
}

/// Like [`read`], but parses every tag.
#[cfg(test)]
pub(super) fn read_without_shapes<'a>(
    document: &'a str,
    selection: Selection,
    emit: impl FnMut(Row<'_, 'a>),
) -> Vec<usize> {
    let is_xml = is_xml(document);
    let pieces = Pieces::new(document, is_xml, text_use(selection));
    read_pieces(pieces.without_shapes(), is_xml, selection, emit)
}

fn read_pieces<'a>(
    mut pieces: Pieces<'a, TagProperties<'a>>,
    is_xml: bool,
    selection: Selection,
    emit: impl FnMut(Row<'_, 'a>),
) -> Vec<usize> {
    let counts_divided = selection.counts_divided();
    let mut reader = Reader {
        rows: Rows::new(selection, emit),
        open: OpenElements::new(),
        levels: levels_for(selection.levels),
        is_xml,
    };
    while let Some(piece) = pieces.next() {
        if counts_divided {
            if let Some((first, last)) = pieces.take_inert_text() {
                reader.count_divided(first);
                reader.count_divided(last);
            }
            reader.count_divided(pieces.text_before());
        }
        for _ in 0..pieces.take_opened() {
            reader.open_inert_span();
        }
        match piece {
            Piece::EndOfSpan => reader.end(Name::SPAN),
            Piece::Known(values) => {
                if let Some(known) = pieces.properties() {
                    reader.start(known, Some(values));
                }
            }
            Piece::Leaf(values) => {
                if let Some(known) = pieces.properties() {
                    reader.leaf(known, values, pieces.text_of_leaf());
                }
            }
            Piece::Token(Token::Start(tag)) => {
                let known = reader.properties_of(tag);
                reader.start(&known, None);
                if has_raw_text(tag.name) && !tag.self_closing() {
                    pieces.skip(|tokenizer| skip_raw_text(tokenizer, tag.name));
                } else {
                    pieces.learn(&tag, !reader.matters(&known), || known);
                }
            }
            Piece::Token(Token::End(tag)) => reader.end(tag.name),
            Piece::Token(Token::Text(text)) if reader.is_in_text() => {
                decode(text, Context::Text, |piece| reader.rows.text.push(piece));
            }
            Piece::Token(Token::CData(text)) if reader.is_in_text() => reader.rows.text.push(text),
            Piece::Token(_) => {}
        }
    }
    reader.finish()
}

/// Whether the element contains text without markup, which is not part of the page.
fn has_raw_text(name: Name) -> bool {
    matches!(
        name,
        Name::SCRIPT
            | Name::STYLE
            | Name::TITLE
            | Name::TEXTAREA
            | Name::XMP
            | Name::IFRAME
            | Name::NOEMBED
            | Name::NOFRAMES
            | Name::PLAINTEXT
    )
}

fn skip_raw_text(tokenizer: &mut Tokenizer<'_>, name: Name) {
    match name {
        Name::SCRIPT => tokenizer.script(),
        Name::PLAINTEXT => tokenizer.rest(),
        _ => tokenizer.raw_text(&name.text()),
    };
}

struct Reader<'a, F> {
    rows: Rows<'a, F>,
    open: OpenElements<ElementState<'a>>,
    /// The levels to track in order to emit the wanted ones.
    levels: Levels,
    is_xml: bool,
}

/// The state kept for an open element.
#[derive(Clone, Copy, Default)]
struct ElementState<'a> {
    scope: Scope<'a>,
    gap_after: Gap,
    /// Whether its text is ignored.
    is_silent: bool,
}

/// The common properties of start tags that look alike.
#[derive(Clone, Copy)]
struct TagProperties<'a> {
    /// One of these tags.
    tag: Tag<'a>,
    traits: Traits,
    levels: Levels,
    language: Option<&'a str>,
    class: Option<&'a str>,
    /// The gap around the element. `Gap::None` if text is not wanted.
    gap: Gap,
    is_silent: bool,
}

impl TagProperties<'_> {
    /// Words are separated from preceding text. Following text, such as a comma, may belong to
    /// them.
    #[inline]
    fn gap_after(&self) -> Gap {
        if self.gap > Gap::Word {
            self.gap
        } else {
            Gap::None
        }
    }
}

impl<'a, F: FnMut(Row<'_, 'a>)> Reader<'a, F> {
    /// The properties of a tag, except for its id and title.
    #[inline]
    fn properties_of(&self, tag: Tag<'a>) -> TagProperties<'a> {
        let class = tag.attributes().get("class").map(|class| class.raw);
        let levels = class.map_or(Levels::NONE, |class| levels_of(class, tag.name));
        let mut known = TagProperties {
            tag,
            class,
            traits: Traits::of(tag.name),
            levels,
            language: language_of(&tag),
            gap: Gap::None,
            is_silent: false,
        };
        if self.rows.selection.text {
            known.gap = gap_of(tag.name, levels);
            known.is_silent = is_alternative(&tag);
        }
        known
    }

    /// Whether an element with these properties needs a note.
    #[inline]
    fn matters(&self, known: &TagProperties<'a>) -> bool {
        known.levels.has(self.levels)
            || known.language.is_some()
            || known.gap_after() != Gap::None
            || known.is_silent
    }

    /// Whether it is a paragraph in a block that has no effect on the elements inside it.
    #[inline]
    fn is_inner_paragraph(&self, known: &TagProperties<'a>) -> bool {
        known.levels.intersection(self.levels) == Levels::PARAGRAPH
            && known.language.is_none()
            && known.gap_after() == Gap::None
            && !known.is_silent
            && self.open.note().is_some_and(|note| note.scope.block != 0)
    }

    #[inline]
    fn start(&mut self, known: &TagProperties<'a>, values: Option<Values<'a>>) {
        let tag = &known.tag;
        // In HTML, an unclosed paragraph ends where the next block starts.
        let ends_paragraph = tag.name == Name::P || (known.traits.is_block && !self.is_xml);
        if ends_paragraph && self.open.is_wall(slot_of(Name::P)) {
            self.close(Name::P);
        }
        self.rows.text.gap(known.gap);
        let has_note = self.matters(known) && !self.is_inner_paragraph(known);
        let note = has_note.then(|| self.note(known, values, false));
        if tag.self_closing() || known.traits.is_void {
            if let Some(note) = note {
                close(&mut self.rows, &note);
            }
        } else {
            let slot = slot_of(tag.name);
            self.open.push(slot, tag.name, known.traits.is_block, note);
        }
    }

    #[inline]
    fn open_inert_span(&mut self) {
        let slot = slot_of(Name::SPAN);
        self.open.push(slot, Name::SPAN, false, None);
    }

    /// A span that contains only text, if text is not wanted.
    #[inline]
    fn leaf(&mut self, known: &TagProperties<'a>, values: Values<'a>, text: &str) {
        if self.matters(known) {
            let note = self.note(known, Some(values), true);
            if self.rows.selection.counts_divided() {
                self.rows.divided.start_word();
                let page = self.rows.page_number();
                self.rows.divided.text(text, page, note.scope.line);
            }
            close(&mut self.rows, &note);
        }
    }

    /// Counts the divided words in text that is skipped. Between words, it is white space.
    #[inline]
    fn count_divided(&mut self, text: &str) {
        let first = text.as_bytes().first();
        let is_text = first.is_some_and(|byte| !byte.is_ascii_whitespace());
        if is_text && let Some(note) = self.open.note() {
            let page = self.rows.page_number();
            self.rows.divided.text(text, page, note.scope.line);
        }
    }

    /// The state of a new element. `is_leaf`: nothing inside it matters.
    #[inline]
    fn note(
        &mut self,
        known: &TagProperties<'a>,
        values: Option<Values<'a>>,
        is_leaf: bool,
    ) -> ElementState<'a> {
        let around = self.open.note().copied().unwrap_or_default();
        let mut note = ElementState {
            scope: around.scope.inner(known.language),
            gap_after: known.gap_after(),
            is_silent: known.is_silent || around.is_silent,
        };
        let mut levels = known.levels;
        if levels.has(Levels::PARAGRAPH) && note.scope.block == 0 {
            levels = levels.union(Levels::BLOCK);
        }
        self.rows.count(levels, &mut note.scope);
        let wanted = levels.intersection(self.rows.selection.levels);
        if levels.has(Levels::PAGE) || wanted != Levels::NONE {
            let values = values.unwrap_or_else(|| Values {
                id: known.tag.attributes().get("id").map(|id| id.raw),
                title: known.tag.attributes().get("title").map(|title| title.raw),
            });
            let is_page = levels.has(Levels::PAGE);
            self.start_element(known, values, is_page, wanted, is_leaf, &mut note.scope);
        }
        note
    }

    fn start_element(
        &mut self,
        known: &TagProperties<'a>,
        values: Values<'a>,
        is_page: bool,
        wanted: Levels,
        is_leaf: bool,
        scope: &mut Scope<'a>,
    ) {
        let id = values.id.map(decode_value);
        let title = values.title.map(decode_value);
        let declared = TitleProperties::parse(title.as_deref().unwrap_or_default());
        if is_page {
            scope.take_language(values.title.and_then(language_of_page));
            self.rows.page(Page {
                number: declared.page_number,
                id: id.clone(),
                bbox: declared.bbox,
                image: title.as_ref().and_then(image_of),
                language: scope.language,
                ..Page::default()
            });
        }
        if wanted == Levels::NONE {
            return;
        }
        let mut element = Element {
            tag: lower_case(known.tag.written()),
            class: known.class.map(decode_value),
            id,
            bbox: declared.bbox,
            unit: UNIT,
            confidence: declared.confidence,
            baseline: declared.baseline,
            angle: declared.angle,
            error: declared.error,
            title,
            ..Element::default()
        };
        for level in Level::ALL {
            if level != Level::Word && wanted.includes(level) {
                let mut element = element.clone();
                self.rows.start_large(level, &mut element, scope);
            }
        }
        if wanted.has(Levels::WORD) {
            self.rows.divided.start_word();
        }
        // A word may contain another element that describes the same word.
        if wanted.has(Levels::WORD) && !self.rows.merge_word(&mut element, scope) {
            self.rows.start(Level::Word, &mut element, is_leaf, scope);
        }
    }

    #[inline]
    fn end(&mut self, name: Name) {
        // Programs that concatenate pages leave these tags in between.
        if !matches!(name, Name::BODY | Name::HTML) {
            self.close(name);
        }
    }

    #[inline]
    fn close(&mut self, name: Name) {
        let reach = if Traits::of(name).is_block {
            CloseScope::Everywhere
        } else {
            CloseScope::UpToWall
        };
        let rows = &mut self.rows;
        self.open
            .close(slot_of(name), name, reach, |note| close(rows, &note));
    }

    fn finish(mut self) -> Vec<usize> {
        let rows = &mut self.rows;
        self.open.close_all(|note| close(rows, &note));
        self.rows.divided.into_counts()
    }

    /// Whether text at this position belongs to a wanted element.
    fn is_in_text(&self) -> bool {
        let counts = |note: &ElementState<'_>| note.scope.has_text() && !note.is_silent;
        self.rows.selection.text && self.open.note().is_some_and(counts)
    }
}

#[inline]
fn close<'a>(rows: &mut Rows<'a, impl FnMut(Row<'_, 'a>)>, note: &ElementState<'a>) {
    rows.end(&note.scope);
    rows.text.gap(note.gap_after);
}

/// Elements are tracked from the page down to the lowest wanted level.
fn levels_for(wanted: Levels) -> Levels {
    let blocks = Levels::PAGE.union(Levels::BLOCK).union(Levels::PARAGRAPH);
    if wanted.has(Levels::WORD) {
        blocks.union(Levels::LINE).union(Levels::WORD)
    } else if wanted.has(Levels::LINE) {
        blocks.union(Levels::LINE)
    } else if wanted.has(Levels::BLOCK) {
        blocks
    } else {
        Levels::PAGE
    }
}

/// Known names have separate slots.
#[inline]
fn slot_of(name: Name) -> u8 {
    name.index() as u8
}

fn lower_case(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The language that an element declares. The language of the document is ignored, because programs
/// always write the same one.
#[inline]
fn language_of<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let seen = tag.attributes().names;
    if !(seen.may_have("lang") || seen.may_have("xml:lang"))
        || matches!(tag.name, Name::HTML | Name::BODY)
    {
        return None;
    }
    let attribute = |name| tag.attributes().get(name).map(|lang| lang.raw.trim_ascii());
    let is_declared = |lang: &&str| !lang.is_empty();
    attribute("lang")
        .filter(is_declared)
        .or_else(|| attribute("xml:lang").filter(is_declared))
}

/// The language that a page declares in its properties.
fn language_of_page(title: &str) -> Option<&str> {
    title::prop(title, "ocrp_lang").filter(|lang| !lang.is_empty())
}

/// The name of a page's image.
fn image_of<'a>(title: &Cow<'a, str>) -> Option<Cow<'a, str>> {
    match title {
        Cow::Borrowed(title) => title::prop(title, "image").map(Cow::Borrowed),
        Cow::Owned(title) => title::prop(title, "image").map(|image| Cow::Owned(image.to_owned())),
    }
}
