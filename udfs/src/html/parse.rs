//! All of a page in one pass.

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::common::Result;

use memchr::memmem;

use super::links::LinkRows;
use super::paragraphs::ParagraphRows;
use super::{CHARSET, DATA, MODE, Mode, Reader, SECTION, URL, urls};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use crate::text_or_bytes::texts_or_bytes;
use corpus_charset::Detected;
use corpus_columns::{ColumnBuilder, StructOf, row};
use corpus_html::extract::{Page, Paragraphs, UzushioParagraphs};

row! {
    /// All of a page.
    struct PageRow<'a> {
        /// The charset
        #[short]
        charset: &'a str,
        /// How the charset was determined, as `source` of charset_detect
        charset_source: &'a str,
        /// The title
        title: Option<&'a str>,
        /// The language as declared
        #[short]
        lang: Option<&'a str>,
        /// The description
        description: Option<&'a str>,
        /// The canonical address, absolute if the page's own is given
        canonical: Option<&'a str>,
        /// When the page was published, as declared
        published: Option<&'a str>,
        /// As html_document
        document: &'a str,
        /// The paragraphs
        paragraphs: ParagraphRows<'a>,
        /// The links
        links: LinkRows<'a>,
        /// The damage, if something could not be read
        #[short]
        error: Option<String>,
    }
}

functions! {
    SECTION;

    /// A page in one pass.
    ///
    /// > SELECT html_parse('<title>A</title><p>One<p>Two')['document'];
    /// One
    ///
    /// Two
    html_parse(DATA, CHARSET, URL, MODE) -> Returns::of::<StructOf<PageRow>>(), costly;
}

fn html_parse(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mode = Mode::of_argument(&args[3]);
    let reader = Reader::new(settings, mode);
    let mut rows = StructOf::<PageRow>::default();
    let charsets = args[1].as_string::<i64>().iter();
    let pages = texts_or_bytes(&args[0]).zip(charsets);
    for ((page, charset), url) in pages.zip(urls(&args[2])) {
        let Some(page) = page else {
            rows.append_null();
            continue;
        };
        let (text, detected) = page.decode_page(charset);
        let (extract, found, meta) = match mode {
            Mode::Default(keep) => {
                let page = reader.read_keeping(&text, keep, |flow| Page::new(Paragraphs::of(flow)));
                let (text, links, meta) = page.finish(url.as_ref(), text.len());
                (text.finish(), links, meta)
            }
            Mode::Uzushio => {
                let page = reader.read::<Page<UzushioParagraphs>>(&text);
                let (text, links, meta) = page.finish(url.as_ref(), text.len());
                (text.finish(), links, meta)
            }
        };
        rows.append(Some(PageRow {
            charset: detected.charset.name(),
            charset_source: detected.source.name(),
            title: meta.title.as_deref(),
            lang: meta.language.as_deref(),
            description: meta.description.as_deref(),
            canonical: meta.canonical.as_deref(),
            published: meta.published.as_deref(),
            document: &extract.document,
            paragraphs: ParagraphRows(&extract),
            links: LinkRows(&found),
            error: unreadable(&text, &detected),
        }));
    }
    Ok(rows.finish()?)
}

/// Returns an error if the page has characters that could not be decoded.
fn unreadable(text: &str, detected: &Detected) -> Option<String> {
    let count = memmem::find_iter(text.as_bytes(), "\u{fffd}").count();
    (count > 0).then(|| {
        let charset = detected.charset.name();
        format!("undecodable: {count} broken character(s) in {charset}")
    })
}
