//! Tests of fonts without a ToUnicode map whose program has the meaning of its glyphs.

use hayro_syntax::object::Dict;

use super::text;
use crate::fonts::{Certainty, Fonts};
use crate::testing::font_files::{cff, cff_of_collection, cmap, post, segments, true_type, units};
use crate::testing::fonts::{self, Program, Simple, Type0};
use crate::testing::{Page, Pdf, Ref, Stream};

fn composite(program: Option<Program<'_>>, codes: &[u8]) -> String {
    let font = |pdf: &mut Pdf| {
        Type0 {
            program,
            ..Default::default()
        }
        .add_to(pdf)
    };
    text(font, codes)
}

#[test]
fn composite_fonts_are_read_by_their_tables() {
    let by_characters = true_type(&[(b"cmap", cmap(3, 1, segments(&[(0x41, 0x43, 5)])))]);
    let program = Program::true_type(&by_characters);
    assert_eq!(composite(program, &[0, 5, 0, 7, 0, 9]), "AC\u{fffd}");
    let by_names = true_type(&[(b"post", post(&["a", "lslash", "f_i", "uni0416", "g9"]))]);
    let program = Program::true_type(&by_names);
    let codes = [0, 0, 0, 1, 0, 2, 0, 3, 0, 4];
    assert_eq!(composite(program, &codes), "ałfiЖ\u{fffd}");
    // An OpenType font, with the wrong key.
    assert_eq!(composite(Program::cff(&by_names), &codes), "ałfiЖ\u{fffd}");
    let inner = true_type(&[(b"CFF ", cff(&["a", "lslash"]))]);
    assert_eq!(composite(Program::cff(&inner), &[0, 1, 0, 2]), "ał");
}

#[test]
fn composite_fonts_are_read_by_names_of_cff() {
    let named = cff(&["A", "eacute", "u1F600", "f_f_i", "cid07"]);
    let codes = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5];
    assert_eq!(composite(Program::cff(&named), &codes), "Aé😀ffi\u{fffd}");
    let long = "a".repeat(40_000);
    assert_eq!(composite(Program::cff(&cff(&[&long])), &[0, 1]), "\u{fffd}");
    for end in 0..named.len() {
        composite(Program::cff(&named[..end]), &codes);
    }
}

#[test]
fn the_collection_of_a_cff_font_is_used_if_the_file_names_none() {
    let japanese = cff_of_collection("Japan1");
    assert_eq!(composite(Program::cff(&japanese), &[0x04, 0x65]), "亜");
    let unknown = cff_of_collection("KR");
    assert_eq!(composite(Program::cff(&unknown), &[0x04, 0x65]), "\u{fffd}");
}

