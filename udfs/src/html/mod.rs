//! SQL functions of web pages.
//!
//! ```text
//! parse       all of a page
//! text        its text
//! paragraphs  its paragraphs
//! blocks      its blocks and tables
//! markdown    Markdown
//! article     its main text with metadata
//! meta        its metadata
//! links       its links
//! select      elements by CSS selector
//! ```

mod article;
mod blocks;
mod links;
mod markdown;
mod meta;
mod paragraphs;
mod parse;
mod select;
mod text;

use std::borrow::Cow;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::logical_expr::ScalarUDF;
use url::Url;

use crate::function::{Parameter, by_name};
use crate::settings::CorpusSettings;
use crate::text_or_bytes::texts_or_bytes;
use corpus_charset::Charset;
use corpus_html::engine::Engine;
use corpus_html::events::{Events, Options};
use corpus_html::extract::{Flow, Keep, Observer, PageUrl};

const SECTION: &str = "HTML Functions";

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    by_name(&[
        article::functions(),
        blocks::functions(),
        links::functions(),
        markdown::functions(),
        meta::functions(),
        paragraphs::functions(),
        parse::functions(),
        select::functions(),
        text::functions(),
    ])
}

const DATA: Parameter = Parameter::text_or_bytes("data", "The page, as bytes or text.");
const CHARSET: Parameter = Parameter::text(
    "charset",
    "The charset that the HTTP header declares, or NULL. It is judged as by charset_detect.",
)
.optional()
.checked(Charset::check_declared);
const URL: Parameter = Parameter::text(
    "url",
    "The address of the page, which makes relative addresses absolute.",
)
.optional();
const MODE: Parameter = Parameter::text(
    "mode",
    "A constant: 'default', 'hidden' (with hidden text and closed dialogs), 'bullets' (with \
     those of list items), 'hidden, bullets', or 'uzushio' (the paragraphs of its \
     WarcToDocument: nothing collapsed or hidden).",
)
.optional()
.constant(Mode::check);

/// The texts of pages and the charsets that HTTP declares for them: the first two arguments of most
/// functions.
fn texts<'a>(
    data: &'a ArrayRef,
    charsets: &'a ArrayRef,
) -> impl Iterator<Item = Option<Cow<'a, str>>> {
    let charsets = charsets.as_string::<i64>().iter();
    let pages = texts_or_bytes(data).zip(charsets);
    pages.map(|(page, charset)| Some(page?.decode_text(charset)))
}

/// The addresses of pages, where they are given.
fn urls(array: &ArrayRef) -> impl Iterator<Item = Option<PageUrl>> {
    let texts = array.as_string::<i64>().iter();
    texts.map(|text| text.map(Url::parse))
}

/// The rules by which text is extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Default(Keep),
    Uzushio,
}

impl Default for Mode {
    fn default() -> Self {
        Self::Default(Keep::default())
    }
}

impl Mode {
    fn of(name: Option<&str>) -> Result<Self, String> {
        const ALLOWED: &str =
            "expected 'default', 'uzushio', 'hidden', 'bullets' or 'hidden, bullets'";
        let Some(mode) = name else {
            return Ok(Self::default());
        };
        match mode.trim() {
            "default" => return Ok(Self::default()),
            // The older name.
            "uzushio" | "seed" => return Ok(Self::Uzushio),
            "" => return Err(format!("the mode is empty: {ALLOWED}")),
            _ => {}
        }
        let mut keep = Keep::default();
        let mut words = mode.split([' ', ',']).filter(|word| !word.is_empty());
        words.try_for_each(|word| match word {
            "hidden" => {
                keep.hidden = true;
                Ok(())
            }
            "bullets" => {
                keep.bullets = true;
                Ok(())
            }
            "uzushio" | "seed" | "default" => Err(format!(
                "the mode '{word}' cannot be combined with others: {ALLOWED}, got '{mode}'"
            )),
            _ => Err(format!("unknown mode '{word}': {ALLOWED}")),
        })?;
        Ok(Self::Default(keep))
    }

    /// Returns the mode of an argument that was checked at planning.
    fn of_argument(argument: &ArrayRef) -> Self {
        Self::of(crate::function::constant(argument)).unwrap_or_default()
    }

    fn check(name: &str) -> Result<(), String> {
        Self::of(Some(name)).map(|_| ())
    }
}

/// Reads pages with an engine and its options.
struct Reader {
    engine: Engine,
    options: Options,
}

impl Reader {
    fn new(settings: &CorpusSettings, mode: Mode) -> Self {
        Self {
            engine: settings.html_engine,
            options: Options {
                scripting: mode != Mode::Uzushio,
                max_depth: settings.max_html_depth,
            },
        }
    }

    fn read<E: Events + Default>(&self, page: &str) -> E {
        self.engine.read(page, &self.options, E::default)
    }

    /// Reads a page with a listener whose flow keeps more than the default.
    fn read_keeping<M: Observer + Default, E: Events>(
        &self,
        page: &str,
        keep: Keep,
        wrap: impl Fn(Flow<M>) -> E,
    ) -> E {
        keep.read(self.engine, page, &self.options, wrap)
    }
}
