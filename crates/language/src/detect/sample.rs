//! Samples parts of a long text.

use corpus_bytes::step_counter::count_steps;

/// Maximum number of bytes skipped to start a part at the start of a word.
const MAX_SKIPPED_BYTES: usize = 40;

/// Returns parts of a text, spread evenly from its start to its end: `count` parts of `bytes` each,
/// or the whole text if it is not longer.
pub(super) fn parts(text: &str, count: usize, bytes: usize) -> impl Iterator<Item = &str> {
    let whole = text.len() <= count * bytes;
    let count = if whole { 1 } else { count };
    let last_start = text.len().saturating_sub(bytes);
    (0..count).map(move |part| {
        if whole {
            return text;
        }
        let start = (part as u128 * last_start as u128 / (count - 1).max(1) as u128) as usize;
        let start = text.ceil_char_boundary(start);
        let end = text.floor_char_boundary((start + bytes).min(text.len()));
        let part = text.get(start..end).unwrap_or_default();
        if start == 0 {
            return part;
        }
        let head = &part[..part.floor_char_boundary(MAX_SKIPPED_BYTES)];
        match head.find(' ') {
            Some(space) => &part[space..],
            None => part,
        }
    })
}

/// The part of a text from its first letter on.
pub(super) fn from_first_letter(text: &str, bytes: usize) -> Option<&str> {
    let start = text.find(|character: char| {
        count_steps(character.len_utf8());
        super::script::Script::of(character).is_some()
    })?;
    let rest = &text[start..];
    Some(&rest[..rest.floor_char_boundary(bytes)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_one_part() {
        assert!(parts("", 4, 10).eq([""]));
        assert!(parts(&"a".repeat(40), 4, 10).eq(["a".repeat(40)]));
    }

    #[test]
    fn parts_reach_from_the_start_to_the_end() {
        let text: String = (0..1000).map(|number| format!("{number} ")).collect();
        let parts: Vec<&str> = parts(&text, 4, 100).collect();
        assert_eq!(parts.len(), 4);
        assert!(parts[0].starts_with("0 1 "));
        assert!(parts[1].starts_with(' ') && parts[2].starts_with(' '));
        assert!(parts[3].ends_with("998 999 "));
    }

    #[test]
    fn characters_stay_whole() {
        for bytes in 1..9 {
            for part in parts(&"日本".repeat(50), 5, bytes) {
                assert!(part.len() <= bytes);
            }
        }
    }

    #[test]
    fn the_first_letter_may_come_late() {
        let text = format!("{}été", "1 ".repeat(100));
        assert_eq!(from_first_letter(&text, 100), Some("été"));
        assert_eq!(from_first_letter(&text, 1), Some(""));
        assert_eq!(from_first_letter("12 €", 10), None);
    }
}
