//! Pages, and what is on them: words, lines, blocks, links, form fields. Each function gives a
//! list of structs; what could not be read is an element whose `error` says why.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::rows::{Cell, Kind, Rows, fields};
use super::{function, read_all};
use crate::function::Function;
use crate::lists::{ListLengths, list_of};
use crate::settings::CorpusSettings;
use corpus_pdf::isolation::Outcome;
use corpus_pdf::model::{Block, Line, Page, Rect, Request, Style, Word};
use corpus_pdf::quality::{self, PageFacts};

const PLACE: &str = "Places are points from the top left of the page as it is shown.";
const ERROR: &str = "A page or document that could not be read is an element whose `error` says \
     why; what was read before it stays.";

/// A function that lists elements.
fn listing<const N: usize>(
    args: &[ArrayRef],
    settings: &CorpusSettings,
    columns: &[(&str, Kind); N],
    wanted: Request,
    append: impl Fn(&Outcome, &mut List<N>),
) -> Result<ArrayRef> {
    let mut lengths = ListLengths::default();
    let mut list = List {
        rows: Rows::new(columns),
        count: 0,
    };
    read_all(args, settings, wanted, |outcome| {
        list.count = 0;
        if let Some(outcome) = &outcome {
            append(outcome, &mut list);
            list.append_errors(outcome);
        }
        lengths.append(outcome.map(|_| list.count));
    })?;
    Ok(Arc::new(
        lengths.finish(&fields(columns), list.rows.finish())?,
    ))
}

/// Elements of all documents, and how many of them are this one's. The first column is the
/// page's number, the last one `error`.
struct List<const N: usize> {
    rows: Rows,
    count: usize,
}

