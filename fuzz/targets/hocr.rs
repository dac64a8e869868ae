//! Arbitrary text as hOCR, ALTO or PAGE XML: every level is read, and the counts in the summary are
//! right.

#![no_main]

use corpus_ocr::{Level, ReadOptions, Summary, elements, properties, svg};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|document: &str| {
    let count = |level: Level| {
        let with_text = elements(document, ReadOptions { level, text: true });
        let without = elements(document, ReadOptions { level, text: false });
        let counts = (
            with_text.map(|rows| rows.len()),
            without.map(|rows| rows.len()),
        );
        assert_eq!(counts.0, counts.1);
        counts.0
    };
    let summary = Summary::of(document);
    for (level, counted) in [
        (Level::Block, sum(&summary, |page| page.blocks.count)),
        (Level::Line, sum(&summary, |page| page.lines.count)),
        (Level::Word, sum(&summary, |page| page.words.count)),
    ] {
        assert_eq!(count(level).ok(), counted);
    }
    assert_eq!(count(Level::Page).is_ok(), svg(document, 1).is_ok());
    // The text may also be the title of an element.
    properties(document).for_each(drop);
});

fn sum<E>(
    summary: &Result<Summary, E>,
    count: impl Fn(&corpus_ocr::PageSummary) -> usize,
) -> Option<usize> {
    let pages = summary.as_ref().ok()?.pages.iter();
    Some(pages.map(count).sum())
}
