//! PAGE XML, all versions.
//!
//! Boxes, baselines and texts are child elements, so an element is complete when it ends. The text
//! of the element itself takes precedence over the texts of its parts.

use super::element::{BBox, Confidence, Element, Page};
use super::level::{Level, Levels};
use super::numbers::{attribute, number};
use super::open_elements::{CloseScope, OpenElements};
use super::points;
use super::reading_order::ReadingOrder;
use super::row::Row;
use super::rows::{Rows, Scope, Selection};
use super::text::{Checkpoint, Gap};
use corpus_markup::references::{Context, decode};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

pub(super) fn read<'a>(
    document: &'a str,
    selection: Selection,
    emit: impl FnMut(Row<'_, 'a>),
) -> Vec<usize> {
    let mut tokenizer = Tokenizer::new(document, Syntax::Html);
    tokenizer.allow_cdata(true);
    let mut reader = Reader {
        rows: Rows::new(selection, emit),
        open: OpenElements::new(),
        order: ReadingOrder::default(),
    };
    while let Some(token) = tokenizer.next_token() {
        match token {
            Token::Start(tag) => reader.start(&tag),
            Token::End(tag) => reader.end(&tag),
            Token::Text(text) if selection.text => reader.text(text, false),
            Token::CData(text) if selection.text => reader.text(text, true),
            Token::Text(text) if selection.counts_divided() => reader.count_divided(text),
            _ => {}
        }
    }
    reader.finish()
}

struct Reader<'a, F> {
    rows: Rows<'a, F>,
    open: OpenElements<ElementState<'a>>,
    /// The reading order of the current page, if the text of pages is wanted.
    order: ReadingOrder,
}

/// The state kept for an open element.
struct ElementState<'a> {
    kind: ElementKind,
    scope: Scope<'a>,
    /// The start of its text.
    mark: Checkpoint,
    own: OwnText,
    inner: InnerElement,
    /// For a top-level region: its id, and the start of its text.
    in_order: Option<(String, usize)>,
}

/// The element's own text. The text with the lowest index is preferred; on a tie, the first.
#[derive(Default)]
struct OwnText {
    index: Option<u32>,
    text: String,
    /// Whether it is a `PlainText`, which only replaces a missing `Unicode`.
    is_plain: bool,
}

impl OwnText {
    /// Whether a text with this index is better than the current one, which is then dropped.
    fn takes(&mut self, index: u32) -> bool {
        let is_better = self.index.is_none_or(|known| index < known);
        if is_better {
            self.index = Some(index);
            self.text.clear();
        }
        is_better
    }

    /// Returns the text to append to. `None` if a better kind of text is already there.
    fn text(&mut self, is_plain: bool) -> Option<&mut String> {
        if self.text.is_empty() {
            self.is_plain = is_plain;
        } else if self.is_plain && !is_plain {
            self.text.clear();
            self.is_plain = false;
        }
        (self.is_plain == is_plain).then_some(&mut self.text)
    }
}

/// The open child that describes the element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InnerElement {
    Nothing,
    Coords,
    TextEquiv,
    Unicode,
    PlainText,
}

/// The elements that are read. The numbers are their slots among the open elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    Page = 1,
    Region,
    Line,
    Word,
    /// A letter. Its box must not be taken for the box of its word.
    Glyph,
}

impl ElementKind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "Page" => Self::Page,
            "TextLine" => Self::Line,
            "Word" => Self::Word,
            "Glyph" => Self::Glyph,
            _ if name.ends_with("Region") => Self::Region,
            _ => return None,
        })
    }

    fn level(self) -> Option<Level> {
        match self {
            Self::Page => Some(Level::Page),
            Self::Region => Some(Level::Block),
            Self::Line => Some(Level::Line),
            Self::Word => Some(Level::Word),
            Self::Glyph => None,
        }
    }

    fn gap(self) -> Gap {
        match self {
            Self::Page | Self::Region => Gap::Paragraph,
            Self::Line => Gap::Line,
            Self::Word => Gap::Word,
            Self::Glyph => Gap::None,
        }
    }
}