impl<const N: usize> List<N> {
    fn append(&mut self, cells: [Cell<'_>; N]) {
        self.rows.append(cells);
        self.count += 1;
    }

    /// An element for each page that has an error, and for the document.
    fn append_errors(&mut self, outcome: &Outcome) {
        let pages = outcome.pages.iter();
        let of_pages = pages.filter_map(|page| page.failure.as_ref());
        for failure in of_pages.chain(&outcome.failure) {
            let message = failure.to_string();
            let mut cells = [Cell::Null; N];
            if let Some(error) = cells.last_mut() {
                *error = Cell::Text(&message);
            }
            if let Some(page) = cells.first_mut() {
                *page = Cell::integer(failure.page);
            }
            self.append(cells);
        }
    }
}

/// Columns that are followed by those of a place and by `error`.
const fn with_place<const TOLD: usize, const ALL: usize>(
    told: [(&'static str, Kind); TOLD],
) -> [(&'static str, Kind); ALL] {
    const PLACE: [&str; 4] = ["x1", "y1", "x2", "y2"];
    let mut columns = [("error", Kind::Text); ALL];
    let mut at = 0;
    while at < TOLD + PLACE.len() {
        columns[at] = if at < TOLD {
            told[at]
        } else {
            (PLACE[at - TOLD], Kind::Place)
        };
        at += 1;
    }
    columns
}

/// The cells of an element in such columns, which has no error.
fn at_place<'a, const TOLD: usize, const ALL: usize>(
    told: [Cell<'a>; TOLD],
    bbox: Option<Rect>,
) -> [Cell<'a>; ALL] {
    let mut cells = [Cell::Null; ALL];
    let known = told.into_iter().chain(bbox.into_iter().flat_map(corners));
    for (cell, known) in cells.iter_mut().zip(known) {
        *cell = known;
    }
    cells
}

fn corners<'a>(bbox: Rect) -> [Cell<'a>; 4] {
    [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(Cell::Place)
}

const PAGE: [(&str, Kind); 13] = [
    ("page", Kind::Integer),
    ("width", Kind::Place),
    ("height", Kind::Place),
    ("rotation", Kind::Integer),
    ("text", Kind::Text),
    ("characters", Kind::Integer),
    ("unmapped", Kind::Integer),
    ("inferred", Kind::Integer),
    ("image_cover", Kind::Place),
    ("has_text", Kind::Boolean),
    ("garbled", Kind::Number),
    ("needs_ocr", Kind::Boolean),
    ("error", Kind::Text),
];

pub fn pdf_pages() -> Function {
    let description = format!(
        "The pages of a PDF: a list of structs of page (from 1), width and height in points, \
         rotation, text in reading order, characters (drawn), unmapped (those of unknown meaning, \
         mostly U+FFFD in the text), inferred (those whose meaning the file does not declare: taken \
         from tables of the embedded font that serve other purposes, or from a usual order of glyphs \
         that makes readable text), image_cover (share of the page), has_text, garbled (0 to 1: how \
         little the text looks like one), needs_ocr, error. {ERROR}"
    );
    function(
        "pdf_pages",
        list_of(&fields(&PAGE)),
        &description,
        "> SELECT p['page'], p['width'], p['text'] FROM (
    SELECT unnest(pdf_pages(content)) AS p FROM read_pdf('data-samples/pdf/rotated.pdf'));
1, 842.0, A wide table
on a page that is turned.",
        |args, settings| {
            let wanted = Request {
                text: true,
                ..Request::default()
            };
            listing(args, settings, &PAGE, wanted, |outcome, list| {
                for page in &outcome.pages {
                    list.append(page_cells(page));
                }
            })
        },
    )
}

fn page_cells(page: &Page) -> [Cell<'_>; 13] {
    let facts = PageFacts::of(page);
    [
        Cell::Integer(page.number),
        Cell::Place(page.width),
        Cell::Place(page.height),
        Cell::Integer(page.rotation.into()),
        Cell::Text(page.text.trim_end()),
        Cell::Integer(page.characters),
        Cell::Integer(page.unmapped),
        Cell::Integer(page.inferred),
        Cell::Place(page.image_cover),
        Cell::Boolean(quality::has_text(&page.text)),
        Cell::Number(facts.garbled.share().into()),
        Cell::Boolean(facts.needs_ocr()),
        Cell::Null,
    ]
}

const WORD: [(&str, Kind); 14] = [
    ("page", Kind::Integer),
    ("block", Kind::Integer),
    ("line", Kind::Integer),
    ("word", Kind::Text),
    ("x1", Kind::Place),
    ("y1", Kind::Place),
    ("x2", Kind::Place),
    ("y2", Kind::Place),
    ("font", Kind::Text),
    ("size", Kind::Place),
    ("bold", Kind::Boolean),
    ("italic", Kind::Boolean),
    ("color", Kind::Text),
    ("error", Kind::Text),
];

/// Words, lines and blocks are found together.
fn placed() -> Request {
    Request {
        words: true,
        ..Request::default()
    }
}

pub fn pdf_words() -> Function {
    let description = format!(
        "The words of a PDF in reading order: a list of structs of page, block and line (on the \
         page, from 1), word, x1, y1, x2, y2, font, size (as drawn), bold, italic, color \
         ('#rrggbb', where it is a plain one), error. {PLACE} {ERROR}"
    );
    function(
        "pdf_words",
        list_of(&fields(&WORD)),
        &description,
        "> SELECT w['word'], w['font'], w['size'], w['bold'] FROM (
    SELECT unnest(pdf_words(content)) AS w FROM read_pdf('data-samples/pdf/invoice.pdf')) LIMIT 1;
INVOICE, Helvetica-Bold, 18.0, true",
        |args, settings| {
            listing(args, settings, &WORD, placed(), |outcome, list| {
                for page in &outcome.pages {
                    append_words(page, list);
                }
            })
        },
    )
}

fn append_words(page: &Page, list: &mut List<14>) {
    let colors: Vec<Option<String>> = page.styles.iter().map(color).collect();
    for (block_number, line_number, line) in lines(page) {
        for word in words(page, line) {
            let style = page.styles.get(word.style as usize);
            let [x1, y1, x2, y2] = corners(word.bbox);
            list.append([
                Cell::Integer(page.number),
                Cell::Integer(block_number),
                Cell::Integer(line_number),
                Cell::Text(&word.text),
                x1,
                y1,
                x2,
                y2,
                style.map_or(Cell::Null, |style| Cell::Text(&style.font)),
                style.map_or(Cell::Null, |style| Cell::Place(style.size)),
                style.map_or(Cell::Null, |style| Cell::Boolean(style.bold)),
                style.map_or(Cell::Null, |style| Cell::Boolean(style.italic)),
                colors
                    .get(word.style as usize)
                    .map_or(Cell::Null, Cell::text),
                Cell::Null,
            ]);
        }
    }
}

fn color(style: &Style) -> Option<String> {
    style.color.map(|color| format!("#{color:06x}"))
}

/// The lines of a page, each with the number of its block and its own.
fn lines(page: &Page) -> impl Iterator<Item = (u32, u32, &Line)> {
    let blocks = (1..).zip(&page.blocks);
    blocks.flat_map(|(block_number, block)| {
        lines_of(page, block).map(move |(number, line)| (block_number, number, line))
    })
}

fn lines_of<'a>(page: &'a Page, block: &Block) -> impl Iterator<Item = (u32, &'a Line)> {
    let lines = part(&page.lines, &block.lines);
    (block.lines.start.saturating_add(1)..).zip(lines)
}

fn words<'a>(page: &'a Page, line: &Line) -> &'a [Word] {
    part(&page.words, &line.words)
}

/// What a range stands for, if it is one of these at all.
fn part<'a, T>(all: &'a [T], range: &Range<u32>) -> &'a [T] {
    let range = range.start as usize..range.end as usize;
    all.get(range).unwrap_or_default()
}

/// The words of a line, as text.
fn line_text(page: &Page, line: &Line) -> String {
    let words = words(page, line).iter();
    let texts: Vec<&str> = words.map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

const LINE: [(&str, Kind); 9] = with_place([
    ("page", Kind::Integer),
    ("block", Kind::Integer),
    ("line", Kind::Integer),
    ("text", Kind::Text),
]);

pub fn pdf_lines() -> Function {
    let description = format!(
        "The lines of a PDF in reading order, those of columns apart: a list of structs of page, \
         block and line (on the page, from 1), text, x1, y1, x2, y2, error. {PLACE} {ERROR}"
    );
    function(
        "pdf_lines",
        list_of(&fields(&LINE)),
        &description,
        "> SELECT l['text'] FROM (
    SELECT unnest(pdf_lines(content)) AS l FROM read_pdf('data-samples/pdf/invoice.pdf')) LIMIT 1;
INVOICE",
        |args, settings| {
            listing(args, settings, &LINE, placed(), |outcome, list| {
                for page in &outcome.pages {
                    append_lines(page, list);
                }
            })
        },
    )
}

