//! ALTO, versions 1 to 4.

use std::borrow::Cow;

use super::element::{BBox, Baseline, Confidence, Element, Page, cut_repeated};
use super::level::Level;
use super::numbers::{attribute, excerpt, missing_numbers, number};
use super::open::{Open, Reach};
use super::points;
use super::rows::{Row, Rows, Scope, Selection};
use super::text::Gap;
use corpus_markup::references::decode_value;
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

pub(super) fn read<'a>(document: &'a str, selection: Selection, emit: impl FnMut(Row<'_, 'a>)) {
    let mut tokenizer = Tokenizer::new(document, Syntax::Html);
    tokenizer.allow_cdata(true);
    let mut reader = Reader {
        rows: Rows::new(selection, emit),
        open: Open::new(),
        description: Description::default(),
        in_description: None,
    };
    while let Some(token) = tokenizer.next_token() {
        match token {
            Token::Start(tag) => reader.start(&tag),
            Token::End(tag) => reader.end(&tag),
            Token::Text(text) => reader.text(text),
            _ => {}
        }
    }
    reader.finish();
}

struct Reader<'a, F> {
    rows: Rows<'a, F>,
    open: Open<Note<'a>>,
    description: Description<'a>,
    /// The description element whose text comes next.
    in_description: Option<Part>,
}

/// Properties declared before the pages, which apply to all of them.
#[derive(Default)]
struct Description<'a> {
    unit: &'a str,
    /// Decoded once, because every page repeats it.
    image: Option<Cow<'a, str>>,
}

#[derive(Clone, Copy)]
enum Part {
    Unit,
    Image,
}

/// The state kept for an open element.
#[derive(Clone, Copy, Default)]
struct Note<'a> {
    scope: Scope<'a>,
    gap: Gap,
}

/// The elements that are read. The numbers are their slots among the open elements.
#[derive(Clone, Copy)]
enum Kind {
    Page = 1,
    Block,
    Line,
    Word,
}

impl Kind {
    fn of(tag: &Tag<'_>) -> Option<Self> {
        Some(match tag.local_name() {
            "Page" => Self::Page,
            "ComposedBlock" | "TextBlock" | "Illustration" | "GraphicalElement" => Self::Block,
            "TextLine" => Self::Line,
            "String" => Self::Word,
            _ => return None,
        })
    }

    fn level(self) -> Level {
        match self {
            Self::Page => Level::Page,
            Self::Block => Level::Block,
            Self::Line => Level::Line,
            Self::Word => Level::Word,
        }
    }

    fn gap(self) -> Gap {
        match self {
            Self::Page | Self::Block => Gap::Paragraph,
            Self::Line => Gap::Line,
            Self::Word => Gap::Word,
        }
    }
}

impl<'a, F: FnMut(Row<'_, 'a>)> Reader<'a, F> {
    fn start(&mut self, tag: &Tag<'a>) {
        let Some(kind) = Kind::of(tag) else {
            self.start_other(tag);
            return;
        };
        let around = self.open.note().copied().unwrap_or_default();
        let mut note = Note {
            scope: around.scope.inner(language_of(tag)),
            gap: kind.gap(),
        };
        self.rows.text.gap(note.gap);
        self.rows.count(kind.level().into(), &mut note.scope);
        let is_wanted = self.rows.selection.levels.includes(kind.level());
        if is_wanted || matches!(kind, Kind::Page) {
            self.start_element(tag, kind, is_wanted, &mut note.scope);
        }
        if matches!(kind, Kind::Word) && self.rows.selection.text && note.scope.has_text() {
            self.push_content(tag);
        }
        if tag.self_closing() {
            close(&mut self.rows, &note);
        } else {
            self.open.push(kind as u8, tag.name, false, Some(note));
        }
    }

    /// Handles elements outside the page, and text that is not in words.
    fn start_other(&mut self, tag: &Tag<'a>) {
        self.in_description = None;
        match tag.local_name() {
            "MeasurementUnit" => self.in_description = Some(Part::Unit),
            "fileName" => self.in_description = Some(Part::Image),
            // A hyphen belongs to the line, directly after the last word.
            "HYP" if self.rows.selection.text => {
                let around = self.open.note();
                if around.is_some_and(|note| note.scope.has_text()) {
                    self.rows.text.close_gap();
                    self.push_content(tag);
                    self.rows.text.gap(Gap::Word);
                }
            }
            _ => {}
        }
    }

