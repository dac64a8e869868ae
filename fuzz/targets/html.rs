//! Any text as a page: both engines end, lose nothing, and agree on the text.

#![no_main]

use corpus_html::extract::{Document, Page, Paragraphs, SeedParagraphs};
use corpus_html::{Engine, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| {
    let options = Options::default();
    let read = |engine: Engine| engine.read(page, &options, Document::default).finish();
    let native = read(Engine::Native);
    // html5ever passes over a doctype before it looks at the text that waits in a table; in the
    // standard the text ends there.
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
    Engine::Native.read(page, &scriptless, SeedParagraphs::default);
});
