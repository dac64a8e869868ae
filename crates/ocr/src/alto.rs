//! ALTO, versions 1 to 4.

use std::borrow::Cow;

use super::element::{BBox, Baseline, Confidence, Division, Element, Page, WordPart, cut_repeated};
use super::level::Level;
use super::numbers::{attribute, excerpt, missing_numbers, number};
use super::open_elements::{CloseScope, OpenElements};
use super::points;
use super::row::Row;
use super::rows::{Rows, Scope, Selection};
use super::text::Gap;
use corpus_markup::references::decode_value;
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
        description: Description::default(),
        in_description: None,
        word: None,
        divided: None,
        is_declared: false,
        uncounted: None,
    };
    while let Some(token) = tokenizer.next_token() {
        match token {
            Token::Start(tag) => reader.start(&tag),
            Token::End(tag) => reader.end(&tag),
            Token::Text(text) => reader.text(text),
            _ => {}
        }
    }
    reader.finish()
}

struct Reader<'a, F> {
    rows: Rows<'a, F>,
    open: OpenElements<ElementState<'a>>,
    description: Description<'a>,
    /// The description element whose text comes next.
    in_description: Option<Property>,
    /// The last word. Later elements determine whether it is divided.
    word: Option<ElementState<'a>>,
    /// The element with the first part of the last divided word, and the whole word.
    divided: Option<(usize, Option<Cow<'a, str>>)>,
    /// Whether the last word is declared to be the first part of another.
    is_declared: bool,
    /// The last word of the line so far and the number of the line, if divided words are counted.
    uncounted: Option<(Tag<'a>, usize)>,
}

/// Properties declared before the pages, which apply to all of them.
#[derive(Default)]
struct Description<'a> {
    unit: &'a str,
    /// Decoded once, because every page repeats it.
    image: Option<Cow<'a, str>>,
}

#[derive(Clone, Copy)]
enum Property {
    Unit,
    Image,
}

/// The state kept for an open element.
#[derive(Clone, Copy, Default)]
struct ElementState<'a> {
    scope: Scope<'a>,
    gap: Gap,
}

/// The elements that are read. The numbers are their slots among the open elements.
#[derive(Clone, Copy)]
enum ElementKind {
    Page = 1,
    Block,
    Line,
    Word,
}