impl<'a, F: FnMut(Row<'_, 'a>)> Reader<'a, F> {
    fn start(&mut self, tag: &Tag<'a>) {
        let name = tag.local_name();
        let Some(kind) = ElementKind::of(name) else {
            self.start_inner(name, tag);
            return;
        };
        let outer = self.open.note().map(|note| note.kind);
        let around = self.open.note().map(|note| note.scope);
        let mut scope = around.unwrap_or_default().inner(language_of(tag));
        self.rows.text.gap(kind.gap());
        let level = kind.level();
        self.rows
            .count(level.map_or(Levels::NONE, Levels::from), &mut scope);
        if kind == ElementKind::Page {
            self.start_page(tag, &scope);
        }
        if let Some(level) = level.filter(|level| self.rows.selection.levels.includes(*level)) {
            let mut element = Element {
                tag: name.into(),
                class: tag.attributes().value("type"),
                id: tag.attributes().value("id"),
                unit: "pixel",
                ..Element::default()
            };
            if kind == ElementKind::Page {
                element.bbox = page_box(tag);
            }
            element.angle = attribute(tag, "orientation", &mut element);
            self.rows.start(level, &mut element, false, &mut scope);
        }
        let is_ordered = self.order.is_known()
            && (outer, kind) == (Some(ElementKind::Page), ElementKind::Region);
        self.rows.text.keep_paragraphs(self.order.is_known());
        let in_order = is_ordered.then(|| {
            let id = tag.attributes().value("id").unwrap_or_default();
            (id.into_owned(), self.rows.text.current().len())
        });
        let note = ElementState {
            kind,
            scope,
            mark: self.rows.text.mark(),
            own: OwnText::default(),
            inner: InnerElement::Nothing,
            in_order,
        };
        if tag.self_closing() {
            close(&mut self.rows, &mut self.order, note);
        } else {
            self.open.push(kind as u8, tag.name, false, Some(note));
        }
    }

    fn start_page(&mut self, tag: &Tag<'a>, scope: &Scope<'a>) {
        self.rows.page(Page {
            id: tag.attributes().value("id"),
            bbox: page_box(tag),
            image: tag.attributes().value("imageFilename"),
            language: scope.language,
            ..Page::default()
        });
    }

