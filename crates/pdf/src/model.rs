//! The result of reading a PDF as plain data: produced by the engine, sent by workers, shown in
//! SQL.
//!
//! Coordinates are points from the top left of the displayed page: its crop box, after rotation.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The parts of a document to extract. Others are not collected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The text of the pages, in reading order.
    pub text: bool,
    /// Words, lines and blocks with their positions.
    pub words: bool,
    pub links: bool,
    pub outline: bool,
    pub form_fields: bool,
    /// The tables of the pages.
    pub tables: bool,
    /// The input of [`blocks`](crate::blocks): the lines of the pages with their styles, the
    /// tables, links and the outline.
    pub structure: bool,
    /// The straight lines and filled rectangles that the pages draw.
    pub drawn_lines: bool,
    /// Each character with its position, in drawing order.
    pub characters: bool,
    /// How far the text of each font can be trusted.
    pub fonts: bool,
    pub annotations: bool,
    /// The images of the pages, with their data.
    pub images: bool,
    /// The embedded files, with their data.
    pub attachments: bool,
    pub options: Options,
    pub limits: Limits,
}

impl Request {
    /// A request for the text of all pages, including the invisible text of scans.
    pub fn text() -> Self {
        Self {
            text: true,
            options: Options {
                invisible_text: true,
                ..Options::default()
            },
            ..Self::default()
        }
    }
}

/// How to extract it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Passwords to try in turn, after the empty one.
    pub passwords: Vec<String>,
    /// Joins words that are hyphenated at the end of a line.
    pub dehyphenate: bool,
    /// Also reads hidden layers (optional content).
    pub hidden_layers: bool,
    /// Also reads invisible text (render mode 3), which OCR software places under scans. On by
    /// default in SQL.
    pub invisible_text: bool,
    /// Keeps ligatures such as U+FB01 instead of expanding them.
    pub keep_ligatures: bool,
}

/// Limits per document. Reaching a limit ends reading; the parts read so far are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub operators: u64,
    pub glyphs: u64,
    /// The total size of decoded streams.
    pub decoded_bytes: u64,
    pub pages: u32,
    /// CPU time in milliseconds.
    pub cpu_ms: u64,
    /// Memory that a worker process may use for the document, in bytes. Not enforced without a
    /// worker process.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            operators: 20_000_000,
            glyphs: 5_000_000,
            decoded_bytes: 256 << 20,
            pages: 100_000,
            cpu_ms: 8_000,
            memory_bytes: 1 << 30,
        }
    }
}

/// A part of the answer. Parts come in document order, so that those before a crash are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum DocumentPart {
    Opened(Info),
    Attachment(Attachment),
    Page(Page),
}

/// The parts of a document: all of them, or those read before `failure`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    pub info: Option<Info>,
    pub attachments: Vec<Attachment>,
    pub pages: Vec<Page>,
    pub failure: Option<Failure>,
}

impl Outcome {
    /// The outcome of a document that could not be read at all.
    pub fn failed(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::default()
        }
    }

    /// Adds a part.
    pub(crate) fn add(&mut self, part: DocumentPart) {
        match part {
            DocumentPart::Opened(info) => self.info = Some(info),
            DocumentPart::Attachment(attachment) => self.attachments.push(attachment),
            DocumentPart::Page(page) => self.pages.push(page),
        }
    }
}

/// Information about the document as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Info {
    /// The number of pages in the file, which may differ from the number that it declares.
    pub page_count: u32,
    /// The PDF version, such as "1.7".
    pub version: String,
    pub encrypted: bool,
    pub title: Option<String>,
    pub author: Option<String>,
    pub subject: Option<String>,
    pub keywords: Option<String>,
    pub creator: Option<String>,
    pub producer: Option<String>,
    /// Microseconds since 1970, UTC.
    pub created: Option<i64>,
    pub modified: Option<i64>,
    pub outline: Vec<OutlineItem>,
    pub form_fields: Vec<FormField>,
}

/// An entry of the outline (the bookmarks).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutlineItem {
    /// 1 for the top level.
    pub level: u32,
    pub title: String,
    /// The number of the target page, from 1.
    pub page: Option<u32>,
}

