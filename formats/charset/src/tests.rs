use std::borrow::Cow;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, ISO_2022_JP, ISO_8859_2, KOI8_R, SHIFT_JIS, UTF_8, UTF_16LE,
    WINDOWS_1251, WINDOWS_1252,
};

use self::texts::TEXTS;
use super::*;

/// The sentences that accuracy is measured on.
#[path = "../examples/charset_accuracy/texts.rs"]
mod texts;

/// English pages with one repeated symbol.
#[path = "../examples/charset_accuracy/symbols.rs"]
mod symbols;

const RUSSIAN: &str = "Вчера вечером мы долго гуляли по берегу реки, и погода была тёплая.";
const JAPANESE: &str = "昨日の夕方、私たちは川沿いを長いあいだ散歩しました。";

fn written(text: &str, encoding: &'static encoding_rs::Encoding) -> Vec<u8> {
    let (bytes, _, failed) = encoding.encode(text);
    assert!(!failed, "{text} in {}", encoding.name());
    bytes.into_owned()
}

fn outcome(bytes: &[u8], declared: Option<&str>) -> (&'static str, Source) {
    let detected = detect(bytes, declared, None);
    (detected.charset.name(), detected.source)
}

#[test]
fn a_byte_order_mark_decides() {
    assert_eq!(
        outcome("\u{feff}é".as_bytes(), Some("big5")),
        ("UTF-8", Source::Bom)
    );
    assert_eq!(
        outcome(b"\xff\xfea\0", Some("big5")),
        ("UTF-16LE", Source::Bom)
    );
    assert_eq!(
        outcome(b"\xff\xfe\0\0a\0\0\0", None),
        ("UTF-32LE", Source::Bom)
    );
    let (text, _) = decode_page("\u{feff}é".as_bytes(), Some("big5"), None);
    assert_eq!(text, "é");
}

#[test]
fn ascii_is_what_it_is_declared_to_be() {
    assert_eq!(outcome(b"plain", None), ("UTF-8", Source::Detected));
    assert_eq!(
        outcome(b"plain", Some("x-sjis")),
        ("Shift_JIS", Source::Http)
    );
    assert_eq!(
        outcome(b"<meta charset=big5>", None),
        ("Big5", Source::Meta)
    );
    assert_eq!(
        outcome(b"<meta charset=big5>", Some("koi8-r")),
        ("KOI8-R", Source::Http)
    );
    assert_eq!(
        outcome(b"plain", Some("utf-16")),
        ("UTF-8", Source::Detected)
    );
    assert_eq!(
        outcome(b"plain", Some("nonsense")),
        ("UTF-8", Source::Detected)
    );
    assert_eq!(outcome(b"", None), ("UTF-8", Source::Detected));
}

#[test]
fn valid_utf_8_is_utf_8_whatever_is_declared() {
    for declared in ["iso-8859-1", "shift_jis", "windows-1251", "euc-jp", "gbk"] {
        assert_eq!(
            outcome(RUSSIAN.as_bytes(), Some(declared)),
            ("UTF-8", Source::Detected)
        );
        assert_eq!(
            outcome(JAPANESE.as_bytes(), Some(declared)),
            ("UTF-8", Source::Detected)
        );
    }
    assert_eq!(
        outcome(RUSSIAN.as_bytes(), Some("utf8")),
        ("UTF-8", Source::Http)
    );
    assert_eq!(
        outcome("<p>café</p>".as_bytes(), None),
        ("UTF-8", Source::Detected)
    );
}

#[test]
fn a_few_characters_that_happen_to_be_utf_8_are_what_is_declared() {
    // 一 and 会 in GBK: two valid sequences of UTF-8.
    let bytes = b"<b>\xd2\xbb</b>";
    assert!(std::str::from_utf8(bytes).is_ok());
    assert_eq!(outcome(bytes, Some("gb2312")), ("GBK", Source::Http));
    assert_eq!(outcome(bytes, None).0, "UTF-8");
}

