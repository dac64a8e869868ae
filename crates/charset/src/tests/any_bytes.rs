//! Random bytes and labels.

use corpus_bytes::random::Random;
use encoding_rs::{BIG5, EUC_KR, GB18030, ISO_8859_2, UTF_8, UTF_16LE};

use super::super::*;

/// Bytes of one kind: arbitrary, mostly non-ASCII letters, controls, or pieces of declarations.
fn random_bytes(random: &mut Random) -> Vec<u8> {
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
    let kind = random.below(4);
    let length = random.below(600);
    let mut bytes = Vec::new();
    while bytes.len() < length {
        match kind {
            0 => bytes.push(random.below(256) as u8),
            1 => bytes.push((0x60 + random.below(0xa0)) as u8),
            2 => bytes.push(random.below(4) as u8),
            _ => bytes.extend_from_slice(PARTS[random.below(PARTS.len())]),
        }
    }
    bytes
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
        let bytes = random_bytes(&mut random);
        let declared = labels[random.below(labels.len())];
        let tld = ["jp", "RU", "..", "é"][random.below(4)];
        let detected = detect(&bytes, Some(declared), Some(tld));
        let (text, again) = decode_page(&bytes, Some(declared), Some(tld));
        assert_eq!(again, detected);
        assert_eq!(text, decode(&bytes, detected.charset), "{bytes:?}");
        let alone = decode_text(&bytes, Some(declared), Some(tld));
        assert_eq!(alone, text, "{bytes:?}");
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
fn any_label_is_parsed_without_a_panic() {
    let mut random = Random(7);
    for _ in 0..2000 {
        let label = String::from_utf8_lossy(&random_bytes(&mut random)).into_owned();
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
        let bytes = random_bytes(&mut random);
        for charset in standard
            .into_iter()
            .chain([Charset::UTF_32LE, Charset::UTF_32BE])
        {
            let text = decode(&bytes, charset);
            assert_eq!(
                text.is_empty(),
                bytes.is_empty() || is_only_a_byte_order_mark(&bytes, charset)
            );
        }
    }
}

/// Whether the bytes are just a byte order mark, which decoding removes.
fn is_only_a_byte_order_mark(bytes: &[u8], charset: Charset) -> bool {
    charset == Charset::standard(UTF_16LE) && bytes == [0xff, 0xfe]
}
