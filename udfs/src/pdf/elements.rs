//! Pages, and the words, lines and blocks on them. Each function returns a list of structs.

use std::ops::Range;

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::listing::{edges, elements, page_listing};
use super::{DATA, OPTIONS, PASSWORDS, SECTION, read_all};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, row};
use corpus_pdf::Failure;
use corpus_pdf::Outcome;
use corpus_pdf::model::{Block, FontUse, Line, Page, Request, Style, Word};
use corpus_pdf::quality::{self, OcrReason, PageFacts, Stamps};

elements!(WordRow, LineRow, BlockRow);

row! {
    /// A page.
    #[derive(Default)]
    pub struct PageRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The width in points
        width: Option<f32>,
        /// The height in points
        height: Option<f32>,
        /// The rotation in degrees
        rotation: Option<u16>,
        /// The text in reading order
        text: Option<&'a str>,
        /// Characters drawn
        characters: Option<u32>,
        /// Characters of unknown meaning, mostly U+FFFD in the text
        unmapped: Option<u32>,
        /// Characters whose meaning the file does not declare: taken from other tables of the
        /// embedded font, or from a usual order of glyphs
        inferred: Option<u32>,
        /// Characters off the displayed page, which are not in the text
        off_page: Option<u32>,
        /// The share that images cover
        image_cover: Option<f32>,
        /// Whether it has any text; NULL if it has none, but is incomplete
        has_text: Option<bool>,
        /// How little the text looks like a language, 0 to 1
        garbled: Option<f64>,
        /// Whether it is an image, or its text is useless; NULL if unknown
        needs_ocr: Option<bool>,
        /// Why it needs OCR: 'picture' (little text or none), 'stamp' (a picture with a text that
        /// other pages repeat), 'unmapped' (most characters are), 'garbled' or 'font' (much of the
        /// text is in broken fonts)
        #[short]
        ocr_reason: Option<&'a str>,
        /// Its fonts, in the order of their first use
        fonts: Option<Fonts<'a>>,
        /// As `error_kind` of pdf_parse
        error_kind: Option<&'a str>,
        /// Why the page or the document could not be read, or only in part
        #[short]
        error: Option<&'a str>,
    }
}

row! {
    /// A font on a page.
    pub struct FontRow<'a> {
        /// The name; two fonts may have the same
        #[short]
        font: &'a str,
        /// Characters drawn with it
        characters: u32,
        /// Characters of unknown meaning
        unmapped: u32,
        /// Characters whose meaning the file does not declare
        inferred: u32,
        /// Other characters in text that looks like no language
        implausible: u32,
        /// Whether its text is useless: too many characters are unmapped or implausible
        broken: bool,
    }
}

/// The fonts of a page.
pub struct Fonts<'a>(&'a [FontUse]);

impl Cell for Fonts<'_> {
    type Column = ListOf<FontRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(self.0.iter().map(|font| FontRow {
            font: &font.name,
            characters: font.characters,
            unmapped: font.unmapped,
            inferred: font.inferred,
            implausible: font.implausible,
            broken: quality::is_broken(font),
        }));
    }
}

