//! Inputs designed to be expensive: the output stays proportional to them. `linear` counts the
//! steps.

use super::super::{Level, ReadOptions, read};
use super::{LEVELS, ids, seen, texts};

#[test]
fn deep_nesting_is_linear() {
    for document in [
        "<div class=ocr_carea>x".repeat(20_000),
        "<span class=ocr_line><p>".repeat(20_000),
        "<div class=ocr_page>".repeat(20_000) + &"</span></p>".repeat(20_000),
        "<a><b><i>".repeat(20_000) + &"</u>".repeat(20_000),
        "<x-a>".repeat(20_000) + &"</x-b>".repeat(20_000),
        format!("<alto>{}", "<TextBlock><String CONTENT='x'>".repeat(20_000)),
        format!(
            "<PcGts>{}",
            "<TextRegion><TextEquiv><Unicode>x".repeat(20_000)
        ),
        format!(
            "<PcGts><Page>{}{}",
            "<TextRegion><TextLine><TextEquiv><Unicode>x</Unicode></TextEquiv></TextLine>"
                .repeat(20_000),
            "<TextEquiv><Unicode>y</Unicode></TextEquiv></TextRegion>".repeat(20_000)
        ),
    ] {
        for level in LEVELS {
            let mut length = 0;
            let result = read(&document, ReadOptions { level, text: true }, |row| {
                length += row.text.map_or(0, str::len);
            });
            assert!(result.is_ok());
            assert!(length <= document.len());
        }
    }
}

#[test]
fn every_nested_block_is_emitted() {
    let document = "<div class=ocr_carea>x".repeat(10_000);
    assert_eq!(texts(&document, Level::Block), vec!["x"; 10_000]);
}

#[test]
fn many_attributes_quotes_and_properties_are_linear() {
    for document in [
        format!("<b class=ocrx_word {}>", "a=1 ".repeat(100_000)),
        format!("<b class=ocrx_word title='{}'>", "bbox 1;".repeat(100_000)),
        format!("<b class=ocrx_word title='{}'>", "a \"".repeat(100_000)),
        format!("<b class=ocrx_word title='bbox {}'>", "1, ".repeat(100_000)),
        format!("<b class='{}'>", "ocrx_word ".repeat(100_000)),
    ] {
        assert_eq!(seen(&document, Level::Word).len(), 1);
    }
    let points = "1,2 ".repeat(100_000);
    let page = format!("<PcGts><Word><Coords points='{points}'/></Word>");
    assert_eq!(seen(&page, Level::Word)[0].bbox, Some([1.0, 2.0, 1.0, 2.0]));
}

#[test]
fn truncated_documents_are_read_up_to_their_end() {
    let page = "<div class=\"ocr_page\" id=\"p\"><span class='ocrx_word' title='bbox 1 2 3 4'>é&amp;\
                </span><!-- x --><![CDATA[y]]></div>";
    for end in (0..page.len()).filter(|end| page.is_char_boundary(*end)) {
        let cut = &page[..end];
        let whole = usize::from(end >= 29);
        assert_eq!(ids(cut, Level::Page).len(), whole, "{cut}");
        for level in LEVELS {
            seen(&format!("<alto>{cut}"), level);
            seen(&format!("<PcGts><Word><TextEquiv>{cut}"), level);
        }
    }
}

#[test]
fn documents_of_other_kinds_have_no_elements() {
    for document in [
        "",
        "\u{FEFF}",
        "text",
        "<html><p>x</p>",
        "\0<\0>",
        "<",
        "<div",
        "</",
    ] {
        assert_eq!(seen(document, Level::Word), []);
    }
    let options = ReadOptions {
        level: Level::Word,
        text: true,
    };
    let problem = read("<?xml version='1.0'?><TEI/>", options, |_| {}).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "unreadable: XML with the root element TEI is not supported"
    );
}
