//! Tests with damaged fonts: pages say so if their text depends on the damaged part.

use super::damaged::{assert_damaged, failure, first_page};
use crate::model::Page as ReadPage;
use crate::testing::font_files::{cff, cmap, segments, true_type};
use crate::testing::fonts::{self, Program, Simple};
use crate::testing::{Page, Pdf, Ref, Stream};

/// A page that shows a text in a font.
fn shown(text: &str, font: impl FnOnce(&mut Pdf) -> Ref) -> ReadPage {
    let mut pdf = Pdf::new();
    let font = font(&mut pdf);
    let content = format!("BT /F2 12 Tf 72 720 Td ({text}) Tj ET");
    pdf.page(Page::new(content).font("F2", font));
    first_page(pdf.build())
}

/// A page that shows `abc` in a font with this ToUnicode map.
fn mapped(operators: &str) -> ReadPage {
    shown("abc", |pdf| {
        let map = fonts::cmap(pdf, operators);
        Simple {
            first_char: b'a',
            widths: &[500; 3],
            entries: &format!("/ToUnicode {map}"),
            ..Default::default()
        }
        .add_to(pdf)
    })
}

#[test]
fn what_a_map_to_unicode_says_in_unusual_ways_is_no_damage() {
    for (operators, expected) in [
        (
            "3 beginbfchar <61> <0041> <62> <0042> <63> <0043> endbfchar",
            "ABC",
        ),
        (
            "9 beginbfchar\n<61><0041>\n% comment\n<62>\n<0042>\n<63><0043>\nendbfchar",
            "ABC",
        ),
        ("1 beginbfrange <61> <63> <00 4 1> endbfrange", "ABC"),
        (
            "1 beginbfrange <61> <63> [<0041> <0042> <00430044>] endbfrange",
            "ABCD",
        ),
        ("1 beginbfrange <61> <63> <41> endbfrange", "ABC"),
        (
            "/CIDSystemInfo << /Registry <41> /Ordering (a<b) >> def 1 begincodespacerange <00> \
             <ff> endcodespacerange 1 begincidrange <00> <ff> 0 endcidrange 1 beginbfrange <61> \
             <63> <0041> endbfrange",
            "ABC",
        ),
        (
            "1 beginbfchar <61> <> endbfchar 1 beginbfrange <62> <63> <0042> endbfrange",
            "BC",
        ),
    ] {
        let page = mapped(operators);
        assert_eq!(failure(&page), None, "{operators}");
        assert_eq!(page.text.trim(), expected, "{operators}");
    }
}

#[test]
fn what_cannot_be_understood_of_a_map_to_unicode_is_reported_and_the_rest_is_used() {
    for (operators, expected) in [
        (
            "3 beginbfchar\n<61> <004G>\n<62> <0042>\n<63> <0043>\nendbfchar",
            "aBC",
        ),
        (
            "3 beginbfchar\n<6~> <0041>\n<62> <0042>\n<63> <0043>\nendbfchar",
            "aBC",
        ),
        (
            "3 beginbfchar\n<61? <0041>\n<62> <0042>\n<63> <0043>\nendbfchar",
            "aBC",
        ),
        (
            "3 beginbfchar\n|61> <0041>\n<62> <0042>\n<63> <0043>\nendbfchar",
            "aBC",
        ),
        (
            "3 beginbfchar\n<61> >0041>\n<62> <0042>\n<63> <0043>\nendbfchar",
            "aBC",
        ),
        (
            "3 beginbfchar\n<61> <0 41>\n<62> <0042>\n<63> <0043>\nendbfchar",
            "aBC",
        ),
        (
            "1 beginbfchar\n<61> <0041>\nendbfchas\n1 beginbfrange\n<62> <63> <0042>\nendbfrange",
            "ABC",
        ),
        (
            "1 beginbfchas\n<61> <0041>\nendbfchar\n1 beginbfrange\n<62> <63> <0042>\nendbfrange",
            "aBC",
        ),
        (
            "1 beginbfrange\n<61> <60> <0041>\nendbfrange\n1 beginbfrange\n<62> <63> <0042>\nendbfrange",
            "aBC",
        ),
        (
            "2 beginbfrange\n<61> <61> [<0041\n<62> <63> <0042>\nendbfrange",
            "aBC",
        ),
        (
            "2 beginbfrange\n<61> /61> <0041>\n<62> <63> <0042>\nendbfrange",
            "aBC",
        ),
        ("3 beginbfchar\n<61> <0041>\n<62> <0042>\n<63>", "ABc"),
    ] {
        let page = mapped(operators);
        assert_damaged(&page, "the ToUnicode map of a font is damaged");
        assert_eq!(page.text.trim(), expected, "{operators}");
    }
}