/// A form field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FormField {
    /// The full name: the names of the field and its ancestors, joined by dots.
    pub name: String,
    /// `text`, `checkbox`, `radio`, `button`, `choice` or `signature`.
    pub kind: String,
    pub value: Option<String>,
    pub page: Option<u32>,
    pub bbox: Option<Rect>,
}

/// A rectangle; `(x1, y1)` is its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    pub x1: f32,
    pub y1: f32,
    pub x2: f32,
    pub y2: f32,
}

/// A page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Page {
    /// The page number, from 1.
    pub number: u32,
    pub width: f32,
    pub height: f32,
    /// 0, 90, 180 or 270 degrees. Width and height are those after rotation.
    pub rotation: u16,
    pub text: String,
    /// Words in reading order.
    pub words: Vec<Word>,
    /// Lines; each is a range of `words`.
    pub lines: Vec<Line>,
    /// Blocks; each is a range of `lines`.
    pub blocks: Vec<Block>,
    pub styles: Vec<Style>,
    pub links: Vec<Link>,
    pub tables: Vec<Table>,
    /// The lines and tables in reading order, for [`blocks`](crate::blocks).
    pub structure: PageStructure,
    pub drawn_lines: Vec<DrawnLine>,
    pub drawn_areas: Vec<DrawnArea>,
    pub drawn_characters: Vec<DrawnCharacter>,
    pub fonts: Vec<FontUse>,
    pub annotations: Vec<Annotation>,
    pub images: Vec<Image>,
    /// The number of characters drawn.
    pub characters: u32,
    /// How many of them have no known meaning.
    pub unmapped: u32,
    /// How many have a meaning that the file does not declare, inferred from the font program or
    /// the text.
    pub inferred: u32,
    /// How many are drawn invisibly.
    pub invisible: u32,
    /// The number of characters drawn off the displayed page. They are not in the text.
    pub off_page: u32,
    /// The share of the page covered by images, from 0 to 1. Overlaps count about once.
    pub image_cover: f32,
    /// Why part of the page is missing.
    pub failure: Option<Failure>,
}

/// A word with its position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Word {
    pub text: String,
    pub bbox: Rect,
    /// The style of most of the word: an index into the page's `styles`.
    pub style: u32,
}

/// A line of words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Line {
    pub words: Range<u32>,
    pub bbox: Rect,
    /// The direction of the text in quarter turns clockwise: 0 is to the right, 1 downwards.
    pub quarter_turns: u8,
}

/// A block of lines: a paragraph, or part of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Block {
    pub lines: Range<u32>,
    pub bbox: Rect,
}

/// How words are drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Style {
    /// The font's name, without a subset tag ("ABCDEF+").
    pub font: String,
    /// The height of an em in points, as drawn.
    pub size: f32,
    pub bold: bool,
    pub italic: bool,
    /// The fill color, 0xRRGGBB.
    pub color: Option<u32>,
    /// Whether it is drawn invisibly (render mode 3 or 7).
    pub invisible: bool,
}

/// A link, to a URI or to a page of the document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Link {
    pub bbox: Rect,
    pub uri: Option<String>,
    /// The number of the target page, from 1.
    pub page: Option<u32>,
}

/// A table on a page. A table that spans pages is a separate table on each page; see
/// [`joined_tables`](crate::joined_tables).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Table {
    /// The page number, from 1.
    pub page: u32,
    pub bbox: Rect,
    /// The caption above or below the table.
    pub caption: Option<String>,
    /// The box around the words of the caption.
    pub caption_bbox: Option<Rect>,
    /// The number of rows at the top that are headers.
    pub header_rows: u32,
    /// Rows of equal length. `None` where the cell above or to the left goes on; lines within a
    /// cell are separated by line feeds.
    pub rows: Vec<Vec<Option<String>>>,
    /// The cells, row by row.
    pub cells: Vec<TableCell>,
    pub found: TableKind,
    /// How sure it is that this is a table with these cells, from 0 to 1.
    pub sureness: f32,
    /// Whether all cells of the first row are bold, and none of the others.
    pub has_bold_header: bool,
    /// The number of characters above the first table of a page, and below the last one.
    pub characters_above: u32,
    pub characters_below: u32,
    /// The titles above the first and the last table of a page: bold or large lines, and captions.
    pub titles: Vec<TableTitle>,
}