#[test]
fn a_repeated_symbol_does_not_overrule_a_right_declaration() {
    for label in symbols::CHARSETS {
        let charset = Charset::for_label(label).unwrap();
        let is_symbol = |c: &char| !c.is_alphabetic();
        let symbols = symbols::characters_of(label).into_iter().filter(is_symbol);
        for (index, symbol) in symbols.enumerate() {
            // Over all symbols, everything is combined with everything.
            let place = symbols::PLACES[index % symbols::PLACES.len()];
            let companions = symbols::COMPANIONS[index / 3 % symbols::COMPANIONS.len()];
            let count = symbols::COUNTS[index % symbols::COUNTS.len()];
            let text = symbols::page(symbol, count, 300, place, companions);
            let (bytes, _, failed) = charset.encoding().unwrap().encode(&text);
            if failed {
                continue;
            }
            let (found, _) = decode_page(&bytes, Some(label), None);
            assert_eq!(found, text, "{symbol} x {count} in {label}, {place:?}");
        }
    }
}

#[test]
fn a_repeated_western_symbol_needs_no_declaration() {
    for symbol in "§£°€™•—»©®«“”’…½".chars() {
        for count in symbols::COUNTS {
            for declared in [None, Some("utf-8")] {
                if declared.is_some() && count == 1 {
                    continue;
                }
                let text = symbols::page(symbol, count, 300, symbols::Place::Same, "");
                let bytes = written(&text, WINDOWS_1252);
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
            let text = symbols::page(character, count, 300, symbols::Place::Varied, "");
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
fn a_repeated_character_of_east_asia_does_not_overrule_a_right_declaration() {
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
        let bytes = written(&page, charset.encoding().unwrap());
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
            let bytes = written(text, WINDOWS_1252);
            let (found, _) = decode_page(&bytes, Some(declared), None);
            assert_eq!(found, text, "{declared}");
        }
    }
}

#[test]
fn zeros_do_not_make_a_page_utf_16() {
    for declared in [None, Some("utf-8"), Some("iso-8859-1")] {
        for bytes in [
            b"<p>a\0b".as_slice(),
            b"<p>\0a b",
            b"\0<p>ab\0",
            b"<p>ab\0\0\0\0",
        ] {
            let (found, _) = decode_page(bytes, declared, None);
            assert_eq!(found.as_bytes(), bytes);
        }
    }
}

#[test]
fn escapes_are_iso_2022_jp() {
    let bytes = written(JAPANESE, ISO_2022_JP);
    assert_eq!(outcome(&bytes, None), ("ISO-2022-JP", Source::Detected));
    assert_eq!(
        outcome(&bytes, Some("shift_jis")),
        ("ISO-2022-JP", Source::Detected)
    );
    assert_eq!(outcome(&bytes, Some("jis")), ("ISO-2022-JP", Source::Http));
    let mut damaged = [bytes.as_slice(), b" and so on"].concat();
    damaged[20] = 0xe3;
    assert_eq!(outcome(&damaged, None).0, "ISO-2022-JP");
    assert_eq!(outcome(b"\x1b[1mbold\x1b[0m", None).0, "UTF-8");
}

#[test]
fn a_wrong_declaration_falls() {
    let japanese = written(JAPANESE, SHIFT_JIS);
    let russian = written(RUSSIAN, KOI8_R);
    for declared in [
        "utf-8",
        "iso-8859-1",
        "euc-kr",
        "windows-1251",
        "iso-2022-jp",
        "utf-16",
    ] {
        assert_eq!(
            outcome(&japanese, Some(declared)),
            ("Shift_JIS", Source::Detected)
        );
        assert_eq!(
            outcome(&russian, Some(declared)),
            ("KOI8-R", Source::Detected)
        );
    }
}

#[test]
fn of_two_declarations_the_one_that_fits_is_taken() {
    let bytes = [b"<meta charset=koi8-r>".to_vec(), written(RUSSIAN, KOI8_R)].concat();
    assert_eq!(
        outcome(&bytes, Some("windows-1251")),
        ("KOI8-R", Source::Meta)
    );
    let bytes = [
        b"<meta charset=koi8-r>".to_vec(),
        written(RUSSIAN, WINDOWS_1251),
    ]
    .concat();
    assert_eq!(
        outcome(&bytes, Some("windows-1251")),
        ("windows-1251", Source::Http)
    );
    // Both fit: the header is asked first, as in browsers.
    let bytes = b"<meta charset=iso-8859-2>K\xf6nnen Sie h\xf6ren?";
    assert_eq!(
        outcome(bytes, Some("windows-1250")),
        ("windows-1250", Source::Http)
    );
}

#[test]
fn a_declaration_that_reads_the_same_is_kept() {
    let german = written("Können Sie die Vögel auf der Brücke hören?", WINDOWS_1252);
    for (declared, name) in [
        ("iso-8859-1", "windows-1252"),
        ("iso-8859-15", "ISO-8859-15"),
        ("windows-1254", "windows-1254"),
        ("windows-1250", "windows-1250"),
    ] {
        assert_eq!(outcome(&german, Some(declared)), (name, Source::Http));
    }
    let chinese = written("我们沿着河边散步了很久。", GB18030);
    assert_eq!(outcome(&chinese, Some("gb2312")), ("GBK", Source::Http));
    assert_eq!(
        outcome(&chinese, Some("gb18030")),
        ("gb18030", Source::Http)
    );
    assert_eq!(outcome(&chinese, None), ("gb18030", Source::Detected));
}

#[test]
fn damage_does_not_outweigh_a_page() {
    for (text, encoding) in [
        (RUSSIAN, WINDOWS_1251),
        (JAPANESE, EUC_JP),
        (JAPANESE, SHIFT_JIS),
        (JAPANESE, UTF_8),
    ] {
        let mut bytes = written(&format!("<p>{text}</p>\n").repeat(20), encoding);
        for place in (100..bytes.len()).step_by(400) {
            bytes[place] = 0x98;
        }
        assert_eq!(outcome(&bytes, None).0, encoding.name());
        assert_eq!(outcome(&bytes, Some("iso-8859-1")).0, encoding.name());
    }
}

#[test]
fn a_list_of_rare_characters_is_told() {
    let mut kanji: Vec<u8> = (0x98..0xa0)
        .flat_map(|first| (0xa1..0xf0).flat_map(move |second| [first, second]))
        .collect();
    kanji.retain(|byte| *byte != b'\n');
    assert_eq!(outcome(&kanji, Some("shift_jis")).0, "Shift_JIS");
}

#[test]
fn a_page_cut_within_a_character_is_told() {
    for encoding in [UTF_8, SHIFT_JIS, EUC_JP] {
        let bytes = written(JAPANESE, encoding);
        for length in bytes.len() - 3..bytes.len() {
            assert_eq!(outcome(&bytes[..length], None).0, encoding.name());
        }
    }
}

#[test]
fn a_domain_tips_the_balance_of_short_texts_only() {
    // Three letters of Hebrew, or of Greek: they say little.
    let name = |bytes: &[u8], tld| detect(bytes, None, Some(tld)).charset.name();
    assert_eq!(name(b"\xe1\xe9\xe4", "il"), "windows-1255");
    assert_eq!(name(b"\xe1\xe9\xe4", "gr"), "windows-1253");
    let japanese = written(JAPANESE, EUC_JP);
    for tld in ["kr", "ru", "com", "", "gr.", "é"] {
        assert_eq!(name(&japanese, tld), "EUC-JP");
    }
}

#[test]
fn confidence_grows_with_the_text() {
    let confidence = |text: &str| detect(&written(text, WINDOWS_1251), None, None).confidence;
    let long = confidence(RUSSIAN);
    let short = confidence("да");
    assert!((0.5..0.8).contains(&short), "{short}");
    assert!((0.9..=1.0).contains(&long), "{long}");
    assert_eq!(outcome(b"\xf0", None).1, Source::Fallback);
}

#[test]
fn text_that_is_utf_8_is_borrowed() {
    for (bytes, declared) in [(RUSSIAN.as_bytes(), None), (b"plain", Some("shift_jis"))] {
        let (text, _) = decode_page(bytes, declared, None);
        assert!(matches!(text, Cow::Borrowed(_)));
    }
}

#[test]
fn every_language_in_every_charset() {
    for text in TEXTS {
        for label in text.charsets.split(' ') {
            let charset = Charset::for_label(label).unwrap();
            let (bytes, _, failed) = charset.encoding().unwrap().encode(text.text);
            // Half-width katakana and curved apostrophes are not in all of them.
            if failed {
                continue;
            }
            let page = [b"<p>".as_slice(), &bytes, b"</p>\n"].concat().repeat(3);
            let truth = decode(&page, charset);
            let (kept, detected) = decode_page(&page, Some(label), None);
            assert_eq!(detected.charset, charset, "{} in {label}", text.language);
            assert_eq!(
                detected.source,
                Source::Http,
                "{} in {label}",
                text.language
            );
            assert_eq!(kept, truth, "{} in {label}", text.language);
            for declared in [None, Some("utf-8"), Some("shift_jis"), Some("windows-1251")] {
                let (found, _) = decode_page(&page, declared, None);
                assert_eq!(found, truth, "{} in {label}", text.language);
            }
        }
    }
}

/// xorshift
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    /// Bytes of one kind: any, mostly of the alphabets, controls, or what declarations are made of.
    fn bytes(&mut self) -> Vec<u8> {
        const PARTS: [&[u8]; 10] = [
            b"<meta ",
            b"charset",
            b"=",
            b"\"",
            b"<!--",
            b"-->",
            b"<?xml ",
            b"\x1b$B",
            b"\xef\xbb",
            b"\0\0",
        ];
        let kind = self.below(4);
        let length = self.below(600);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            match kind {
                0 => bytes.push(self.below(256) as u8),
                1 => bytes.push((0x60 + self.below(0xa0)) as u8),
                2 => bytes.push(self.below(4) as u8),
                _ => bytes.extend_from_slice(PARTS[self.below(PARTS.len())]),
            }
        }
        bytes
    }
}