#[test]
fn a_value_that_is_no_map_to_unicode_is_reported() {
    for (value, is_damaged) in [
        ("/Identity-H", false),
        ("null", false),
        ("(text)", true),
        ("<< /A 1 >>", true),
    ] {
        let page = shown("abc", |pdf| {
            Simple {
                entries: &format!("/ToUnicode {value}"),
                ..Default::default()
            }
            .add_to(pdf)
        });
        if is_damaged {
            assert_damaged(&page, "the ToUnicode map of a font is damaged")
        } else {
            assert_eq!(failure(&page), None, "{value}")
        }
        assert_eq!(page.text.trim(), "abc");
    }
}

/// A page that shows `abc` in a font with this program, and with the encoding of the program.
fn built_in(key: &str, subtype: &str, data: &Stream, to_unicode: &[(u16, &str)]) -> ReadPage {
    shown("abc", |pdf| {
        let program = pdf.add_stream(data.clone().entries("/Subtype /Type1C"));
        Simple {
            subtype,
            first_char: b'a',
            widths: &[500; 3],
            to_unicode,
            entries: &format!(
                "/FontDescriptor << /Type /FontDescriptor /FontName /Sample /Flags 4 /{key} \
                 {program} >>"
            ),
            ..Default::default()
        }
        .add_to(pdf)
    })
}

#[test]
fn a_damaged_font_program_is_reported_if_it_gives_codes_their_meaning() {
    let by_code = cmap(3, 0, segments(&[(0xf061, 0xf063, 1)]));
    let tables = true_type(&[(b"cmap", by_code), (b"glyf", vec![7; 400])]);
    let names = cff(&["a", "b", "c"]);
    let map = [(97, "A"), (98, "B"), (99, "C")];
    for (key, subtype, program) in [
        ("FontFile2", "TrueType", tables),
        ("FontFile3", "Type1", names),
    ] {
        let sound = Stream::new(program.clone()).flate();
        assert_eq!(failure(&built_in(key, subtype, &sound, &[])), None, "{key}");
        let data = sound.data().to_vec();
        let half = Stream::new("").encoded("FlateDecode", "null", data[..data.len() / 2].to_vec());
        let mut wrong = data.clone();
        if let Some(last) = wrong.last_mut() {
            *last ^= 1;
        }
        let wrong = Stream::new("").encoded("FlateDecode", "null", wrong);
        let other = Stream::new("This is no font.");
        for damaged in [half, wrong, other] {
            let page = built_in(key, subtype, &damaged, &[]);
            assert_damaged(&page, "the program of a font is damaged");
            // With a map, the program is not needed.
            let page = built_in(key, subtype, &damaged, &map);
            assert_eq!((failure(&page), page.text.trim()), (None, "ABC"), "{key}");
        }
    }
}

