//! Normalizes texts that look the same: Unicode forms, width, invisible characters, white space.
//!
//! Each function returns the text itself, without a copy, if there is nothing to change.

use std::borrow::Cow;

use corpus_bytes::step_counter::count_steps;
use corpus_bytes::windows_1252::CHARACTERS_FROM_0X80;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A normal form of Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Composed: é is one character.
    Nfc,
    /// Decomposed: é is e and an accent.
    Nfd,
    /// Composed, with compatibility characters replaced: ﬁ becomes fi, ① becomes 1.
    Nfkc,
    /// Decomposed, with compatibility characters replaced.
    Nfkd,
}

/// Converts a text to a normal form.
///
/// ```
/// use corpus_text::normalize::{Form, normalize};
///
/// assert_eq!(normalize("ﾊﾟﾝ①", Form::Nfkc), "パン1");
/// assert_eq!(normalize("e\u{301}", Form::Nfc), "é");
/// ```
pub fn normalize(text: &str, form: Form) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let is_normal = match form {
        Form::Nfc => is_nfc_quick(text.chars()),
        Form::Nfkc => is_nfkc_quick(text.chars()),
        Form::Nfd | Form::Nfkd => IsNormalized::No,
    };
    if is_normal == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfd => text.nfd().collect(),
        Form::Nfkc => text.nfkc().collect(),
        Form::Nfkd => text.nfkd().collect(),
    })
}

/// Replaces characters one by one. `replace` returns the replacement of a character, or `None` to
/// keep it.
fn replace_characters<'a>(
    text: &'a str,
    replace: impl Fn(char) -> Option<&'static str>,
) -> Cow<'a, str> {
    let Some((first, _)) = text.char_indices().find(|(_, c)| replace(*c).is_some()) else {
        return Cow::Borrowed(text);
    };
    let mut result = String::with_capacity(text.len());
    result.push_str(&text[..first]);
    for character in text[first..].chars() {
        match replace(character) {
            Some(replacement) => result.push_str(replacement),
            None => result.push(character),
        }
    }
    Cow::Owned(result)
}

/// The treatment of invisible characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invisible {
    /// Separators become spaces or newlines; controls and format characters are removed, except
    /// tabs, newlines, and the joiners that some scripts and emoji need.
    Clean,
    /// Uzushio's rule: all characters of the categories C and Z are removed except the space.
    /// Words that a tab, a newline or an ideographic space separated are joined.
    Uzushio,
    /// Uzushio's rule, except that white space is kept, including the ideographic space.
    UzushioKeepSpace,
}

/// Removes or replaces invisible characters.
///
/// ```
/// use corpus_text::normalize::{Invisible, remove_invisible};
///
/// let text = "zero\u{200b}width\u{a0}and\u{2028}line";
/// assert_eq!(remove_invisible(text, Invisible::Clean), "zerowidth and\nline");
/// assert_eq!(remove_invisible(text, Invisible::Uzushio), "zerowidthandline");
/// ```
pub fn remove_invisible(text: &str, rule: Invisible) -> Cow<'_, str> {
    match rule {
        Invisible::Clean => replace_characters(text, clean),
        Invisible::Uzushio => {
            replace_characters(text, |c| (c != ' ' && is_invisible(c)).then_some(""))
        }
        Invisible::UzushioKeepSpace => replace_characters(text, |c| {
            let stays = matches!(c, ' ' | '\t'..='\r' | '\u{3000}');
            (!stays && is_invisible(c)).then_some("")
        }),
    }
}

fn is_invisible(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() || character == ' ';
    }
    use GeneralCategory::*;
    matches!(
        character.general_category(),
        Control
            | Format
            | PrivateUse
            | Unassigned
            | SpaceSeparator
            | LineSeparator
            | ParagraphSeparator
    )
}

fn clean(character: char) -> Option<&'static str> {
    match character {
        ' '..='~' | '\t' | '\n' => None,
        // Zero-width joiner and non-joiner, and tags, which flags of regions consist of.
        '\u{200c}' | '\u{200d}' | '\u{e0020}'..='\u{e007f}' => None,
        '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some("\n"),
        _ if character.is_ascii() => Some(""),
        _ => match character.general_category() {
            GeneralCategory::SpaceSeparator => Some(" "),
            GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned => Some(""),
            _ => None,
        },
    }
}

