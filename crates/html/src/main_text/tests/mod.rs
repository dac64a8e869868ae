mod article;
mod builders;
mod kinds;

use super::block::Block;
use super::containers::{Container, Containers};
use super::declared::Declared;
use super::hints::{Hint, Hints};
use super::page::Page;
use super::parts::{Elements, Parts};
use super::weight::weight;
use super::words::Words;
use crate::engine::Engine;
use crate::events::{Attributes, Element, Options};
use crate::extract::tests::{listen, soup};
use crate::extract::{Addresses, Document, Kind};
use corpus_blocks::markdown::{self, markdown};
use corpus_blocks::plain_text;
use corpus_markup::Name;

pub const SENTENCE: &str = "A sentence of the article, which is long enough to be running text. ";

pub fn main_text(page: &str) -> String {
    super::main_text(Engine::default(), &Options::default(), page)
}

/// The main text and the document. Asserts that the main text consists of paragraphs of the
/// document, in their order.
#[track_caller]
pub fn part_of_document(page: &str) -> (String, String) {
    let document = listen(page, Document::default).finish();
    let main = main_text(page);
    let mut paragraphs = document.split("\n\n");
    for wanted in main.split("\n\n") {
        assert!(
            paragraphs.any(|paragraph| paragraph == wanted),
            "{wanted:?} in {page:?}"
        );
    }
    (main, document)
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

pub fn paragraphs(count: usize) -> (String, String) {
    let texts: Vec<String> = (0..count)
        .map(|i| format!("{i}: {}", SENTENCE.trim()))
        .collect();
    let html = texts.iter().map(|text| format!("<p>{text}</p>")).collect();
    (html, texts.join("\n\n"))
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
        // Named like boilerplate, but contains most of the text.
        ("<div class=sidebar-layout>", "</div>"),
        ("<form>", "</form>"),
        // A hint on inline elements does not apply to paragraphs.
        ("<div><span class=comment>", "</span></div>"),
        // A link target is not a link, even if it is never closed.
        ("<div><a name=start>", "</div>"),
    ] {
        let (text, _) = part_of_document(&page(&format!("{before}{html}{after}")));
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
    let expected = format!("Title\n\n{paragraphs}\n\nPart\n\nShort line\n\nitem\n\n{sentence}");
    let (text, _) = part_of_document(&page(&article));
    assert_eq!(text, expected);
}

#[test]
fn links_and_hidden_text() {
    let (html, expected) = paragraphs(8);
    let article = format!(
        "<div>{html}<p><a href=/1>{SENTENCE}</a><a href=/2>{SENTENCE}</a></p>\
         <p hidden>{SENTENCE}</p><p style='display: none'>{SENTENCE}</p>\
         <p aria-hidden=true>{SENTENCE}</p><noscript><p>{SENTENCE}</p></noscript>\
         <script>{SENTENCE}</script><template><p>{SENTENCE}</template>\
         <svg><text>{SENTENCE}</text></svg></div>"
    );
    assert_eq!(main_text(&page(&article)), expected);
}

#[test]
fn panels_that_a_heading_opens_are_shown() {
    let (html, expected) = paragraphs(8);
    for panel in [
        "role=region hidden",
        "role=' TabPanel' style='display: none'",
        "class='x-Accordion-body' hidden",
    ] {
        let article = format!("<div>{html}<h3>More</h3><div {panel}><p>{SENTENCE}</div></div>");
        let expected = format!("{expected}\n\nMore\n\n{}", SENTENCE.trim());
        assert_eq!(main_text(&page(&article)), expected, "{panel}");
    }
    // In an article, only roles count.
    let hidden = format!("<div class=accordion hidden><p>{SENTENCE}</div>");
    let declared = "<meta property=og:type content=article>";
    let article = format!("{declared}<div>{html}{hidden}</div>");
    assert_eq!(main_text(&article), expected);
}

#[test]
fn tables_lists_and_preformatted_text_are_the_same_as_in_the_document() {
    let (html, paragraphs) = paragraphs(8);
    let article = format!(
        "<article>{html}\
         <table><tr><th>City<th>Bridges<tr><td>Venice<td>435<tr><td><p>Hamburg</p><td>2,496</table>\
         <pre>fn main() {{\n    bridge();\n\n    road();\n}}</pre>\
         <ul><li>one<ul><li>two</ul><li>three</ul><p>{SENTENCE}</article>"
    );
    let (text, _) = part_of_document(&page(&article));
    let sentence = SENTENCE.trim();
    let expected = format!(
        "{paragraphs}\n\nCity\tBridges\nVenice\t435\nHamburg\t2,496\n\n\
         fn main() {{\n    bridge();\n\n    road();\n}}\n\none\ntwo\nthree\n\n{sentence}"
    );
    assert_eq!(text, expected);
}

#[test]
fn lists_and_tables_are_kept_or_dropped_as_a_whole() {
    let (html, expected) = paragraphs(20);
    let menu = "<li><a href=/x>One of the many pages</a>".repeat(20);
    let article = format!("<article>{html}<ul>{menu}<li>{SENTENCE}</ul></article>");
    assert_eq!(main_text(&page(&article)), expected);
    let steps = "<li>Turn it on, <a href=/x>wait</a>, turn it off".repeat(9);
    let article = format!("<article>{html}<ol>{steps}</ol></article>");
    let steps = ["Turn it on, wait, turn it off"; 9].join("\n");
    assert_eq!(main_text(&page(&article)), format!("{expected}\n\n{steps}"));
}

#[test]
fn japanese() {
    let page = format!(
        "<ul><li><a href=/>トップ</a><li><a href=/n>新着</a></ul><div>{}</div>\
         <div><a href=/r>関連する記事の見出しがここに並びます。</a></div><p>著作権表示</p>",
        "<p>\u{3000}<ruby>日本<rt>にほん</ruby>語の文章には空白がないので、\n  文字の数で量ります。\
         これは本文です。</p>"
            .repeat(4)
    );
    let paragraph = "日本語の文章には空白がないので、文字の数で量ります。これは本文です。";
    let (text, _) = part_of_document(&page);
    assert_eq!(text, [paragraph; 4].join("\n\n"));
    assert_eq!(weight("日本 語a\t\u{3000}"), 10);
}

#[test]
fn line_breaks_and_inline_elements() {
    let page = format!("<div><b>Bo</b>ld <i>x</i><br>{SENTENCE}<br><br>{SENTENCE}</div>");
    let sentence = SENTENCE.trim();
    let (text, _) = part_of_document(&page);
    assert_eq!(text, format!("Bold x\n{sentence}\n\n{sentence}"));
}

#[test]
fn pages_without_an_article_are_kept_whole() {
    let page = "<nav><a href=/>Home</a></nav><table><tr><td>A1<td>12.50<tr><td>B2<td>7</table>\
                <ul><li><a href=/b>Back</a></ul>";
    assert_eq!(main_text(page), "A1\t12.50\nB2\t7");
    assert_eq!(main_text(""), "");
    // Menus are better than nothing.
    assert_eq!(main_text("<nav><a href=/>Home</a></nav>"), "Home");
    assert_eq!(
        main_text("<a href=/x><img alt='Winter boots'></a>"),
        "Winter boots"
    );
}

#[test]
fn the_main_text_is_empty_only_if_the_document_is() {
    let mut shown = 0;
    let classes = [
        "widget",
        "x-nav",
        "cookie",
        "comment",
        "content",
        "footer menu",
    ];
    for seed in 0..3_000 {
        let soup = soup(seed);
        let class = classes[seed as usize % classes.len()];
        let long = soup.replace("word", SENTENCE);
        for page in [
            format!("<div class='{class}'>{soup}</div>"),
            format!("<nav><a href=/>{long}</nav>"),
            format!("<footer>{long}</footer><div id={class}>{soup}</div>"),
            soup,
        ] {
            let document = listen(&page, Document::default).finish();
            assert!(
                document.is_empty() || !main_text(&page).is_empty(),
                "{page}"
            );
            shown += u32::from(!document.is_empty());
        }
    }
    assert!(shown > 5_000, "{shown} pages have text");
}

/// Random markup inside and around an article, in which some words are sentences.
#[test]
fn the_main_text_of_any_page_consists_of_paragraphs_of_its_document() {
    let mut proper = 0;
    for seed in 0..2_000 {
        let parts = [0, 1, 2].map(|part| soup(seed * 3 + part));
        let [before, within, after] = parts.map(|part| part.replace("two words", SENTENCE));
        let (article, _) = paragraphs(3);
        let page = format!("{before}<div class=content>{article}{within}{article}</div>{after}");
        for page in [&*page, &before, &within] {
            let document = listen(page, Document::default).finish();
            if main_text(page).is_empty() {
                continue;
            }
            let (main, _) = part_of_document(page);
            proper += u32::from(main.len() < document.len());
        }
    }
    assert!(proper > 500, "{proper} are less than the document");
}

#[test]
fn hints() {
    for (name, class, expected) in [
        (Name::ARTICLE, "sidebar", Hint::Main),
        (Name::NAV, "content", Hint::Boilerplate),
        (Name::DIV, "entry-Content", Hint::Main),
        (Name::DIV, "breadcrumb", Hint::Boilerplate),
        (Name::DIV, "main-nav", Hint::Neutral),
        (Name::DIV, "related-posts", Hint::Boilerplate),
        (Name::DIV, "post-tags", Hint::Boilerplate),
        (Name::DIV, "dropdown", Hint::Boilerplate),
        (Name::DIV, "accordion-dropdown", Hint::Neutral),
        (Name::DIV, "accordion-menu", Hint::Boilerplate),
        (Name::DIV, "review", Hint::Boilerplate),
        (Name::DIV, "review-content", Hint::Main),
        (Name::DIV, "preview", Hint::Neutral),
        (Name::DIV, "imageCredit", Hint::Boilerplate),
        (Name::DIV, "tax-credit", Hint::Neutral),
        (Name::DIV, "x7", Hint::Neutral),
        (Name::BODY, "comments-open", Hint::Neutral),
        (Name::BLOCKQUOTE, "embedded-tweet", Hint::Neutral),
    ] {
        for attribute in ["class", "id", "role"] {
            let element = Element {
                name,
                foreign: false,
                attributes: Attributes::Parsed(&[(attribute, class)]),
            };
            let values = element.attributes(["class", "id", "role"]);
            let hint = Hints::of(name, values, &mut Parts::default()).without(Words::NONE);
            assert_eq!(hint, expected, "{attribute} {class}");
        }
    }
}

#[test]
fn invalid_container_indexes_are_harmless() {
    let blocks = [1, 9].map(|container| Block::new(SENTENCE, container, Kind::Text, 0));
    let containers = [0, 7].map(|parent| Container::new(parent, Hints::default(), Name::DIV));
    for containers in [containers.into(), Vec::new()] {
        let containers = Containers {
            all: containers,
            ..Containers::default()
        };
        for headline in [None, Some(0), Some(1), Some(7)] {
            let (declared, elements) = (Declared::default(), Elements::default());
            let holders = containers.holders();
            let page = Page::new(
                &containers,
                &blocks,
                holders,
                headline,
                &declared,
                &elements,
            );
            let selected = page.select();
            assert!(selected.blocks.len() <= 2, "{containers:?} {headline:?}");
        }
    }
}

#[test]
fn deep_and_wide_pages() {
    let deep = "<div>".repeat(20_000) + SENTENCE;
    assert_eq!(main_text(&deep), SENTENCE.trim());
    let wide: String = (0..5_000)
        .map(|number| format!("<div><p>{number}: {SENTENCE}</div>"))
        .collect();
    assert_eq!(main_text(&wide).split("\n\n").count(), 5_000);
}

#[test]
fn the_blocks_start_with_the_headline() {
    let markdown_of = |page: &str| {
        let options = Options::default();
        let blocks = super::main_blocks(Engine::default(), &options, page, &Addresses::None);
        markdown(&blocks, &markdown::Options::default())
    };
    let (html, _) = paragraphs(4);
    let body = format!("<header><h1>A bridge</h1></header><div class=body>{html}</div>");
    for title in ["<title>A bridge | News</title>", ""] {
        let written = markdown_of(&format!("{title}{body}"));
        assert!(written.starts_with("# A bridge\n\n"), "{written}");
        assert!(!main_text(&format!("{title}{body}")).contains("A bridge"));
    }
    // The name of a site leads to its first page.
    let body = body.replace("A bridge", "<a href=/>The Example</a>");
    assert!(!markdown_of(&body).contains("Example"));
}

#[test]
fn the_blocks_contain_the_main_text() {
    let options = Options::default();
    for seed in 0..2000 {
        let page = soup(seed).replace("<caption>", "<p>");
        let blocks = super::main_blocks(Engine::default(), &options, &page, &Addresses::None);
        // Code is kept as a whole, so that there may be more.
        let written = plain_text::of_blocks(&blocks);
        let mut written = written.chars();
        let text = main_text(&page).replace('~', "");
        let mut text = text.chars().filter(|c| !c.is_whitespace());
        let missing = text.find(|wanted| !written.any(|c| c == *wanted));
        assert_eq!(missing, None, "{page:?}");
    }
}
