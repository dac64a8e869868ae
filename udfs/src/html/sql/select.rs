//! Elements of a page by CSS selector.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, Field, Fields};

use super::{CHARSET, DATA, Mode, Reader, SECTION, arguments, texts};
use crate::function::{Function, constant, document};
use crate::html::select::{Selector, select};
use crate::lists::{ListLengths, PAIRS, PairsBuilder, TextColumns, list_of};

static ELEMENT: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("tag", DataType::LargeUtf8, true),
        Field::new("text", DataType::LargeUtf8, true),
        Field::new("html", DataType::LargeUtf8, true),
        Field::new("attributes", PAIRS.clone(), true),
    ])
});

pub fn html_select() -> Function {
    let documentation = document(
        SECTION,
        "html_select(data, css [, charset])",
        "The elements of a page that a CSS selector fits, in their order: a list of structs of \
         tag, text, html (with its tags) and attributes.",
        "> SELECT e['tag'], e['text'] FROM (
    SELECT unnest(html_select('<ul><li class=x>One<li>Two<li class=x>Three</ul>', 'ul > li.x')) AS e);
li, One
li, Three",
        &[DATA, ("css", "A constant: selectors as in style sheets."), CHARSET],
    );
    let returns = list_of(&ELEMENT);
    Function::new(
        "html_select",
        arguments(1),
        returns,
        documentation,
        |args, settings| {
            let reader = Reader::new(settings, Mode::Default);
            let selector = constant(&args[1]).and_then(|css| Selector::parse(css).ok());
            let mut lengths = ListLengths::default();
            let mut stated = TextColumns::<3>::default();
            let mut attributes = PairsBuilder::default();
            for page in texts(&args[0], &args[2]) {
                let selection = page.zip(selector.as_ref()).map(|((page, _), selector)| {
                    select(
                        &page,
                        selector,
                        &reader.options,
                        settings.max_record_bytes.0,
                    )
                });
                lengths.append(selection.as_ref().map(|s| s.elements.len()));
                for element in selection.iter().flat_map(|s| &s.elements) {
                    stated.append(
                        [&element.tag, &element.text, &element.html].map(|t| Some(t.as_str())),
                    );
                    let pairs = element.attributes.iter().map(|(name, value)| (name, value));
                    attributes.append(Some(pairs));
                }
            }
            let mut columns: Vec<ArrayRef> = stated.finish().to_vec();
            columns.push(attributes.finish());
            Ok(Arc::new(lengths.finish(&ELEMENT, columns)?))
        },
    )
    .optional(1)
    .constant(1, |css| Selector::parse(css).map(|_| ()))
    .costly()
}
