//! Repetitive inputs: twice the input may take at most twice the steps.

use super::super::{Level, ReadOptions, Summary, prop, read};
use super::LEVELS;
use corpus_bytes::step_counter::assert_linear;

fn assert_linear_in_all_ways(name: &str, document: impl Fn(usize) -> String) {
    for level in LEVELS {
        for text in [false, true] {
            assert_linear(name, &document, |document| {
                assert!(read(document, ReadOptions { level, text }, |_| {}).is_ok());
            });
        }
    }
    assert_linear(name, &document, |document| {
        assert!(Summary::of(document).is_ok());
    });
}

/// Distinct attributes.
fn attributes(count: usize) -> String {
    (0..count).map(|n| format!(" a{n}='1'")).collect()
}

#[test]
fn attributes_are_linear() {
    for tag in ["<b class='ocrx_word'", "<alto><String", "<PcGts><Word"] {
        assert_linear_in_all_ways(tag, |n| format!("{tag}{}>x", attributes(n)));
        assert_linear_in_all_ways(tag, |n| format!("{tag}{}>x", " a='1'".repeat(n)));
    }
    assert_linear_in_all_ways("few attributes each", |n| {
        format!("<b class='ocrx_word'{}>", attributes(30)).repeat(n / 30)
    });
}

#[test]
fn tags_that_share_a_long_text_are_linear() {
    assert_linear_in_all_ways("class before the title", |n| {
        let tag = format!("<b class='{}' title='x'>", "x".repeat(20 * n));
        tag + &"<b class='y'>z</b>".repeat(n)
    });
    assert_linear_in_all_ways("class after the title", |n| {
        let tag = format!("<b title='x' class='{}'>", "x".repeat(20 * n));
        tag + &"<b title='y' class='z'>z</b>".repeat(n)
    });
    assert_linear_in_all_ways("unclosed quotes", |n| {
        "<b class='x' title='1'>".to_owned() + &"<b class='x' title=\"1'>".repeat(n)
    });
}

#[test]
fn classes_titles_and_references_are_linear() {
    for part in [
        "bbox 1 2; ",
        "p 1, ",
        "a \" ",
        "a ' \" ",
        "x_confs 1 2 ",
        ",  ",
    ] {
        assert_linear_in_all_ways(part, |n| {
            let title = part.repeat(n).replace('\'', "&#39;");
            format!("<b class='ocrx_word ocr_page' title='{title}'>x")
        });
        assert_linear(
            part,
            |n| part.repeat(n),
            |title| assert_eq!(prop(title, "none"), None),
        );
    }
    assert_linear_in_all_ways("classes", |n| {
        format!("<b class='{}'>x", "ocrx_word ".repeat(n))
    });
    for reference in ["&", "&amp;", "&amp", "&#0", "&#x", "&notanentityatall"] {
        assert_linear_in_all_ways(reference, |n| {
            let many = reference.repeat(n);
            format!("<b class='ocrx_word' title='{many}' id='{many}'>{many}")
        });
    }
}

#[test]
fn nesting_is_linear() {
    for part in [
        "<div class=ocr_carea>x",
        "<span class=ocr_line title='bbox 1 2 3 4'>x",
        "<span class=ocrx_word title='bbox 1 2 3 4'>x",
        "<span class=ocr_word title='x 1'><b class=ocrx_word title='y 2'>x</b>",
        "<b class=ocr_word title='a'><b class=ocrx_word>",
        "<a><b></i></u>",
        "<x-a>",
    ] {
        assert_linear_in_all_ways(part, |n| part.repeat(n));
    }
    assert_linear_in_all_ways("words in a word", |n| {
        "<b class=ocr_word title='bbox 1 2 3 4'>".to_owned()
            + &"<b class=ocrx_word title='x_conf 9'>x</b>".repeat(n)
    });
    for part in ["<TextBlock>", "<String CONTENT='x'>", "</String>"] {
        assert_linear_in_all_ways(part, |n| format!("<alto>{}", part.repeat(n)));
    }
    for part in [
        "<TextRegion><TextEquiv><Unicode>x",
        "<Coords points='1,2'>",
        "</Word>",
    ] {
        assert_linear_in_all_ways(part, |n| format!("<PcGts>{}", part.repeat(n)));
    }
}

#[test]
fn comments_namespaces_and_points_are_linear() {
    for part in [
        "<!-- x -->",
        "<!--",
        "<!-->",
        "<?x",
        "<![CDATA[",
        "<!x",
        "a<",
        "</",
        "\u{FEFF}",
    ] {
        assert_linear_in_all_ways(part, |n| {
            format!("<b class=ocrx_word>{}<p>", part.repeat(n))
        });
        assert_linear_in_all_ways(part, |n| format!("<alto>{}<p>", part.repeat(n)));
    }
    assert_linear_in_all_ways("namespaces", |n| {
        let namespaces: String = (0..n).map(|n| format!(" xmlns:n{n}='x'")).collect();
        format!("<alto{namespaces}><n1:String n2:CONTENT='x'/>")
    });
    assert_linear_in_all_ways("prefixes", |n| format!("<alto><{}String/>", "n:".repeat(n)));
    assert_linear_in_all_ways("points", |n| {
        format!("<PcGts><Word><Coords points='{}'/>", "1,2 ".repeat(n))
    });
}

#[test]
fn values_repeated_on_every_page_are_linear() {
    assert_linear_in_all_ways("image of ALTO", |n| {
        let name = "a&amp;b".repeat(n);
        format!("<alto><fileName>{name}</fileName>{}", "<Page/>".repeat(n))
    });
    assert_linear_in_all_ways("image of hOCR", |n| {
        let page = format!(
            "<p class=ocr_page lang='{0}' title='image {0}'>",
            "a".repeat(n)
        );
        page + &"<b class=ocrx_word>".repeat(n)
    });
}

#[test]
fn any_number_of_attributes_is_read() {
    let tag = format!(
        "<b class='ocrx_word'{} id='x' title='x_conf 1'>",
        attributes(100_000)
    );
    let mut count = 0;
    let options = ReadOptions {
        level: Level::Word,
        text: true,
    };
    let result = read(&tag, options, |row| {
        assert_eq!(row.element.id.as_deref(), Some("x"));
        assert!(row.element.confidence.is_some());
        count += 1;
    });
    assert!(result.is_ok());
    assert_eq!(count, 1);
}