#[test]
fn a_damaged_map_to_glyphs_is_reported_if_the_program_is_needed() {
    let program = true_type(&[(b"cmap", cmap(3, 1, segments(&[(0x41, 0x43, 5)])))]);
    for (to_unicode, is_damaged) in [(&[][..], true), (&[(1, "x"), (2, "y")][..], false)] {
        let mut pdf = Pdf::new();
        let map = Stream::new("").encoded("FlateDecode", "null", vec![0x78, 0x9c, 6, 6]);
        let map = pdf.add_stream(map);
        let font = fonts::Type0 {
            program: Program::true_type(&program),
            descendant: &format!("/CIDToGIDMap {map}"),
            to_unicode,
            ..Default::default()
        }
        .add_to(&mut pdf);
        pdf.page(Page::new("BT /F2 12 Tf 72 720 Td <00010002> Tj ET").font("F2", font));
        let page = first_page(pdf.build());
        if is_damaged {
            assert_damaged(&page, "the program of a font is damaged")
        } else {
            assert_eq!(failure(&page), None)
        }
    }
}

#[test]
fn damaged_names_of_encodings_are_reported() {
    for (encoding, cause) in [
        ("/MacRomanEncoding", None),
        ("/NULL", None),
        (
            "/MacSomanEncoding",
            Some("the name of a font's encoding is damaged"),
        ),
        (
            "<< /BaseEncoding /MacRomanEncodinf >>",
            Some("the name of a font's encoding is damaged"),
        ),
    ] {
        let page = shown("\\216", |pdf| {
            Simple {
                entries: &format!("/Encoding {encoding}"),
                ..Default::default()
            }
            .add_to(pdf)
        });
        match cause {
            Some(cause) => assert_damaged(&page, cause),
            None => assert_eq!(failure(&page), None, "{encoding}"),
        }
        if encoding != "/NULL" {
            assert_eq!(page.text.trim(), "é", "{encoding}");
        }
    }
    for (encoding, cause) in [
        ("/Identity-H", None),
        ("/UniJIS-UTF16-H", None),
        ("/UniJIS-UTF1~-H", Some("the encoding of a font is unknown")),
    ] {
        let page = shown("ab", |pdf| {
            fonts::Type0 {
                encoding,
                ordering: "Japan1",
                ..Default::default()
            }
            .add_to(pdf)
        });
        match cause {
            Some(cause) => assert_damaged(&page, cause),
            None => assert_eq!(failure(&page), None, "{encoding}"),
        }
    }
}

#[test]
fn an_encoding_that_cannot_be_parsed_is_reported() {
    let page = shown("ab", |pdf| {
        let map = pdf.add_stream(Stream::new(
            "begincmap 1 begincidrange <0000> <ff~f> 0 endcidrange endcmap",
        ));
        fonts::Type0 {
            encoding: &map.to_string(),
            ..Default::default()
        }
        .add_to(pdf)
    });
    assert_damaged(&page, "the encoding of a font is damaged");
}

#[test]
fn misspelt_entries_of_fonts_are_reported() {
    for (entry, is_damaged) in [
        ("/ToUnicodf 5 0 R", true),
        ("/Encodin' /WinAnsiEncoding", true),
        ("/Vidths [500]", true),
        ("/ToUnicode null /ToUnicodf 5", false),
        ("/Encodings /WinAnsiEncoding", false),
    ] {
        let page = shown("abc", |pdf| {
            Simple {
                entries: entry,
                ..Default::default()
            }
            .add_to(pdf)
        });
        if is_damaged {
            assert_damaged(&page, "an entry of a font is damaged")
        } else {
            assert_eq!(failure(&page), None, "{entry}")
        }
    }
}

#[test]
fn a_list_of_widths_that_ends_at_something_else_is_reported() {
    for (widths, is_damaged) in [
        ("500 500 500", false),
        ("500 500", false),
        ("500 null 500", false),
        ("500 % (comment)\n500 500", false),
        ("500 500", false),
        ("500 !00 500", true),
    ] {
        let page = shown("abc", |pdf| {
            let entries = format!("/FirstChar 97 /LastChar 99 /Widths [{widths}]");
            Simple {
                entries: &entries,
                ..Default::default()
            }
            .add_to(pdf)
        });
        if is_damaged {
            assert_damaged(&page, "the widths of a font are damaged")
        } else {
            assert_eq!(failure(&page), None, "{widths}")
        }
    }
}
