//! Arbitrary bytes as a PDF: reading terminates within its limits, and words, lines and blocks are
//! consistent.

#![no_main]

use std::ops::ControlFlow;

use corpus_pdf::engine::read;
use corpus_pdf::model::{FailureKind, Limits, Options, DocumentPart, Request};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let request = Request {
        text: true,
        words: true,
        links: true,
        outline: true,
        form_fields: true,
        tables: true,
        drawn_lines: true,
        characters: true,
        options: Options {
            // Any password would do; `secret` opens the encrypted samples.
            passwords: vec!["secret".to_owned()],
            invisible_text: true,
            ..Options::default()
        },
        limits: Limits {
            operators: 100_000,
            glyphs: 50_000,
            decoded_bytes: 4 << 20,
            pages: 100,
            ..Limits::default()
        },
    };
    let mut pages = 0;
    let result = read(data.to_vec(), &request, &mut |part| {
        if let DocumentPart::Page(page) = part {
            pages += 1;
            assert_eq!(page.number, pages);
            let lines = page.lines.iter().map(|line| line.words.clone());
            assert!(lines.flatten().eq(0..page.words.len() as u32));
            let blocks = page.blocks.iter().map(|block| block.lines.clone());
            assert!(blocks.flatten().eq(0..page.lines.len() as u32));
            assert!(page.words.iter().all(|word| (word.style as usize) < page.styles.len()));
            assert!(page.unmapped <= page.characters && page.invisible <= page.characters);
            assert!(page.unmapped.saturating_add(page.inferred) <= page.characters);
            assert!((0.0..=1.0).contains(&page.image_cover));
            // A page whose text panicked is reported as a failure of the page.
            assert_ne!(page.failure.map(|failure| failure.kind), Some(FailureKind::Panic));
        }
        ControlFlow::Continue(())
    });
    assert!(pages <= request.limits.pages);
    // Out-of-memory and panics in a worker are reported by its parent, so the engine must not
    // return them.
    if let Err(failure) = result {
        assert!(!matches!(failure.kind, FailureKind::Memory | FailureKind::Panic));
    }
});