#[test]
fn any_bytes_have_a_charset_and_a_text() {
    let mut random = Random(42);
    let labels = [
        "utf-8",
        "gbk",
        "utf-16be",
        "utf-32",
        "iso-2022-jp",
        "big5",
        "x",
        "",
    ];
    for _ in 0..2000 {
        let bytes = random.bytes();
        let declared = labels[random.below(labels.len())];
        let tld = ["jp", "RU", "..", "é"][random.below(4)];
        let detected = detect(&bytes, Some(declared), Some(tld));
        let (text, again) = decode_page(&bytes, Some(declared), Some(tld));
        assert_eq!(again, detected);
        assert_eq!(text, decode(&bytes, detected.charset), "{bytes:?}");
        assert!((0.5..=1.0).contains(&detected.confidence), "{bytes:?}");
        assert!(text.len() <= bytes.len() * 3 + 3);
        if let Ok(valid) = std::str::from_utf8(&bytes)
            && detected.charset == Charset::standard(UTF_8)
        {
            assert_eq!(text, valid.trim_start_matches('\u{feff}'));
        }
    }
}

#[test]
fn any_label_is_read_without_panic() {
    let mut random = Random(7);
    for _ in 0..2000 {
        let label = String::from_utf8_lossy(&random.bytes()).into_owned();
        if let Some(charset) = Charset::for_label(&label) {
            assert_eq!(Charset::for_label(charset.name()), Some(charset), "{label}");
        }
    }
}

#[test]
fn every_charset_decodes_any_bytes() {
    let mut random = Random(99);
    let standard = [BIG5, EUC_KR, GB18030, ISO_8859_2, UTF_16LE].map(Charset::standard);
    for _ in 0..200 {
        let bytes = random.bytes();
        for charset in standard
            .into_iter()
            .chain([Charset::UTF_32LE, Charset::UTF_32BE])
        {
            let text = decode(&bytes, charset);
            assert_eq!(
                text.is_empty(),
                bytes.is_empty() || charset_mark_only(&bytes, charset)
            );
        }
    }
}

/// Whether the bytes are nothing but a byte order mark, which is left out.
fn charset_mark_only(bytes: &[u8], charset: Charset) -> bool {
    charset == Charset::standard(UTF_16LE) && bytes == [0xff, 0xfe]
}
