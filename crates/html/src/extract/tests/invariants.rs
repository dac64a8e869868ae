//! Properties of every page, tested on random markup.

use super::{listen, listen_without_scripting, soup};
use crate::events::{Element, Events};
use crate::extract::flow::Document;
use crate::extract::page::Page;
use crate::extract::paragraph::{Extract, Kind};
use crate::extract::paragraphs::Paragraphs;
use crate::extract::uzushio::UzushioDocument;
use crate::extract::uzushio_paragraphs::UzushioParagraphs;
use corpus_markup::Name;

const PAGES: u64 = 4_000;

/// All text of a page.
#[derive(Default)]
struct Everything(String);

impl Events for Everything {
    fn open(&mut self, _: &Element<'_>) {}
    fn close(&mut self, _: Name) {}
    fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    part.chars()
        .filter(|c| !c.is_whitespace())
        .all(|wanted| whole.any(|c| c == wanted))
}

#[track_caller]
fn assert_paragraphs_make_the_document(extract: &Extract, page: &str) {
    let paragraphs: Vec<_> = extract.paragraphs().collect();
    let texts: Vec<_> = paragraphs.iter().map(|paragraph| paragraph.text).collect();
    assert_eq!(texts.join("\n\n"), extract.document, "{page:?}");
    for paragraph in paragraphs {
        assert!(!paragraph.text.is_empty(), "{page:?}");
        assert!(!paragraph.text.contains("\n\n"), "{page:?}");
        assert_eq!(
            paragraph.characters,
            paragraph.text.chars().count(),
            "{page:?}"
        );
        assert!(
            paragraph.link_characters <= paragraph.characters,
            "{page:?}"
        );
        assert!(
            paragraph.path.starts_with("body"),
            "{:?} {page:?}",
            paragraph.path
        );
    }
}

#[test]
fn default_mode() {
    for page in (0..PAGES).map(soup) {
        let document = listen(&page, Document::default).finish();
        let extract = listen(&page, Paragraphs::default).finish();
        assert_eq!(extract.document, document, "{page:?}");
        assert_paragraphs_make_the_document(&extract, &page);
        for paragraph in extract.paragraphs() {
            for line in paragraph.text.split('\n') {
                assert_eq!(line, line.trim_end(), "{page:?}");
                // Table cells may contain preformatted text.
                if paragraph.kind != Kind::Preformatted && !page.contains("<pre>") {
                    // Tabs stand for empty cells.
                    let words = line.trim_start_matches('\t');
                    assert_eq!(words, words.trim_start(), "{page:?}");
                    assert!(!line.contains("  "), "{page:?}");
                }
                assert!(!line.trim().is_empty(), "{page:?}");
            }
        }
        // The content of noscript may be the page, and is markup then.
        if !page.contains("<noscript>") {
            let everything = listen(&page, Everything::default).0;
            assert!(is_subsequence(&document, &everything), "{page:?}");
        }
    }
}

/// Random markup with elements that write something themselves, or shift text.
fn meaningful_soup(seed: u64) -> String {
    let page = soup(seed);
    let replaced = [
        ("<b>", "<sup>"),
        ("</b>", "</sup>"),
        ("<span>", "<del>"),
        ("</span>", "</del>"),
        ("<i hidden>", "<q>"),
        ("</i>", "</q>"),
        ("<td>", "<td><td colspan=2>"),
        ("<th>", "<th rowspan=2>"),
        ("<h2>", "<a style='display:block'>"),
        ("<form>", "<div style='display:flex'>"),
        ("</form>", "</div><img alt=É>"),
        ("<template>", "<template shadowrootmode=open>"),
        ("<svg><title>", "<math><msup><mi>x</mi><mn>"),
        ("</svg>", "</msup></math>"),
        ("<hr>", "<iframe srcdoc='<li>a<td>b<b>'></iframe>"),
    ];
    let replace = |page: String, (from, to): (&str, &str)| page.replace(from, to);
    replaced.into_iter().fold(page, replace)
}

#[test]
fn meaningful_markup_keeps_paragraphs_and_positions() {
    for page in (0..PAGES).map(meaningful_soup) {
        let document = listen(&page, Document::default).finish();
        let extract = listen(&page, Paragraphs::default).finish();
        assert_eq!(extract.document, document, "{page:?}");
        assert_paragraphs_make_the_document(&extract, &page);
        let pieces = listen(&page, || Pieces(Document::default())).0.finish();
        assert_eq!(pieces, document, "{page:?}");
    }
}

#[test]
fn uzushio_mode() {
    for page in (0..PAGES).map(soup) {
        let document = listen_without_scripting(&page, UzushioDocument::default).finish();
        let extract = listen_without_scripting(&page, UzushioParagraphs::default).finish();
        assert_eq!(extract.document, document, "{page:?}");
        assert_paragraphs_make_the_document(&extract, &page);
        assert!(!document.contains("\n\n\n"), "{page:?}");
        for line in document.split('\n') {
            assert_eq!(line, line.trim_matches(|c| c <= ' '), "{page:?}");
        }
        let everything = listen_without_scripting(&page, Everything::default).0;
        assert!(is_subsequence(&document, &everything), "{page:?}");
    }
}

/// Passes text on in pieces of one character.
struct Pieces<L>(L);

impl<L: Events> Events for Pieces<L> {
    fn open(&mut self, element: &Element<'_>) {
        self.0.open(element);
    }
    fn close(&mut self, name: Name) {
        self.0.close(name);
    }
    fn text(&mut self, text: &str) {
        let mut buffer = [0; 4];
        for character in text.chars() {
            self.0.text(character.encode_utf8(&mut buffer));
        }
    }
}

#[test]
fn text_may_come_in_pieces() {
    for page in (0..PAGES).map(soup) {
        let whole = listen(&page, Page::<Paragraphs>::default).finish(None, page.len());
        let pieces = listen(&page, || Pieces(Page::<Paragraphs>::default()))
            .0
            .finish(None, page.len());
        assert_eq!(
            whole.0.finish().document,
            pieces.0.finish().document,
            "{page:?}"
        );
        assert_eq!((whole.1, whole.2), (pieces.1, pieces.2), "{page:?}");
        let whole = listen_without_scripting(&page, UzushioParagraphs::default).finish();
        let pieces = listen_without_scripting(&page, || Pieces(UzushioParagraphs::default()))
            .0
            .finish();
        assert_eq!(whole.document, pieces.document, "{page:?}");
    }
}
