//! UTF-8 that was read as windows-1252: "cafÃ©" for "café".

use std::borrow::Cow;

/// The characters of windows-1252 for the bytes 0x80–0x9F. The controls of ISO 8859-1
/// mean the same bytes.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Repairs a text whose UTF-8 was read as windows-1252 or ISO 8859-1, possibly twice. A text is
/// only changed if each of its characters beyond ASCII takes part in a valid sequence: in such a
/// text nothing else can be meant.
///
/// ```
/// use corpus_text::normalize::repair_mojibake;
///
/// assert_eq!(repair_mojibake("cafÃ© â€œãƒ‘ãƒ³â€\u{9d}"), "café “パン”");
/// assert_eq!(repair_mojibake("Ã is a letter, and © a sign"), "Ã is a letter, and © a sign");
/// ```
pub fn repair_mojibake(text: &str) -> Cow<'_, str> {
    match undo(text) {
        Some(once) => match undo(&once) {
            Some(twice) => Cow::Owned(twice),
            None => Cow::Owned(once),
        },
        None => Cow::Borrowed(text),
    }
}

fn undo(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let bytes: Option<Vec<u8>> = text.chars().map(byte_of).collect();
    String::from_utf8(bytes?).ok()
}

/// The byte that windows-1252 reads as this character.
fn byte_of(character: char) -> Option<u8> {
    match character {
        '\0'..='\u{ff}' => u8::try_from(character).ok(),
        _ => {
            let at = WINDOWS_1252.iter().position(|other| *other == character)?;
            u8::try_from(0x80 + at).ok()
        }
    }
}
