//! Metadata, on small pages.

use url::Url;

use super::listen;
use crate::extract::meta::{Meta, Metadata};

fn metadata(page: &str) -> Metadata {
    listen(page, Meta::default).finish(None)
}

#[test]
fn the_title_is_the_first_outside_drawings_and_templates() {
    for (page, expected) in [
        ("<title> a\n &amp;&nbsp;b </title>", Some("a & b")),
        ("<title>日本\n語</title><title>x</title>", Some("日本語")),
        (
            "<body><svg><title>icon</title></svg><title>late</title>",
            Some("late"),
        ),
        ("<title> </title>", None),
        ("<template><title>t</title></template>", None),
        ("<p>a", None),
    ] {
        assert_eq!(metadata(page).title.as_deref(), expected, "{page}");
    }
}

#[test]
fn the_language_is_declared_by_the_outermost_element() {
    for (page, expected) in [
        ("<html lang=' ja '><body lang=en>", Some("ja")),
        ("<html xml:lang=de>", Some("de")),
        ("<html lang=''><body lang=en>", Some("en")),
        ("<meta http-equiv=Content-Language content=fr>", Some("fr")),
        ("<p lang=ja>", None),
    ] {
        assert_eq!(metadata(page).language.as_deref(), expected, "{page}");
    }
}

#[test]
fn all_meta_elements_are_listed() {
    let page = "<meta charset=utf-8><meta name=Description content=' d '>\
        <meta property=og:title content=t><meta name=twitter:card content=c>\
        <meta name=keywords content='a, b'><meta name=author content=me>\
        <meta name=robots content=noindex><meta name=generator content=g>\
        <meta name=viewport content=v><meta name=empty content><meta content=nameless>\
        <body><meta itemprop=name content=i>";
    let found = metadata(page);
    let names: Vec<_> = found.all.iter().map(|(name, _)| name.as_str()).collect();
    let expected =
        "description og:title twitter:card keywords author robots generator viewport name";
    assert_eq!(names.join(" "), expected);
    assert_eq!(found.description.as_deref(), Some("d"));
    assert_eq!(found.keywords.as_deref(), Some("a, b"));
    assert_eq!(found.author.as_deref(), Some("me"));
    assert_eq!(found.robots.as_deref(), Some("noindex"));
    assert_eq!(found.generator.as_deref(), Some("g"));
    assert_eq!(found.viewport.as_deref(), Some("v"));
}

#[test]
fn the_canonical_address_is_absolute_if_the_page_is_known() {
    let page = "<base href=/b/><link rel='x Canonical' href=' c '><link rel=canonical href=d>";
    assert_eq!(metadata(page).canonical.as_deref(), Some("c"));
    let url = Url::parse("http://e.org/d/").unwrap();
    let found = listen(page, Meta::default).finish(Some(&url));
    assert_eq!(found.canonical.as_deref(), Some("http://e.org/b/c"));
    assert_eq!(metadata("<link rel=icon href=i>").canonical, None);
}

#[test]
fn the_best_date_is_taken() {
    let sources = [
        "<meta property=article:published_time content=2021-01-01>",
        "<script type=application/ld+json>{\"@graph\":[{\"datePublished\" : \"2021-01-02\"}]}</script>",
        "<span itemprop='datePublished x' content=2021-01-03></span>",
        "<meta name=DC.date content=2021-01-04>",
        "<time pubdate>2021-01-05</time>",
        "<meta name=date content=2021-01-06>",
        "<time datetime=2021-01-07>x</time><time datetime=2020-01-01>y</time>",
    ];
    for first in 0..sources.len() {
        // Regardless of the dates before and after it.
        let mut page: Vec<_> = sources[first..].to_vec();
        page.reverse();
        let expected = format!("2021-01-0{}", first + 1);
        let found = metadata(&page.concat()).published;
        assert_eq!(found.as_deref(), Some(expected.as_str()), "{page:?}");
    }
}

#[test]
fn dates_in_linked_data_need_no_valid_json() {
    for (json, expected) in [
        (
            r#"{"datePublished":"2020-01-01T00:00:00\u002B09:00"}"#,
            Some("2020-01-01T00:00:00+09:00"),
        ),
        (r#"{"datePublished":"1\/2\/2020"}"#, Some("1/2/2020")),
        (
            r#"{"a":"unclosed, "datePublished":  "2020" , }"#,
            Some("2020"),
        ),
        (
            r#"{"datePublished":null,"x":{"datePublished":"2020"}}"#,
            Some("2020"),
        ),
        (r#"{"datePublished":"2020"#, None),
        (r#"{"dateModified":"2020"}"#, None),
    ] {
        let page = format!("<script type='application/ld+json'>{json}</script>");
        assert_eq!(metadata(&page).published.as_deref(), expected, "{json}");
    }
}

#[test]
fn texts_that_are_not_dates_are_ignored() {
    for page in [
        "<meta name=date content=yesterday>",
        "<time>10:00</time>",
        "<script>\"datePublished\":\"2020\"</script>",
        &format!("<meta name=date content='{}'>", "1".repeat(200)),
    ] {
        assert_eq!(metadata(page).published, None, "{page}");
    }
}

#[test]
fn an_element_with_several_names_has_all_of_them() {
    let page = "<meta name=description property=OG:Description itemprop=description content=d>\
        <meta name=x property=article:published_time content=2021-01-01>";
    let found = metadata(page);
    let names: Vec<_> = found.all.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "description",
        "og:description",
        "x",
        "article:published_time",
    ];
    assert_eq!(names, expected);
    assert_eq!(found.published.as_deref(), Some("2021-01-01"));
}

#[test]
fn dates_are_found_anywhere_and_in_any_script() {
    let late = format!(
        "<script type=application/ld+json>{{\"a\": \"{}\", \"datePublished\": \"2021-01-01\"}}</script>",
        "x".repeat(2 << 20)
    );
    assert_eq!(metadata(&late).published.as_deref(), Some("2021-01-01"));
    let japanese = "公開日：令和五年十一月十日（金曜日）午前8時30分00秒（日本標準時）";
    let page = format!("<meta name=date content={japanese}>");
    assert_eq!(metadata(&page).published.as_deref(), Some(japanese));
}