#[test]
fn cids_that_a_collection_lacks_are_read_by_the_program() {
    let program = true_type(&[(b"cmap", cmap(3, 1, segments(&[(0x2603, 0x2603, 60_000)])))]);
    let font = |pdf: &mut Pdf| {
        Type0 {
            ordering: "Japan1",
            program: Program::true_type(&program),
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(font, &[0x04, 0x65, 0xea, 0x60]), "亜☃");
}

#[test]
fn glyphs_are_found_through_the_map_of_cids() {
    let program = true_type(&[(b"cmap", cmap(3, 1, segments(&[(0x41, 0x43, 5)])))]);
    let font = |pdf: &mut Pdf| {
        let map = pdf.add_stream(Stream::new([0, 0, 0, 6, 0, 5]));
        Type0 {
            program: Program::true_type(&program),
            descendant: &format!("/CIDToGIDMap {map}"),
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(font, &[0, 1, 0, 2, 0, 3]), "BA\u{fffd}");
}

#[test]
fn symbols_in_composite_fonts_are_found_by_their_codes() {
    let map = cmap(3, 0, segments(&[(0xf061, 0xf062, 5)]));
    let program = true_type(&[(b"cmap", map)]);
    let font = |pdf: &mut Pdf| {
        Type0 {
            base_font: "ABCDEF+SymbolMT",
            program: Program::true_type(&program),
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(font, &[0, 5, 0, 6]), "αβ");
}

#[test]
fn inferred_text_is_marked() {
    let program = true_type(&[(b"cmap", cmap(3, 1, segments(&[(0x41, 0x43, 5)])))]);
    let composite = |pdf: &mut Pdf| {
        Type0 {
            program: Program::true_type(&program),
            to_unicode: &[(5, "x")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    use Certainty::{Inferred, Known, Unknown};
    assert_eq!(
        certainties(composite, &[0, 5, 0, 6, 0, 9]),
        [Known, Inferred, Unknown]
    );
    let both = [
        units(&[0, 2, 1, 0, 0, 20, 3, 1, 0, 32]),
        units(&[6, 0, 0, 0x41, 1, 5]),
        segments(&[(0x42, 0x42, 5)]),
    ];
    let program = true_type(&[(b"cmap", both.concat())]);
    let simple = |pdf: &mut Pdf| {
        Simple {
            program: Program::true_type(&program),
            differences: &[(0x50, "B")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(simple, b"AP"), "BB");
    assert_eq!(certainties(simple, b"AP"), [Inferred, Known]);
    let counted = |pdf: &mut Pdf| {
        Simple {
            differences: &[(65, "a65"), (66, "B")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(certainties(counted, b"AB"), [Inferred, Known]);
}

fn certainties(add: impl FnOnce(&mut Pdf) -> Ref, codes: &[u8]) -> Vec<Certainty> {
    let mut pdf = Pdf::new();
    let font = add(&mut pdf);
    pdf.page(Page::new("").font("F", font));
    let pdf = hayro_syntax::Pdf::new(pdf.build()).unwrap();
    let dict = pdf.pages()[0].resources().fonts.get::<Dict<'_>>("F");
    let font = Fonts::new(false).get(&dict.unwrap(), None);
    let mut found = Vec::new();
    font.decode(codes, &mut |code| found.push(code.certainty));
    found
}

#[test]
fn glyphs_with_private_names_do_not_have_the_meaning_of_their_codes() {
    let tables = [
        (b"cmap", cmap(1, 0, units(&[6, 0, 0, 0x41, 2, 0, 1]))),
        (b"post", post(&["parenlefttp", "uniE001"])),
    ];
    let program = true_type(&tables);
    let font = |pdf: &mut Pdf| {
        Simple {
            program: Program::true_type(&program),
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(font, b"B"), "\u{fffd}");
}

#[test]
fn without_a_character_map_codes_are_glyphs() {
    let program = true_type(&[(b"post", post(&[".notdef", "A", "eacute"]))]);
    let font = |pdf: &mut Pdf| {
        Simple {
            program: Program::true_type(&program),
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(font, b"\x01\x02"), "Aé");
    assert_eq!(certainties(font, b"\x01B"), [Certainty::Inferred; 2]);
}

#[test]
fn unknown_collections_fall_back_to_the_program() {
    let program = true_type(&[(b"cmap", cmap(3, 1, segments(&[(0xac00, 0xac01, 5)])))]);
    let font = |program| {
        move |pdf: &mut Pdf| {
            let map = fonts::cmap(pdf, "/Adobe-KR-UCS2 usecmap");
            Type0 {
                ordering: "KR",
                entries: &format!("/ToUnicode {map}"),
                program,
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    let codes = [0, 5, 0, 6];
    assert_eq!(text(font(Program::true_type(&program)), &codes), "가각");
    assert_eq!(certainties(font(None), &codes), [Certainty::Unknown; 2]);
}

#[test]
fn codes_in_a_macintosh_map_may_be_those_of_windows() {
    // 0x95 is `•` in WinAnsi and `ï` in MacRoman, 0x8e is `Ž` or `é`.
    let text_of = |code: u8, other: u8, widths: &[u16]| {
        let codes = [other, code].map(u16::from);
        let map = segments(&[(codes[0], codes[0], 1), (codes[1], codes[1], 2)]);
        let program = true_type(&[(b"cmap", cmap(1, 0, map))]);
        let font = |pdf: &mut Pdf| {
            Simple {
                subtype: "TrueType",
                program: Program::true_type(&program),
                first_char: other,
                widths,
                descriptor: "/Flags 4 /MissingWidth 500",
                ..Default::default()
            }
            .add_to(pdf)
        };
        text(font, &[code])
    };
    let widths = |code: u8, other: u8, width: u16| {
        let mut widths = vec![0; usize::from(code - other) + 1];
        widths[0] = 400;
        *widths.last_mut().unwrap() = width;
        widths
    };
    // Without an `i`, or with one of another width, the font has no `ï`.
    assert_eq!(text_of(0x95, b'A', &widths(0x95, b'A', 400)), "•");
    assert_eq!(text_of(0x95, b'i', &widths(0x95, b'i', 500)), "•");
    assert_eq!(text_of(0x95, b'i', &widths(0x95, b'i', 400)), "ï");
    assert_eq!(text_of(0x8e, b'e', &widths(0x8e, b'e', 400)), "é");
    assert_eq!(text_of(0x8e, b'Z', &widths(0x8e, b'Z', 400)), "Ž");
}
