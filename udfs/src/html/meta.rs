//! What a page says of itself.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, Fields};

use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, arguments, texts, urls};
use crate::function::{Function, document};
use crate::lists::{PAIRS, PairsBuilder, TextColumns};
use corpus_charset::Charset;
use corpus_html::extract::Meta;

const TEXTS: [&str; 10] = [
    "title",
    "lang",
    "description",
    "canonical",
    "published",
    "author",
    "keywords",
    "robots",
    "generator",
    "viewport",
];

static META: LazyLock<Fields> = LazyLock::new(|| {
    let mut fields: Vec<Field> = TEXTS
        .iter()
        .map(|name| Field::new(*name, DataType::LargeUtf8, true))
        .collect();
    fields.push(Field::new("all", PAIRS.clone(), true));
    Fields::from(fields)
});

pub fn html_meta() -> Function {
    let documentation = document(
        SECTION,
        "html_meta(data [, charset [, url]])",
        "What a page says of itself: a struct of title, lang, description, canonical, published \
         (as stated), author, keywords, robots, generator, viewport, and all (every meta element, \
         name and content). What it does not state is NULL.",
        "> SELECT m['title'], m['lang'], m['canonical'], m['published'] FROM (
    SELECT html_meta(http_response(body)['body'], NULL, target_uri) AS m FROM 'data-samples/web/site.warc.gz'
    WHERE target_uri = 'http://site.example/news/bridge');
Bridge reopens | The Daily Sample, en, http://site.example/news/bridge, 2023-11-10T08:30:00Z",
        &[DATA, CHARSET, URL],
    );
    let returns = DataType::Struct(META.clone());
    Function::new(
        "html_meta",
        arguments(1),
        returns,
        documentation,
        |args, settings| {
            let reader = Reader::new(settings, Mode::default());
            let mut stated = TextColumns::<10>::default();
            let mut all = PairsBuilder::default();
            for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
                let url = url.and_then(Result::ok);
                let meta = page.map(|(page, _)| reader.read::<Meta>(&page).finish(url.as_ref()));
                let meta = meta.as_ref();
                stated.append([
                    meta.and_then(|m| m.title.as_deref()),
                    meta.and_then(|m| m.language.as_deref()),
                    meta.and_then(|m| m.description.as_deref()),
                    meta.and_then(|m| m.canonical.as_deref()),
                    meta.and_then(|m| m.published.as_deref()),
                    meta.and_then(|m| m.author.as_deref()),
                    meta.and_then(|m| m.keywords.as_deref()),
                    meta.and_then(|m| m.robots.as_deref()),
                    meta.and_then(|m| m.generator.as_deref()),
                    meta.and_then(|m| m.viewport.as_deref()),
                ]);
                all.append(meta.map(|m| m.all.iter().map(|(name, content)| (name, content))));
            }
            let mut columns: Vec<ArrayRef> = stated.finish().to_vec();
            columns.push(all.finish());
            let nulls = args[0].nulls().cloned();
            Ok(Arc::new(StructArray::try_new(
                META.clone(),
                columns,
                nulls,
            )?))
        },
    )
    .optional(2)
    .checked(1, Charset::check_declared)
    .costly()
}
