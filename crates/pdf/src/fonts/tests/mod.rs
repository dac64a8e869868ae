//! Tests of the meaning and width of codes.

mod embedded;
mod encodings;

use hayro_syntax::Pdf as Syntax;
use hayro_syntax::object::{Dict, ObjectIdentifier};

use super::Fonts;
use crate::testing::{Pdf, Ref, Stream, fonts};

/// Decodes a string in the font that `add` makes: each code with its width in thousandths of an
/// em.
fn decode(add: impl FnOnce(&mut Pdf) -> Ref, codes: &[u8]) -> Vec<(String, i32)> {
    decode_with(add, codes, false)
}

fn decode_with(
    add: impl FnOnce(&mut Pdf) -> Ref,
    codes: &[u8],
    keep_ligatures: bool,
) -> Vec<(String, i32)> {
    let mut pdf = Pdf::new();
    let font = add(&mut pdf);
    pdf.page(crate::testing::Page::new("").font("F", font));
    let number = font.to_string().split(' ').next().unwrap().parse().unwrap();
    let pdf = Syntax::new(pdf.build()).unwrap();
    let dict = pdf
        .xref()
        .get::<Dict<'_>>(ObjectIdentifier::new(number, 0))
        .unwrap();
    let font = Fonts::new(keep_ligatures).get(&dict, None);
    let mut found = Vec::new();
    font.decode(codes, &mut |code| {
        found.push((code.text.to_owned(), (code.advance * 1000.0).round() as i32));
    });
    found
}

fn text(add: impl FnOnce(&mut Pdf) -> Ref, codes: &[u8]) -> String {
    decode(add, codes)
        .into_iter()
        .map(|(text, _)| text)
        .collect()
}

/// A font that shows `codes` with a map to Unicode of these operators.
fn mapped(operators: &'static str, codes: &[u8]) -> String {
    let add = |pdf: &mut Pdf| {
        let map = fonts::cmap(pdf, operators);
        let entries = format!("/Encoding /WinAnsiEncoding /ToUnicode {map}");
        fonts::Simple {
            first_char: 65,
            widths: &[500; 8],
            entries: &entries,
            ..Default::default()
        }
        .add_to(pdf)
    };
    text(add, codes)
}

#[test]
fn standard_fonts_have_their_widths_and_encodings() {
    let helvetica = decode(|pdf| fonts::standard(pdf, "Helvetica"), b"Ai'");
    assert_eq!(
        helvetica,
        [
            ("A".to_owned(), 667),
            ("i".to_owned(), 222),
            ("’".to_owned(), 222)
        ]
    );
    assert_eq!(text(|pdf| fonts::standard(pdf, "Symbol"), b"ab\xb7"), "αβ•");
    assert_eq!(text(|pdf| fonts::standard(pdf, "ZapfDingbats"), b"4"), "✔");
}

