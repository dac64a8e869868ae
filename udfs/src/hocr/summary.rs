//! The SQL function that summarizes pages.

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::common::Result;

use super::{CHARSET, DATA, SECTION, with_document};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use crate::text_or_bytes::texts_or_bytes;
use corpus_columns::{ColumnBuilder, ListOf, Numbers, row};
use corpus_ocr::{LevelSummary, PageSummary, Summary};

row! {
    /// The summary of a page. For an unreadable document, all columns but `errors` and `error` are
    /// NULL.
    #[derive(Default)]
    struct PageRow<'a> {
        /// The page, from 1
        page: Option<usize>,
        /// The number of blocks
        blocks: Option<usize>,
        /// The number of lines
        lines: Option<usize>,
        /// The number of words
        words: Option<usize>,
        /// The number of words that are divided at the end of a line
        divided_words: Option<usize>,
        /// The number of blocks side by side, over most of the height; narrow ones do not count
        columns: Option<usize>,
        /// Inverted boxes, and those without width or height
        empty_boxes: Option<usize>,
        /// Boxes not inside the page, and words as large as the page
        outside_boxes: Option<usize>,
        /// Boxes that could not be parsed
        damaged_boxes: Option<usize>,
        /// All errors, damaged boxes included
        errors: Option<usize>,
        /// The median angle of baselines, in degrees
        skew: Option<f64>,
        /// The confidences of blocks, ascending
        block_confidences: Option<Numbers<'a>>,
        /// The confidences of lines, ascending
        line_confidences: Option<Numbers<'a>>,
        /// The confidences of words, ascending
        word_confidences: Option<Numbers<'a>>,
        /// The kind of these; of several, the first by name
        block_confidence_kind: Option<&'a str>,
        /// The kind of the lines' confidences
        line_confidence_kind: Option<&'a str>,
        /// The kind of the words' confidences
        word_confidence_kind: Option<&'a str>,
        /// The first error by name, if something could not be read
        #[short]
        error: Option<&'a str>,
    }
}

functions! {
    SECTION;

    /// A summary of each page. A document without pages has one row; of an unreadable one, only
    /// `errors` and `error` are not NULL.
    ///
    #[doc = " > SELECT hocr_summary('<div class=\"ocr_page\"><span class=\"ocrx_word\">word</span></div>')[1]['words'];"]
    /// 1
    hocr_summary(DATA, CHARSET) -> Returns::of::<ListOf<PageRow>>(), costly;
}

fn hocr_summary(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<PageRow>::default();
    let charsets = args[1].as_string::<i64>().iter();
    for (data, charset) in texts_or_bytes(&args[0]).zip(charsets) {
        let Some(data) = data else {
            rows.append_null();
            continue;
        };
        match with_document(data, charset, Summary::of) {
            Ok(summary) => rows.append((1..).zip(&summary.pages).map(PageRow::from)),
            Err(problem) => rows.append([PageRow {
                errors: Some(1),
                error: Some(&problem.to_string()),
                ..PageRow::default()
            }]),
        }
    }
    Ok(rows.finish()?)
}

impl<'a> From<(usize, &'a PageSummary)> for PageRow<'a> {
    fn from((position, page): (usize, &'a PageSummary)) -> Self {
        let (blocks, lines, words) = (&page.blocks, &page.lines, &page.words);
        Self {
            page: Some(position),
            blocks: Some(blocks.count),
            lines: Some(lines.count),
            words: Some(words.count),
            divided_words: Some(page.divided_words),
            columns: page.columns,
            empty_boxes: Some(page.empty_boxes),
            outside_boxes: Some(page.outside_boxes),
            damaged_boxes: Some(page.damaged_boxes),
            errors: Some(page.errors),
            skew: page.skew,
            block_confidences: confidences(blocks),
            line_confidences: confidences(lines),
            word_confidences: confidences(words),
            block_confidence_kind: blocks.kind,
            line_confidence_kind: lines.kind,
            word_confidence_kind: words.kind,
            error: page.error.as_deref(),
        }
    }
}

fn confidences(level: &LevelSummary) -> Option<Numbers<'_>> {
    let confidences = level.confidences.as_slice();
    (!confidences.is_empty()).then_some(Numbers(confidences))
}
