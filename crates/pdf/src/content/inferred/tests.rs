use std::ops::ControlFlow;

use crate::engine::read;
use crate::model::{DocumentPart, Options, Page as ReadPage, Request};
use crate::quality::PageFacts;
use crate::testing::fonts::{Program, Simple, Type0, Type3};
use crate::testing::{Page, Pdf, Ref, font_files, hex};

const ENGLISH: &str = "The committee met on 14 March and read the report.";

fn pages(pdf: Pdf) -> Vec<ReadPage> {
    let request = Request {
        text: true,
        options: Options {
            invisible_text: true,
            ..Options::default()
        },
        ..Request::default()
    };
    let mut pages = Vec::new();
    read(pdf.build(), &request, &mut |part| {
        if let DocumentPart::Page(page) = part {
            pages.push(page);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    pages
}

/// A string in a font `/F2`.
fn shown(codes: &[u8]) -> String {
    format!("BT /F2 6 Tf 72 720 Td {} Tj ET\n", hex(codes))
}

/// Two bytes for each character.
fn composite(text: &str, mut glyph: impl FnMut(char) -> u32) -> Vec<u8> {
    let glyphs = text.chars().map(|c| (glyph(c) as u16).to_be_bytes());
    glyphs.flatten().collect()
}

/// A subset font that kept nothing but the outlines.
fn bare(pdf: &mut Pdf) -> Ref {
    let program = font_files::true_type(&[(b"glyf", vec![0; 4])]);
    Type0 {
        program: Program::true_type(&program),
        ..Default::default()
    }
    .add_to(pdf)
}

fn one_page(add: impl FnOnce(&mut Pdf) -> Ref, codes: &[u8]) -> ReadPage {
    let mut pdf = Pdf::new();
    let font = add(&mut pdf);
    pdf.page(Page::new(shown(codes)).font("F2", font));
    pages(pdf).remove(0)
}

fn text(page: &ReadPage) -> &str {
    page.text.trim_end()
}

#[test]
fn usual_orders_of_glyphs_are_recognized() {
    for first in [29, 31, 0] {
        let page = one_page(bare, &composite(ENGLISH, |c| c as u32 - first));
        assert_eq!(text(&page), ENGLISH, "{first}");
        let count = ENGLISH.len() as u32;
        assert_eq!(
            (page.characters, page.unmapped, page.inferred),
            (count, 0, count)
        );
        assert_eq!(PageFacts::of(&page).needs_ocr(), Some(false));
    }
}

#[test]
fn text_in_other_languages_is_recognized() {
    let macintosh = |c: char| match c {
        'é' => 112,
        'è' => 113,
        'à' => 106,
        'ö' => 124,
        'ü' => 129,
        'ä' => 108,
        'ß' => 137,
        'ñ' => 120,
        'ó' => 121,
        c => c as u32 - 29,
    };
    let latin = |c: char| match c {
        c if c.is_ascii() => c as u32 - 29,
        c => c as u32 - 0xa0 + 98,
    };
    for sentence in [
        "Le comité a été réuni à Genève pour lire la note.",
        "Die Prüfung der Gebäude hörte in der Straße auf.",
        "El señor director leyó la decisión sobre el año pasado.",
        "JEDNOSTKA ORGANIZACYJNA WYDALA DECYZJE W SPRAWIE",
    ] {
        let page = one_page(bare, &composite(sentence, macintosh));
        assert_eq!(text(&page), sentence);
        let page = one_page(bare, &composite(sentence, latin));
        assert_eq!(text(&page), sentence);
    }
}

#[test]
fn a_few_words_are_enough() {
    for few in ["Hello, World!", "This is a test", "Some text"] {
        let page = one_page(bare, &composite(few, |c| c as u32 - 29));
        assert_eq!(text(&page), few);
    }
}

#[test]
fn bullets_do_not_show_what_is_beyond_ascii() {
    let list = "#Access to resources #Advocacy #Low cost items #Managing feelings";
    let code = |c: char| if c == '#' { 175 } else { c as u32 - 29 };
    let page = one_page(bare, &composite(list, code));
    assert_eq!(text(&page), list.replace('#', "\u{fffd}"));
    assert_eq!(page.unmapped, 4);
}

#[test]
fn glyphs_that_do_not_form_text_stay_unknown() {
    // Orders of glyphs that are not an encoding: by first appearance, reversed, and shifted by a
    // letter. Then figures, hardly any text, and text among accented letters.
    let mut seen = Vec::new();
    let renumbered = composite(ENGLISH, |c| {
        let known = seen_place(&mut seen, c);
        known as u32 + 1
    });
    let figures = "17 204 3391 22 8471 5520 1634 908 2211";
    for codes in [
        renumbered,
        composite(ENGLISH, |c| 200 - c as u32),
        composite(ENGLISH, |c| c as u32 - 28),
        composite(ENGLISH, |c| c as u32 + 400),
        composite(figures, |c| c as u32 - 29),
        composite("Table 1", |c| c as u32 - 29),
        composite("Summary", |c| c as u32 - 29),
        composite(ENGLISH, |c| c as u32 - 2),
    ] {
        let page = one_page(bare, &codes);
        assert!(
            page.text
                .chars()
                .all(|c| c == '\u{fffd}' || c.is_whitespace()),
            "{}",
            page.text
        );
        assert_eq!((page.unmapped, page.inferred), (page.characters, 0));
        assert_eq!(PageFacts::of(&page).needs_ocr(), Some(true));
    }
}

fn seen_place(seen: &mut Vec<char>, c: char) -> usize {
    seen.iter()
        .position(|known| *known == c)
        .unwrap_or_else(|| {
            seen.push(c);
            seen.len() - 1
        })
}

#[test]
fn glyphs_may_be_placed_one_by_one() {
    let strings: String = ENGLISH
        .split(' ')
        .enumerate()
        .map(|(place, word)| {
            let codes = hex(&composite(word, |c| c as u32 - 29));
            format!("BT /F2 4 Tf {} 700 Td {codes} Tj ET\n", 50 + 55 * place)
        })
        .collect();
    let mut pdf = Pdf::new();
    let font = bare(&mut pdf);
    pdf.page(Page::new(strings).font("F2", font));
    assert_eq!(text(&pages(pdf)[0]), ENGLISH);
}

#[test]
fn later_pages_and_other_fonts_use_the_habit() {
    let mut pdf = Pdf::new();
    let (font, other) = (bare(&mut pdf), bare(&mut pdf));
    let codes = |text: &str| composite(text, |c| c as u32 - 29);
    let page = Page::new(shown(&codes(ENGLISH)) + &shown(&codes("Summary")).replace("F2", "F3"));
    pdf.page(page.font("F2", font).font("F3", other));
    pdf.page(Page::new(shown(&codes("Page 2"))).font("F2", font));
    let pages = pages(pdf);
    assert!(pages[0].text.contains("Summary"), "{}", pages[0].text);
    assert_eq!(text(&pages[1]), "Page 2");
}

#[test]
fn digits_may_come_first() {
    let figures: String = (100..700).map(|n| format!("{n} ")).collect();
    let code = |c: char| c as u32 - 29;
    let content = shown(&composite(&figures, code)).replace("/F2 6", "/F2 0.2");
    let mut pdf = Pdf::new();
    let font = bare(&mut pdf);
    let content = content + &shown(&composite(ENGLISH, code));
    pdf.page(Page::new(content).font("F2", font));
    let page = pages(pdf).remove(0);
    assert!(page.text.contains(ENGLISH) && page.text.contains("699"));
}

#[test]
fn numbers_in_glyph_names_are_recognized() {
    let distinct: Vec<(u8, String, String)> = {
        let mut codes: Vec<u8> = ENGLISH.bytes().collect();
        codes.sort_unstable();
        codes.dedup();
        let names = (1..).zip(codes);
        names
            .map(|(code, c)| (code, format!("G{c:02X}"), format!("c{c}")))
            .collect()
    };
    let code = |c: char| {
        let name = format!("G{:02X}", c as u32);
        let found = distinct.iter().find(|(_, known, _)| *known == name);
        found.unwrap().0
    };
    let codes: Vec<u8> = ENGLISH.chars().map(code).collect();
    let hexadecimal: Vec<_> = distinct
        .iter()
        .map(|(code, name, _)| (*code, &**name))
        .collect();
    let decimal: Vec<_> = distinct
        .iter()
        .map(|(code, _, name)| (*code, &**name))
        .collect();
    for differences in [&hexadecimal, &decimal] {
        let simple = |pdf: &mut Pdf| {
            Simple {
                subtype: "Type1",
                differences,
                widths: &[500; 256],
                ..Default::default()
            }
            .add_to(pdf)
        };
        let page = one_page(simple, &codes);
        assert_eq!(text(&page), ENGLISH);
        let glyphs: Vec<_> = differences
            .iter()
            .map(|(code, name)| (*code, *name, ""))
            .collect();
        let type_3 = |pdf: &mut Pdf| {
            Type3 {
                glyphs: &glyphs,
                ..Default::default()
            }
            .add_to(pdf)
        };
        let page = one_page(type_3, &codes);
        assert_eq!(text(&page), ENGLISH);
        assert_eq!(page.unmapped, 0);
    }
}

#[test]
fn own_codes_of_a_font_are_recognized() {
    // Glyphs in any order, and a map for symbols that has their codes.
    let segments: Vec<_> = (0x20..=0x7e_u16)
        .map(|code| (0xf000 + code, 0xf000 + code, code * 7))
        .collect();
    let map = font_files::cmap(3, 0, font_files::segments(&segments));
    let program = font_files::true_type(&[(b"cmap", map)]);
    let font = |pdf: &mut Pdf| {
        Type0 {
            program: Program::true_type(&program),
            ..Default::default()
        }
        .add_to(pdf)
    };
    let page = one_page(font, &composite(ENGLISH, |c| c as u32 * 7));
    assert_eq!(text(&page), ENGLISH);
}

#[test]
fn known_characters_are_part_of_the_text() {
    // The font is not embedded, and its family has a separate order, so no order is assumed.
    let font = |pdf: &mut Pdf| {
        Type0 {
            base_font: "Calibri",
            to_unicode: &[(72, "e"), (3, " ")],
            ..Default::default()
        }
        .add_to(pdf)
    };
    let page = one_page(font, &composite(ENGLISH, |c| c as u32 - 29));
    assert_eq!(text(&page), ENGLISH);
    let known = ENGLISH.chars().filter(|c| matches!(c, 'e' | ' ')).count();
    assert_eq!(page.inferred as usize, ENGLISH.len() - known);
}

#[test]
fn actual_text_comes_first() {
    let mut pdf = Pdf::new();
    let font = bare(&mut pdf);
    let codes = composite(ENGLISH, |c| c as u32 - 29);
    let marked = format!("/Span <</ActualText (told)>> BDC {} EMC", shown(&codes));
    pdf.page(Page::new(marked).font("F2", font));
    let page = pages(pdf).remove(0);
    assert_eq!(text(&page), "told");
    assert_eq!((page.unmapped, page.inferred), (0, 0));
    // Private characters are unknown, too.
    let mut pdf = Pdf::new();
    let font = Type0 {
        to_unicode: &[(1, "\u{e001}")],
        ..Default::default()
    }
    .add_to(&mut pdf);
    let marked = format!("/Span <</ActualText (x)>> BDC {} EMC", shown(&[0, 1]));
    pdf.page(Page::new(marked).font("F2", font));
    assert_eq!(pages(pdf).remove(0).unmapped, 0);
}

#[test]
fn an_incomplete_map_shows_the_habit() {
    const MAP: [(u16, &str); 6] = [
        (36, "A"),
        (37, "B"),
        (68, "a"),
        (69, "b"),
        (70, "c"),
        (20, "1"),
    ];
    let font = |to_unicode: &'static [(u16, &'static str)]| {
        move |pdf: &mut Pdf| {
            Type0 {
                base_font: "Calibri",
                to_unicode,
                ..Default::default()
            }
            .add_to(pdf)
        }
    };
    let codes = composite("Ab c", |c| c as u32 - 29);
    let page = one_page(font(&MAP), &codes);
    assert_eq!((text(&page), page.unmapped, page.inferred), ("Ab c", 0, 1));
    let few = one_page(font(&MAP[..4]), &codes);
    assert_eq!((few.unmapped, few.inferred), (2, 0));
}

#[test]
fn many_fonts_and_pages_end_soon() {
    let mut pdf = Pdf::new();
    let fonts: Vec<Ref> = (0..300).map(|_| bare(&mut pdf)).collect();
    let content: String = (0..9_000)
        .map(|n| {
            format!(
                "BT /G{} 6 Tf {} {} Td <{:04X}> Tj ET\n",
                n % 300,
                n % 600,
                n / 50,
                n % 97
            )
        })
        .collect();
    for _ in 0..3 {
        let page = Page::new(content.clone());
        let with = |page: Page, (n, font): (usize, &Ref)| page.font(&format!("G{n}"), *font);
        pdf.page(fonts.iter().enumerate().fold(page, with));
    }
    assert_eq!(pages(pdf).len(), 3);
}