/// Maximum length of a note. Longer brackets are kept.
const MAX_NOTE_BYTES: usize = 300;

/// Removes notes that Wikipedia inserts into texts: `[12]`, `[要出典]` and other notes that begin with
/// 要, `[リンク切れ]`, `[誰?]`, `[citation needed]`, `[edit]`, and templates in double braces.
///
/// ```
/// use corpus_text::normalize::remove_citations;
///
/// assert_eq!(remove_citations("東京[1]は首都[要出典]である{{Cite|x}}。"), "東京は首都である。");
/// assert_eq!(remove_citations("array[i] and [sic]"), "array[i] and [sic]");
/// ```
pub fn remove_citations(text: &str) -> Cow<'_, str> {
    let mut result: Option<String> = None;
    let (mut copied, mut from) = (0, 0);
    while let Some(found) = memchr::memchr2(b'[', b'{', &text.as_bytes()[from..]) {
        let at = from + found;
        count_steps(found + 1);
        let braces = leading_braces(&text.as_bytes()[at..]);
        let length = match braces {
            0 => note_length(&text[at..]),
            _ => template_length(&text.as_bytes()[at..], braces),
        };
        match length {
            Some(length) => {
                let result = result.get_or_insert_with(|| String::with_capacity(text.len()));
                result.push_str(&text[copied..at]);
                from = at + length;
                copied = from;
            }
            None => from = at + braces.max(1),
        }
    }
    match result {
        Some(mut result) => {
            result.push_str(&text[copied..]);
            Cow::Owned(result)
        }
        None => Cow::Borrowed(text),
    }
}

fn leading_braces(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| **byte == b'{').count()
}

/// The length of the note at the start of `text`, which begins with `[`.
fn note_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let window = &inner.as_bytes()[..inner.len().min(MAX_NOTE_BYTES)];
    let found = memchr::memchr2(b'[', b']', window);
    count_steps(found.unwrap_or(window.len()));
    let end = found.filter(|end| window[*end] == b']')?;
    let note = &inner[..end];
    let is_note = !note.is_empty() && note.bytes().all(|byte| byte.is_ascii_digit())
        || note.starts_with('要')
        || note.ends_with(['?', '？'])
        || matches!(note, "リンク切れ" | "edit" | "編集" | "citation needed");
    is_note.then_some(end + 2)
}

/// The length of the template at the start of `bytes`, which begin with this many braces.
fn template_length(bytes: &[u8], braces: usize) -> Option<usize> {
    if braces < 2 {
        return None;
    }
    let inner = &bytes[braces..];
    let found = memchr::memchr2(b'{', b'}', inner);
    count_steps(braces + found.unwrap_or(inner.len()));
    let end = found?;
    let close = inner[end..]
        .iter()
        .take_while(|byte| **byte == b'}')
        .count();
    (close >= 2).then_some(braces + end + close)
}

/// Repairs a text whose UTF-8 was read as windows-1252 or ISO 8859-1, possibly twice. A text is
/// only changed if each of its characters beyond ASCII is part of a valid sequence: such a text has
/// no other plausible meaning.
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
            let mut characters = CHARACTERS_FROM_0X80.iter();
            let at = characters.position(|other| *other == character)?;
            u8::try_from(0x80 + at).ok()
        }
    }
}

