//! The characters, lines and areas that pages draw. Each function returns a list of structs.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::elements::color;
use super::listing::{edges, elements, page_listing};
use super::{DATA, OPTIONS, PASSWORDS, SECTION};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ListOf, row};
use corpus_pdf::model::{Page, Request};

elements!(CharacterRow, DrawingRow);

row! {
    /// A character.
    #[derive(Default)]
    pub struct CharacterRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// Usually one character; several for a ligature
        character: Option<&'a str>,
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
        #[short]
        color: Option<&'a str>,
        /// Whether it is drawn invisibly, like the text that OCR puts under scans
        invisible: Option<bool>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

row! {
    /// A line or an area.
    #[derive(Default)]
    pub struct DrawingRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// 'line' or 'area' (a filled rectangle)
        #[short]
        kind: Option<&'a str>,
        /// The left edge of an area, or the start of a line, in points from the left of the
        /// displayed page
        x1: Option<f32>,
        /// The top edge, or the start of a line, in points from its top
        y1: Option<f32>,
        /// The right edge, or the end of a line
        x2: Option<f32>,
        /// The bottom edge, or the end of a line
        y2: Option<f32>,
        /// The thickness of a line
        thickness: Option<f32>,
        /// The color of an area as '#rrggbb', if it is a plain one
        #[short]
        color: Option<String>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

functions! {
    SECTION;

    /// The characters of a PDF in the order in which they are drawn.
    ///
    /// > SELECT pdf_characters(content)[1]['character'], pdf_characters(content)[1]['font']
    ///   FROM read_pdf('data-samples/pdf/invoice.pdf');
    /// I, Helvetica-Bold
    pdf_characters(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<CharacterRow>>(), costly;

    /// The straight lines and filled rectangles of a PDF; on each page, the lines come first.
    ///
    /// > SELECT pdf_drawings(content)[1]['kind'], pdf_drawings(content)[1]['y1']
    ///   FROM read_pdf('data-samples/pdf/invoice.pdf');
    /// line, 232.0
    pdf_drawings(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<DrawingRow>>(), costly;
}

fn pdf_characters(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        characters: true,
        ..Request::default()
    };
    page_listing(args, settings, wanted, append_characters)
}

fn append_characters(page: &Page, list: &mut ListOf<CharacterRow>) {
    let colors: Vec<Option<String>> = page.styles.iter().map(color).collect();
    for character in &page.drawn_characters {
        let style = page.styles.get(character.style as usize);
        let color = colors.get(character.style as usize);
        let [x1, y1, x2, y2] = edges(character.bbox);
        list.push(CharacterRow {
            page: Some(page.number),
            character: Some(&character.text),
            x1,
            y1,
            x2,
            y2,
            font: style.map(|style| style.font.as_str()),
            size: style.map(|style| style.size),
            bold: style.map(|style| style.bold),
            italic: style.map(|style| style.italic),
            color: color.and_then(Option::as_deref),
            invisible: style.map(|style| style.invisible),
            error: None,
        });
    }
}

fn pdf_drawings(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        drawn_lines: true,
        ..Request::default()
    };
    page_listing(args, settings, wanted, append_drawings)
}

fn append_drawings(page: &Page, list: &mut ListOf<DrawingRow>) {
    for line in &page.drawn_lines {
        list.push(DrawingRow {
            page: Some(page.number),
            kind: Some("line"),
            x1: Some(line.x1),
            y1: Some(line.y1),
            x2: Some(line.x2),
            y2: Some(line.y2),
            thickness: Some(line.width),
            ..DrawingRow::default()
        });
    }
    for area in &page.drawn_areas {
        let [x1, y1, x2, y2] = edges(area.bbox);
        list.push(DrawingRow {
            page: Some(page.number),
            kind: Some("area"),
            x1,
            y1,
            x2,
            y2,
            color: area.color.map(|color| format!("#{color:06x}")),
            ..DrawingRow::default()
        });
    }
}
