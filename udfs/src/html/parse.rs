//! All of a page in one pass.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use memchr::memmem;

use super::links::{LinkColumns, links_type};
use super::paragraphs::{ParagraphColumns, paragraphs_type};
use super::{CHARSET, DATA, MODE, Mode, Reader, SECTION, URL, arguments, texts, urls};
use crate::function::{Function, document};
use crate::lists::TextColumns;
use corpus_charset::{Charset, Detected};
use corpus_html::extract::{Extract, Metadata, Page, Paragraphs, SeedParagraphs};

static PAGE: LazyLock<Fields> = LazyLock::new(|| {
    let texts = [
        "charset",
        "charset_source",
        "title",
        "lang",
        "description",
        "canonical",
    ];
    let texts = texts.into_iter().chain(["published", "document", "error"]);
    let mut fields: Vec<Field> = texts
        .map(|name| Field::new(name, DataType::LargeUtf8, true))
        .collect();
    fields.insert(8, Field::new("paragraphs", paragraphs_type(), true));
    fields.insert(9, Field::new("links", links_type(), true));
    Fields::from(fields)
});

pub fn html_parse() -> Function {
    let documentation = document(
        SECTION,
        "html_parse(data [, charset [, url [, mode]]])",
        "A page in one pass: a struct of charset, charset_source, title, lang, description, \
         canonical, published, document (as html_document), paragraphs (as html_paragraphs), links \
         (as html_links), and error (what could not be read).",
        "> SELECT p['charset'], p['title'], p['document'] FROM (
    SELECT html_parse('<title>A</title><p>One<p>Two') AS p);
UTF-8, A, One

Two",
        &[DATA, CHARSET, URL, MODE],
    );
    let returns = DataType::Struct(PAGE.clone());
    Function::new(
        "html_parse",
        arguments(2),
        returns,
        documentation,
        |args, settings| {
            let mode = Mode::of_argument(&args[3]);
            let reader = Reader::new(settings, mode);
            let mut stated = TextColumns::<9>::default();
            let mut paragraphs = ParagraphColumns::default();
            let mut links = LinkColumns::default();
            for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
                let Some((text, detected)) = page else {
                    stated.append([None; 9]);
                    paragraphs.append(None);
                    links.append(None);
                    continue;
                };
                let (extract, found, meta) = match mode {
                    Mode::Default(keep) => {
                        let page = reader
                            .read_keeping(&text, keep, |flow| Page::new(Paragraphs::of(flow)));
                        let (text, links, meta) = page.finish(url.as_ref(), text.len());
                        (text.finish(), links, meta)
                    }
                    Mode::Seed => {
                        let page = reader.read::<Page<SeedParagraphs>>(&text);
                        let (text, links, meta) = page.finish(url.as_ref(), text.len());
                        (text.finish(), links, meta)
                    }
                };
                append(
                    &mut stated,
                    &detected,
                    &meta,
                    &extract,
                    unreadable(&text, &detected),
                );
                paragraphs.append(Some(&extract));
                links.append(Some(&found));
            }
            let mut columns: Vec<ArrayRef> = stated.finish().to_vec();
            columns.insert(8, paragraphs.finish()?);
            columns.insert(9, links.finish()?);
            let nulls = args[0].nulls().cloned();
            Ok(Arc::new(StructArray::try_new(
                PAGE.clone(),
                columns,
                nulls,
            )?))
        },
    )
    .optional(3)
    .checked(1, Charset::check_declared)
    .constant(3, Mode::check)
    .costly()
}

fn append(
    stated: &mut TextColumns<9>,
    detected: &Detected,
    meta: &Metadata,
    extract: &Extract,
    error: Option<String>,
) {
    stated.append([
        Some(detected.charset.name()),
        Some(detected.source.name()),
        meta.title.as_deref(),
        meta.language.as_deref(),
        meta.description.as_deref(),
        meta.canonical.as_deref(),
        meta.published.as_deref(),
        Some(&extract.document),
        error.as_deref(),
    ]);
}

/// What of the page no character of its charset is.
fn unreadable(text: &str, detected: &Detected) -> Option<String> {
    let count = memmem::find_iter(text.as_bytes(), "\u{fffd}").count();
    (count > 0).then(|| {
        let charset = detected.charset.name();
        format!("undecodable: {count} broken character(s) in {charset}")
    })
}
