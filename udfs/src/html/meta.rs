//! The metadata of a page.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, texts, urls};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, Pairs, StructOf, row};
use corpus_html::extract::Meta;

row! {
    /// The metadata of a page.
    struct MetaRow<'a> {
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
        /// The author
        author: Option<&'a str>,
        /// The keywords
        keywords: Option<&'a str>,
        /// The directives for robots
        robots: Option<&'a str>,
        /// The program that wrote the page
        generator: Option<&'a str>,
        /// The viewport
        viewport: Option<&'a str>,
        /// Name and content of all meta elements
        all: Pairs<'a, String, String>,
    }
}

functions! {
    SECTION;

    /// The metadata that a page declares.
    ///
    #[doc = " > SELECT html_meta(http_response(body)['body'])['title'] FROM 'data-samples/web/site.warc.gz'"]
    ///   WHERE target_uri = 'http://site.example/news/bridge';
    /// Bridge reopens | The Daily Sample
    html_meta(DATA, CHARSET, URL) -> Returns::of::<StructOf<MetaRow>>(), costly;
}

fn html_meta(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut rows = StructOf::<MetaRow>::default();
    for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
        let url = url.and_then(Result::ok);
        let meta = page.map(|page| reader.read::<Meta>(&page).finish(url.as_ref()));
        rows.append(meta.as_ref().map(|meta| MetaRow {
            title: meta.title.as_deref(),
            lang: meta.language.as_deref(),
            description: meta.description.as_deref(),
            canonical: meta.canonical.as_deref(),
            published: meta.published.as_deref(),
            author: meta.author.as_deref(),
            keywords: meta.keywords.as_deref(),
            robots: meta.robots.as_deref(),
            generator: meta.generator.as_deref(),
            viewport: meta.viewport.as_deref(),
            all: Pairs(&meta.all),
        }));
    }
    Ok(rows.finish()?)
}
