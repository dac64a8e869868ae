//! The text of a page.

use std::cell::Cell;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, LargeStringBuilder, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::{CHARSET, DATA, MODE, Mode, Reader, SECTION, texts};
use crate::function::functions;
use crate::settings::CorpusSettings;
use crate::text_or_bytes::total_bytes;
use corpus_html::extract::{Document, UzushioDocument};
use corpus_html::main_text::{main_text, main_text_and_kind};

functions! {
    SECTION;

    /// The text of a page: paragraphs with blank lines between them, without hidden text, scripts
    /// and forms.
    ///
    #[doc = " > SELECT html_document('<h1>Fruit</h1><ul><li>apples<li>pears &amp;<br>plums</ul><p hidden>x');"]
    /// Fruit
    ///
    /// apples
    /// pears &
    /// plums
    html_document(DATA, CHARSET, MODE) -> DataType::LargeUtf8, costly;

    /// The main text of a page: its article, without menus, side bars, comments and footers, or its
    /// list of products or threads. Empty only if html_document is. Pages that show hardly any text
    /// are read with their hidden elements.
    ///
    #[doc = " > SELECT html_main_text('<ul><li><a href=/>Home</a></ul><h1>Fruit</h1><p>Ripe <i>apples</i>.');"]
    /// Fruit
    ///
    /// Ripe apples.
    html_main_text(DATA, CHARSET) -> DataType::LargeUtf8, costly;

    /// The kind of a page, guessed by its structure and by what it declares: 'article',
    /// 'collection' (several products), 'documentation', 'forum', 'listing' (links), 'product' or
    /// 'service' (also a company). It takes as long as html_main_text.
    ///
    /// > SELECT html_page_kind('<meta property=og:type content=product><h1>Boots</h1><p>Warm.');
    /// product
    html_page_kind(DATA, CHARSET) -> DataType::Utf8, costly;
}

/// Returns a builder with room for the texts of most pages.
fn builder(pages: &ArrayRef) -> LargeStringBuilder {
    LargeStringBuilder::with_capacity(pages.len(), total_bytes(pages) / 4)
}

fn html_document(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mode = Mode::of_argument(&args[2]);
    let reader = Reader::new(settings, mode);
    let mut documents = builder(&args[0]);
    let memory = Cell::new(String::new());
    for page in texts(&args[0], &args[1]) {
        let document = page.map(|page| match mode {
            Mode::Default(keep) => reader
                .read_keeping(&page, keep, |flow: Document| flow.reusing(memory.take()))
                .finish(),
            Mode::Uzushio => reader.read::<UzushioDocument>(&page).finish(),
        });
        documents.append_option(document.as_deref());
        memory.set(document.unwrap_or_default());
    }
    Ok(Arc::new(documents.finish()))
}

fn html_main_text(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut documents = builder(&args[0]);
    for page in texts(&args[0], &args[1]) {
        let text = page.map(|page| main_text(reader.engine, &reader.options, &page));
        documents.append_option(text);
    }
    Ok(Arc::new(documents.finish()))
}

fn html_page_kind(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut kinds = StringBuilder::new();
    for page in texts(&args[0], &args[1]) {
        kinds.append_option(page.map(|page| {
            let (_, kind) = main_text_and_kind(reader.engine, &reader.options, &page);
            kind.name()
        }));
    }
    Ok(Arc::new(kinds.finish()))
}
