//! PAGE XML, of any year.
//!
//! Boxes, baselines and texts are elements in the element they are of, so that an element is
//! complete when it ends. An element's own text counts more than the texts of its parts.

use super::element::{BBox, Confidence, Element, Page};
use super::level::{Level, Levels};
use super::numbers::{attribute, number};
use super::open::{Open, Reach};
use super::points;
use super::read::{Row, Selection};
use super::rows::{Rows, Scope};
use super::text::{Gap, Mark};
use corpus_markup::references::{Place, decode};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

pub(super) fn read<'a>(document: &'a str, wanted: Selection, tell: impl FnMut(Row<'_, 'a>)) {
    let mut tokenizer = Tokenizer::new(document, Syntax::Html);
    tokenizer.allow_cdata(true);
    let mut reader = Reader {
        rows: Rows::new(wanted, tell),
        open: Open::new(),
    };
    while let Some(token) = tokenizer.next_token() {
        match token {
            Token::Start(tag) => reader.start(&tag),
            Token::End(tag) => reader.end(&tag),
            Token::Text(text) if wanted.text => reader.text(text, false),
            Token::CData(text) if wanted.text => reader.text(text, true),
            _ => {}
        }
    }
    reader.finish();
}

struct Reader<'a, F> {
    rows: Rows<'a, F>,
    open: Open<Note<'a>>,
}

/// What is noted of an open element.
struct Note<'a> {
    kind: Kind,
    scope: Scope<'a>,
    /// Where its text begins.
    mark: Mark,
    own: Own,
    inner: Inner,
}

/// The text of an element itself; of several the first of the lowest index, which is the best.
#[derive(Default)]
struct Own {
    index: Option<u32>,
    text: String,
}

impl Own {
    /// Is a text of that index better than what is known? Then it takes its place.
    fn takes(&mut self, index: u32) -> bool {
        let is_better = self.index.is_none_or(|known| index < known);
        if is_better {
            self.index = Some(index);
            self.text.clear();
        }
        is_better
    }
}

/// What is open inside an element, as far as it says something of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Nothing,
    Coords,
    TextEquiv,
    Unicode,
}

/// The elements that matter. The number is that of the slot among open elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page = 1,
    Region,
    Line,
    Word,
    /// A letter: its box is none of the word's.
    Glyph,
}

