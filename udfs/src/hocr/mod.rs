//! SQL functions of pages that OCR programs describe.

mod summary;

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    ArrayRef, AsArray, Float64Builder, Int32Builder, Int64Builder, LargeStringBuilder, ListBuilder,
    StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Int64Type};
use datafusion::common::Result;

use crate::arguments::DOCUMENT;
use crate::containers;
use crate::documents::{Document, documents};
use crate::function::{Function, constant, document};
use crate::lists::{ListLengths, TextColumns, list_of};
use corpus_charset::Charset;
use corpus_ocr::{BBox, Level, Row, Unreadable, Wanted, prop, read, svg};
pub use summary::hocr_summary;

const SECTION: &str = "OCR Functions";

const DATA: (&str, &str) = ("data", "The document: hOCR, ALTO or PAGE XML.");
const CHARSET: (&str, &str) = (
    "charset",
    "What an HTTP header says, or NULL. It is believed as charset_detect does, and ignored where \
     `data` is text.",
);

const ARGUMENTS: [(&str, &str); 3] = [
    DATA,
    CHARSET,
    (
        "mode",
        "'boxes' leaves `text` NULL, which takes half of the time.",
    ),
];

/// What all elements have, in the order of the columns.
const COLUMNS: &str = "position, tag, class and classes, id, x1, y1, x2, y2, width, height, unit \
     ('pixel', or what ALTO says), confidence and confidence_kind (programs have scales of their \
     own), baseline_slope and baseline_offset, angle, lang, depth (elements of the same kind \
     around it), block and line (positions of those it is in), page, page_number (as stated), \
     page_id, page_x1, page_y1, page_x2, page_y2, image (it and page_id are cut at 1000 bytes, \
     lang at 100), title (of hOCR, as it is), text, and \
     error (what could not be read; the value is NULL then). The text in elements of the same \
     kind within it is theirs alone.";

const INTEGERS: [&str; 5] = ["position", "depth", "block", "line", "page"];
const FLOATS: [&str; 14] = [
    "x1",
    "y1",
    "x2",
    "y2",
    "width",
    "height",
    "confidence",
    "baseline_slope",
    "baseline_offset",
    "angle",
    "page_x1",
    "page_y1",
    "page_x2",
    "page_y2",
];
const TEXTS: [&str; 11] = [
    "tag",
    "class",
    "id",
    "unit",
    "confidence_kind",
    "lang",
    "page_id",
    "image",
    "title",
    "text",
    "error",
];

static ELEMENT: LazyLock<Fields> = LazyLock::new(|| {
    let all = |names: &[&str], kind: DataType| -> Vec<Field> {
        let field = |name: &&str| Field::new(*name, kind.clone(), true);
        names.iter().map(field).collect()
    };
    let mut fields = all(&INTEGERS, DataType::Int32);
    fields.extend(all(&["page_number"], DataType::Int64));
    fields.extend(all(&FLOATS, DataType::Float64));
    fields.extend(all(&TEXTS, DataType::LargeUtf8));
    fields.push(Field::new_list(
        "classes",
        Field::new_list_field(DataType::Utf8, true),
        true,
    ));
    Fields::from(fields)
});

pub fn hocr_pages() -> Function {
    let example = "> SELECT p['page'], p['image'], p['width'], p['text'] FROM (
    SELECT unnest(hocr_pages('<div class=\"ocr_page\" title=\"image a.tif; bbox 0 0 1400 2000\">One page</div>')) AS p);
1, a.tif, 1400.0, One page";
    function(
        "hocr_pages",
        "pages",
        "`ocr_page`, and `Page` in XML",
        example,
        |args, _| elements(args, Level::Page),
    )
}

pub fn hocr_blocks() -> Function {
    let example = "> SELECT b['class'], b['x2'] - b['x1'], b['text'] FROM (
    SELECT unnest(hocr_blocks('<div class=\"ocrx_block\" title=\"bbox 10 20 90 40\">A block</div>')) AS b);
ocrx_block, 80.0, A block";
    function(
        "hocr_blocks",
        "blocks",
        "`ocr_carea`, `ocrx_block`, floats, and `ocr_par` where no block is around it; in XML \
         text blocks, illustrations and regions",
        example,
        |args, _| elements(args, Level::Block),
    )
}

pub fn hocr_lines() -> Function {
    let example = "> SELECT l['baseline_slope'], l['text'] FROM (
    SELECT unnest(hocr_lines('<span class=\"ocr_line\" title=\"bbox 10 20 90 40; baseline 0.01 -3\">A line</span>')) AS l);
0.01, A line";
    function(
        "hocr_lines",
        "lines",
        "`ocr_line`, `ocrx_line`, and headers and captions in spans; in XML `TextLine`",
        example,
        |args, _| elements(args, Level::Line),
    )
}

