//! The SQL function of summaries of pages.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, AsArray, Float64Builder, Int32Builder, ListBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

use super::{CHARSET, DATA, SECTION, with_document};
use crate::arguments::DOCUMENT;
use crate::documents::documents;
use crate::function::{Function, document};
use crate::lists::{ListLengths, TextColumns, list_of};
use corpus_charset::Charset;
use corpus_ocr::{LevelSummary, PageSummary, Summary};

const COUNTS: [&str; 9] = [
    "page",
    "blocks",
    "lines",
    "words",
    "columns",
    "empty_boxes",
    "outside_boxes",
    "damaged_boxes",
    "errors",
];
const CONFIDENCES: [&str; 3] = ["block_confidences", "line_confidences", "word_confidences"];
const TEXTS: [&str; 4] = [
    "block_confidence_kind",
    "line_confidence_kind",
    "word_confidence_kind",
    "error",
];

static PAGE: LazyLock<Fields> = LazyLock::new(|| {
    let counts = COUNTS.map(|name| Field::new(name, DataType::Int32, true));
    let skew = Field::new("skew", DataType::Float64, true);
    let confidences = CONFIDENCES.map(|name| {
        let item = Field::new_list_field(DataType::Float64, true);
        Field::new_list(name, item, true)
    });
    let texts = TEXTS.map(|name| Field::new(name, DataType::LargeUtf8, true));
    let fields = counts.into_iter().chain([skew]).chain(confidences);
    fields.chain(texts).collect()
});

pub fn hocr_summary() -> Function {
    let documentation = document(
        SECTION,
        "hocr_summary(data [, charset])",
        "A summary of each page of hOCR, ALTO or PAGE XML, in a fraction of the time that rows for \
         all its words take: a list of structs, one for a document without pages, of page (from \
         1); blocks, lines and words (how many there are); columns (blocks side by side over most \
         of the height that has any, without narrow ones); empty_boxes (without width or height, \
         or inside out), outside_boxes (not within the page, and words as large as it) and \
         damaged_boxes (unreadable); errors (damaged boxes included); skew (the median angle of \
         baselines, in degrees); block_confidences, line_confidences and word_confidences \
         (lists, ascending); block_confidence_kind, line_confidence_kind and word_confidence_kind \
         (of several the first by name); and error (of several the first by name). For an \
         unreadable document all are NULL but errors and error.",
        "> SELECT s['page'], s['words'], s['word_confidences'] FROM (
    SELECT unnest(hocr_summary('<div class=\"ocr_page\"><span class=\"ocrx_word\" title=\"x_wconf 96\">word</span></div>')) AS s);
1, 1, [96.0]",
        &[DATA, CHARSET],
    );
    let types = vec![DOCUMENT, DataType::LargeUtf8];
    Function::new(
        "hocr_summary",
        types,
        list_of(&PAGE),
        documentation,
        |args, _| {
            let mut columns = Columns::default();
            let charsets = args[1].as_string::<i64>().iter();
            for (data, charset) in documents(&args[0]).zip(charsets) {
                let summary = data.map(|data| with_document(data, charset, Summary::of));
                match summary {
                    Some(Ok(summary)) => {
                        for (place, page) in summary.pages.iter().enumerate() {
                            columns.append(place + 1, page);
                        }
                        columns.lengths.append(Some(summary.pages.len()));
                    }
                    Some(Err(problem)) => {
                        columns.append_error(&problem.to_string());
                        columns.lengths.append(Some(1));
                    }
                    None => columns.lengths.append(None),
                }
            }
            columns.finish()
        },
    )
    .optional(1)
    .checked(1, Charset::check_declared)
    .costly()
}

/// Builds a column of lists of summaries.
#[derive(Default)]
struct Columns {
    lengths: ListLengths,
    counts: [Int32Builder; COUNTS.len()],
    skew: Float64Builder,
    confidences: [ListBuilder<Float64Builder>; CONFIDENCES.len()],
    texts: TextColumns<{ TEXTS.len() }>,
}

impl Columns {
    fn append(&mut self, position: usize, page: &PageSummary) {
        let levels = [&page.blocks, &page.lines, &page.words];
        let [blocks, lines, words] = levels.map(|level| Some(level.count));
        self.append_counts([
            Some(position),
            blocks,
            lines,
            words,
            page.columns,
            Some(page.empty_boxes),
            Some(page.outside_boxes),
            Some(page.damaged_boxes),
            Some(page.errors),
        ]);
        self.skew.append_option(page.skew);
        self.append_confidences(levels.map(Some));
        let [blocks, lines, words] = levels.map(|level| level.kind);
        self.texts
            .append([blocks, lines, words, page.error.as_deref()]);
    }

    fn append_error(&mut self, problem: &str) {
        let mut counts = [None; COUNTS.len()];
        if let Some(errors) = counts.last_mut() {
            *errors = Some(1);
        }
        self.append_counts(counts);
        self.skew.append_null();
        self.append_confidences([None; CONFIDENCES.len()]);
        self.texts.append([None, None, None, Some(problem)]);
    }

    fn append_counts(&mut self, values: [Option<usize>; COUNTS.len()]) {
        for (column, value) in self.counts.iter_mut().zip(values) {
            column.append_option(value.map(|value| i32::try_from(value).unwrap_or(i32::MAX)));
        }
    }

    /// NULL where there are no confidences.
    fn append_confidences(&mut self, levels: [Option<&LevelSummary>; CONFIDENCES.len()]) {
        for (column, level) in self.confidences.iter_mut().zip(levels) {
            let confidences = level.map_or(&[][..], |level| level.confidences.as_slice());
            column.values().append_slice(confidences);
            column.append(!confidences.is_empty());
        }
    }

    fn finish(mut self) -> Result<ArrayRef> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(PAGE.len());
        for column in &mut self.counts {
            columns.push(Arc::new(column.finish()));
        }
        columns.push(Arc::new(self.skew.finish()));
        for column in &mut self.confidences {
            columns.push(Arc::new(column.finish()));
        }
        columns.extend(self.texts.finish());
        Ok(Arc::new(self.lengths.finish(&PAGE, columns)?))
    }
}
