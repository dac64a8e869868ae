use std::borrow::Cow;

use encoding_rs::{
    EUC_JP, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252,
};

use self::texts::TEXTS;
use super::*;

mod any_bytes;
mod repeated;

/// The sentences of the accuracy measurement.
#[path = "../../examples/charset_accuracy/texts.rs"]
mod texts;

const RUSSIAN: &str = "Вчера вечером мы долго гуляли по берегу реки, и погода была тёплая.";
const JAPANESE: &str = "昨日の夕方、私たちは川沿いを長いあいだ散歩しました。";

fn encoded(text: &str, encoding: &'static encoding_rs::Encoding) -> Vec<u8> {
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
fn ascii_has_the_declared_charset() {
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
fn a_few_valid_utf_8_sequences_do_not_overrule_a_declaration() {
    // 一 in GBK: also a valid UTF-8 sequence.
    let bytes = b"<b>\xd2\xbb</b>";
    assert!(std::str::from_utf8(bytes).is_ok());
    assert_eq!(outcome(bytes, Some("gb2312")), ("GBK", Source::Http));
    assert_eq!(outcome(bytes, None).0, "UTF-8");
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
fn escape_sequences_mean_iso_2022_jp() {
    let bytes = encoded(JAPANESE, ISO_2022_JP);
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
fn a_wrong_declaration_is_overruled() {
    let japanese = encoded(JAPANESE, SHIFT_JIS);
    let russian = encoded(RUSSIAN, KOI8_R);
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
fn the_declaration_that_fits_wins() {
    let bytes = [b"<meta charset=koi8-r>".to_vec(), encoded(RUSSIAN, KOI8_R)].concat();
    assert_eq!(
        outcome(&bytes, Some("windows-1251")),
        ("KOI8-R", Source::Meta)
    );
    let bytes = [
        b"<meta charset=koi8-r>".to_vec(),
        encoded(RUSSIAN, WINDOWS_1251),
    ]
    .concat();
    assert_eq!(
        outcome(&bytes, Some("windows-1251")),
        ("windows-1251", Source::Http)
    );
    // Both fit: the header takes precedence, as in browsers.
    let bytes = b"<meta charset=iso-8859-2>K\xf6nnen Sie h\xf6ren?";
    assert_eq!(
        outcome(bytes, Some("windows-1250")),
        ("windows-1250", Source::Http)
    );
}

#[test]
fn a_declaration_that_decodes_alike_is_kept() {
    let german = encoded("Können Sie die Vögel auf der Brücke hören?", WINDOWS_1252);
    for (declared, name) in [
        ("iso-8859-1", "windows-1252"),
        ("iso-8859-15", "ISO-8859-15"),
        ("windows-1254", "windows-1254"),
        ("windows-1250", "windows-1250"),
    ] {
        assert_eq!(outcome(&german, Some(declared)), (name, Source::Http));
    }
    let chinese = encoded("我们沿着河边散步了很久。", GB18030);
    assert_eq!(outcome(&chinese, Some("gb2312")), ("GBK", Source::Http));
    assert_eq!(
        outcome(&chinese, Some("gb18030")),
        ("gb18030", Source::Http)
    );
    assert_eq!(outcome(&chinese, None), ("gb18030", Source::Detected));
}

#[test]
fn damage_does_not_change_the_charset() {
    for (text, encoding) in [
        (RUSSIAN, WINDOWS_1251),
        (JAPANESE, EUC_JP),
        (JAPANESE, SHIFT_JIS),
        (JAPANESE, UTF_8),
    ] {
        let mut bytes = encoded(&format!("<p>{text}</p>\n").repeat(20), encoding);
        for place in (100..bytes.len()).step_by(400) {
            bytes[place] = 0x98;
        }
        assert_eq!(outcome(&bytes, None).0, encoding.name());
        assert_eq!(outcome(&bytes, Some("iso-8859-1")).0, encoding.name());
    }
}

#[test]
fn a_list_of_rare_characters_is_detected() {
    let mut kanji: Vec<u8> = (0x98..0xa0)
        .flat_map(|first| (0xa1..0xf0).flat_map(move |second| [first, second]))
        .collect();
    kanji.retain(|byte| *byte != b'\n');
    assert_eq!(outcome(&kanji, Some("shift_jis")).0, "Shift_JIS");
}

#[test]
fn a_page_cut_inside_a_character_is_detected() {
    for encoding in [UTF_8, SHIFT_JIS, EUC_JP] {
        let bytes = encoded(JAPANESE, encoding);
        for length in bytes.len() - 3..bytes.len() {
            assert_eq!(outcome(&bytes[..length], None).0, encoding.name());
        }
    }
}

#[test]
fn a_domain_tips_the_balance_of_short_texts_only() {
    // Three letters of Hebrew or of Greek are little evidence.
    let name = |bytes: &[u8], tld| detect(bytes, None, Some(tld)).charset.name();
    assert_eq!(name(b"\xe1\xe9\xe4", "il"), "windows-1255");
    assert_eq!(name(b"\xe1\xe9\xe4", "gr"), "windows-1253");
    let japanese = encoded(JAPANESE, EUC_JP);
    for tld in ["kr", "ru", "com", "", "gr.", "é"] {
        assert_eq!(name(&japanese, tld), "EUC-JP");
    }
}

#[test]
fn confidence_grows_with_the_text() {
    let confidence = |text: &str| detect(&encoded(text, WINDOWS_1251), None, None).confidence;
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
            // Some charsets lack half-width katakana or curved apostrophes.
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