impl ElementKind {
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
        let Some(kind) = ElementKind::of(tag) else {
            self.start_other(tag);
            return;
        };
        self.end_word(false);
        if !matches!(kind, ElementKind::Word) {
            self.count_word();
        }
        let around = self.open.note().copied().unwrap_or_default();
        let mut note = ElementState {
            scope: around.scope.inner(language_of(tag)),
            gap: kind.gap(),
        };
        self.rows.text.gap(note.gap);
        self.rows.count(kind.level().into(), &mut note.scope);
        let is_wanted = self.rows.selection.levels.includes(kind.level());
        if is_wanted || matches!(kind, ElementKind::Page) {
            self.start_element(tag, kind, is_wanted, &mut note.scope);
        }
        if matches!(kind, ElementKind::Word) {
            self.start_word(tag, &note.scope);
        }
        if tag.self_closing() {
            self.close_or_hold(kind, note);
        } else {
            self.open.push(kind as u8, tag.name, false, Some(note));
        }
    }

    /// Reads the text of a word, and whether the word is a part of a divided word.
    fn start_word(&mut self, tag: &Tag<'a>, scope: &Scope<'a>) {
        let selection = self.rows.selection;
        if !selection.joins && !selection.counts_divided() {
            if selection.text && scope.has_text() {
                self.push_content(tag);
            }
            return;
        }
        let (part, whole) = part_of(tag);
        let first = self.divided.take();
        self.is_declared = part == Some(WordPart::First) && whole.is_some();
        if selection.counts_divided() {
            self.uncounted = None;
            match part {
                Some(WordPart::First) if self.is_declared => {
                    self.rows.divided.count(self.rows.page_number());
                }
                Some(WordPart::Second) if first.is_some() => {}
                _ => {
                    self.uncounted = Some((*tag, scope.line));
                    // This is the first word after a divided word.
                    if self.rows.divided.is_open() {
                        self.count_word();
                    }
                }
            }
            self.divided = self.is_declared.then_some((0, None));
        } else if scope.has_text() {
            let owner = scope.text_owner();
            match (part, whole) {
                _ if self.rows.selection.levels.includes(Level::Word) => self.push_content(tag),
                (Some(WordPart::First), Some(whole)) => {
                    self.rows.text.push(&whole);
                    self.divided = Some((owner, Some(whole)));
                }
                (Some(WordPart::Second), whole)
                    if first.is_some_and(|(of, known)| {
                        of == owner && (whole.is_none() || known == whole)
                    }) => {}
                _ => self.push_content(tag),
            }
        }
    }

    /// Handles elements outside the page, and text that is not in words.
    fn start_other(&mut self, tag: &Tag<'a>) {
        self.in_description = None;
        match tag.local_name() {
            "MeasurementUnit" => self.in_description = Some(Property::Unit),
            "fileName" => self.in_description = Some(Property::Image),
            // A hyphen belongs to the line, directly after the last word.
            "HYP" => self.hyphen(tag),
            "SP" => self.end_word(false),
            _ => {}
        }
    }

    /// Counts a divided word: looks for a hyphen at the end of the last word, and checks whether it
    /// is a second part.
    fn count_word(&mut self) {
        if let Some((tag, line)) = self.uncounted.take() {
            let content = tag.attributes().get("CONTENT").map(|content| content.raw);
            let page = self.rows.page_number();
            self.rows.divided.start_word();
            self.rows
                .divided
                .text(content.unwrap_or_default(), page, line);
        }
    }

    fn hyphen(&mut self, tag: &Tag<'a>) {
        self.end_word(true);
        let Some(scope) = self.open.note().map(|note| note.scope) else {
            return;
        };
        let selection = self.rows.selection;
        if selection.counts_divided() && !self.is_declared {
            self.count_word();
            let page = self.rows.page_number();
            self.rows.divided.hyphen(page, scope.line);
        }
        // The text has the whole word.
        let is_joined = selection.joins && self.is_declared;
        if selection.text && scope.has_text() && !is_joined {
            self.rows.text.close_gap();
            self.push_content(tag);
            self.rows.text.gap(Gap::Word);
        }
    }

    /// Ends the last word. `has_hyphen`: a hyphen follows it.
    fn end_word(&mut self, has_hyphen: bool) {
        if self.word.is_none() {
            return;
        }
        let Some(note) = self.word.take() else {
            return;
        };
        if has_hyphen {
            let division = Division {
                part: WordPart::First,
                whole: None,
            };
            self.rows.divide(&note.scope, division);
        }
        close(&mut self.rows, &note);
    }

    /// Closes an element. A word that may be divided is held until the next element decides it.
    fn close_or_hold(&mut self, kind: ElementKind, note: ElementState<'a>) {
        let selection = self.rows.selection;
        let holds = matches!(kind, ElementKind::Word)
            && selection.joins
            && selection.levels.includes(Level::Word);
        if holds {
            self.end_word(false);
            self.word = Some(note);
        } else {
            close(&mut self.rows, &note);
        }
    }

    fn push_content(&mut self, tag: &Tag<'a>) {
        let content = tag.attributes().value("CONTENT").unwrap_or_default();
        self.rows.text.push(&content);
    }

    fn start_element(
        &mut self,
        tag: &Tag<'a>,
        kind: ElementKind,
        is_wanted: bool,
        scope: &mut Scope<'a>,
    ) {
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
        if matches!(kind, ElementKind::Word)
            && is_wanted
            && let (Some(part), whole) = part_of(tag)
        {
            self.rows.divide_next(Division { part, whole });
        }
        if matches!(kind, ElementKind::Page) {
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
        if let Some(kind) = ElementKind::of(tag) {
            self.end_word(false);
            let rows = &mut self.rows;
            let mut outermost: Option<ElementState<'a>> = None;
            self.open
                .close(kind as u8, tag.name, CloseScope::Everywhere, |note| {
                    if let Some(inner) = outermost.replace(note) {
                        close(rows, &inner);
                    }
                });
            if let Some(note) = outermost {
                self.close_or_hold(kind, note);
            }
        }
    }

    fn text(&mut self, text: &'a str) {
        match self.in_description {
            Some(Property::Unit) => self.description.unit = excerpt(text.trim_ascii()),
            Some(Property::Image) => {
                let image = cut_repeated(decode_value(text.trim_ascii()));
                self.description.image = Some(image).filter(|image| !image.is_empty());
            }
            None => {}
        }
    }

    fn finish(mut self) -> Vec<usize> {
        self.end_word(false);
        self.count_word();
        let rows = &mut self.rows;
        self.open.close_all(|note| close(rows, &note));
        self.rows.divided.into_counts()
    }
}

fn close<'a>(rows: &mut Rows<'a, impl FnMut(Row<'_, 'a>)>, note: &ElementState<'a>) {
    rows.end(&note.scope);
    rows.text.gap(note.gap);
}

/// Returns the part of a divided word that an element declares, and the whole word.
fn part_of<'a>(tag: &Tag<'a>) -> (Option<WordPart>, Option<Cow<'a, str>>) {
    if !tag.attributes().names.may_have("SUBS_TYPE") {
        return (None, None);
    }
    let part = match tag.attributes().value("SUBS_TYPE").as_deref() {
        Some("HypPart1") => WordPart::First,
        Some("HypPart2") => WordPart::Second,
        // The long form of an abbreviation.
        _ => return (None, None),
    };
    let whole = tag.attributes().value("SUBS_CONTENT");
    (Some(part), whole.filter(|whole| !whole.trim().is_empty()))
}

fn language_of<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    // Before version 2.1, only words and blocks have a language, in another attribute.
    let declared = |name| tag.attributes().get(name).map(|lang| lang.raw.trim_ascii());
    declared("LANG")
        .or_else(|| declared("language"))
        .filter(|language| !language.is_empty())
}

fn bbox_of(tag: &Tag<'_>, kind: ElementKind, element: &mut Element<'_>) -> Option<BBox> {
    let declared = ["HPOS", "VPOS", "WIDTH", "HEIGHT"].map(|name| attribute(tag, name, element));
    let [mut x, mut y, width, height] = declared;
    // Pages have no position.
    if matches!(kind, ElementKind::Page) {
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

/// Parses a baseline: a single height before version 4, then points.
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
