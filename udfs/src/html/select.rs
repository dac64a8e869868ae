//! Elements of a page by CSS selector.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, StringViewBuilder};
use datafusion::arrow::buffer::Buffer;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, texts};
use crate::function::{Parameter, Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, PairsColumn, row};
use corpus_html::select::{Limits, Selected, Selection, Selector, select};

/// Maximum size of all contents of a page, as a multiple of `corpus.max_record_bytes`. The contents
/// of nested elements repeat each other.
const MAX_CONTENT_FACTOR: usize = 8;

/// The maximum number of steps of matching: about a second.
const MAX_STEPS: usize = 100_000_000;

row! {
    /// An element of a page.
    #[derive(Default)]
    struct ElementRow<'a> {
        /// The name of the element
        #[short]
        tag: Option<&'a str>,
        /// The text
        text: Option<TextRange>,
        /// The element with its tags
        html: Option<TextRange>,
        /// The attributes
        attributes: Option<Attributes<'a>>,
        /// Why `text` and `html` are NULL, which elements are missing, or the mistake of a selector
        /// from a column
        #[short]
        error: Option<&'a str>,
    }
}

const CSS_ARGUMENT: Parameter = Parameter::text(
    "css",
    "Selectors as in style sheets: a constant, or a column.",
)
.checked(|css| parse(css).map(|_| ()));

functions! {
    SECTION;

    /// The elements of a page that match a CSS selector, in document order.
    ///
    #[doc = " > SELECT html_select('<ul><li class=x>One<li>Two<li class=x>Three</ul>', 'ul > li.x')[2]['text'];"]
    /// Three
    html_select(DATA, CSS_ARGUMENT, CHARSET) -> Returns::of::<ListOf<ElementRow>>(), costly;
}

fn html_select(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let limits = Limits {
        content_bytes: settings
            .max_record_bytes
            .0
            .saturating_mul(MAX_CONTENT_FACTOR),
        steps: MAX_STEPS,
    };
    let mut compiled = HashMap::new();
    let mut rows = ListOf::<ElementRow>::default();
    let selectors = args[1].as_string::<i64>().iter();
    for (page, css) in texts(&args[0], &args[2]).zip(selectors) {
        let Some((page, css)) = page.zip(css) else {
            rows.append_null();
            continue;
        };
        let selector = match compiled.entry(css) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(parse(css)),
        };
        match selector {
            Ok(selector) => {
                let selection = select(&page, selector, &reader.options, limits);
                push_elements(&mut rows, selection, settings);
            }
            Err(error) => push_error(&mut rows, error),
        }
        rows.end_list();
    }
    Ok(rows.finish()?)
}

fn parse(css: &str) -> Result<Selector, String> {
    Selector::parse(css).map_err(|error| error.to_string())
}

fn push_elements(
    rows: &mut ListOf<ElementRow>,
    mut selection: Selection,
    settings: &CorpusSettings,
) {
    let left_out = format!(
        "text and html are left out: those of nested elements of this page exceed \
         {MAX_CONTENT_FACTOR} times corpus.max_record_bytes ({}) or 2 GiB",
        settings.max_record_bytes
    );
    let html = rows
        .columns
        .html
        .append_whole(std::mem::take(&mut selection.html));
    let text = rows
        .columns
        .text
        .append_whole(std::mem::take(&mut selection.text));
    for element in &selection.elements {
        let content = element.content();
        rows.push(ElementRow {
            tag: Some(selection.tag(element)),
            text: content.map(|content| text.part(&content.text)),
            html: content.map(|content| html.part(&content.html)),
            attributes: Some(Attributes(&selection, element)),
            error: content.is_none().then_some(&*left_out),
        });
    }
    if let Some(error) = &selection.error {
        push_error(rows, error);
    }
}

/// Adds an element that consists only of an error.
fn push_error(rows: &mut ListOf<ElementRow>, error: &str) {
    rows.push(ElementRow {
        error: Some(error),
        ..ElementRow::default()
    });
}

/// The attributes of an element.
struct Attributes<'a>(&'a Selection, &'a Selected);

impl Cell for Attributes<'_> {
    type Column = PairsColumn;

    fn append_to(self, column: &mut PairsColumn) {
        column.append(self.0.attributes(self.1));
    }
}

/// A column of texts that are parts of larger, shared texts.
#[derive(Default)]
struct PartsColumn {
    builder: StringViewBuilder,
    error: Option<ArrowError>,
}

/// A text whose parts are values: its number in a [`PartsColumn`].
#[derive(Clone, Copy)]
struct SharedText(u32);

/// A part of a text. Parts may overlap.
struct TextRange {
    whole: SharedText,
    start: u32,
    length: u32,
}

impl PartsColumn {
    /// Adds a text of less than 4 GiB, whose parts follow.
    fn append_whole(&mut self, text: String) -> SharedText {
        let buffer = Buffer::from_vec(text.into_bytes());
        SharedText(self.builder.append_block(buffer))
    }
}

impl SharedText {
    fn part(self, range: &Range<usize>) -> TextRange {
        TextRange {
            whole: self,
            start: range.start as u32,
            length: range.len() as u32,
        }
    }
}

impl Cell for TextRange {
    type Column = PartsColumn;

    fn append_to(self, column: &mut PartsColumn) {
        let SharedText(block) = self.whole;
        let appended = column
            .builder
            .try_append_view(block, self.start, self.length);
        if let Err(error) = appended {
            column.error.get_or_insert(error);
            column.builder.append_null();
        }
    }
}

impl ColumnBuilder for PartsColumn {
    fn data_type() -> DataType {
        DataType::Utf8View
    }

    fn append_null(&mut self) {
        self.builder.append_null();
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(Arc::new(self.builder.finish())),
        }
    }
}
