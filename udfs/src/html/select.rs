//! Elements of a page by CSS selector.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, arguments, texts};
use crate::function::{Function, document};
use crate::lists::{ListLengths, PAIRS, PairsBuilder, SharedTexts, TextColumns, list_of};
use crate::settings::CorpusSettings;
use corpus_charset::Charset;
use corpus_html::select::{Limits, Selected, Selection, Selector, select};

/// The contents of nested elements repeat each other: those of a page may add up to this many
/// times `corpus.max_record_bytes`.
const MAX_CONTENT_FACTOR: usize = 8;

/// About a second.
const MAX_STEPS: usize = 100_000_000;

static ELEMENT: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("tag", DataType::LargeUtf8, true),
        Field::new("text", DataType::Utf8View, true),
        Field::new("html", DataType::Utf8View, true),
        Field::new("attributes", PAIRS.clone(), true),
        Field::new("error", DataType::LargeUtf8, true),
    ])
});

pub fn html_select() -> Function {
    let documentation = document(
        SECTION,
        "html_select(data, css [, charset])",
        "The elements of a page that match a CSS selector, in document order: a list of structs of \
         tag, text, html (with its tags), attributes, and error. An element without text and html \
         has an error that says why; an element with nothing but an error says which elements are \
         missing, or what is wrong with a selector that comes from a column.",
        "> SELECT e['tag'], e['text'] FROM (
    SELECT unnest(html_select('<ul><li class=x>One<li>Two<li class=x>Three</ul>', 'ul > li.x')) AS e);
li, One
li, Three",
        &[
            DATA,
            ("css", "Selectors as in style sheets: a constant, or a column."),
            CHARSET,
        ],
    );
    let returns = list_of(&ELEMENT);
    Function::new(
        "html_select",
        arguments(1),
        returns,
        documentation,
        |args, settings| {
            let reader = Reader::new(settings, Mode::default());
            let limits = Limits {
                content_bytes: settings
                    .max_record_bytes
                    .0
                    .saturating_mul(MAX_CONTENT_FACTOR),
                steps: MAX_STEPS,
            };
            let mut compiled = HashMap::new();
            let mut columns = ElementColumns::default();
            let selectors = args[1].as_string::<i64>().iter();
            for (page, css) in texts(&args[0], &args[2]).zip(selectors) {
                let Some(((page, _), css)) = page.zip(css) else {
                    columns.lengths.append(None);
                    continue;
                };
                let selector = match compiled.entry(css) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => entry.insert(Selector::parse(css)),
                };
                match selector {
                    Ok(selector) => {
                        let selection = select(&page, selector, &reader.options, limits);
                        columns.append(selection, settings)?;
                    }
                    Err(error) => {
                        columns.append_error(error);
                        columns.lengths.append(Some(1));
                    }
                }
            }
            columns.finish()
        },
    )
    .optional(1)
    .checked(2, Charset::check_declared)
    .checked(1, |css| Selector::parse(css).map(|_| ()))
    .costly()
}

/// Builds a column of lists of elements.
#[derive(Default)]
struct ElementColumns {
    lengths: ListLengths,
    tag_and_error: TextColumns<2>,
    text: SharedTexts,
    html: SharedTexts,
    attributes: PairsBuilder,
}

impl ElementColumns {
    fn append(&mut self, mut selection: Selection, settings: &CorpusSettings) -> Result<()> {
        let left_out = format!(
            "text and html are left out: those of nested elements of this page exceed \
             {MAX_CONTENT_FACTOR} times corpus.max_record_bytes ({}) or 2 GiB",
            settings.max_record_bytes
        );
        for element in &selection.elements {
            let error = element.content().is_none().then_some(&*left_out);
            self.tag_and_error
                .append([Some(selection.tag(element)), error]);
            self.attributes.append(Some(selection.attributes(element)));
        }
        let (html, text) = (
            std::mem::take(&mut selection.html),
            std::mem::take(&mut selection.text),
        );
        let contents = || selection.elements.iter().map(Selected::content);
        self.html
            .append(html, contents().map(|c| c.map(|c| c.html.clone())))?;
        self.text
            .append(text, contents().map(|c| c.map(|c| c.text.clone())))?;
        if let Some(error) = &selection.error {
            self.append_error(error);
        }
        let errors = usize::from(selection.error.is_some());
        self.lengths.append(Some(selection.elements.len() + errors));
        Ok(())
    }

    /// Appends an element that is nothing but an error.
    fn append_error(&mut self, error: &str) {
        self.tag_and_error.append([None, Some(error)]);
        self.text.append_null();
        self.html.append_null();
        self.attributes.append(None::<[(&str, &str); 0]>);
    }

    fn finish(mut self) -> Result<ArrayRef> {
        let [tag, error] = self.tag_and_error.finish();
        let columns = vec![
            tag,
            self.text.finish(),
            self.html.finish(),
            self.attributes.finish(),
            error,
        ];
        Ok(Arc::new(self.lengths.finish(&ELEMENT, columns)?))
    }
}
