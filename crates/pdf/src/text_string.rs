//! Decodes text strings: titles, names and values.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS};

use corpus_charset::Charset;

/// The characters of PDFDocEncoding from 0x18 to 0x1F.
const ACCENTS: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];

/// The characters of PDFDocEncoding from 0x80 to 0x9F; the last one is undefined.
const MARKS_AND_LETTERS: [char; 32] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™',
    'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{FFFD}',
];

/// The number of characters, and of non-ASCII byte pairs, needed to accept another charset.
const MIN_EVIDENCE: usize = 3;

/// Decodes a string. Newlines become `\n`; controls other than newlines and tabs are dropped.
pub fn decode(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xFE, 0xFF, text @ ..] => without_language(&decode_utf_16(text, u16::from_be_bytes)),
        [0xFF, 0xFE, text @ ..] => without_language(&decode_utf_16(text, u16::from_le_bytes)),
        [0xEF, 0xBB, 0xBF, text @ ..] => without_language(&String::from_utf8_lossy(text)),
        _ => decode_without_mark(bytes),
    };
    clean(&text)
}

/// Like [`decode`], with white space collapsed; `None` if the result is empty.
pub(super) fn decode_line(bytes: &[u8]) -> Option<String> {
    one_line(&decode(bytes))
}

/// Collapses each run of white space to one space; `None` if the result is empty.
pub(super) fn one_line(text: &str) -> Option<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn decode_utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    char::decode_utf16(units.iter().map(|&bytes| unit(bytes)))
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The standard requires PDFDocEncoding, but producers use the charset of their system.
fn decode_without_mark(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        _ if bytes.is_ascii() => decode_pdf_doc(bytes),
        Ok(text) => text.to_owned(),
        Err(_) => other_charset(bytes).unwrap_or_else(|| decode_pdf_doc(bytes)),
    }
}

/// The text in an East Asian charset, if that is certain. A few letters are not
/// enough to distinguish other charsets.
fn other_charset(bytes: &[u8]) -> Option<String> {
    let is_pair = |pair: &&[u8]| !pair.iter().any(u8::is_ascii);
    if bytes.windows(2).filter(is_pair).count() < MIN_EVIDENCE {
        return None;
    }
    let candidates = [SHIFT_JIS, EUC_JP, GBK, GB18030, BIG5, EUC_KR];
    let charset = corpus_charset::detect(bytes, None, None).charset;
    let is_candidate = candidates.map(Charset::standard).contains(&charset);
    if !is_candidate {
        return None;
    }
    let text = corpus_charset::decode(bytes, charset);
    let wide = text.chars().filter(|c| is_east_asian(*c)).count();
    let strange = text.chars().filter(|c| !c.is_ascii() && !is_east_asian(*c));
    (wide >= MIN_EVIDENCE && strange.count() == 0).then(|| text.into_owned())
}

fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF00}'..='\u{FF5E}')
}

fn decode_pdf_doc(bytes: &[u8]) -> String {
    let decode = |&byte: &u8| {
        let special = match byte {
            0x18..=0x1F => ACCENTS.get(usize::from(byte - 0x18)),
            0x80..=0x9F => MARKS_AND_LETTERS.get(usize::from(byte - 0x80)),
            0xA0 => Some(&'€'),
            _ => None,
        };
        special.copied().unwrap_or(char::from(byte))
    };
    bytes.iter().map(decode).collect()
}

/// Encodes a text as PDFDocEncoding; `None` if it lacks a character.
pub fn encode_pdf_doc(text: &str) -> Option<Vec<u8>> {
    let encode = |c: char| {
        let is_same = |byte: &u8| decode_pdf_doc(&[*byte]).starts_with(c);
        if c.is_ascii() {
            u8::try_from(c).ok()
        } else {
            (0..=u8::MAX).find(is_same)
        }
    };
    text.chars().map(encode).collect()
}

