//! Arbitrary text as a page: both engines terminate, lose no text, and agree on it.

#![no_main]

use corpus_html::extract::{Document, Page, Paragraphs, UzushioParagraphs};
use corpus_html::{Engine, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| {
    let options = Options::default();
    let read = |engine: Engine| engine.read(page, &options, Document::default).finish();
    let native = read(Engine::Native);
    // html5ever drops a doctype before it processes the pending text of a table. According to the
    // standard, that text ends at the doctype.
    if !page.to_ascii_lowercase().contains("<!doctype") {
        assert_eq!(native, read(Engine::Html5ever));
    }

    let everything = Engine::Native.read(page, &options, Page::<Paragraphs>::default);
    let (paragraphs, _, _) = everything.finish(None, page.len());
    assert_eq!(native, paragraphs.finish().document);

    let scriptless = Options {
        scripting: false,
        ..options
    };
    Engine::Native.read(page, &scriptless, UzushioParagraphs::default);
});
