//! What is read from a PDF, as plain data: what the engine makes, workers send, and SQL shows.
//!
//! Coordinates are points from the top left of the page as it is shown: its crop box, turned by its rotation.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What a caller wants to know; what is not wanted is not collected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The text of the pages, in reading order.
    pub text: bool,
    /// Words, lines and blocks with their places.
    pub words: bool,
    pub links: bool,
    pub outline: bool,
    pub form_fields: bool,
    pub options: Options,
    pub limits: Limits,
}

impl Request {
    /// A request for the text of all pages, text behind scans included.
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

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Tried in turn, after the empty one.
    pub passwords: Vec<String>,
    /// Words that a hyphen parts at the end of a line are put together.
    pub dehyphenate: bool,
    /// Layers (optional content) that the file hides are read, too.
    pub hidden_layers: bool,
    /// Text that is drawn invisibly (render mode 3: what OCR puts behind a scan). On by default in SQL.
    pub invisible_text: bool,
    /// Ligatures such as U+FB01 stay as they are, and are not written out.
    pub keep_ligatures: bool,
}

/// Budgets of one document. Reaching one ends the reading; what was read until then stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub operators: u64,
    pub glyphs: u64,
    /// Bytes that streams may decode to, together.
    pub decoded_bytes: u64,
    pub pages: u32,
    /// Milliseconds of CPU time.
    pub cpu_ms: u64,
    /// Bytes of memory that a worker process may take for the document. Nothing enforces it in a thread.
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

/// A piece of the answer. They come in this order, so that what came before a death is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Part {
    Opened(Info),
    Page(Page),
}

/// What concerns the whole document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Info {
    /// Pages that there are, not those that the file claims to have.
    pub page_count: u32,
    /// As in "1.7".
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

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutlineItem {
    /// 1 for the outermost.
    pub level: u32,
    pub title: String,
    /// The page it leads to, from 1.
    pub page: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FormField {
    /// The full name, its parts joined by dots.
    pub name: String,
    /// `text`, `checkbox`, `radio`, `button`, `choice` or `signature`.
    pub kind: String,
    pub value: Option<String>,
    pub page: Option<u32>,
    pub bbox: Option<Rect>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    pub x1: f32,
    pub y1: f32,
    pub x2: f32,
    pub y2: f32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Page {
    /// From 1.
    pub number: u32,
    pub width: f32,
    pub height: f32,
    /// 0, 90, 180 or 270; width and height are those after turning.
    pub rotation: u16,
    pub text: String,
    /// In reading order.
    pub words: Vec<Word>,
    /// Ranges of `words`.
    pub lines: Vec<Line>,
    /// Ranges of `lines`.
    pub blocks: Vec<Block>,
    pub styles: Vec<Style>,
    pub links: Vec<Link>,
    /// Characters that were drawn, and those of them that have no known meaning.
    pub characters: u32,
    pub unmapped: u32,
    /// Those whose meaning the file does not declare; inferred from the font program or from the text.
    pub inferred: u32,
    /// Those of them that are drawn invisibly.
    pub invisible: u32,
    /// The share of the page that images cover, 0 to 1, overlaps counted once or nearly.
    pub image_cover: f32,
    /// Why a part of the page is missing.
    pub failure: Option<Failure>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Word {
    pub text: String,
    pub bbox: Rect,
    /// Place in the page's `styles`: that of most of the word.
    pub style: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Line {
    pub words: Range<u32>,
    pub bbox: Rect,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Block {
    pub lines: Range<u32>,
    pub bbox: Rect,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Style {
    /// Without the tag of a subset ("ABCDEF+").
    pub font: String,
    /// The height of an em as drawn, in points.
    pub size: f32,
    pub bold: bool,
    pub italic: bool,
    /// 0xRRGGBB of what fills the letters.
    pub color: Option<u32>,
    /// Drawn invisibly (render mode 3 or 7).
    pub invisible: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Link {
    pub bbox: Rect,
    pub uri: Option<String>,
    /// The page it leads to, from 1.
    pub page: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum FailureKind {
    Password,
    UnsupportedCrypto,
    Invalid,
    Truncated,
    /// A budget of operators, glyphs, bytes or pages.
    Limit,
    Timeout,
    Memory,
    /// Somebody ended the worker process; the document is not to blame.
    Killed,
    Panic,
}

/// Where in the work it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Stage {
    Open,
    Info,
    Page,
    Worker,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    pub kind: FailureKind,
    pub stage: Stage,
    /// From 1.
    pub page: Option<u32>,
    pub message: String,
}

impl FailureKind {
    /// The name in lower case, such as `unsupported_crypto`.
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
