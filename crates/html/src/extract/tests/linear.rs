//! Links and metadata of repetitive pages.

use super::listen;
use crate::extract::flow::Document;
use crate::extract::page::Page;
use corpus_bytes::step_counter::assert_linear;

#[test]
fn links_and_metadata_take_linear_work() {
    for (begin, part) in [
        ("<a href=x", " a=1"),
        ("<img src=x srcset='", "a 1x, "),
        ("<link rel='", "x "),
        ("<meta property='", "og: "),
        ("", "<a href=x>"),
        ("", "<a href=x>y</a>"),
        ("", "<meta property=og:image content=x>"),
        ("", "<link rel=alternate href=x>"),
        ("", "<base href=x>"),
        ("", "<html lang=x>"),
    ] {
        for end in ["", ">", "'>"] {
            let page = |parts: usize| begin.to_owned() + &part.repeat(parts) + end;
            assert_linear(&format!("{begin}{part}{end}"), page, |page| {
                listen(page, Page::<Document>::default).finish(None, page.len());
            });
        }
    }
    let attributes = |parts: usize| {
        let many: String = (0..parts).map(|n| format!(" a{n}=1")).collect();
        format!("<a href=x{many}><meta{many}><link{many}>")
    };
    assert_linear("attributes", attributes, |page| {
        listen(page, Page::<Document>::default).finish(None, page.len());
    });
}