    fn push_content(&mut self, tag: &Tag<'a>) {
        let content = tag.attributes().value("CONTENT").unwrap_or_default();
        self.rows.text.push(&content);
    }

    fn start_element(&mut self, tag: &Tag<'a>, kind: Kind, is_wanted: bool, scope: &mut Scope<'a>) {
        let mut element = Element {
            tag: tag.local_name().into(),
            class: tag.attributes().value("TYPE"),
            id: tag.attributes().value("ID"),
            unit: if self.description.unit.is_empty() {
                "pixel"
            } else {
                self.description.unit
            },
            ..Element::default()
        };
        element.bbox = bbox_of(tag, kind, &mut element);
        element.confidence = confidence_of(tag, &mut element);
        element.baseline = baseline_of(tag, &mut element);
        element.angle = attribute(tag, "ROTATION", &mut element);
        if matches!(kind, Kind::Page) {
            let number = tag.attributes().value("PHYSICAL_IMG_NR");
            self.rows.page(Page {
                number: number.and_then(|number| number.parse().ok()),
                id: element.id.clone(),
                bbox: element.bbox,
                image: self.description.image.clone(),
                language: scope.language,
                ..Page::default()
            });
        }
        if is_wanted {
            self.rows.start(kind.level(), &mut element, true, scope);
        }
    }

    fn end(&mut self, tag: &Tag<'a>) {
        self.in_description = None;
        if let Some(kind) = Kind::of(tag) {
            let rows = &mut self.rows;
            self.open
                .close(kind as u8, tag.name, Reach::Everywhere, |note| {
                    close(rows, &note);
                });
        }
    }

    fn text(&mut self, text: &'a str) {
        match self.in_description {
            Some(Part::Unit) => self.description.unit = excerpt(text.trim_ascii()),
            Some(Part::Image) => {
                let image = cut_repeated(decode_value(text.trim_ascii()));
                self.description.image = Some(image).filter(|image| !image.is_empty());
            }
            None => {}
        }
    }

    fn finish(mut self) {
        let rows = &mut self.rows;
        self.open.close_all(|note| close(rows, &note));
    }
}

fn close<'a>(rows: &mut Rows<'a, impl FnMut(Row<'_, 'a>)>, note: &Note<'a>) {
    rows.end(&note.scope);
    rows.text.gap(note.gap);
}

fn language_of<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    // Before version 2.1, only words and blocks have a language, in another attribute.
    let declared = |name| tag.attributes().get(name).map(|lang| lang.raw.trim_ascii());
    declared("LANG")
        .or_else(|| declared("language"))
        .filter(|language| !language.is_empty())
}

fn bbox_of(tag: &Tag<'_>, kind: Kind, element: &mut Element<'_>) -> Option<BBox> {
    let declared = ["HPOS", "VPOS", "WIDTH", "HEIGHT"].map(|name| attribute(tag, name, element));
    let [mut x, mut y, width, height] = declared;
    // Pages have no position.
    if matches!(kind, Kind::Page) {
        x = x.or(Some(0.0));
        y = y.or(Some(0.0));
    }
    let (Some(x1), Some(y1), Some(width), Some(height)) = (x, y, width, height) else {
        let count = declared.iter().flatten().count();
        if count > 0 {
            element.keep::<BBox>("bbox", Err(missing_numbers(4, count)));
        }
        return None;
    };
    Some(BBox {
        x1,
        y1,
        x2: x1 + width,
        y2: y1 + height,
    })
}

fn confidence_of(tag: &Tag<'_>, element: &mut Element<'_>) -> Option<Confidence> {
    ["WC", "PC", "ACCURACY"]
        .into_iter()
        .find_map(|kind| attribute(tag, kind, element).map(|value| Confidence { value, kind }))
}

/// Before version 4 a single height, then points.
fn baseline_of(tag: &Tag<'_>, element: &mut Element<'_>) -> Option<Baseline> {
    let value = tag.attributes().value("BASELINE")?;
    let value = value.trim_ascii();
    if let Some(height) = number(value) {
        return Some(Baseline {
            slope: None,
            offset: element.bbox.map(|bbox| height - bbox.y2),
        });
    }
    let baseline = points::baseline(value, element.bbox);
    element.keep("baseline", baseline)
}
