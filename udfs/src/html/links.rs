//! The links of a page.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, texts, urls};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, row};
use corpus_html::extract::{Link, Links};

row! {
    /// A link of a page.
    pub struct LinkRow<'a> {
        /// The number of the link, from 1
        position: usize,
        /// The element: 'a', 'img', 'link', 'script', 'form', …
        #[short]
        kind: &'a str,
        /// The attribute that holds the address
        attribute: &'a str,
        /// The address as written
        href: &'a str,
        /// The absolute address, if the page's own is given
        #[short]
        url: Option<&'a str>,
        /// The text of the link
        text: Option<&'a str>,
        /// The attribute `rel`
        rel: Option<&'a str>,
        /// Why there is no `url`
        #[short]
        error: Option<String>,
    }
}

/// The links of a page.
pub struct LinkRows<'a>(pub &'a [Link]);

impl Cell for LinkRows<'_> {
    type Column = ListOf<LinkRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        column.append((1..).zip(self.0).map(|(position, link)| LinkRow {
            position,
            kind: link.kind,
            attribute: link.attribute,
            href: &link.href,
            url: link.url.as_deref(),
            text: link.text.as_deref(),
            rel: link.rel.as_deref(),
            error: link.error.map(|error| error.to_string()),
        }));
    }
}

functions! {
    SECTION;

    /// The addresses that a page refers to, in order, without `data:` ones.
    ///
    /// > SELECT l['kind'], l['url'], l['text'] FROM (
    #[doc = "     SELECT unnest(html_links('<a href=/b>B</a> <img src=c.png alt=C>', NULL, 'http://a.example/x/')) AS l);"]
    /// a, http://a.example/b, B
    /// img, http://a.example/x/c.png, C
    html_links(DATA, CHARSET, URL) -> Returns::of::<ListOf<LinkRow>>(), costly;
}

fn html_links(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut rows = ListOf::<LinkRow>::default();
    for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
        let links = page.map(|page| {
            let links = reader.read::<Links>(&page);
            links.finish(url.as_ref(), page.len())
        });
        links.as_deref().map(LinkRows).append_to(&mut rows);
    }
    Ok(rows.finish()?)
}
