//! Pages with few, repeated non-ASCII characters.

use encoding_rs::{UTF_8, WINDOWS_1252, WINDOWS_1253};

use super::super::*;
use super::encoded;

/// English pages with one repeated symbol.
#[path = "../../examples/charset_accuracy/symbols.rs"]
mod symbols;

use self::symbols::{CHARSETS, COMPANIONS, COUNTS, PLACES, Placement, characters_of, page};

#[test]
fn a_repeated_character_does_not_overrule_a_right_declaration() {
    for label in CHARSETS {
        let charset = Charset::for_label(label).unwrap();
        for (index, symbol) in characters_of(label).into_iter().enumerate() {
            // Over all characters, this covers all combinations.
            let place = PLACES[index % PLACES.len()];
            let companions = COMPANIONS[index / 3 % COMPANIONS.len()];
            let count = COUNTS[index % COUNTS.len()];
            for (place, count) in [(place, count), (Placement::Joined, 40)] {
                let text = page(symbol, count, 300, place, companions);
                let (bytes, _, failed) = charset.encoding().unwrap().encode(&text);
                if failed {
                    continue;
                }
                let (found, _) = decode_page(&bytes, Some(label), None);
                assert_eq!(found, text, "{symbol} x {count} in {label}, {place:?}");
            }
        }
    }
}

#[test]
fn a_repeated_western_symbol_needs_no_declaration() {
    for symbol in "§£°€™•—»©®«“”’…½".chars() {
        for count in COUNTS {
            for declared in [None, Some("utf-8")] {
                let text = page(symbol, count, 300, Placement::Same, "");
                let bytes = encoded(&text, WINDOWS_1252);
                let (found, _) = decode_page(&bytes, declared, None);
                assert_eq!(found, text, "{symbol} x {count}, {declared:?}");
            }
        }
    }
}

#[test]
fn one_character_of_utf_8_is_enough() {
    for character in "©®—–’“•€£°\u{a0}éüßčя★日の한".chars() {
        for count in [1, 2, 40] {
            let text = page(character, count, 300, Placement::Varied, "");
            for declared in [
                "iso-8859-1",
                "windows-1251",
                "iso-8859-2",
                "windows-1253",
                "shift_jis",
                "euc-jp",
                "gb2312",
                "euc-kr",
            ] {
                let (found, detected) = decode_page(text.as_bytes(), Some(declared), None);
                assert_eq!(found, text, "{character} x {count} declared {declared}");
                assert_eq!(detected.source, Source::Detected);
            }
        }
    }
}

#[test]
fn a_repeated_east_asian_character_does_not_overrule_a_right_declaration() {
    for (label, text) in [
        ("shift_jis", "→"),
        ("euc-jp", "★"),
        ("gb2312", "·"),
        ("big5", "※"),
        ("euc-kr", "▶"),
        ("shift_jis", "日本"),
    ] {
        let page = format!("<li>{text} Item</li>\n").repeat(40);
        let charset = Charset::for_label(label).unwrap();
        let bytes = encoded(&page, charset.encoding().unwrap());
        assert_eq!(decode_page(&bytes, Some(label), None).0, page, "{label}");
    }
}

#[test]
fn letters_within_words_disprove_a_declaration() {
    let finnish = "Tänä kesänä järvi jäähtyi. Äiti löysi metsästä mustikoita. ".repeat(3);
    let english = "A café résumé, naïve façades, décor, fiancée, rosé, protégé, Zoë. ";
    for text in [finnish.as_str(), english] {
        for declared in [
            "windows-1251",
            "windows-1253",
            "koi8-r",
            "utf-8",
            "shift_jis",
        ] {
            let bytes = encoded(text, WINDOWS_1252);
            let (found, _) = decode_page(&bytes, Some(declared), None);
            assert_eq!(found, text, "{declared}");
        }
    }
}

#[test]
fn one_letter_in_any_words_is_a_symbol_and_two_are_a_text() {
    let one = "Café, été, née, résumé, protégé, décor, préfet, fiancée, ".repeat(4);
    let two = one.replace("née", "père, frère, très");
    for declared in ["windows-1251", "koi8-r", "windows-1253", "iso-8859-5"] {
        let charset = Charset::for_label(declared).unwrap();
        for (text, expected) in [(&one, charset), (&two, Charset::standard(WINDOWS_1252))] {
            let bytes = encoded(text, WINDOWS_1252);
            assert_eq!(detect(&bytes, Some(declared), None).charset, expected);
        }
    }
}

#[test]
fn greek_letters_as_symbols_do_not_overrule_a_declaration() {
    let sentence = "The probe is 5 μm wide and the film 20 μm thick, while ΔT stays below 3 K. A \
        resistor of 4.7 kΩ and one of 10 MΩ; the area is πr² or π/4 times d; λ = 3. ";
    for text in [sentence.to_owned(), sentence.repeat(20)] {
        for label in ["windows-1253", "iso-8859-7"] {
            let bytes = encoded(&text, WINDOWS_1253);
            assert_eq!(decode_page(&bytes, Some(label), None).0, text, "{label}");
        }
    }
}

#[test]
fn repeated_words_do_not_overrule_a_right_declaration() {
    for (label, text) in [
        (
            "windows-1253",
            "<li>Members of ΦΒΚ and ΣΑΕ met on Tuesday</li>",
        ),
        ("koi8-r", "<li>Trucks of the types ЗИЛ and КамАЗ</li>"),
        ("euc-kr", "<li>☆ 日本 ☆ travel ☆</li>"),
        ("gb2312", "<li>★ 日本 ★ hotels ★</li>"),
    ] {
        let page = format!("{text}\n").repeat(40);
        let charset = Charset::for_label(label).unwrap();
        let bytes = encoded(&page, charset.encoding().unwrap());
        assert_eq!(decode_page(&bytes, Some(label), None).0, page, "{label}");
    }
}

#[test]
fn a_page_without_a_sequence_of_utf_8_is_not_utf_8() {
    for character in "§£°©®é•×".chars() {
        let text = page(character, 1, 3000, Placement::Varied, "");
        let bytes = encoded(&text, WINDOWS_1252);
        let (found, detected) = decode_page(&bytes, Some("utf-8"), None);
        assert_eq!(found, text);
        assert_ne!(detected.source, Source::Http);
    }
    // The start of a truncated character counts as a sequence.
    let cut = [
        page('a', 1, 300, Placement::Same, "").as_bytes(),
        b"\xe2\x80",
    ]
    .concat();
    assert_eq!(
        detect(&cut, Some("utf-8"), None).charset,
        Charset::standard(UTF_8)
    );
    // One sequence is enough: the other byte is damage.
    let damaged = [page('é', 1, 300, Placement::Same, "").as_bytes(), b" \xe9 "].concat();
    assert_eq!(
        detect(&damaged, Some("utf-8"), None).charset,
        Charset::standard(UTF_8)
    );
}

#[test]
fn a_text_may_end_with_its_only_character() {
    for text in [
        "café",
        "<p>Canapé",
        "voilà",
        "jalapeño y té",
        "Michael Bublé",
        "Yaoundé",
    ] {
        for declared in [None, Some("utf-8")] {
            let bytes = encoded(text, WINDOWS_1252);
            assert_eq!(decode_page(&bytes, declared, None).0, text, "{declared:?}");
        }
    }
}