    /// Handles a child that describes its parent.
    fn start_inner(&mut self, name: &str, tag: &Tag<'a>) {
        let orders_text = self.rows.selection.levels.includes(Level::Page);
        let Some(note) = self.open.note_mut() else {
            return;
        };
        if note.kind == ElementKind::Page && orders_text && self.order.start(name, tag) {
            return;
        }
        match name {
            "Unicode" if note.inner == InnerElement::TextEquiv && !tag.self_closing() => {
                note.inner = InnerElement::Unicode;
            }
            "PlainText" if note.inner == InnerElement::TextEquiv && !tag.self_closing() => {
                note.inner = InnerElement::PlainText;
            }
            "TextEquiv" => {
                let is_best = note.own.takes(index_of(tag));
                note.inner = if is_best {
                    InnerElement::TextEquiv
                } else {
                    InnerElement::Nothing
                };
                if is_best && let Some(element) = self.rows.waiting(&note.scope) {
                    let value = attribute(tag, "conf", element);
                    element.confidence = value.map(|value| Confidence {
                        value,
                        kind: "conf",
                    });
                }
            }
            // A page also has boxes that are not its own, such as the border.
            "Coords" if note.kind != ElementKind::Page => {
                note.inner = InnerElement::Coords;
                if let Some(points) = tag.attributes().value("points")
                    && let Some(element) = self.rows.waiting(&note.scope)
                {
                    let bbox = points::enclosing_box(&points);
                    element.bbox = element.keep("bbox", bbox);
                }
            }
            // Before 2013, every point was an element.
            "Point" if note.inner == InnerElement::Coords => {
                if let Some(element) = self.rows.waiting(&note.scope) {
                    let (x, y) = (attribute(tag, "x", element), attribute(tag, "y", element));
                    if let (Some(x), Some(y)) = (x, y) {
                        element.bbox = Some(BBox::around(element.bbox, x, y));
                    }
                }
            }
            "Baseline" => {
                if let Some(points) = tag.attributes().value("points")
                    && let Some(element) = self.rows.waiting(&note.scope)
                {
                    let baseline = points::baseline(&points, element.bbox);
                    element.baseline = element.keep("baseline", baseline);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: &Tag<'a>) {
        let name = tag.local_name();
        if let Some(kind) = ElementKind::of(name) {
            let (rows, order) = (&mut self.rows, &mut self.order);
            self.open
                .close(kind as u8, tag.name, CloseScope::Everywhere, |note| {
                    close(rows, order, note);
                });
        } else if let Some(note) = self.open.note_mut() {
            self.order.end(name);
            note.inner = match (name, note.inner) {
                ("Unicode", InnerElement::Unicode) | ("PlainText", InnerElement::PlainText) => {
                    InnerElement::TextEquiv
                }
                ("TextEquiv" | "Coords", _) => InnerElement::Nothing,
                (_, inner) => inner,
            };
        }
    }

    fn text(&mut self, raw: &str, is_cdata: bool) {
        let Some(note) = self.open.note_mut() else {
            return;
        };
        let is_plain = match note.inner {
            InnerElement::Unicode => false,
            InnerElement::PlainText => true,
            _ => return,
        };
        if !note.scope.has_text() {
            return;
        }
        let Some(text) = note.own.text(is_plain) else {
            return;
        };
        if is_cdata {
            text.push_str(raw);
        } else {
            decode(raw, Context::Text, |piece| text.push_str(piece));
        }
    }

    /// Counts the divided words in the texts of words and lines.
    fn count_divided(&mut self, text: &str) {
        let page = self.rows.page_number();
        if let Some(note) = self.open.note()
            && note.inner == InnerElement::Unicode
            && matches!(note.kind, ElementKind::Word | ElementKind::Line)
        {
            self.rows.divided.start_word();
            self.rows.divided.text(text, page, note.scope.line);
        }
    }

    fn finish(mut self) -> Vec<usize> {
        let (rows, order) = (&mut self.rows, &mut self.order);
        self.open.close_all(|note| close(rows, order, note));
        self.rows.divided.into_counts()
    }
}

fn close<'a>(
    rows: &mut Rows<'a, impl FnMut(Row<'_, 'a>)>,
    order: &mut ReadingOrder,
    note: ElementState<'a>,
) {
    if note.kind == ElementKind::Page {
        std::mem::take(order).arrange(note.mark, &mut rows.text);
    }
    if !note.own.text.is_empty() {
        rows.text.back_to(note.mark);
        let mut lines = note.own.text.lines();
        rows.text.push(lines.next().unwrap_or_default());
        for line in lines {
            rows.text.gap(Gap::Line);
            rows.text.push(line);
        }
    }
    if let Some((id, start)) = note.in_order {
        order.add(id, start..rows.text.current().len());
    }
    rows.end(&note.scope);
    rows.text.gap(note.kind.gap());
}

fn language_of<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let declared = |name| tag.attributes().get(name).map(|lang| lang.raw.trim_ascii());
    declared("primaryLanguage")
        .or_else(|| declared("language"))
        .filter(|language| !language.is_empty())
}

fn index_of(tag: &Tag<'_>) -> u32 {
    let index = tag.attributes().value("index");
    index.and_then(|index| index.parse().ok()).unwrap_or(0)
}

/// The box of the whole image.
fn page_box(tag: &Tag<'_>) -> Option<BBox> {
    let size = |name| number(tag.attributes().value(name)?.trim_ascii());
    Some(BBox {
        x1: 0.0,
        y1: 0.0,
        x2: size("imageWidth")?,
        y2: size("imageHeight")?,
    })
}
