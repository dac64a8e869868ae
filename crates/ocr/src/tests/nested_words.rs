//! Words written as two nested elements: they are one row with the box and text of both.

use super::super::{Level, ReadOptions, read};
use super::{Seen, seen};

fn words(document: &str) -> Vec<Seen> {
    seen(document, Level::Word)
}

fn boxes_and_texts(document: &str) -> Vec<(Option<f64>, String)> {
    let of = |word: Seen| (word.bbox.map(|bbox| bbox[0]), word.text);
    words(document).into_iter().map(of).collect()
}

/// The number of words when read without text, which takes another code path.
fn count(document: &str) -> usize {
    let mut count = 0;
    let options = ReadOptions {
        level: Level::Word,
        text: false,
    };
    read(document, options, |_| count += 1).unwrap();
    count
}

#[test]
fn tesseract_3_00_has_the_box_outside_and_the_text_inside() {
    let word = |n: usize| {
        format!(
            "<span class='ocr_word' id='word_{n}' title=\"bbox {n} 2 30 4\">\
             <span class='xocr_word' id='xword_{n}' title=\"x_wconf -{n}\">w{n}</span></span>\n"
        )
    };
    let line: String = (1..=501).map(word).collect();
    let page = format!("<div class='ocr_page'><span class='ocr_line'>{line}</span></div>");
    let all = words(&page);
    assert_eq!((all.len(), count(&page)), (501, 501));
    for (word, n) in all.iter().zip(1..) {
        let n = f64::from(n);
        assert_eq!(word.bbox, Some([n, 2.0, 30.0, 4.0]));
        assert_eq!(word.confidence, Some(("x_wconf", -n)));
        assert_eq!(
            (word.text.as_str(), word.id.as_str()),
            (&*format!("w{n}"), &*format!("word_{n}"))
        );
        assert_eq!((word.depth, word.line), (0, Some(1)));
    }
    let mut title = None;
    let options = ReadOptions {
        level: Level::Word,
        text: false,
    };
    read(&page, options, |row| {
        title = row.element.title.clone().map(String::from)
    })
    .unwrap();
    assert_eq!(title.as_deref(), Some("bbox 501 2 30 4; x_wconf -501"));
}

#[test]
fn either_element_may_have_the_box() {
    for document in [
        "<b class=ocr_word title='bbox 1 2 3 4'><b class=ocrx_word>a</b></b>",
        "<b class=ocr_word><b class=ocrx_word title='bbox 1 2 3 4'>a</b></b>",
        "<b class=ocr_word title='bbox 1 2 3 4'><b class=ocrx_word title='bbox 1 2 3 4'>a</b></b>",
        "<b class=ocrx_word title='bbox 1 2 3 4'><b class=ocrx_word title='bbox 1 2 3 4'>a</b></b>",
        "<b class=ocr_word title='bbox 0 0 9 9'><b class=ocrx_word title='bbox 1 2 3 4'>a</b></b>",
        "<b class=ocrx_word title='bbox 1 2 3 4'><i class=ocr_word><i class=xocr_word>a</i></i></b>",
        "<b class=ocr_word title='bbox'><b class=ocrx_word title='bbox 1 2 3 4'>a</b></b>",
    ] {
        assert_eq!(
            boxes_and_texts(document),
            [(Some(1.0), "a".to_owned())],
            "{document}"
        );
        assert_eq!(count(document), 1, "{document}");
    }
}

#[test]
fn several_words_in_a_word_are_separate_rows() {
    let document = "<b class=ocr_word title='bbox 0 0 9 9'>\
                    <b class=ocrx_word title='bbox 1 2 3 4'>a</b>\
                    <b class=ocrx_word title='bbox 5 6 7 8'>b</b></b>\
                    <b class=ocrx_word title='bbox 9 6 7 8'>c</b>";
    let expected = [(1.0, "a"), (5.0, "b"), (9.0, "c")];
    assert_eq!(
        boxes_and_texts(document),
        expected.map(|(x1, text)| (Some(x1), text.to_owned()))
    );
    assert_eq!(count(document), 3);
}

#[test]
fn words_of_the_same_class_are_separate_because_an_end_tag_may_be_missing() {
    for document in [
        "<b class=ocrx_word title='bbox 1 2 3 4'>a <b class=ocrx_word title='bbox 5 6 7 8'>b",
        "<b class=ocrx_word title='bbox 1 2 3 4'>a <b class=ocrx_word>b",
        "<b class=ocrx_word>a <b class=ocrx_word>b",
        // A word on another line.
        "<b class=ocrx_word>a <p class=ocr_line><b class=ocr_word>b",
        "<b class=ocrx_word>a <p class=ocr_carea><b class=ocr_word>b",
    ] {
        let texts: Vec<_> = words(document).into_iter().map(|word| word.text).collect();
        assert_eq!(texts, ["a", "b"], "{document}");
        assert_eq!(count(document), 2, "{document}");
    }
}

#[test]
fn characters_in_a_word_are_its_text() {
    let document = "<b class=ocrx_word title='bbox 1 2 3 4'>\
                    <b class=ocr_cinfo title='bbox 1 2 2 4'>a</b>\
                    <b class=ocr_cinfo title='bbox 2 2 3 4'>b</b></b>";
    assert_eq!(boxes_and_texts(document), [(Some(1.0), "ab".to_owned())]);
}
