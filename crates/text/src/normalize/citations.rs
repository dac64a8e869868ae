//! Citations and notes of Wikipedia.

use std::borrow::Cow;

use corpus_bytes::work::count_steps;

/// A longer bracket is no note.
const MAX_NOTE_BYTES: usize = 300;

/// Removes what Wikipedia puts into texts: `[12]`, `[要出典]` and other notes that begin with 要,
/// `[リンク切れ]`, `[誰?]`, `[citation needed]`, `[edit]`, and templates in double braces.
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
