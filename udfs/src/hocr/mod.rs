//! SQL functions of pages that OCR programs have written.

pub mod structure;
pub mod summary;

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;

use crate::containers;
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::{CorpusSettings, DividedWords};
use crate::text_or_bytes::{TextOrBytes, texts_or_bytes};
use corpus_charset::Charset;
use corpus_columns::{Cell, ColumnBuilder, ListOf, Texts, TextsColumn, row};
use corpus_ocr::{
    BBox, Element, Level, ReadOptions, Row, Unreadable, prop, read, read_joined, svg, truncation,
};

const SECTION: &str = "OCR Functions";

const DATA: Parameter = Parameter::text_or_bytes("data", "The document: hOCR, ALTO or PAGE XML.");
const CHARSET: Parameter = Parameter::text(
    "charset",
    "The charset that an HTTP header declares, or NULL.",
)
.optional()
.checked(Charset::check_declared);

row! {
    /// An element of a page: a page, block, line or word.
    #[derive(Default)]
    struct ElementRow<'a> {
        /// The number among elements of its kind, from 1
        position: Option<usize>,
        /// The number of elements of its kind around it
        depth: Option<usize>,
        /// The `position` of its block
        block: Option<usize>,
        /// The `position` of its line
        line: Option<usize>,
        /// The `position` of its page
        page: Option<usize>,
        /// The page number that the document declares
        page_number: Option<i64>,
        /// The left edge of its box
        x1: Option<f64>,
        /// The top edge
        y1: Option<f64>,
        /// The right edge
        x2: Option<f64>,
        /// The bottom edge
        y2: Option<f64>,
        /// The width of its box
        width: Option<f64>,
        /// The height of its box
        height: Option<f64>,
        /// The confidence of the program, on its own scale
        confidence: Option<f64>,
        /// The slope of the baseline
        baseline_slope: Option<f64>,
        /// The distance of its start below the lower left corner of the box
        baseline_offset: Option<f64>,
        /// In degrees, counter-clockwise
        angle: Option<f64>,
        /// The left edge of the page
        page_x1: Option<f64>,
        /// The top edge of the page
        page_y1: Option<f64>,
        /// The right edge of the page
        page_x2: Option<f64>,
        /// The bottom edge of the page
        page_y2: Option<f64>,
        /// The name of the element
        #[short]
        tag: Option<&'a str>,
        /// The attribute `class` of hOCR, the type in XML
        #[short]
        class: Option<&'a str>,
        /// The attribute `id`
        #[short]
        id: Option<&'a str>,
        /// The unit of the edges: 'pixel', or what ALTO declares
        unit: Option<&'a str>,
        /// The property that gave the confidence
        confidence_kind: Option<&'a str>,
        /// The language
        #[short]
        lang: Option<&'a str>,
        /// The `id` of the page
        page_id: Option<&'a str>,
        /// The image of the page
        image: Option<&'a str>,
        /// The attribute `title` of hOCR
        title: Option<&'a str>,
        /// Without nested elements of its kind
        text: Option<&'a str>,
        /// The whole word of a part of a divided word
        whole: Option<&'a str>,
        /// 1 or 2, for parts of a divided word
        part: Option<usize>,
        /// The values that could not be read, which are NULL
        #[short]
        error: Option<&'a str>,
        /// The words in `class`
        classes: Option<Classes<'a>>,
    }
}

/// The classes of an element, one by one.
struct Classes<'a>(&'a Element<'a>);

impl Cell for Classes<'_> {
    type Column = TextsColumn;

    fn append_to(self, column: &mut TextsColumn) {
        Texts(self.0.classes()).append_to(column);
    }
}