/// Replaces each run of white space by one space, or by one newline if `keep_lines` and the run has
/// a line end. White space at the ends of the text is removed.
///
/// ```
/// use corpus_text::normalize::collapse_space;
///
/// assert_eq!(collapse_space("  a \t b \n\n c ", false), "a b c");
/// assert_eq!(collapse_space("  a \t b \n\n c ", true), "a b\nc");
/// ```
pub fn collapse_space(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let trimmed = text.trim();
    if is_collapsed(trimmed, keep_lines) {
        return Cow::Borrowed(trimmed);
    }
    let mut result = String::with_capacity(trimmed.len());
    let mut separator = None;
    for character in trimmed.chars() {
        if character.is_whitespace() {
            separator = if keep_lines && is_line_end(character) {
                Some('\n')
            } else {
                separator.or(Some(' '))
            };
        } else {
            result.extend(separator.take());
            result.push(character);
        }
    }
    Cow::Owned(result)
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_collapsed(text: &str, keep_lines: bool) -> bool {
    let mut after_space = false;
    text.chars().all(|character| {
        let is_space = character.is_whitespace();
        let is_usual = character == ' ' || keep_lines && character == '\n';
        let is_fine = !is_space || is_usual && !after_space;
        after_space = is_space;
        is_fine
    })
}

/// The katakana of U+FF66–FF9D in their usual width.
const KATAKANA: [char; 56] = [
    'ヲ', 'ァ', 'ィ', 'ゥ', 'ェ', 'ォ', 'ャ', 'ュ', 'ョ', 'ッ', 'ー', 'ア', 'イ', 'ウ', 'エ', 'オ',
    'カ', 'キ', 'ク', 'ケ', 'コ', 'サ', 'シ', 'ス', 'セ', 'ソ', 'タ', 'チ', 'ツ', 'テ', 'ト', 'ナ',
    'ニ', 'ヌ', 'ネ', 'ノ', 'ハ', 'ヒ', 'フ', 'ヘ', 'ホ', 'マ', 'ミ', 'ム', 'メ', 'モ', 'ヤ', 'ユ',
    'ヨ', 'ラ', 'リ', 'ル', 'レ', 'ロ', 'ワ', 'ン',
];

/// Converts letters, digits, punctuation and katakana to their usual width: ＡＢＣ１ becomes ABC1, ｶﾞ
/// becomes ガ, and the ideographic space becomes a space. Everything else is unchanged, unlike with
/// NFKC, which also decomposes ①, ㎏ and ﬁ.
///
/// ```
/// use corpus_text::normalize::unify_width;
///
/// assert_eq!(unify_width("Ｒｕｓｔ　ｶﾞｲﾄﾞ①"), "Rust ガイド①");
/// ```
pub fn unify_width(text: &str) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|c| matches!(c, '\u{3000}' | '\u{ff01}'..='\u{ffee}'))
    {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let usual = match character {
            '\u{3000}' => ' ',
            '\u{ff01}'..='\u{ff5e}' => {
                char::from_u32(character as u32 - 0xff01 + 0x21).unwrap_or(character)
            }
            '\u{ff66}'..='\u{ff9d}' => {
                let katakana = KATAKANA[(character as u32 - 0xff66) as usize];
                match characters
                    .peek()
                    .and_then(|mark| add_sound_mark(katakana, *mark))
                {
                    Some(voiced) => {
                        characters.next();
                        voiced
                    }
                    None => katakana,
                }
            }
            '｡' => '。',
            '｢' => '「',
            '｣' => '」',
            '､' => '、',
            '･' => '・',
            'ﾞ' => '゛',
            'ﾟ' => '゜',
            '￠' => '¢',
            '￡' => '£',
            '￢' => '¬',
            '￣' => '¯',
            '￤' => '¦',
            '￥' => '¥',
            '￦' => '₩',
            other => other,
        };
        result.push(usual);
    }
    Cow::Owned(result)
}

/// Returns the character for a katakana followed by a half-width sound mark, if there is one.
fn add_sound_mark(katakana: char, mark: char) -> Option<char> {
    let offset = match (mark, katakana) {
        ('ﾞ', 'ウ') => return Some('ヴ'),
        ('ﾞ', 'ワ') => return Some('ヷ'),
        ('ﾞ', 'ヲ') => return Some('ヺ'),
        ('ﾞ', 'カ' | 'キ' | 'ク' | 'ケ' | 'コ' | 'サ' | 'シ' | 'ス' | 'セ' | 'ソ') => 1,
        ('ﾞ', 'タ' | 'チ' | 'ツ' | 'テ' | 'ト') => 1,
        ('ﾞ', 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ') => 1,
        ('ﾟ', 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ') => 2,
        _ => return None,
    };
    char::from_u32(katakana as u32 + offset)
}

#[cfg(test)]
mod tests;
