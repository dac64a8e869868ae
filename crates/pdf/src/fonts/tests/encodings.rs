//! Tests of undeclared encodings, and of spaces.

use super::{decode, text};
use crate::testing::fonts::{self, Simple, Type0};
use crate::testing::{Pdf, Ref};

/// The meanings of codes in a TrueType font without an encoding.
fn true_type(descriptor: &str, widths: &[u16], codes: &[u8]) -> String {
    let font = |pdf: &mut Pdf| {
        Simple {
            first_char: 32,
            widths,
            descriptor,
            ..Default::default()
        }
        .add_to(pdf)
    };
    text(font, codes)
}

#[test]
fn fonts_without_an_encoding_have_the_standard_one() {
    for flags in ["", "/Flags 32"] {
        assert_eq!(
            true_type(flags, &[], b"\xf1\x27\x60\xae"),
            "æ’‘ﬁ".replace('ﬁ', "fi")
        );
        // Codes that it lacks are read as windows-1252.
        assert_eq!(true_type(flags, &[], b"\xe4\xfc\xdf"), "äüß");
    }
    assert_eq!(true_type("/Flags 4", &[], b"\xf1\x27"), "ñ'");
    let called_symbolic = |pdf: &mut Pdf| {
        Simple {
            base_font: "ArialMT,Bold",
            descriptor: "/Flags 4",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(called_symbolic, b"\xf1"), "æ");
    let named = |base_encoding| {
        move |pdf: &mut Pdf| {
            Simple {
                base_encoding,
                differences: &[(0x41, "B")],
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    assert_eq!(text(named(""), b"A\xf1"), "Bæ");
    assert_eq!(text(named("WinAnsiEncoding"), b"A\xf1"), "Bñ");
    assert_eq!(text(named("MacRomanEncoding"), b"A\xbe"), "Bæ");
}

#[test]
fn widths_show_the_encoding_of_windows() {
    // Each letter of ASCII has a different width; accented ones are as wide as their base.
    let width = |code: u8| {
        let base = match code {
            0xc0..=0xc5 => b'A',
            0xc8..=0xcb => b'E',
            0xd2..=0xd6 => b'O',
            0xd9..=0xdc => b'U',
            0xe0..=0xe5 => b'a',
            0xe8..=0xeb => b'e',
            0xf2..=0xf6 => b'o',
            0xf9..=0xfc => b'u',
            code => code,
        };
        300 + u16::from(base)
    };
    let widths: Vec<u16> = (32..=255).map(width).collect();
    assert_eq!(true_type("/Flags 32", &widths, b"\xf1\x27"), "ñ'");
    // Equal widths show nothing.
    assert_eq!(true_type("/Flags 32", &[500; 224], b"\xf1"), "æ");
}

#[test]
fn other_fonts_without_an_encoding_keep_the_standard_one() {
    let font = |pdf: &mut Pdf| {
        Simple {
            subtype: "Type1",
            base_font: "Times-Roman",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(font, b"\xf1\x27\xe4"), "æ’");
}

#[test]
fn symbols_that_are_not_embedded_keep_their_encoding() {
    let font = |base_font, subtype| {
        move |pdf: &mut Pdf| {
            Simple {
                subtype,
                base_font,
                base_encoding: "WinAnsiEncoding",
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    assert_eq!(text(font("Symbol", "Type1"), b"ab\xb7"), "αβ•");
    assert_eq!(text(font("SymbolMT", "TrueType"), b"a\xb7"), "α•");
    assert_eq!(text(font("ZapfDingbats", "Type1"), b"4"), "✔");
}

#[test]
fn spaces_may_have_no_width() {
    let font = |base_encoding, to_unicode, first_char, widths| {
        move |pdf: &mut Pdf| {
            Simple {
                base_encoding,
                to_unicode,
                first_char,
                widths,
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    let mapped = &[(65, "A"), (66, "B")];
    for base_encoding in ["", "WinAnsiEncoding"] {
        for (first_char, widths) in [(32, &[0][..]), (65, &[500, 500])] {
            for to_unicode in [&[][..], mapped] {
                let font = font(base_encoding, to_unicode, first_char, widths);
                assert_eq!(text(font, b"A B"), "A B", "{base_encoding} {first_char}");
            }
        }
    }
    let wide = decode(font("WinAnsiEncoding", mapped, 65, &[500, 500]), b"A\xa0B");
    assert_eq!(wide[1], (" ".to_owned(), 0));
    // Codes that the encoding knows and the map leaves out are text, whatever their width.
    assert_eq!(
        text(font("WinAnsiEncoding", mapped, 65, &[500, 500]), b"AcB"),
        "AcB"
    );
}

#[test]
fn codes_in_unicode_are_characters() {
    fn font<'a>(encoding: &'a str, ordering: &'a str) -> impl Fn(&mut Pdf) -> Ref + 'a {
        move |pdf| {
            Type0 {
                encoding,
                ordering,
                descendant: "/W [34 [600]]",
                ..Default::default()
            }
            .add_to(pdf)
        }
    }
    let utf_32: Vec<u8> = "A한😀"
        .chars()
        .flat_map(|c| u32::from(c).to_be_bytes())
        .collect();
    let utf_16: Vec<u8> = "A한😀".encode_utf16().flat_map(u16::to_be_bytes).collect();
    // There are no tables for the collection KR.
    for (encoding, ordering) in [("UniAKR", "KR"), ("UniJIS", "Japan1"), ("UniKS", "Korea1")] {
        let read = |charset: &str, codes: &[u8]| {
            let name = format!("/{encoding}-{charset}-H");
            text(font(&name, ordering), codes)
        };
        assert_eq!(read("UTF32", &utf_32), "A한😀", "{encoding}");
        assert_eq!(read("UTF16", &utf_16), "A한😀", "{encoding}");
        assert_eq!(read("UTF8", "A한😀".as_bytes()), "A한😀", "{encoding}");
    }
    // Widths are those of CIDs, which the map for UTF-16 has.
    let japanese = decode(font("/UniJIS-UTF32-H", "Japan1"), &utf_32);
    assert_eq!(japanese[0], ("A".to_owned(), 600));
    let own = |pdf: &mut Pdf| {
        let map = fonts::cmap(
            pdf,
            "/CMapName /UniAKR-UTF16-H def 1 begincodespacerange <0000> <FFFF> endcodespacerange \
             1 begincidchar <AC00> 3059 endcidchar",
        );
        let encoding = map.to_string();
        font(&encoding, "KR")(pdf)
    };
    assert_eq!(text(own, &[0xac, 0]), "가");
    // Truncated and invalid sequences are one unknown code.
    assert_eq!(
        text(font("/UniAKR-UTF32-H", "KR"), &[0, 0x11, 0, 0, 0, 0]),
        "\u{fffd}\u{fffd}"
    );
}

#[test]
fn private_use_characters_of_adobe_become_public_ones() {
    let font = |pdf: &mut Pdf| {
        Simple {
            subtype: "Type1",
            differences: &[
                (1, "Asmall"),
                (2, "eightoldstyle"),
                (3, "Eacutesmall"),
                (4, "parenlefttp"),
                (5, "bracerightbt"),
                (6, "copyrightserif"),
            ],
            // Icons have private characters, too.
            to_unicode: &[(7, "\u{f77c}")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        text(font, b"\x01\x02\x03\x04\x05\x06\x07"),
        "a8é⎛⎭©\u{f77c}"
    );
    let expert = |pdf: &mut Pdf| {
        Simple {
            subtype: "Type1",
            base_encoding: "MacExpertEncoding",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(expert, b"a18"), "a18");
}
