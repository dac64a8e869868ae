//! The main text of a page with its metadata, in one pass.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, texts, urls};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, StructOf, row};
use corpus_html::main_text::main_text_and_metadata;

row! {
    /// An article.
    struct ArticleRow<'a> {
        /// As html_main_text
        main_text: &'a str,
        /// As html_page_kind
        #[short]
        page_kind: &'a str,
        /// The title
        title: Option<&'a str>,
        /// The language as declared
        #[short]
        lang: Option<&'a str>,
        /// The description
        description: Option<&'a str>,
        /// The author
        author: Option<&'a str>,
        /// When the page was published, as declared
        published: Option<&'a str>,
        /// The canonical address, absolute if the page's own is given
        canonical: Option<&'a str>,
    }
}

functions! {
    SECTION;

    /// The main text of a page, its kind and its metadata, in one pass.
    ///
    /// > SELECT html_article('<title>A</title><nav>Home</nav><article><p>One.')['main_text'];
    /// One.
    html_article(DATA, CHARSET, URL) -> Returns::of::<StructOf<ArticleRow>>(), costly;
}

fn html_article(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut rows = StructOf::<ArticleRow>::default();
    for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
        let Some(page) = page else {
            rows.append_null();
            continue;
        };
        let url = url.and_then(Result::ok);
        let (main_text, kind, meta) =
            main_text_and_metadata(reader.engine, &reader.options, &page, url.as_ref());
        rows.append(Some(ArticleRow {
            main_text: &main_text,
            page_kind: kind.name(),
            title: meta.title.as_deref(),
            lang: meta.language.as_deref(),
            description: meta.description.as_deref(),
            author: meta.author.as_deref(),
            published: meta.published.as_deref(),
            canonical: meta.canonical.as_deref(),
        }));
    }
    Ok(rows.finish()?)
}