impl<'a> From<Row<'a, '_>> for ElementRow<'a> {
    fn from(row: Row<'a, '_>) -> Self {
        let (element, page) = (row.element, row.page);
        let [x1, y1, x2, y2] = corners(element.bbox);
        let [page_x1, page_y1, page_x2, page_y2] = corners(page.and_then(|page| page.bbox));
        Self {
            position: Some(element.position),
            depth: Some(element.depth),
            block: element.block,
            line: element.line,
            page: page.map(|page| page.position),
            page_number: page.and_then(|page| page.number),
            x1,
            y1,
            x2,
            y2,
            width: element.bbox.map(|bbox| bbox.width()),
            height: element.bbox.map(|bbox| bbox.height()),
            confidence: element.confidence.map(|confidence| confidence.value),
            baseline_slope: element.baseline.and_then(|baseline| baseline.slope),
            baseline_offset: element.baseline.and_then(|baseline| baseline.offset),
            angle: element.angle,
            page_x1,
            page_y1,
            page_x2,
            page_y2,
            tag: Some(&element.tag),
            class: element.class.as_deref(),
            id: element.id.as_deref(),
            unit: Some(element.unit),
            confidence_kind: element.confidence.map(|confidence| confidence.kind),
            lang: element.language,
            page_id: page.and_then(|page| page.id.as_deref()),
            image: page.and_then(|page| page.image.as_deref()),
            title: element.title.as_deref(),
            text: row.text,
            whole: row.whole(),
            part: row.part().map(|part| part as usize),
            error: element.error.as_deref(),
            classes: element.class.is_some().then_some(Classes(element)),
        }
    }
}