#[test]
fn differences_name_glyphs() {
    let add = |pdf: &mut Pdf| {
        let differences = [
            (1, "Lslash"),
            (2, "uni20AC"),
            (3, "uni20ac"),
            (4, "f_i"),
            (5, "LA010000"),
            (6, ".notdef"),
            (7, "g99"),
        ];
        fonts::Simple {
            base_encoding: "WinAnsiEncoding",
            differences: &differences,
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        text(add, b"\x01\x02\x03\x04\x05\x06\x07A\x80"),
        "Ł€€fia\u{fffd}A€"
    );
}

#[test]
fn widths_are_listed_from_the_first_character_on() {
    let add = |pdf: &mut Pdf| {
        fonts::Simple {
            first_char: 66,
            widths: &[100, 200],
            descriptor: "/MissingWidth 300",
            ..Default::default()
        }
        .add_to(pdf)
    };
    let widths: Vec<_> = decode(add, b"ABCD")
        .into_iter()
        .map(|(_, width)| width)
        .collect();
    assert_eq!(widths, [300, 100, 200, 300]);
}

#[test]
fn the_to_unicode_map_comes_first() {
    assert_eq!(
        mapped("2 beginbfchar <41> <0062> <42> <D83DDE00> endbfchar", b"AB"),
        "b😀"
    );
    assert_eq!(
        mapped("1 beginbfrange <41> <43> <0078> endbfrange", b"ABC"),
        "xyz"
    );
    assert_eq!(
        mapped(
            "1 beginbfrange <41> <42> [<0078> <00660066>] endbfrange",
            b"AB"
        ),
        "xff"
    );
    // Codes of two bytes, single digits, and missing ends are understood.
    assert_eq!(mapped("beginbfchar <0041> <78> <0042><0079>", b"AB"), "xy");
}

#[test]
fn a_useless_to_unicode_map_is_ignored() {
    assert_eq!(
        mapped("1 beginbfrange <41> <43> <0000> endbfrange", b"A"),
        "A"
    );
    assert_eq!(
        mapped(
            "beginbfchar <41> <FFFD> <42> <0003> <43> <E001> endbfchar",
            b"ABC"
        ),
        "ABC"
    );
    let all_the_same = "beginbfchar <41> <0020> <42> <0020> <43> <0020> <44> <0020> endbfchar";
    assert_eq!(mapped(all_the_same, b"ABCD"), "ABCD");
    assert_eq!(mapped("no map at all", b"AB"), "AB");
    // Mapped to nothing: another glyph has the text of both.
    assert_eq!(
        mapped("beginbfchar <41> <> <42> <00660069> endbfchar", b"AB"),
        "fi"
    );
    assert_eq!(mapped("beginbfchar <41> <> <42> <> endbfchar", b"AB"), "AB");
    // A private-use character is better than nothing.
    let only_private = |pdf: &mut Pdf| {
        fonts::Simple {
            differences: &[(1, "g7")],
            to_unicode: &[(1, "\u{e001}")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(only_private, b"\x01"), "\u{e001}");
}

#[test]
fn ranges_that_claim_every_code_cost_nothing() {
    let bomb = "1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange 1 beginbfchar <42> <0078> endbfchar";
    assert_eq!(mapped(bomb, b"B"), "x");
    let add = |pdf: &mut Pdf| {
        let descendant = "/DW 1000 /W [0 4294967295 600 5 [700]]";
        fonts::Type0 {
            to_unicode: &[(1, "a"), (5, "b")],
            descendant,
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        decode(add, &[0, 1, 0, 5]),
        [("a".to_owned(), 600), ("b".to_owned(), 700)]
    );
    let huge = |pdf: &mut Pdf| {
        fonts::Simple {
            entries: "/FirstChar 2147483647 /LastChar 2147483647",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(huge, b"A"), "A");
}

#[test]
fn ligatures_are_expanded_unless_kept() {
    let add = |pdf: &mut Pdf| {
        fonts::Simple {
            to_unicode: &[(1, "\u{fb03}"), (2, "\u{a0}")],
            differences: &[(3, "fl")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(add, b"\x01\x02\x03"), "ffi fl");
    let mapped_to_sign = |pdf: &mut Pdf| {
        fonts::Simple {
            to_unicode: &[(1, "↵"), (2, "↵")],
            differences: &[(1, "ff"), (2, "carriagereturn")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(mapped_to_sign, b"\x01\x02"), "ff↵");
    let kept = decode_with(add, b"\x01\x03", true);
    assert_eq!(
        kept.iter()
            .map(|(text, _)| text.as_str())
            .collect::<String>(),
        "\u{fb03}\u{fb02}"
    );
}

#[test]
fn to_unicode_maps_may_extend_that_of_a_collection() {
    let cases: [(&str, &[u8], &str); 4] = [
        ("Adobe-Japan1-UCS2", &[0x04, 0x65], "亜"),
        ("Adobe-Korea1-UCS2", &[0, 34], "A"),
        ("Adobe-GB1-UCS2", &[0, 34], "A"),
        ("Adobe-CNS1-UCS2", &[0, 34], "A"),
    ];
    for (name, codes, expected) in cases {
        let font = |pdf: &mut Pdf, to_unicode: &str| {
            let descendant = pdf.add(
                "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Sample /CIDSystemInfo \
                 << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
            );
            pdf.add(format!(
                "<< /Type /Font /Subtype /Type0 /BaseFont /Sample /Encoding /Identity-H \
                 /DescendantFonts [{descendant}] /ToUnicode {to_unicode} >>"
            ))
        };
        let built_on = |pdf: &mut Pdf| {
            let map = format!("/{name} usecmap 1 beginbfchar <FFF0> <0041> endbfchar");
            let map = pdf.add_stream(Stream::new(map));
            font(pdf, &map.to_string())
        };
        let of_dictionary = |pdf: &mut Pdf| {
            let map = Stream::new("").entries(&format!("/UseCMap /{name}"));
            let map = pdf.add_stream(map);
            font(pdf, &map.to_string())
        };
        assert_eq!(text(built_on, codes), expected, "{name}");
        assert_eq!(text(built_on, &[0xFF, 0xF0]), "A", "{name}");
        assert_eq!(text(of_dictionary, codes), expected, "{name}");
        let named = |pdf: &mut Pdf| font(pdf, &format!("/{name}"));
        assert_eq!(text(named, codes), expected, "{name}");
    }
}

#[test]
fn composite_fonts_without_a_map_use_their_collection() {
    let japanese = |pdf: &mut Pdf| {
        fonts::Type0 {
            encoding: "/90ms-RKSJ-H",
            ordering: "Japan1",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(japanese, b"\x93\xfa\x96\x7bA"), "日本A");
    let cids = |pdf: &mut Pdf| {
        fonts::Type0 {
            ordering: "Japan1",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        text(cids, &[0x0d, 0x5e]),
        text(cids, &[0x0d, 0x5e, 9]).replace('\u{fffd}', "")
    );
    let unicode = |pdf: &mut Pdf| {
        fonts::Type0 {
            encoding: "/UniGB-UCS2-H",
            ordering: "GB1",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(unicode, &[0x4e, 0x2d, 0x65, 0x87]), "中文");
}

#[test]
fn symbol_fonts_have_their_meaning() {
    let wingdings = |pdf: &mut Pdf| {
        fonts::Simple {
            base_font: "Wingdings-Regular",
            base_encoding: "WinAnsiEncoding",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(wingdings, b"n\xfc"), "■✓");
    let private = |pdf: &mut Pdf| {
        let to_unicode = [(1, "\u{f0b7}"), (2, "\u{f061}")];
        fonts::Type0 {
            base_font: "ABCDEF+SymbolMT",
            to_unicode: &to_unicode,
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(private, &[0, 1, 0, 2]), "•α");
}

#[test]
fn vertical_fonts_advance_downwards() {
    let add = |pdf: &mut Pdf| {
        let descendant = "/DW2 [880 -900] /W2 [7 [-500 250 880]]";
        fonts::Type0 {
            encoding: "/Identity-V",
            to_unicode: &[(1, "a"), (7, "b")],
            descendant,
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        decode(add, &[0, 1, 0, 7]),
        [("a".to_owned(), -900), ("b".to_owned(), -500)]
    );
}

#[test]
fn fonts_of_windows_that_are_not_embedded_have_a_known_order() {
    let arial = |pdf: &mut Pdf| {
        fonts::Type0 {
            base_font: "Arial",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(arial, &[0, 0x24, 0, 0x44, 0, 3, 0, 0x70]), "Aa é");
    let calibri = |pdf: &mut Pdf| {
        fonts::Type0 {
            base_font: "Calibri",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(text(calibri, &[0, 0x24]), "\u{fffd}");
}

#[test]
fn chinese_fonts_that_claim_to_be_simple_are_read_in_gbk() {
    let add = |pdf: &mut Pdf| {
        fonts::Simple {
            base_font: "#CB#CE#CC#E5",
            base_encoding: "WinAnsiEncoding",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        decode(add, b"A\xd6\xd0"),
        [("A".to_owned(), 500), ("中".to_owned(), 1000)]
    );
}

#[test]
fn type_3_fonts_have_their_own_units() {
    let font = |matrix: &'static str| {
        move |pdf: &mut Pdf| {
            fonts::Type3 {
                glyphs: &[(65, "B", ""), (66, "x1", ""), (67, "a67", "")],
                matrix,
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    let found = decode(font("0.002 0 0 0.002 0 0"), b"ABC");
    // A name that is only a number adds nothing to the code.
    assert_eq!(
        found,
        [("B", 1000), ("\u{fffd}", 1000), ("C", 1000)]
            .map(|(text, width)| (text.to_owned(), width))
    );
}

#[test]
fn bitmaps_of_tex_have_ligatures() {
    let font = |codes: &'static [u8]| {
        move |pdf: &mut Pdf| {
            let names: Vec<String> = codes.iter().map(|code| format!("a{code}")).collect();
            let glyphs = codes.iter().zip(&names);
            let glyphs: Vec<_> = glyphs.map(|(code, name)| (*code, &**name, "")).collect();
            fonts::Type3 {
                glyphs: &glyphs,
                matrix: "0.001 0 0 0.001 0 0",
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    let texts = |codes: &'static [u8], string: &[u8]| -> Vec<String> {
        let found = decode(font(codes), string);
        found.into_iter().map(|(text, _)| text).collect()
    };
    assert_eq!(
        texts(b"\x0c\x0e,aceno", b"o\x0ece,"),
        ["o", "ffi", "c", "e", ","]
    );
    assert_eq!(texts(b"\x15\x1c.aceno", b"\x1cn\x15"), ["fi", "n", "–"]);
    // Titles have no full stop.
    assert_eq!(texts(b"\x1cabcdefghimnorstu", b"\x1cg"), ["fi", "g"]);
    // Fonts for symbols and formulas have no text.
    assert_eq!(texts(b"\x0b\x0cabcde", b"\x0ba"), ["\u{fffd}", "a"]);
    assert_eq!(
        texts(b"\x0b\x19abcdefghimnorstu", b"\x0ba"),
        ["\u{fffd}", "a"]
    );
}

#[test]
fn embedded_cmaps_split_strings() {
    let add = |pdf: &mut Pdf| {
        let map = fonts::cmap(
            pdf,
            "2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange \
             1 begincidrange <00> <7F> 0 endcidrange 1 begincidrange <8000> <8001> 500 endcidrange",
        );
        let encoding = map.to_string();
        fonts::Type0 {
            encoding: &encoding,
            to_unicode: &[(0x41, "a"), (0x8001, "b")],
            descendant: "/W [65 [300] 501 [900]]",
            ..Default::default()
        }
        .add_to(pdf)
    };
    assert_eq!(
        decode(add, b"A\x80\x01"),
        [("a".to_owned(), 300), ("b".to_owned(), 900)]
    );
}

#[test]
fn names_show_weight_and_slant() {
    let style = |base_font: &str, descriptor: &str| {
        let mut pdf = Pdf::new();
        let font = fonts::Simple {
            base_font,
            descriptor,
            ..Default::default()
        }
        .add_to(&mut pdf);
        let stream = pdf.add_stream(Stream::new(""));
        assert_ne!(font, stream);
        pdf.page(crate::testing::Page::new("").font("F", font));
        let pdf = Syntax::new(pdf.build()).unwrap();
        let dict = pdf.pages()[0]
            .resources()
            .fonts
            .get::<Dict<'_>>("F")
            .unwrap();
        let font = Fonts::new(false).get(&dict, None);
        (
            font.style.name.clone(),
            font.style.bold,
            font.style.italic,
            font.style.ascent,
        )
    };
    assert_eq!(
        style("ABCDEF+Times-BoldItalic", ""),
        ("Times-BoldItalic".to_owned(), true, true, 0.8)
    );
    assert_eq!(
        style("Plain", "/Flags 262208 /Ascent 900"),
        ("Plain".to_owned(), true, true, 0.9)
    );
    assert_eq!(
        style("Plain", "/FontWeight 400 /Ascent -5000"),
        ("Plain".to_owned(), false, false, 0.8)
    );
}
