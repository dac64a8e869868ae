//! Properties of every page, tested on random markup.

use super::blocks_of;
use crate::extract::Document;
use crate::extract::tests::{listen, soup};
use corpus_blocks::plain_text;

/// The characters of a text except white space and the marks of deleted text, which start and end
/// with blocks.
fn characters(text: &str) -> Vec<char> {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '~')
        .collect()
}

#[test]
fn blocks_have_the_text_of_the_document() {
    for seed in 0..2000 {
        let page = soup(seed);
        let document = listen(&page, Document::default).finish();
        let text = plain_text::of_blocks(&blocks_of(&page));
        let [mut text, mut document] = [text, document].map(|text| characters(&text));
        // Captions come before the cells of their table.
        if page.contains("<caption") {
            text.sort_unstable();
            document.sort_unstable();
        }
        assert_eq!(text, document, "{page:?}");
    }
}