/// Removes language codes, which Unicode text may contain between two escape characters.
fn without_language(text: &str) -> String {
    const ESCAPE: char = '\u{1B}';
    const MAX_LANGUAGE_CHARACTERS: usize = 8;
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(ESCAPE) {
        result.push_str(before);
        let end = after
            .char_indices()
            .take(MAX_LANGUAGE_CHARACTERS)
            .find(|(_, c)| *c == ESCAPE);
        let skipped = end.map_or(0, |(at, _)| at + ESCAPE.len_utf8());
        rest = after.get(skipped..).unwrap_or_default();
    }
    result.push_str(rest);
    result
}

/// Removes controls, including the zeros of 16-bit Latin text without a byte order mark.
fn clean(text: &str) -> String {
    let is_wanted = |c: &char| {
        let is_noncharacter = matches!(c, '\u{FFFE}' | '\u{FFFF}' | '\u{FEFF}');
        matches!(c, '\n' | '\t') || !(c.is_control() || is_noncharacter)
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_line};

    #[test]
    fn pdf_doc_encoding() {
        assert_eq!(decode(b"plain (text)"), "plain (text)");
        assert_eq!(
            decode(b"\x8Dquoted\x8E \x84 \x80 \xA0\x93"),
            "“quoted” — • €ﬁ"
        );
        assert_eq!(
            decode(b"r\xE9sum\xE9 Gr\xF6\xDFe \x18\x1F"),
            "résumé Größe ˘˜"
        );
    }

    #[test]
    fn unicode_with_a_mark() {
        assert_eq!(decode(b"\xFE\xFF\x65\xE5\x67\x2C\x00!"), "日本!");
        assert_eq!(decode(b"\xFF\xFE\xE5\x65\x2C\x67!\x00"), "日本!");
        assert_eq!(decode(b"\xEF\xBB\xBFz\xC3\xA9"), "zé");
        // Beyond the first plane, half a pair, half a unit.
        assert_eq!(decode(b"\xFE\xFF\xD8\x3D\xDE\x00"), "\u{1F600}");
        assert_eq!(decode(b"\xFE\xFF\xD8\x3D\x00a\x00"), "\u{FFFD}a");
        assert_eq!(decode(b"\xFE\xFF"), "");
    }

    #[test]
    fn the_language_is_no_text() {
        let text = "\u{1B}enUS\u{1B}one \u{1B}de\u{1B}zwei";
        let mut bytes = vec![0xFE, 0xFF];
        bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
        assert_eq!(decode(&bytes), "one zwei");
        // An unterminated escape is a control character like others.
        assert_eq!(
            decode(b"\xEF\xBB\xBFa\x1Blong sentence\x1B"),
            "along sentence"
        );
    }

    #[test]
    fn unicode_without_a_mark() {
        assert_eq!(decode("Łódź – naïve".as_bytes()), "Łódź – naïve");
        assert_eq!(decode(b"\0T\0i\0t\0l\0e"), "Title");
        assert_eq!(decode(b"T\0i\0t\0l\0e\0"), "Title");
        assert_eq!(decode(b"Title\0"), "Title");
    }

    #[test]
    fn other_charsets_only_when_sure() {
        let (bytes, ..) = encoding_rs::SHIFT_JIS.encode("平成20年度 事業報告書について");
        assert_eq!(decode(&bytes), "平成20年度 事業報告書について");
        let (bytes, ..) = encoding_rs::GBK.encode("关于中国经济发展的研究报告");
        assert_eq!(decode(&bytes), "关于中国经济发展的研究报告");
        let (bytes, ..) = encoding_rs::EUC_KR.encode("한국어 문서의 제목입니다");
        assert_eq!(decode(&bytes), "한국어 문서의 제목입니다");
        // Letters of Europe next to each other.
        assert_eq!(decode(b"\xC4\xD6\xDC \xE4\xF6\xFC"), "ÄÖÜ äöü");
        assert_eq!(decode(b"\x8Dna\xEFve\x8E \x84 caf\xE9"), "“naïve” — café");
        assert_eq!(decode(b"L\x90\xE9t\xE9"), "L’été");
    }

    #[test]
    fn controls_are_dropped() {
        assert_eq!(decode(b"a\x01b\r\nc\rd\te\x7F"), "ab\nc\nd\te");
        assert_eq!(decode_line(b" a\r\n b\t").as_deref(), Some("a b"));
        assert_eq!(decode_line(b" \r\n\0"), None);
    }
}