pub fn hocr_words() -> Function {
    let example = "> SELECT w['confidence'], w['confidence_kind'], w['text'] FROM (
    SELECT unnest(hocr_words('<span class=\"ocrx_word\" title=\"bbox 10 20 90 40; x_wconf 96\">word</span>')) AS w);
96.0, x_wconf, word";
    function(
        "hocr_words",
        "words",
        "`ocrx_word`; in XML `String` and `Word`; one row, with both titles, for a word in two \
         elements such as `ocr_word` and `xocr_word` of Tesseract 3.00",
        example,
        |args, _| elements(args, Level::Word),
    )
}

type Invoke = fn(&[ArrayRef], &crate::settings::CorpusSettings) -> Result<ArrayRef>;

fn function(
    name: &'static str,
    what: &str,
    which: &str,
    example: &str,
    invoke: Invoke,
) -> Function {
    let documentation = document(
        SECTION,
        &format!("{name}(data [, charset [, mode]])"),
        &format!("The {what} of hOCR, ALTO or PAGE XML ({which}): a list of structs of {COLUMNS}"),
        example,
        &ARGUMENTS,
    );
    let types = vec![DOCUMENT, DataType::LargeUtf8, DataType::LargeUtf8];
    Function::new(name, types, list_of(&ELEMENT), documentation, invoke)
        .optional(2)
        .checked(1, Charset::check_declared)
        .constant(2, |mode| wants_text(Some(mode)).map(|_| ()))
        .costly()
}

fn wants_text(mode: Option<&str>) -> Result<bool, String> {
    match mode {
        None | Some("text") => Ok(true),
        Some("boxes") => Ok(false),
        Some(other) => Err(format!("the mode is 'text' or 'boxes', not '{other}'")),
    }
}

fn elements(args: &[ArrayRef], level: Level) -> Result<ArrayRef> {
    let wanted = Wanted {
        level,
        text: wants_text(constant(&args[2])).unwrap_or(true),
    };
    let mut columns = Columns::default();
    let charsets = args[1].as_string::<i64>().iter();
    for (data, charset) in documents(&args[0]).zip(charsets) {
        let Some(data) = data else {
            columns.lengths.append(None);
            continue;
        };
        let mut count = 0;
        let result = with_document(data, charset, |document| {
            read(document, wanted, |row| {
                columns.append(row);
                count += 1;
            })
        });
        if let Err(problem) = result {
            columns.append_error(&problem);
            count += 1;
        }
        columns.lengths.append(Some(count));
    }
    columns.finish()
}

/// Passes the decoded document on, unless the data is a container of documents.
fn with_document<T>(
    data: Document<'_>,
    charset: Option<&str>,
    read: impl FnOnce(&str) -> Result<T, Unreadable>,
) -> Result<T, Unreadable> {
    if let Document::Bytes(bytes) = data
        && let Some(advice) = containers::advice(bytes)
    {
        return Err(Unreadable::new(advice));
    }
    let (document, _) = data.decode_page(charset);
    read(&document)
}

/// Builds a column of lists of elements.
#[derive(Default)]
struct Columns {
    lengths: ListLengths,
    integers: [Int32Builder; INTEGERS.len()],
    page_number: Int64Builder,
    floats: [Float64Builder; FLOATS.len()],
    texts: TextColumns<{ TEXTS.len() }>,
    classes: ListBuilder<StringBuilder>,
}

impl Columns {
    fn append(&mut self, row: Row<'_, '_>) {
        let (element, page) = (row.element, row.page);
        self.append_integers([
            Some(element.position),
            Some(element.depth),
            element.block,
            element.line,
            page.map(|page| page.position),
        ]);
        self.page_number
            .append_option(page.and_then(|page| page.number));
        let [x1, y1, x2, y2] = corners(element.bbox);
        let [page_x1, page_y1, page_x2, page_y2] = corners(page.and_then(|page| page.bbox));
        self.append_floats([
            x1,
            y1,
            x2,
            y2,
            element.bbox.map(|bbox| bbox.width()),
            element.bbox.map(|bbox| bbox.height()),
            element.confidence.map(|confidence| confidence.value),
            element.baseline.and_then(|baseline| baseline.slope),
            element.baseline.and_then(|baseline| baseline.offset),
            element.angle,
            page_x1,
            page_y1,
            page_x2,
            page_y2,
        ]);
        self.texts.append([
            Some(&element.tag),
            element.class.as_deref(),
            element.id.as_deref(),
            Some(element.unit),
            element.confidence.map(|confidence| confidence.kind),
            element.language,
            page.and_then(|page| page.id.as_deref()),
            page.and_then(|page| page.image.as_deref()),
            element.title.as_deref(),
            row.text,
            element.error.as_deref(),
        ]);
        element
            .classes()
            .for_each(|class| self.classes.values().append_value(class));
        self.classes.append(element.class.is_some());
    }

