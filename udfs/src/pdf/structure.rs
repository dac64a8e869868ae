//! The blocks of PDFs, and PDFs as Markdown.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryViewBuilder, LargeStringBuilder, ListBuilder, StringViewBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;

use super::{DATA, OPTIONS, PASSWORDS, SECTION, read_all};
use crate::blocks::{PageBlockRow, check_output, output_of};
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, ListOf};
use corpus_html::corpus_blocks::markdown::{self, markdown};
use corpus_pdf::model::Page;
use corpus_pdf::{Outcome, Request, blocks};

const OUTPUT: Parameter = Parameter::text(
    "mode",
    "A constant: 'text', or 'links' to write links with their addresses.",
)
.optional()
.constant(check_output);

functions! {
    SECTION;

    /// A PDF as Markdown, without running heads and page numbers. Formulas in fonts for formulas
    /// are in TeX. NULL if it cannot be read; pdf_parse has the error.
    ///
    #[doc = " > SELECT split_part(pdf_markdown(content), chr(10), 1) FROM read_pdf('data-samples/pdf/article.pdf');"]
    /// # Floods of a Small River
    pdf_markdown(DATA, OPTIONS, PASSWORDS, OUTPUT) -> DataType::LargeUtf8, costly;

    /// The pages of a PDF as Markdown, as by pdf_markdown. A block over two pages is in the text of
    /// the first.
    ///
    #[doc = " > SELECT split_part(pdf_page_markdown(content)[1], chr(10), 1) FROM read_pdf('data-samples/pdf-parts/survey.pdf');"]
    /// # A survey of two gauges
    pdf_page_markdown(DATA, OPTIONS, PASSWORDS, OUTPUT) -> texts(), costly;

    /// The headings, paragraphs, list items, tables and other blocks of a PDF in reading order,
    /// found over all pages, or by its structure tree if that is good. pdf_blocks has the printed
    /// blocks of each page.
    ///
    /// > SELECT pdf_structure(content)[1]['kind'], pdf_structure(content)[1]['text']
    ///   FROM read_pdf('data-samples/pdf/article.pdf');
    /// heading, Floods of a Small River
    pdf_structure(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<PageBlockRow>>(), costly;
}

/// Texts that are cheap to repeat, since the rows of pages repeat the list of their document.
fn texts() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Utf8View, true)))
}

fn request_blocks() -> Request {
    Request {
        structure: true,
        outline: true,
        ..Request::default()
    }
}

/// The mode was checked at planning.
fn output(args: &[ArrayRef]) -> markdown::Options {
    output_of(constant(&args[3])).unwrap_or_default()
}

/// Whether nothing of a document could be read.
pub fn is_unreadable(outcome: &Outcome) -> bool {
    outcome.pages.is_empty() && outcome.failure.is_some()
}

fn pdf_markdown(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let output = output(args);
    let mut written = LargeStringBuilder::new();
    read_all(args, settings, request_blocks(), |outcome| {
        let outcome = outcome.filter(|outcome| !is_unreadable(outcome));
        written.append_option(outcome.map(|outcome| markdown(&blocks(&outcome), &output)));
    })?;
    Ok(Arc::new(written.finish()))
}

fn pdf_page_markdown(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let output = output(args);
    let mut lists = ListBuilder::new(StringViewBuilder::new());
    read_all(args, settings, request_blocks(), |outcome| {
        let Some(outcome) = outcome.filter(|outcome| !is_unreadable(outcome)) else {
            lists.append_null();
            return;
        };
        for_each_page(&outcome, &output, |_, text| {
            lists.values().append_value(text);
        });
        lists.append(true);
    })?;
    Ok(Arc::new(lists.finish()))
}

/// Calls a function with each page and its Markdown.
fn for_each_page(
    outcome: &Outcome,
    output: &markdown::Options,
    mut each: impl FnMut(&Page, String),
) {
    let blocks = blocks(outcome);
    let mut rest = blocks.as_slice();
    for page in &outcome.pages {
        // Blocks are in the order of the pages where they begin.
        let is_later = |number: Option<u32>| number.is_some_and(|number| number > page.number);
        let end = rest.iter().position(|block| is_later(block.page));
        let (own, later) = rest.split_at(end.unwrap_or(rest.len()));
        rest = later;
        each(page, markdown(own, output));
    }
}

/// The Markdown of the pages of each document, and what it lacks, as one value: rows that repeat it
/// share it, while a list would be copied for each page of a document.
pub fn packed_pages(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mut packed = BinaryViewBuilder::new();
    read_all(args, settings, request_blocks(), |outcome| {
        let outcome = outcome.filter(|outcome| !is_unreadable(outcome));
        packed.append_option(outcome.map(|outcome| {
            let mut pages = Vec::new();
            for_each_page(&outcome, &markdown::Options::default(), |page, text| {
                let failure = page.failure.as_ref();
                pages.push((text, failure.map(ToString::to_string).unwrap_or_default()));
            });
            pack(&pages)
        }));
    })?;
    Ok(Arc::new(packed.finish()))
}

/// The bytes of a number in a packed value.
const NUMBER_BYTES: usize = 8;

/// Packs pairs of texts: the offset of the end of each text, after the number of pairs, and the
/// texts.
fn pack(pairs: &[(String, String)]) -> Vec<u8> {
    let mut packed = (pairs.len() as u64).to_le_bytes().to_vec();
    let mut end = NUMBER_BYTES * (1 + 2 * pairs.len());
    let texts = || pairs.iter().flat_map(|(one, other)| [one, other]);
    for text in texts() {
        end += text.len();
        packed.extend((end as u64).to_le_bytes());
    }
    texts().for_each(|text| packed.extend(text.as_bytes()));
    packed
}

/// A text of a pair in a packed value.
pub fn unpack(packed: &[u8], pair: usize, is_second: bool) -> Option<&str> {
    let number = |place: usize| {
        let bytes = packed.get(place.checked_mul(NUMBER_BYTES)?..)?;
        usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()
    };
    let pairs = number(0)?;
    let place = 1 + 2 * pair + usize::from(is_second);
    let start = match place {
        1 => NUMBER_BYTES * (1 + 2 * pairs),
        _ => number(place - 1)?,
    };
    let text = packed.get(start..number(place)?).filter(|_| pair < pairs)?;
    str::from_utf8(text).ok()
}

fn pdf_structure(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<PageBlockRow>::default();
    read_all(args, settings, request_blocks(), |outcome| {
        let Some(outcome) = outcome else {
            rows.append_null();
            return;
        };
        for (position, block) in (1..).zip(&blocks(&outcome)) {
            rows.push(PageBlockRow::new(position, block));
        }
        let of_pages = outcome.pages.iter();
        let of_pages = of_pages.filter_map(|page| page.failure.as_ref());
        for failure in of_pages.chain(&outcome.failure) {
            rows.push(PageBlockRow::failed(failure.page, &failure.to_string()));
        }
        rows.end_list();
    })?;
    Ok(rows.finish()?)
}