/// A line that may be the title of a table below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableTitle {
    pub text: String,
    pub bold: bool,
    pub size: f32,
    /// The top of the line.
    pub y: f32,
}

/// A cell of a table: its place, its extent in rows and columns, and its box.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableCell {
    /// The first row and column, from 0.
    pub row: u32,
    pub column: u32,
    /// The number of rows and columns.
    pub row_span: u32,
    pub column_span: u32,
    pub bbox: Rect,
    /// Its text, if parts of it are raised or lowered.
    pub scripts: Option<Box<TextWithScripts>>,
}

/// A text with superscripts and subscripts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextWithScripts {
    pub text: String,
    pub marks: Vec<StructureMark>,
}

/// How a table was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TableKind {
    /// Lines separate its rows and columns.
    #[default]
    Ruled,
    /// Lines separate some of its rows or columns, white space the others.
    HalfRuled,
    /// White space separates its columns.
    Spaced,
}

impl TableKind {
    /// The name in lower case, for example `half-ruled`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ruled => "ruled",
            Self::HalfRuled => "half-ruled",
            Self::Spaced => "spaced",
        }
    }
}

/// The content of a page in reading order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PageStructure {
    /// The direction of most text, in quarter turns clockwise. Line boxes refer to the page rotated
    /// so that this text runs to the right.
    pub quarter_turns: u8,
    pub entries: Vec<StructureEntry>,
    /// The sizes of the fonts in tables, with the number of letters of each.
    pub table_sizes: Vec<(f32, u32)>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StructureEntry {
    Line(StructureLine),
    /// The index of one of the page's tables.
    Table(u32),
}

/// A line of text with the styles of its parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StructureLine {
    pub text: String,
    pub marks: Vec<StructureMark>,
    pub bbox: Rect,
    /// The y coordinate of the baseline.
    pub base: f32,
    /// The height of an em of most of the text.
    pub size: f32,
    /// The end of a bold start that a wide gap separates from the rest.
    pub run_in: Option<u32>,
    /// The number of wide gaps between its words.
    pub gaps: u32,
    /// Whether it is marked as an artifact of pagination, or runs in another direction than most
    /// text.
    pub is_outside: bool,
    /// The number of the block in the structure tree of the document, and its role.
    pub tagged: Option<(u32, Option<TagRole>)>,
}

/// The style of a part of a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StructureMark {
    /// A range of bytes of the text.
    pub range: Range<u32>,
    pub kind: StructureMarkKind,
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StructureMarkKind {
    #[default]
    Bold,
    Italic,
    /// The characters have the same width.
    Fixed,
    Superscript,
    Subscript,
    /// A formula, including its superscripts and subscripts.
    Formula,
    /// Calligraphic, outlined or Gothic letters in a formula.
    Calligraphic,
    Blackboard,
    Fraktur,
    /// A link, by its index among the page's links.
    Link(u32),
}

/// The role that the structure tree gives a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TagRole {
    /// A heading of a level from 1; 0 if it has none.
    Heading(u8),
    Paragraph,
    /// A list item inside this number of lists.
    Item(u16),
    Caption,
    Note,
    Code,
}

/// A straight line as drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DrawnLine {
    pub x1: f32,
    pub y1: f32,
    pub x2: f32,
    pub y2: f32,
    /// Its thickness in points.
    pub width: f32,
}

/// A filled rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DrawnArea {
    pub bbox: Rect,
    /// The fill color, 0xRRGGBB; `None` for patterns and others that are not resolved.
    pub color: Option<u32>,
}

/// A character as drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DrawnCharacter {
    /// Usually one character; several for a ligature.
    pub text: String,
    pub bbox: Rect,
    /// Its style: an index into the page's `styles`.
    pub style: u32,
}

