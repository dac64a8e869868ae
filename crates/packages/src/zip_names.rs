//! The charset of names in a zip that do not declare UTF-8.
//!
//! The standard requires code page 437, but programs use the charset of their system.

use corpus_charset::{Charset, decode, detect};

/// Maximum number of bytes of names that are judged.
const MAX_SAMPLE_BYTES: usize = 64 << 10;

/// Returns the charset of the names that are not UTF-8; `None` for code page 437. The names are
/// given as bytes, and decoded from this page.
pub fn charset_of<'a>(names: impl Iterator<Item = (&'a [u8], impl AsRef<str>)>) -> Option<Charset> {
    let (mut sample, mut standard) = (Vec::new(), String::new());
    for (name, in_437) in names.filter(|(name, _)| str::from_utf8(name).is_err()) {
        sample.extend_from_slice(name);
        sample.push(b'\n');
        standard.push_str(in_437.as_ref());
        standard.push('\n');
        if sample.len() > MAX_SAMPLE_BYTES {
            break;
        }
    }
    if sample.is_empty() || looks_western(&standard) {
        return None;
    }
    // Too few Katakana to distinguish them from letters with accents are certain in names.
    if let Some(japanese) = Charset::for_label("shift_jis")
        && is_mostly_kana(&decode(&sample, japanese))
    {
        return Some(japanese);
    }
    let charset = detect(&sample, None, None).charset;
    let text = decode(&sample, charset);
    let is_better =
        !text.contains('\u{FFFD}') && share_of_letters(&text) >= share_of_letters(&standard);
    is_better.then_some(charset)
}

fn beyond_ascii(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_ascii())
}

/// Whether all letters are Latin, and few of them have accents.
fn looks_western(text: &str) -> bool {
    let is_latin = |c: char| matches!(c, '\u{C0}'..='\u{24F}') && c.is_alphabetic();
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    beyond_ascii(text).all(is_latin) && beyond_ascii(text).count() * 2 <= letters
}

fn is_mostly_kana(text: &str) -> bool {
    let kana = beyond_ascii(text).filter(|c| matches!(c, '\u{3041}'..='\u{30FF}'));
    kana.count() * 2 > beyond_ascii(text).count()
}

/// The percentage of letters among the characters beyond ASCII.
fn share_of_letters(text: &str) -> usize {
    let letters = beyond_ascii(text).filter(|c| c.is_alphanumeric()).count();
    letters * 100 / beyond_ascii(text).count().max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use corpus_bytes::memory::Memory;

    use crate::testing::zip_of_names;
    use crate::{Options, Reader};

    fn names(names: &[&[u8]]) -> Vec<String> {
        let file = Arc::new(Memory(zip_of_names(names).into()));
        let reader = Reader::from_file(file, "x", &Options::default()).unwrap();
        let name = |record: crate::Record| {
            assert!(record.error.is_none(), "{record:?}");
            record.name.trim_start_matches("x!").to_owned()
        };
        reader.map(name).collect()
    }

    #[test]
    fn names_have_the_charset_of_their_system() {
        let all: [(&[&[u8]], &[&str]); 7] = [
            // Code page 437: Western names.
            (
                &[b"Pr\x81fung/Gr\x94\xe1e.pdf", b"caf\x82.txt"],
                &["Prüfung/Größe.pdf", "café.txt"],
            ),
            // Shift_JIS, also in Katakana only.
            (
                &[
                    b"\x8d\x60\x82\xcc\x92\xac/001.txt",
                    b"\x96\x7b\x95\xb6.txt",
                    b"plain.txt",
                ],
                &["港の町/001.txt", "本文.txt", "plain.txt"],
            ),
            (
                &[b"\x83\x65\x83\x58\x83\x67\x83\x66\x81\x5b\x83\x5e.txt"],
                &["テストデータ.txt"],
            ),
            // GBK.
            (
                &[b"\xd6\xd0\xb9\xfa\xc8\xcb\xc3\xf1/\xce\xc4\xbc\xfe\xc4\xbf\xc2\xbc.txt"],
                &["中国人民/文件目录.txt"],
            ),
            // Code page 866 and windows-1251.
            (
                &[b"\x8e\xe2\xe7\xa5\xe2\xeb/\xa4\xae\xaa\xe3\xac\xa5\xad\xe2.doc"],
                &["Отчеты/документ.doc"],
            ),
            (
                &[b"\xce\xf2\xf7\xe5\xf2\xfb/\xe4\xee\xea\xf3\xec\xe5\xed\xf2.doc"],
                &["Отчеты/документ.doc"],
            ),
            // windows-1252, and UTF-8 beside it.
            (
                &[b"Pr\xfcfung.pdf", "Größe.pdf".as_bytes()],
                &["Prüfung.pdf", "Größe.pdf"],
            ),
        ];
        for (bytes, expected) in all {
            assert_eq!(names(bytes), expected);
        }
    }
}
