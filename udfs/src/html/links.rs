//! The links of a page.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, Int32Builder};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, arguments, texts, urls};
use crate::function::{Function, document};
use crate::lists::{ListLengths, TextColumns, list_of};
use corpus_charset::Charset;
use corpus_html::extract::{Link, Links, UrlError};

static LINK: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("position", DataType::Int32, true),
        Field::new("kind", DataType::LargeUtf8, true),
        Field::new("attribute", DataType::LargeUtf8, true),
        Field::new("href", DataType::LargeUtf8, true),
        Field::new("url", DataType::LargeUtf8, true),
        Field::new("text", DataType::LargeUtf8, true),
        Field::new("rel", DataType::LargeUtf8, true),
        Field::new("error", DataType::LargeUtf8, true),
    ])
});

pub fn html_links() -> Function {
    let documentation = document(
        SECTION,
        "html_links(data [, charset [, url]])",
        "The addresses that a page refers to, in their order: a list of structs of position (from \
         1), kind (the element: 'a', 'img', 'link', 'script', 'form', …), attribute, href (as \
         written), url (absolute, where the page's own is given), text, rel, and error (why there \
         is no url). Addresses with the scheme `data:` are left out.",
        "> SELECT l['kind'], l['url'], l['text'] FROM (
    SELECT unnest(html_links('<a href=/b>B</a> <img src=c.png alt=C>', NULL, 'http://a.example/x/')) AS l);
a, http://a.example/b, B
img, http://a.example/x/c.png, C",
        &[DATA, CHARSET, URL],
    );
    let returns = links_type();
    Function::new(
        "html_links",
        arguments(1),
        returns,
        documentation,
        |args, settings| {
            let reader = Reader::new(settings, Mode::default());
            let mut columns = LinkColumns::default();
            for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
                let links = page.map(|(page, _)| {
                    let links = reader.read::<Links>(&page);
                    links.finish(url.as_ref(), page.len())
                });
                columns.append(links.as_deref());
            }
            columns.finish()
        },
    )
    .optional(2)
    .checked(1, Charset::check_declared)
    .costly()
}

pub fn links_type() -> DataType {
    list_of(&LINK)
}

/// Builds a column of lists of links.
#[derive(Default)]
pub struct LinkColumns {
    lengths: ListLengths,
    position: Int32Builder,
    texts: TextColumns<7>,
}

impl LinkColumns {
    pub fn append(&mut self, links: Option<&[Link]>) {
        self.lengths.append(links.map(<[Link]>::len));
        for (position, link) in (1..).zip(links.into_iter().flatten()) {
            self.position.append_value(position);
            let error = link.error.map(UrlError::message);
            self.texts.append([
                Some(link.kind),
                Some(link.attribute),
                Some(&link.href),
                link.url.as_deref(),
                link.text.as_deref(),
                link.rel.as_deref(),
                error.as_deref(),
            ]);
        }
    }

    pub fn finish(mut self) -> Result<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.position.finish())];
        columns.extend(self.texts.finish());
        Ok(Arc::new(self.lengths.finish(&LINK, columns)?))
    }
}
