//! SQL functions of web pages.

mod links;
mod meta;
mod paragraphs;
mod parse;
mod select;
mod text;

use std::borrow::Cow;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use url::Url;

use super::engine::Engine;
use super::events::{Events, Options};
use crate::charset::{Detected, decode_page};
use crate::settings::CorpusSettings;

pub use links::html_links;
pub use meta::html_meta;
pub use paragraphs::html_paragraphs;
pub use parse::html_parse;
pub use select::html_select;
pub use text::{html_document, html_main_text};

const SECTION: &str = "HTML Functions";

const DATA: (&str, &str) = (
    "data",
    "The page: bytes, such as the body of an HTTP response, or text.",
);
const CHARSET: (&str, &str) = (
    "charset",
    "What the HTTP header says, such as `charset` of http_response; NULL if it says nothing. It \
     is believed as charset_detect does.",
);
const URL: (&str, &str) = (
    "url",
    "The page's own address, by which others become absolute.",
);
const MODE: (&str, &str) = (
    "mode",
    "'seed' repeats the paragraphs of uzushio's WarcToDocument: nothing collapsed or hidden.",
);

/// Pages, and what HTTP says of their charsets: the first two arguments of most functions.
fn texts<'a>(
    data: &'a ArrayRef,
    charsets: &'a ArrayRef,
) -> impl Iterator<Item = Option<(Cow<'a, str>, Detected)>> {
    let charsets = charsets.as_string::<i64>().iter();
    let pages = data.as_binary_view().iter().zip(charsets);
    pages.map(|(page, charset)| Some(decode_page(page?, charset, None)))
}

/// The addresses of pages, as far as they can be read.
fn urls(array: &ArrayRef) -> impl Iterator<Item = Option<Url>> {
    let texts = array.as_string::<i64>().iter();
    texts.map(|text| Url::parse(text?).ok())
}

/// By which rules text is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Default,
    Seed,
}

impl Mode {
    fn of(name: Option<&str>) -> Result<Self, String> {
        match name {
            None | Some("default") => Ok(Self::Default),
            Some("seed") => Ok(Self::Seed),
            Some(other) => Err(format!("the mode is 'default' or 'seed', not '{other}'")),
        }
    }

    /// Of an argument that was checked.
    fn of_argument(argument: &ArrayRef) -> Self {
        Self::of(crate::function::constant(argument)).unwrap_or(Self::Default)
    }

    fn check(name: &str) -> Result<(), String> {
        Self::of(Some(name)).map(|_| ())
    }
}

/// How pages are read.
struct Reader {
    engine: Engine,
    options: Options,
}

impl Reader {
    fn new(settings: &CorpusSettings, mode: Mode) -> Self {
        Self {
            engine: settings.html_engine,
            options: Options {
                scripting: mode == Mode::Default,
                max_depth: settings.max_html_depth,
            },
        }
    }

    fn read<E: Events + Default>(&self, page: &str) -> E {
        self.engine.read(page, &self.options, E::default)
    }
}

/// The arguments' types: the page, its charset, and so many more texts.
fn arguments(more: usize) -> Vec<DataType> {
    let mut types = vec![DataType::BinaryView];
    types.extend(vec![DataType::LargeUtf8; 1 + more]);
    types
}
