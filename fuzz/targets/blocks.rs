//! Arbitrary text as a page: every output of its blocks terminates, and the main text is empty only
//! if the document is.

#![no_main]

use corpus_blocks::markdown::{self, markdown};
use corpus_blocks::{Kind, plain, rows};
use corpus_html::extract::{Addresses, Document, blocks};
use corpus_html::main_text::{main_blocks, main_text_and_kind};
use corpus_html::{Engine, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| {
    let options = Options::default();
    for addresses in [Addresses::None, Addresses::AsWritten] {
        let whole = blocks(Engine::Native, &options, page, &addresses);
        let main = main_blocks(Engine::Native, &options, page, &addresses);
        for blocks in [whole, main] {
            plain::plain(&blocks);
            for links in [false, true] {
                let output = markdown::Options {
                    links,
                    pictures: links,
                    ..markdown::Options::default()
                };
                markdown(&blocks, &output);
            }
            for block in &blocks {
                if let Kind::Table(table) = &block.kind {
                    rows::grid(table);
                }
            }
        }
    }
    // The main text is empty only if the document is.
    let document = Engine::Native
        .read(page, &options, Document::default)
        .finish();
    let (text, _) = main_text_and_kind(Engine::Native, &options, page);
    assert!(document.is_empty() || !text.is_empty());
});