fn append_lines(page: &Page, list: &mut List<9>) {
    for (block_number, line_number, line) in lines(page) {
        let told = [
            Cell::Integer(page.number),
            Cell::Integer(block_number),
            Cell::Integer(line_number),
            Cell::Text(&line_text(page, line)),
        ];
        list.append(at_place(told, Some(line.bbox)));
    }
}

const BLOCK: [(&str, Kind); 9] = with_place([
    ("page", Kind::Integer),
    ("block", Kind::Integer),
    ("lines", Kind::Integer),
    ("text", Kind::Text),
]);

pub fn pdf_blocks() -> Function {
    let description = format!(
        "The blocks of a PDF (paragraphs, or parts of columns) in reading order: a list of \
         structs of page, block (on the page, from 1), lines (how many), text, x1, y1, x2, y2, \
         error. {PLACE} {ERROR}"
    );
    function(
        "pdf_blocks",
        list_of(&fields(&BLOCK)),
        &description,
        "> SELECT b['block'], b['lines'] FROM (
    SELECT unnest(pdf_blocks(content)) AS b FROM read_pdf('data-samples/pdf/invoice.pdf')) LIMIT 1;
1, 1",
        |args, settings| {
            listing(args, settings, &BLOCK, placed(), |outcome, list| {
                for page in &outcome.pages {
                    append_blocks(page, list);
                }
            })
        },
    )
}

fn append_blocks(page: &Page, list: &mut List<9>) {
    for (block_number, block) in (1..).zip(&page.blocks) {
        let lines = lines_of(page, block);
        let texts: Vec<String> = lines.map(|(_, line)| line_text(page, line)).collect();
        let told = [
            Cell::Integer(page.number),
            Cell::Integer(block_number),
            Cell::Integer(u32::try_from(texts.len()).unwrap_or(u32::MAX)),
            Cell::Text(&texts.join("\n")),
        ];
        list.append(at_place(told, Some(block.bbox)));
    }
}

const LINK: [(&str, Kind); 8] = with_place([
    ("page", Kind::Integer),
    ("uri", Kind::Text),
    ("target_page", Kind::Integer),
]);

pub fn pdf_links() -> Function {
    let description = format!(
        "The links of a PDF: a list of structs of page, uri, target_page (of links within the \
         document), x1, y1, x2, y2, error. {PLACE} {ERROR}"
    );
    function(
        "pdf_links",
        list_of(&fields(&LINK)),
        &description,
        "> SELECT l['page'], l['uri'] FROM (
    SELECT unnest(pdf_links(content)) AS l FROM read_pdf('data-samples/pdf/article.pdf'))
    WHERE l['uri'] IS NOT NULL LIMIT 1;
3, https://river.example/data",
        |args, settings| {
            let wanted = Request {
                links: true,
                ..Request::default()
            };
            listing(args, settings, &LINK, wanted, |outcome, list| {
                for page in &outcome.pages {
                    for link in &page.links {
                        let told = [
                            Cell::Integer(page.number),
                            Cell::text(&link.uri),
                            Cell::integer(link.page),
                        ];
                        list.append(at_place(told, Some(link.bbox)));
                    }
                }
            })
        },
    )
}

const FIELD: [(&str, Kind); 9] = with_place([
    ("page", Kind::Integer),
    ("name", Kind::Text),
    ("kind", Kind::Text),
    ("value", Kind::Text),
]);

pub fn pdf_form_fields() -> Function {
    let description = format!(
        "The fields of the form in a PDF, one for each place where a field is shown: a list of \
         structs of page, name (parts joined by dots), kind ('text', 'checkbox', 'radio', 'button', 'choice', 'signature'), value, x1, \
         y1, x2, y2, error. {PLACE} {ERROR}"
    );
    function(
        "pdf_form_fields",
        list_of(&fields(&FIELD)),
        &description,
        "> SELECT f['name'], f['kind'], f['value'] FROM (
    SELECT unnest(pdf_form_fields(content)) AS f FROM read_pdf('data-samples/pdf/form.pdf')) LIMIT 1;
name, text, Zoë Sample",
        |args, settings| {
            let wanted = Request {
                form_fields: true,
                ..Request::default()
            };
            listing(args, settings, &FIELD, wanted, |outcome, list| {
                let info = outcome.info.iter();
                for field in info.flat_map(|info| &info.form_fields) {
                    let told = [
                        Cell::integer(field.page),
                        Cell::Text(&field.name),
                        Cell::Text(&field.kind),
                        Cell::text(&field.value),
                    ];
                    list.append(at_place(told, field.bbox));
                }
            })
        },
    )
}
