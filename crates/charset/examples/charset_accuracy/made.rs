//! Pages generated from the sample sentences, in every charset that can represent them.

use corpus_charset::Charset;
use encoding_rs::{UTF_16BE, UTF_16LE};

use crate::Labelled;
use crate::texts::{TEXTS, Text};

/// UTF-8 and charsets with the same characters.
const UNICODE: [&str; 5] = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];

pub fn texts() -> Vec<Labelled> {
    let mut labelled = Vec::new();
    for text in TEXTS {
        for label in text.charsets.split(' ').chain(UNICODE) {
            let charset = Charset::for_label(label);
            let pages = [("page", page(text)), ("list", list(text))];
            for (kind, content) in pages {
                // Only the Windows and Macintosh charsets have the curved apostrophe.
                let plain = content.replace('’', "'");
                let page = charset.and_then(|charset| {
                    let bytes = encode(&content, charset).or_else(|| encode(&plain, charset))?;
                    Some((charset, bytes))
                });
                let Some((charset, bytes)) = page else {
                    println!(
                        "skipped, because {label} cannot represent it: {}",
                        text.language
                    );
                    continue;
                };
                labelled.push(Labelled {
                    name: format!("{} in {label}, {kind}", text.language),
                    language: text.language.to_owned(),
                    charset,
                    bytes,
                });
            }
        }
    }
    labelled
}

/// A page of paragraphs, with scripts and styles as on real pages.
fn page(text: &Text) -> String {
    let style = "<style>\nbody { font: 10pt sans-serif; color: #333 }\n</style>\n".repeat(4);
    let script = "<script>\nif (a < b && c > 1) { window.open('x.html'); }\n</script>\n".repeat(4);
    let paragraphs = format!("<p class=\"text\">{}</p>\n", text.text).repeat(4);
    format!("<html>\n<head>\n{style}{script}</head>\n<body>\n{paragraphs}</body>\n</html>\n")
}

/// A page with more markup than text.
fn list(text: &Text) -> String {
    let item = |words: &str| format!("<li><a href=\"/cgi-bin/show?id=17\">{words}</a></li>\n");
    let ends = |c: char| matches!(c, '.' | ',' | ';' | '。' | '，' | '、');
    let items: String = text
        .text
        .split(ends)
        .map(|part| item(part.trim()))
        .collect();
    format!("<ul>\n{items}</ul>\n")
}

/// Encodes a text; `None` if the charset cannot represent it.
pub fn encode(text: &str, charset: Charset) -> Option<Vec<u8>> {
    if charset == Charset::UTF_32LE {
        return Some(
            text.chars()
                .flat_map(|c| u32::from(c).to_le_bytes())
                .collect(),
        );
    }
    if charset == Charset::UTF_32BE {
        return Some(
            text.chars()
                .flat_map(|c| u32::from(c).to_be_bytes())
                .collect(),
        );
    }
    if charset == Charset::standard(UTF_16LE) {
        return Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    }
    if charset == Charset::standard(UTF_16BE) {
        return Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    }
    let encoding = encoding_rs::Encoding::for_label(charset.name().as_bytes())?;
    // The standard decodes half-width katakana in EUC-JP but never encodes them.
    if encoding == encoding_rs::EUC_JP {
        return Some(encode_euc_jp(text));
    }
    let (bytes, _, failed) = encoding.encode(text);
    (!failed).then(|| bytes.into_owned())
}

fn encode_euc_jp(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        if let '\u{ff61}'..='\u{ff9f}' = character {
            bytes.extend([0x8e, (u32::from(character) - 0xff61 + 0xa1) as u8]);
        } else {
            let written = character.to_string();
            bytes.extend_from_slice(&encoding_rs::EUC_JP.encode(&written).0);
        }
    }
    bytes
}