fn corners(bbox: Option<BBox>) -> [Option<f64>; 4] {
    match bbox {
        Some(bbox) => [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(Some),
        None => [None; 4],
    }
}

const MODE: Parameter = Parameter::text(
    "mode",
    "'text' (default), or 'boxes', which is faster and leaves `text` NULL.",
)
.optional()
.constant(|mode| wants_text(Some(mode)).map(|_| ()));

const TITLE: Parameter = Parameter::text("title", "Such as `title` of hocr_words.");

const NAME: Parameter = Parameter::text(
    "name",
    "Such as 'x_size', 'cuts', 'scan_res'. Case matters.",
);

const PAGE_ARGUMENT: Parameter = Parameter::integer(
    "page",
    "The number of the page, as in hocr_pages; by default the first.",
)
.optional();

functions! {
    SECTION;

    /// The blocks of hOCR, ALTO or PAGE XML (`ocr_carea`, `ocrx_block`, floats, and `ocr_par`
    /// outside of blocks; in XML text blocks, illustrations and regions).
    ///
    #[doc = " > SELECT hocr_blocks('<div class=\"ocrx_block\" title=\"bbox 10 20 90 40\">A block</div>')[1]['x2'];"]
    /// 90.0
    hocr_blocks(DATA, CHARSET, MODE) -> Returns::of::<ListOf<ElementRow>>(), costly;

    /// The lines of hOCR, ALTO or PAGE XML (`ocr_line`, `ocrx_line`, headers and captions in spans;
    /// in XML `TextLine`).
    ///
    #[doc = " > SELECT hocr_lines('<span class=\"ocr_line\" title=\"baseline 0.01 -3\">A line</span>')[1]['text'];"]
    /// A line
    hocr_lines(DATA, CHARSET, MODE) -> Returns::of::<ListOf<ElementRow>>(), costly;

    /// The pages of hOCR, ALTO or PAGE XML (`ocr_page`; in XML `Page`).
    ///
    /// > SELECT hocr_pages('<div class="ocr_page" title="image a.tif">One page</div>')[1]['image'];
    /// a.tif
    hocr_pages(DATA, CHARSET, MODE) -> Returns::of::<ListOf<ElementRow>>(), costly;

    /// The first property of a name in a `title` of hOCR, without its quotes, or NULL.
    ///
    #[doc = " > SELECT hocr_prop('bbox 1 2 3 4; x_source 1628591-74', 'x_source'), hocr_prop('image \"a;b.tif\"', 'image');"]
    /// 1628591-74, a;b.tif
    hocr_prop(TITLE, NAME) -> DataType::LargeUtf8;

    /// Draws a page as SVG, for review: its lines, its blocks (or lines, or words) coloured by
    /// confidence, and margins of less than a hundredth of the page, where text may be cut off.
    /// NULL if there is no such page.
    ///
    #[doc = " > SELECT hocr_svg('<div class=\"ocr_page\" title=\"bbox 0 0 140 200\"></div>') LIKE '<svg %', hocr_svg('<p>No scan');"]
    /// true, NULL
    hocr_svg(DATA, PAGE_ARGUMENT, CHARSET) -> DataType::LargeUtf8, costly;

    /// The words of hOCR, ALTO or PAGE XML (`ocrx_word`; in XML `String` and `Word`). One row, with
    /// both titles, for a word in two elements such as `ocr_word` and `xocr_word` of Tesseract
    /// 3.00; two for a divided word.
    ///
    #[doc = " > SELECT hocr_words('<span class=\"ocrx_word\" title=\"x_wconf 96\">word</span>')[1]['confidence'];"]
    /// 96.0
    hocr_words(DATA, CHARSET, MODE) -> Returns::of::<ListOf<ElementRow>>(), costly;
}

fn hocr_pages(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    elements(args, settings, Level::Page)
}

fn hocr_blocks(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    elements(args, settings, Level::Block)
}

fn hocr_lines(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    elements(args, settings, Level::Line)
}

fn hocr_words(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    elements(args, settings, Level::Word)
}

fn wants_text(mode: Option<&str>) -> Result<bool, String> {
    match mode {
        None | Some("text") => Ok(true),
        Some("boxes") => Ok(false),
        Some(other) => Err(format!(
            "unknown mode '{other}': expected 'text' or 'boxes'"
        )),
    }
}

fn elements(args: &[ArrayRef], settings: &CorpusSettings, level: Level) -> Result<ArrayRef> {
    let options = ReadOptions {
        level,
        text: wants_text(constant(&args[2])).unwrap_or(true),
    };
    let mut rows = ListOf::<ElementRow>::default();
    let charsets = args[1].as_string::<i64>().iter();
    for (data, charset) in texts_or_bytes(&args[0]).zip(charsets) {
        let Some(data) = data else {
            rows.append_null();
            continue;
        };
        let result = with_document(data, charset, |document| {
            let mut is_empty = true;
            let add = |row: Row<'_, '_>| {
                is_empty = false;
                rows.push(ElementRow::from(row));
            };
            let read = match settings.ocr_divided_words {
                DividedWords::Join => read_joined(document, options, add),
                DividedWords::Keep => read(document, options, add),
            };
            if is_empty && read.is_ok() {
                push_cut(document, &mut rows);
            }
            read
        });
        if let Err(problem) = result {
            // A document that cannot be read has one element, with the error.
            rows.push(ElementRow {
                error: Some(&problem.to_string()),
                ..ElementRow::default()
            });
        }
        rows.end_list();
    }
    Ok(rows.finish()?)
}

/// A document that is cut before its first element has one with the error.
fn push_cut(document: &str, rows: &mut ListOf<ElementRow>) {
    if let Some(problem) = truncation(document) {
        rows.push(ElementRow {
            error: Some(&problem),
            ..ElementRow::default()
        });
    }
}

/// Passes the decoded document to `read`. A container of documents is an error.
fn with_document<T>(
    data: TextOrBytes<'_>,
    charset: Option<&str>,
    read: impl FnOnce(&str) -> Result<T, Unreadable>,
) -> Result<T, Unreadable> {
    if let TextOrBytes::Bytes(bytes) = data
        && let Some(advice) = containers::advice(bytes)
    {
        return Err(Unreadable::new(advice));
    }
    let document = data.decode_text(charset);
    read(&document)
}

fn hocr_prop(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let names = args[1].as_string::<i64>().iter();
    let mut values = LargeStringBuilder::new();
    for (title, name) in args[0].as_string::<i64>().iter().zip(names) {
        values.append_option(title.zip(name).and_then(|(title, name)| prop(title, name)));
    }
    Ok(Arc::new(values.finish()))
}

fn hocr_svg(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let pages = args[1].as_primitive::<Int64Type>().iter();
    let charsets = args[2].as_string::<i64>().iter();
    let mut pictures = LargeStringBuilder::new();
    for ((data, page), charset) in texts_or_bytes(&args[0]).zip(pages).zip(charsets) {
        pictures.append_option(data.and_then(|data| picture(data, page, charset)));
    }
    Ok(Arc::new(pictures.finish()))
}

/// A document that cannot be read has no pages; hocr_pages reports the error.
fn picture(data: TextOrBytes<'_>, page: Option<i64>, charset: Option<&str>) -> Option<String> {
    let page = usize::try_from(page.unwrap_or(1)).ok()?;
    let document = data.decode_text(charset);
    svg(&document, page).ok().flatten()
}
