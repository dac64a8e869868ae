//! Inputs designed to be expensive: the output stays proportional to them. `linear` counts the
//! steps.

use super::super::{Level, ReadOptions, Summary, read, truncation};
use super::{LEVELS, each, ids, seen, texts};

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

const ALTO: &str = "<?xml version='1.0'?><alto><Layout><Page ID='p'/><Page ID='q'><PrintSpace>\
    <TextBlock><TextLine><String CONTENT='one'/><!-- x --><String CONTENT='two'/></TextLine>\
    </TextBlock></PrintSpace></Page></Layout></alto>\n";
const PAGE_XML: &str = "<PcGts><Page/><Page><TextRegion><TextLine><Word><TextEquiv><Unicode>one\
    </Unicode></TextEquiv></Word></TextLine></TextRegion></Page></PcGts>";
const HOCR: &str = "<!DOCTYPE html><html><head><meta name='ocr-system' content='x'/></head><body>\
    <div class='ocr_page'></div><div class='ocr_page'><span class='ocrx_word'>one</span></div>\
    </body></html>";

#[test]
fn truncated_documents_are_reported_on_their_last_page() {
    for document in [ALTO, PAGE_XML, HOCR] {
        assert_eq!(truncation(document), None);
        for level in LEVELS {
            assert!(
                each(document, level, |it| it.error.clone())
                    .iter()
                    .all(Option::is_none)
            );
        }
        let start = document.find("ocr-system").unwrap_or(0) + "<?xml version='1.0'?>".len();
        for end in start..document.trim_ascii_end().len() {
            let document = &document[..end];
            let error = truncation(document);
            assert!(error.is_some(), "{document}");
            for level in LEVELS {
                let errors = each(document, level, |it| it.error.clone());
                if let [before @ .., last] = errors.as_slice() {
                    assert_eq!(last, &error, "{document}");
                    assert!(before.iter().all(Option::is_none), "{document}");
                }
            }
            let summary = Summary::of(document).unwrap();
            let last = summary.pages.last().unwrap();
            assert_eq!((last.errors, &last.error), (1, &error), "{document}");
        }
    }
    let cut_at = |document: &str, at: &str| {
        let end = document.find(at).unwrap();
        truncation(&document[..end]).unwrap()
    };
    assert_eq!(
        cut_at(ALTO, "</TextBlock>"),
        "the file ends inside <TextBlock>"
    );
    assert_eq!(cut_at(ALTO, " x -->"), "the file ends inside a comment");
    assert_eq!(cut_at(ALTO, " CONTENT='two'"), "the file ends inside a tag");
    assert_eq!(
        cut_at(PAGE_XML, "<Unicode>"),
        "the file ends inside <TextEquiv>"
    );
    assert_eq!(cut_at(HOCR, "one"), "the file ends without </html>");
    assert_eq!(cut_at(HOCR, "</html>"), "the file ends without </html>");
    assert_eq!(cut_at(HOCR, "'ocrx_word'"), "the file ends inside a tag");
    assert_eq!(
        truncation("<?xml version='1.0'?>\n<al").as_deref(),
        Some("the file ends inside a tag")
    );
    assert_eq!(
        truncation("<?xml version='1.0'?>\n").as_deref(),
        Some("the file ends before its first element")
    );
}

#[test]
fn the_text_of_a_truncated_document_is_kept() {
    let end = ALTO.find("</TextBlock>").unwrap();
    assert_eq!(texts(&ALTO[..end], Level::Page), ["", "one two"]);
    // An error of the element itself comes first.
    let word = "<alto><String HPOS='x'/>";
    let errors = each(word, Level::Word, |it| it.error.clone().unwrap_or_default());
    assert!(errors[0].starts_with("HPOS"), "{errors:?}");
    let parts = "<alto><Page><TextLine><String CONTENT='Per-'/></TextLine><TextLine>\
        <String CONTENT='venche'/></TextLine>";
    let mut errors = Vec::new();
    let options = ReadOptions {
        level: Level::Word,
        text: true,
    };
    let add = |row: super::super::Row<'_, '_>| {
        errors.push((row.part().is_some(), row.element.error.clone()))
    };
    super::super::read_joined(parts, options, add).unwrap();
    let error = Some("the file ends inside <Page>".to_owned());
    assert_eq!(errors, [(true, None), (true, error)]);
}

#[test]
fn fragments_and_other_pages_are_complete() {
    for page in [
        "<div class='ocr_page'><p>x</div>",
        "<div class='ocr_page'><p>x",
        "<div class='ocr_page'></div><!-- x -->",
        "<html><body><div class='ocr_page'></div></body></HTML >\0\0\n",
        "<html><div class='ocr_page'></div></html><!-- x -->",
        "<html><div class='ocr_page'></div></body>\n<html>\n",
        "<html><body><p>not a scan",
        "<p>not a scan<a href='",
        "a text with ocr < 3",
        "",
    ] {
        assert_eq!(truncation(page), None, "{page}");
    }
    let pages = HOCR.repeat(2);
    assert_eq!(truncation(&pages), None);
    let end = pages.rfind("</div>").unwrap();
    assert_eq!(
        truncation(&pages[..end]).as_deref(),
        Some("the file ends without </html>")
    );
    assert_eq!(
        truncation("<div class='ocr_page'><!-- x >").as_deref(),
        Some("the file ends inside a comment")
    );
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