    /// A document that is not read has one element, which says so.
    fn append_error(&mut self, problem: &Unreadable) {
        self.append_integers([None; INTEGERS.len()]);
        self.page_number.append_null();
        self.append_floats([None; FLOATS.len()]);
        let mut texts = [None; TEXTS.len()];
        let problem = problem.to_string();
        if let Some(error) = texts.last_mut() {
            *error = Some(problem.as_str());
        }
        self.texts.append(texts);
        self.classes.append_null();
    }

    fn append_integers(&mut self, values: [Option<usize>; INTEGERS.len()]) {
        for (column, value) in self.integers.iter_mut().zip(values) {
            column.append_option(value.map(|value| i32::try_from(value).unwrap_or(i32::MAX)));
        }
    }

    fn append_floats(&mut self, values: [Option<f64>; FLOATS.len()]) {
        for (column, value) in self.floats.iter_mut().zip(values) {
            column.append_option(value);
        }
    }

    fn finish(mut self) -> Result<ArrayRef> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(ELEMENT.len());
        for column in &mut self.integers {
            columns.push(Arc::new(column.finish()));
        }
        columns.push(Arc::new(self.page_number.finish()));
        for column in &mut self.floats {
            columns.push(Arc::new(column.finish()));
        }
        columns.extend(self.texts.finish());
        columns.push(Arc::new(self.classes.finish()));
        Ok(Arc::new(self.lengths.finish(&ELEMENT, columns)?))
    }
}

fn corners(bbox: Option<BBox>) -> [Option<f64>; 4] {
    match bbox {
        Some(bbox) => [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(Some),
        None => [None; 4],
    }
}

pub fn hocr_prop() -> Function {
    let documentation = document(
        SECTION,
        "hocr_prop(title, name)",
        "A property from a `title` of hOCR, without quotes around it: of several of one name the \
         first; NULL if there is none.",
        "> SELECT hocr_prop('bbox 1 2 3 4; x_source 1628591-74', 'x_source'), hocr_prop('image \"a;b.tif\"', 'image');
1628591-74, a;b.tif",
        &[
            ("title", "Such as `title` of hocr_words."),
            ("name", "Such as 'x_size', 'cuts', 'scan_res'. Case matters."),
        ],
    );
    let types = vec![DataType::LargeUtf8, DataType::LargeUtf8];
    Function::new(
        "hocr_prop",
        types,
        DataType::LargeUtf8,
        documentation,
        |args, _| {
            let names = args[1].as_string::<i64>().iter();
            let mut values = LargeStringBuilder::new();
            for (title, name) in args[0].as_string::<i64>().iter().zip(names) {
                values.append_option(title.zip(name).and_then(|(title, name)| prop(title, name)));
            }
            Ok(Arc::new(values.finish()))
        },
    )
}

pub fn hocr_svg() -> Function {
    let documentation = document(
        SECTION,
        "hocr_svg(data [, page [, charset]])",
        "A picture of a page of hOCR, ALTO or PAGE XML for a person to look at, as SVG: its blocks \
         (where there are none its lines or words) coloured by their confidence or the mean of \
         that of their words, its lines, and the margins around all blocks; a margin of less than \
         a hundredth of the page, as of text that was cut off, is marked. NULL if there is no \
         such page.",
        "> SELECT hocr_svg('<div class=\"ocr_page\" title=\"bbox 0 0 140 200\"></div>') LIKE '<svg %', hocr_svg('<p>No scan');
true, NULL",
        &[
            DATA,
            (
                "page",
                "Which page, from 1, as `page` of hocr_pages counts. NULL or none: the first.",
            ),
            CHARSET,
        ],
    );
    let types = vec![DOCUMENT, DataType::Int64, DataType::LargeUtf8];
    Function::new(
        "hocr_svg",
        types,
        DataType::LargeUtf8,
        documentation,
        |args, _| {
            let pages = args[1].as_primitive::<Int64Type>().iter();
            let charsets = args[2].as_string::<i64>().iter();
            let mut pictures = LargeStringBuilder::new();
            for ((data, page), charset) in documents(&args[0]).zip(pages).zip(charsets) {
                pictures.append_option(data.and_then(|data| picture(data, page, charset)));
            }
            Ok(Arc::new(pictures.finish()))
        },
    )
    .optional(2)
    .checked(2, Charset::check_declared)
    .costly()
}

/// A document that is not read has no pages; hocr_pages says why.
fn picture(data: Document<'_>, page: Option<i64>, charset: Option<&str>) -> Option<String> {
    let page = usize::try_from(page.unwrap_or(1)).ok()?;
    let (document, _) = data.decode_page(charset);
    svg(&document, page).ok().flatten()
}
