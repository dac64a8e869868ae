//! Any bytes as a PDF: reading ends within its limits, and what is told of words, lines and blocks fits together.

#![no_main]

use std::ops::ControlFlow;

use corpus_pdf::engine::read;
use corpus_pdf::model::{FailureKind, Limits, Options, Part, Request};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let request = Request {
        text: true,
        words: true,
        links: true,
        outline: true,
        form_fields: true,
        options: Options {
            // As good as any other: files that need one are told apart, and `secret` opens those of the samples.
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
        if let Part::Page(page) = part {
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
            // A page that panicked is reported, and not passed on.
            assert_ne!(page.failure.map(|failure| failure.kind), Some(FailureKind::Panic));
        }
        ControlFlow::Continue(())
    });
    assert!(pages <= request.limits.pages);
    // Deaths by memory and time are those of a worker; here they would be the target's own.
    if let Err(failure) = result {
        assert!(!matches!(failure.kind, FailureKind::Memory | FailureKind::Panic));
    }
});
