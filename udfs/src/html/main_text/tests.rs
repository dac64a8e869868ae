use super::{Block, Collector, Container, Hint, main_blocks, weight};
use crate::html::events::Options;
use crate::html::tree::read;

const SENTENCE: &str = "A sentence of the article, which is long enough to be running text. ";

fn main_text(page: &str) -> String {
    let mut collector = Collector::default();
    read(page, &Options::default(), &mut collector);
    collector.main_text()
}

/// A page around an article.
fn page(article: &str) -> String {
    format!(
        "<title>T</title><nav><a href=/>Home</a> <a href=/a>About us</a></nav>
        <div class=sidebar><p>{}</p><p>By the way.</p></div>
        <div id=wrap>{article}
        <div class=related-posts><h3>Related</h3><p>{SENTENCE}</p></div></div>
        <section id=comments><h2>Comments</h2><p>{SENTENCE}{SENTENCE}</p></section>
        <footer><p>All rights reserved, in this country and in all of the others, too.</p></footer>",
        "Beside the article. ".repeat(4)
    )
}

fn paragraphs(count: usize) -> (String, String) {
    let texts: Vec<String> = (0..count)
        .map(|i| format!("{i}: {}", SENTENCE.trim()))
        .collect();
    let html = texts.iter().map(|text| format!("<p>{text}</p>")).collect();
    (html, texts.join("\n"))
}

#[test]
fn an_article() {
    let (html, expected) = paragraphs(8);
    for (before, after) in [
        ("<article>", "</article>"),
        ("<div>", "</div>"),
        ("<div class=content>", "</div>"),
        ("<table><tr><td>", "</table>"),
        ("<div><div><main>", "</main></div></div>"),
        // Called like something beside the article, but it holds most of the text.
        ("<div class=sidebar-layout>", "</div>"),
        ("<form>", "</form>"),
    ] {
        let text = main_text(&page(&format!("{before}{html}{after}")));
        assert_eq!(text, expected, "{before}");
    }
}

#[test]
fn headings_and_short_lines_within() {
    let (html, paragraphs) = paragraphs(8);
    let article = format!(
        "<div><p>By N. N.</p><h1>Title</h1>{html}<h2>Part</h2><p>Short line</p><ul><li>item</ul>\
         <p>{SENTENCE}</p><p>Tags</p><h2>Next</h2><p><a href=/>{SENTENCE}</a></div>"
    );
    let sentence = SENTENCE.trim();
    let expected = format!("Title\n{paragraphs}\nPart\nShort line\nitem\n{sentence}");
    assert_eq!(main_text(&page(&article)), expected);
}

#[test]
fn links_and_hidden_text() {
    let (html, expected) = paragraphs(8);
    let article = format!(
        "<div>{html}<p><a href=/1>{SENTENCE}</a><a href=/2>{SENTENCE}</a></p>\
         <p hidden>{SENTENCE}</p><p style='display: none'>{SENTENCE}</p>\
         <script>{SENTENCE}</script><template><p>{SENTENCE}</template>\
         <svg><text>{SENTENCE}</text></svg></div>"
    );
    assert_eq!(main_text(&page(&article)), expected);
}

#[test]
fn japanese() {
    let paragraph = "日本語の文章には空白がないので、文字の数で量ります。これは本文です。";
    let article = format!(
        "<ul><li><a href=/>トップ</a><li><a href=/n>新着</a></ul><div>{}</div>\
         <div><a href=/r>関連する記事の見出しがここに並びます。</a></div><p>著作権表示</p>",
        format!("<p>{paragraph}</p>").repeat(4)
    );
    assert_eq!(main_text(&article), [paragraph; 4].join("\n"));
    assert_eq!(weight("日本 語a"), 10);
}

#[test]
fn line_breaks_and_inline_elements() {
    let page = format!("<div><b>Bo</b>ld <i>x</i><br>{SENTENCE}<br><br>{SENTENCE}</div>");
    let sentence = SENTENCE.trim();
    assert_eq!(
        main_text(&page),
        format!("Bold x\n{sentence}\n\n{sentence}")
    );
}

#[test]
fn pages_without_an_article_are_kept_whole() {
    let page = "<nav><a href=/>Home</a></nav><table><tr><td>A1<td>12.50<tr><td>B2<td>7</table>\
                <ul><li><a href=/b>Back</a></ul>";
    assert_eq!(main_text(page), "A1\n12.50\nB2\n7");
    assert_eq!(main_text(""), "");
}

#[test]
fn hints() {
    for (tag, class, expected) in [
        ("article", "sidebar", Hint::Main),
        ("nav", "content", Hint::Beside),
        ("div", "entry-Content", Hint::Main),
        ("div", "breadcrumb", Hint::Beside),
        ("div", "main-nav", Hint::Neutral),
        ("div", "related-posts", Hint::Beside),
        ("div", "x7", Hint::Neutral),
        ("body", "comments-open", Hint::Neutral),
    ] {
        assert_eq!(
            Hint::of(tag, [class].into_iter()),
            expected,
            "{tag} {class}"
        );
    }
}

#[test]
fn wrong_numbers_of_containers_are_no_harm() {
    let block = |container| Block {
        text: SENTENCE.to_owned(),
        container,
        is_heading: false,
        weight: 70,
        link_weight: 0,
    };
    let containers = [0, 7].map(|parent| Container {
        parent,
        hint: Hint::Neutral,
    });
    let blocks = [block(1), block(9)];
    assert_eq!(main_blocks(&containers, &blocks).len(), 2);
    assert_eq!(main_blocks(&[], &blocks).len(), 2);
}

#[test]
fn deep_and_wide_pages() {
    let deep = "<div>".repeat(20_000) + SENTENCE;
    assert_eq!(main_text(&deep), SENTENCE.trim());
    let wide = format!("<div><p>{SENTENCE}</div>").repeat(5_000);
    assert_eq!(main_text(&wide).lines().count(), 5_000);
}
