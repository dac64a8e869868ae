//! The Markdown of pages for `pdf_document_pages`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, StringViewBuilder};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;

use super::structure::{packed_pages, unpack};
use super::{DATA, OPTIONS, PASSWORDS};
use crate::function::{INTERNAL, Parameter, functions};
use crate::settings::CorpusSettings;

const PACKED: Parameter = Parameter::new("pages", || DataType::BinaryView, "Packed pages.");
const PAGE: Parameter = Parameter::integer("page", "The page, from 1.");

functions! {
    INTERNAL;

    /// The Markdown of the pages of a PDF, packed.
    ///
    /// > SELECT pdf_packed_markdown(content) IS NULL FROM read_pdf('data-samples/pdf/article.pdf');
    /// false
    pdf_packed_markdown(DATA, OPTIONS, PASSWORDS) -> DataType::BinaryView, costly;

    /// The Markdown of a page.
    ///
    /// > SELECT split_part(pdf_packed_page(pdf_packed_markdown(content), 1), chr(10), 1)
    ///   FROM read_pdf('data-samples/pdf/article.pdf');
    /// # Floods of a Small River
    pdf_packed_page(PACKED, PAGE) -> DataType::Utf8View;

    /// Why the Markdown of a page lacks parts, or NULL.
    ///
    /// > SELECT pdf_packed_page_error(pdf_packed_markdown(content), 1)
    ///   FROM read_pdf('data-samples/pdf/article.pdf');
    /// NULL
    pdf_packed_page_error(PACKED, PAGE) -> DataType::Utf8View;
}

fn pdf_packed_markdown(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    packed_pages(args, settings)
}

fn pdf_packed_page(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    Ok(texts(args, false))
}

fn pdf_packed_page_error(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    Ok(texts(args, true))
}

fn texts(args: &[ArrayRef], is_error: bool) -> ArrayRef {
    let pages = args[1].as_primitive::<Int64Type>();
    let mut texts = StringViewBuilder::new();
    for (packed, page) in args[0].as_binary_view().iter().zip(pages) {
        let text = packed.zip(page).and_then(|(packed, page)| {
            let place = usize::try_from(page.checked_sub(1)?).ok()?;
            unpack(packed, place, is_error)
        });
        texts.append_option(text.filter(|text| !is_error || !text.is_empty()));
    }
    Arc::new(texts.finish())
}
