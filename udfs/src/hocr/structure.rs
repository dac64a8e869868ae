//! The blocks of pages that OCR programs have written, and these pages as Markdown.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::{CHARSET, DATA, SECTION, with_document};
use crate::blocks::PageBlockRow;
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use crate::text_or_bytes::texts_or_bytes;
use corpus_columns::{ColumnBuilder, ListOf};
use corpus_html::corpus_blocks::Block;
use corpus_html::corpus_blocks::markdown::{self, markdown};
use corpus_ocr::{Unreadable, blocks, truncation};

functions! {
    SECTION;

    /// hOCR, ALTO or PAGE XML as Markdown, without running heads and page numbers. Divided words
    /// are joined. NULL if it cannot be read; hocr_pages has the error.
    ///
    /// > SELECT hocr_markdown('<div class="ocr_page" title="bbox 0 0 600 800">
    ///     <span class="ocr_line" title="bbox 50 100 500 120">A *paragraph*.</span></div>');
    /// A \*paragraph\*.
    hocr_markdown(DATA, CHARSET) -> DataType::LargeUtf8, costly;

    /// The headings, paragraphs, list items and other blocks of hOCR, ALTO or PAGE XML in reading
    /// order, found over all pages. hocr_blocks has its own elements.
    ///
    /// > SELECT hocr_structure('<div class="ocr_page" title="bbox 0 0 600 800">
    #[doc = "     <span class=\"ocr_line\" title=\"bbox 50 100 500 120\">A paragraph.</span></div>')[1]['kind'];"]
    /// paragraph
    hocr_structure(DATA, CHARSET) -> Returns::of::<ListOf<PageBlockRow>>(), costly;
}

/// The blocks of a document, and the error if it is cut.
type BlocksAndError = (Vec<Block>, Option<String>);

/// Passes the blocks of each document on; `None` for NULL.
fn each(args: &[ArrayRef], mut add: impl FnMut(Option<Result<BlocksAndError, Unreadable>>)) {
    let charsets = args[1].as_string::<i64>().iter();
    let read = |document: &str| Ok((blocks(document)?, truncation(document)));
    for (data, charset) in texts_or_bytes(&args[0]).zip(charsets) {
        add(data.map(|data| with_document(data, charset, read)));
    }
}

fn hocr_markdown(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut written = LargeStringBuilder::new();
    each(args, |found| {
        let blocks = found.and_then(Result::ok).map(|(blocks, _)| blocks);
        let options = markdown::Options::default();
        written.append_option(blocks.map(|blocks| markdown(&blocks, &options)));
    });
    Ok(Arc::new(written.finish()))
}

fn hocr_structure(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<PageBlockRow>::default();
    each(args, |found| {
        match found {
            None => return rows.append_null(),
            Some(Ok((blocks, problem))) => {
                for (position, block) in (1..).zip(&blocks) {
                    rows.push(PageBlockRow::new(position, block));
                }
                if let Some(problem) = problem {
                    rows.push(PageBlockRow::failed(None, &problem));
                }
            }
            Some(Err(problem)) => {
                rows.push(PageBlockRow::failed(None, &problem.to_string()));
            }
        }
        rows.end_list();
    });
    Ok(rows.finish()?)
}