functions! {
    SECTION;

    /// The blocks of a PDF (paragraphs, or parts of columns) in reading order.
    ///
    /// > SELECT pdf_blocks(content)[1]['lines'] FROM read_pdf('data-samples/pdf/invoice.pdf');
    /// 1
    pdf_blocks(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<BlockRow>>(), costly;

    /// The lines of a PDF in reading order, separate for each column.
    ///
    /// > SELECT pdf_lines(content)[1]['text'] FROM read_pdf('data-samples/pdf/invoice.pdf');
    /// INVOICE
    pdf_lines(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<LineRow>>(), costly;

    /// The pages of a PDF. A document that could not be read, or not to its end, has a last element
    /// with the `error`, without `page` and `text`.
    ///
    /// > SELECT pdf_pages(content)[1]['width'], pdf_pages(content)[1]['text']
    ///   FROM read_pdf('data-samples/pdf/rotated.pdf');
    /// 842.0, A wide table
    /// on a page that is turned.
    pdf_pages(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<PageRow>>(), costly;

    /// The words of a PDF in reading order.
    ///
    /// > SELECT pdf_words(content)[1]['word'], pdf_words(content)[1]['font']
    ///   FROM read_pdf('data-samples/pdf/invoice.pdf');
    /// INVOICE, Helvetica-Bold
    pdf_words(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<WordRow>>(), costly;
}

fn pdf_pages(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        text: true,
        fonts: true,
        ..Request::default()
    };
    let mut list = ListOf::<PageRow>::default();
    read_all(args, settings, wanted, |outcome| match outcome {
        Some(outcome) => append_pages(&outcome, &mut list),
        None => list.append_null(),
    })?;
    Ok(list.finish()?)
}

fn append_pages(outcome: &Outcome, list: &mut ListOf<PageRow<'static>>) {
    let facts: Vec<_> = outcome.pages.iter().map(PageFacts::of).collect();
    let stamps = Stamps::of(&facts);
    for (page, facts) in outcome.pages.iter().zip(&facts) {
        let failure = page.failure.as_ref();
        let message = failure.map(ToString::to_string);
        list.push(PageRow {
            error_kind: failure.map(|failure| failure.kind.name()),
            error: message.as_deref(),
            ..PageRow::new(page, facts, &stamps)
        });
    }
    // A limit that a page exceeds also ends the document, but is reported only once.
    let is_of_page = |failure: &&Failure| {
        let pages = outcome.pages.iter();
        pages
            .filter_map(|page| page.failure.as_ref())
            .any(|known| known == *failure)
    };
    if let Some(failure) = outcome
        .failure
        .as_ref()
        .filter(|failure| !is_of_page(failure))
    {
        list.push(PageRow {
            page: failure.page,
            error_kind: Some(failure.kind.name()),
            error: Some(&failure.to_string()),
            ..PageRow::default()
        });
    }
    list.end_list();
}

impl<'a> PageRow<'a> {
    fn new(page: &'a Page, facts: &PageFacts, stamps: &Stamps) -> Self {
        let ocr = facts.ocr(stamps);
        Self {
            page: Some(page.number),
            width: Some(page.width),
            height: Some(page.height),
            rotation: Some(page.rotation),
            text: Some(page.text.trim_end()),
            characters: Some(page.characters),
            unmapped: Some(page.unmapped),
            inferred: Some(page.inferred),
            off_page: Some(page.off_page),
            image_cover: Some(page.image_cover),
            has_text: facts.has_text(),
            garbled: facts.garbled_share().map(f64::from),
            needs_ocr: ocr.is_needed,
            ocr_reason: ocr.reason.map(OcrReason::name),
            fonts: Some(Fonts(&page.fonts)),
            error_kind: None,
            error: None,
        }
    }
}

row! {
    /// A word.
    #[derive(Default)]
    pub struct WordRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The block on the page, from 1
        block: Option<u32>,
        /// The line on the page, from 1
        line: Option<u32>,
        /// The word
        word: Option<&'a str>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// The font
        #[short]
        font: Option<&'a str>,
        /// The size as drawn
        size: Option<f32>,
        /// Whether it is bold
        bold: Option<bool>,
        /// Whether it is italic
        italic: Option<bool>,
        /// The color as '#rrggbb', if it is a plain one
        color: Option<&'a str>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

/// Returns the request for words, lines and blocks, which are found together.
fn request_words() -> Request {
    Request {
        words: true,
        ..Request::default()
    }
}

fn pdf_words(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    page_listing(args, settings, request_words(), append_words)
}

fn append_words(page: &Page, list: &mut ListOf<WordRow>) {
    let colors: Vec<Option<String>> = page.styles.iter().map(color).collect();
    for (block_number, line_number, line) in lines(page) {
        for word in words(page, line) {
            let style = page.styles.get(word.style as usize);
            let color = colors.get(word.style as usize);
            let [x1, y1, x2, y2] = edges(word.bbox);
            list.push(WordRow {
                page: Some(page.number),
                block: Some(block_number),
                line: Some(line_number),
                word: Some(&word.text),
                x1,
                y1,
                x2,
                y2,
                font: style.map(|style| style.font.as_str()),
                size: style.map(|style| style.size),
                bold: style.map(|style| style.bold),
                italic: style.map(|style| style.italic),
                color: color.and_then(Option::as_deref),
                error: None,
            });
        }
    }
}

pub fn color(style: &Style) -> Option<String> {
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

/// Returns the elements in a range; none if it is out of bounds.
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

row! {
    /// A line.
    #[derive(Default)]
    pub struct LineRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The block on the page, from 1
        block: Option<u32>,
        /// The line on the page, from 1
        line: Option<u32>,
        /// The words of the line
        text: Option<&'a str>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

fn pdf_lines(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    page_listing(args, settings, request_words(), append_lines)
}

fn append_lines(page: &Page, list: &mut ListOf<LineRow>) {
    for (block_number, line_number, line) in lines(page) {
        let [x1, y1, x2, y2] = edges(line.bbox);
        list.push(LineRow {
            page: Some(page.number),
            block: Some(block_number),
            line: Some(line_number),
            text: Some(&line_text(page, line)),
            x1,
            y1,
            x2,
            y2,
            error: None,
        });
    }
}

row! {
    /// A block.
    #[derive(Default)]
    pub struct BlockRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The block on the page, from 1
        block: Option<u32>,
        /// The number of lines
        lines: Option<u32>,
        /// The lines of the block
        text: Option<&'a str>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

fn pdf_blocks(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    page_listing(args, settings, request_words(), append_blocks)
}

fn append_blocks(page: &Page, list: &mut ListOf<BlockRow>) {
    for (block_number, block) in (1..).zip(&page.blocks) {
        let lines = lines_of(page, block);
        let texts: Vec<String> = lines.map(|(_, line)| line_text(page, line)).collect();
        let [x1, y1, x2, y2] = edges(block.bbox);
        list.push(BlockRow {
            page: Some(page.number),
            block: Some(block_number),
            lines: Some(u32::try_from(texts.len()).unwrap_or(u32::MAX)),
            text: Some(&texts.join("\n")),
            x1,
            y1,
            x2,
            y2,
            error: None,
        });
    }
}