/// A font on a page, and how far its text can be trusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FontUse {
    /// The font's name, without a subset tag. Two fonts may have the same name.
    pub name: String,
    /// The number of characters drawn with it.
    pub characters: u32,
    /// How many of them have no known meaning.
    pub unmapped: u32,
    /// How many have a meaning that the file does not declare.
    pub inferred: u32,
    /// How many of the others are in text that resembles no language.
    pub implausible: u32,
}

/// An annotation: a note, a text box, a highlight, a stamp. Links and form fields are separate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Annotation {
    /// The name of its kind in PDF, such as `Text`, `FreeText` or `Highlight`.
    pub kind: String,
    pub bbox: Option<Rect>,
    /// The text of the note.
    pub contents: Option<String>,
    pub author: Option<String>,
    pub subject: Option<String>,
    /// Microseconds since 1970, UTC.
    pub created: Option<i64>,
    pub modified: Option<i64>,
    /// The annotation on the same page that this one replies to: an index into `annotations`.
    pub reply_to: Option<u32>,
    /// The words that are highlighted, underlined or struck out.
    pub marked: Option<String>,
}

/// An image on a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Image {
    pub bbox: Rect,
    /// The size in pixels, as declared.
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// The number of bits per color component.
    pub bits: Option<u32>,
    /// The name of the color space, such as `DeviceRGB` or `ICCBased`.
    pub color_space: Option<String>,
    /// The filters of `data`, in the order of decoding, separated by spaces; empty for plain
    /// samples.
    pub filters: String,
    /// The number of the image's object. `None` for inline images.
    pub object: Option<u32>,
    /// The data as in the file. `None` if an earlier image of the document is the same object, or
    /// if a limit was reached.
    pub data: Option<Vec<u8>>,
}

impl Image {
    /// The media type of `data`, if it is a complete file.
    pub fn media_type(&self) -> Option<&'static str> {
        match self.filters.as_str() {
            "DCTDecode" => Some("image/jpeg"),
            "JPXDecode" => Some("image/jp2"),
            _ => None,
        }
    }
}

/// An embedded file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Attachment {
    pub name: Option<String>,
    pub description: Option<String>,
    /// The media type as declared.
    pub media_type: Option<String>,
    /// Microseconds since 1970, UTC.
    pub created: Option<i64>,
    pub modified: Option<i64>,
    /// The page with its icon, from 1, if it has one.
    pub page: Option<u32>,
    /// The content, decompressed; `None` if it cannot be decoded.
    pub data: Option<Vec<u8>>,
    /// Why `data` is missing or incomplete.
    pub error: Option<String>,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum FailureKind {
    Password,
    UnsupportedCrypto,
    Invalid,
    Truncated,
    /// A limit was reached: operators, glyphs, bytes or pages.
    Limit,
    Timeout,
    Memory,
    /// Another process killed the worker; the document is not to blame.
    Killed,
    Panic,
    /// Part of the data cannot be decoded or parsed.
    Damaged,
    /// The pages stand in for a dynamic XFA form, which is not read.
    XfaForm,
}

/// The stage of processing in which a failure happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Stage {
    Open,
    Info,
    Page,
    Worker,
}

/// Why a document or page could not be read completely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    pub kind: FailureKind,
    pub stage: Stage,
    /// The page number, from 1.
    pub page: Option<u32>,
    pub message: String,
}

impl FailureKind {
    /// The name in lower case, for example `unsupported_crypto`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::UnsupportedCrypto => "unsupported_crypto",
            Self::Invalid => "invalid",
            Self::Truncated => "truncated",
            Self::Limit => "limit",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Killed => "killed",
            Self::Panic => "panic",
            Self::Damaged => "damaged",
            Self::XfaForm => "xfa_form",
        }
    }
}

impl Stage {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Info => "info",
            Self::Page => "page",
            Self::Worker => "worker",
        }
    }
}

impl Failure {
    /// The failure of data that cannot be opened as a PDF.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self {
            kind: FailureKind::Invalid,
            stage: Stage::Open,
            page: None,
            message: message.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.name().replace('_', " ");
        match self.page {
            Some(page) => write!(f, "{kind}: page {page}: {}", self.message),
            None => write!(f, "{kind}: {}", self.message),
        }
    }
}

impl std::error::Error for Failure {}