impl Kind {
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
        let Some(kind) = Kind::of(name) else {
            self.start_inner(name, tag);
            return;
        };
        let around = self.open.note().map(|note| note.scope);
        let mut scope = around.unwrap_or_default().inner(language_of(tag));
        self.rows.text.gap(kind.gap());
        let level = kind.level();
        self.rows
            .count(level.map_or(Levels::NONE, Levels::from), &mut scope);
        if kind == Kind::Page {
            self.start_page(tag, &scope);
        }
        if let Some(level) = level.filter(|level| self.rows.wanted.levels.includes(*level)) {
            let mut element = Element {
                tag: name.into(),
                class: tag.attributes.value("type"),
                id: tag.attributes.value("id"),
                unit: "pixel",
                ..Element::default()
            };
            if kind == Kind::Page {
                element.bbox = page_box(tag);
            }
            element.angle = attribute(tag, "orientation", &mut element);
            self.rows.start(level, &mut element, false, &mut scope);
        }
        let note = Note {
            kind,
            scope,
            mark: self.rows.text.mark(),
            own: Own::default(),
            inner: Inner::Nothing,
        };
        if tag.self_closing {
            close(&mut self.rows, &note);
        } else {
            self.open.push(kind as u8, tag.name, false, Some(note));
        }
    }

    fn start_page(&mut self, tag: &Tag<'a>, scope: &Scope<'a>) {
        self.rows.page(Page {
            id: tag.attributes.value("id"),
            bbox: page_box(tag),
            image: tag.attributes.value("imageFilename"),
            language: scope.language,
            ..Page::default()
        });
    }

    /// An element that says something of the one it is in.
    fn start_inner(&mut self, name: &str, tag: &Tag<'a>) {
        let Some(note) = self.open.note_mut() else {
            return;
        };
        match name {
            "Unicode" if note.inner == Inner::TextEquiv && !tag.self_closing => {
                note.inner = Inner::Unicode;
            }
            "TextEquiv" => {
                let is_best = note.own.takes(index_of(tag));
                note.inner = if is_best {
                    Inner::TextEquiv
                } else {
                    Inner::Nothing
                };
                if is_best && let Some(element) = self.rows.waiting(&note.scope) {
                    let value = attribute(tag, "conf", element);
                    element.confidence = value.map(|value| Confidence {
                        value,
                        kind: "conf",
                    });
                }
            }
            // A page has boxes of other things than itself.
            "Coords" if note.kind != Kind::Page => {
                note.inner = Inner::Coords;
                if let Some(points) = tag.attributes.value("points")
                    && let Some(element) = self.rows.waiting(&note.scope)
                {
                    let bbox = points::enclosing_box(&points);
                    element.bbox = element.keep("bbox", bbox);
                }
            }
            // Before 2013 every point was an element.
            "Point" if note.inner == Inner::Coords => {
                if let Some(element) = self.rows.waiting(&note.scope) {
                    let (x, y) = (attribute(tag, "x", element), attribute(tag, "y", element));
                    if let (Some(x), Some(y)) = (x, y) {
                        element.bbox = Some(BBox::around(element.bbox, x, y));
                    }
                }
            }
            "Baseline" => {
                if let Some(points) = tag.attributes.value("points")
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
        if let Some(kind) = Kind::of(name) {
            let rows = &mut self.rows;
            self.open
                .close(kind as u8, tag.name, Reach::Everywhere, |note| {
                    close(rows, &note);
                });
        } else if let Some(note) = self.open.note_mut() {
            note.inner = match (name, note.inner) {
                ("Unicode", Inner::Unicode) => Inner::TextEquiv,
                ("TextEquiv" | "Coords", _) => Inner::Nothing,
                (_, inner) => inner,
            };
        }
    }

    fn text(&mut self, raw: &str, is_cdata: bool) {
        let Some(note) = self.open.note_mut() else {
            return;
        };
        if note.inner != Inner::Unicode || !note.scope.has_text() {
            return;
        }
        if is_cdata {
            note.own.text.push_str(raw);
        } else {
            decode(raw, Place::Text, |piece| note.own.text.push_str(piece));
        }
    }

    fn finish(mut self) {
        let rows = &mut self.rows;
        self.open.close_all(|note| close(rows, &note));
    }
}

fn close<'a>(rows: &mut Rows<'a, impl FnMut(Row<'_, 'a>)>, note: &Note<'a>) {
    if !note.own.text.is_empty() {
        rows.text.back_to(note.mark);
        let mut lines = note.own.text.lines();
        rows.text.push(lines.next().unwrap_or_default());
        for line in lines {
            rows.text.gap(Gap::Line);
            rows.text.push(line);
        }
    }
    rows.end(&note.scope);
    rows.text.gap(note.kind.gap());
}

fn language_of<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let stated = |name| tag.attributes.get(name).map(|lang| lang.raw.trim_ascii());
    stated("primaryLanguage")
        .or_else(|| stated("language"))
        .filter(|language| !language.is_empty())
}

fn index_of(tag: &Tag<'_>) -> u32 {
    let index = tag.attributes.value("index");
    index.and_then(|index| index.parse().ok()).unwrap_or(0)
}

/// The whole image.
fn page_box(tag: &Tag<'_>) -> Option<BBox> {
    let size = |name| number(tag.attributes.value(name)?.trim_ascii());
    Some(BBox {
        x1: 0.0,
        y1: 0.0,
        x2: size("imageWidth")?,
        y2: size("imageHeight")?,
    })
}
