//! Lines and paragraphs, as slices of their text.

use memchr::memchr_iter;

/// Splits a text at newlines (`\n`). Empty lines are included, and the last one ends with the text.
///
/// ```
/// let lines: Vec<_> = corpus_text::lines::newline_separated("a\n\nb\n").collect();
/// assert_eq!(lines, ["a", "", "b", ""]);
/// ```
pub fn newline_separated(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    memchr_iter(b'\n', text.as_bytes())
        .chain(std::iter::once(text.len()))
        .map(move |end| {
            let line = &text[start..end];
            start = end + 1;
            line
        })
}

/// Splits a text into lines as defined by Unicode and Python's `splitlines`: each ends with LF, CR,
/// CR LF, VT, FF, FS, GS, RS, NEL, LS or PS, which is not part of it.
///
/// ```
/// let lines: Vec<_> = corpus_text::lines::universal("a\r\nb\u{2028}c\n").collect();
/// assert_eq!(lines, ["a", "b", "c"]);
/// ```
pub fn universal(text: &str) -> Universal<'_> {
    Universal { rest: text }
}

/// The iterator that [`universal`] returns.
#[derive(Debug, Clone)]
pub struct Universal<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Universal<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let Some((at, length)) = find_line_end(self.rest) else {
            return Some(std::mem::take(&mut self.rest));
        };
        let line = &self.rest[..at];
        self.rest = &self.rest[at + length..];
        Some(line)
    }
}

/// The position and length of the first line end.
fn find_line_end(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += find_candidate(&bytes[at..])?;
        let length = match bytes[at] {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
            b'\n' | b'\r' | 0x0b | 0x0c | 0x1c..=0x1e => 1,
            0xc2 if bytes.get(at + 1) == Some(&0x85) => 2,
            0xe2 if matches!(bytes.get(at + 1..at + 3), Some([0x80, 0xa8 | 0xa9])) => 3,
            _ => 0,
        };
        if length > 0 {
            return Some((at, length));
        }
        at += 1;
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const BLOCK_BYTES: usize = 8;

/// The position of the first byte with which a line end may start: a control character, or the
/// first byte of a line end beyond ASCII.
#[inline]
fn find_candidate(bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
    for (number, block) in blocks.iter().enumerate() {
        let block = u64::from_le_bytes(*block);
        // The high bits of bytes below 0x20. Subtraction may also set the high bits of bytes after
        // the first such byte.
        let controls = block.wrapping_sub(0x20 * ONES) & !block;
        // Bytes that are 0xc2 or 0xe2 are 0 here.
        let zeros = (block | (0x20 * ONES)) ^ (0xe2 * ONES);
        let starts = zeros.wrapping_sub(ONES) & !zeros;
        let found = (controls | starts) & (0x80 * ONES);
        if found != 0 {
            return Some(number * BLOCK_BYTES + found.trailing_zeros() as usize / 8);
        }
    }
    let found = rest
        .iter()
        .position(|byte| matches!(byte, ..0x20 | 0xc2 | 0xe2))?;
    Some(blocks.len() * BLOCK_BYTES + found)
}

/// Splits a text at runs of at least `min_newlines` newlines. A run at the start or at the end
/// leaves an empty part there.
///
/// ```
/// let paragraphs: Vec<_> = corpus_text::lines::separated("a\nb\n\n\nc", 2).collect();
/// assert_eq!(paragraphs, ["a\nb", "c"]);
/// ```
pub fn separated(text: &str, min_newlines: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut from = 0;
        while let Some(found) = memchr::memchr(b'\n', &text.as_bytes()[from..]) {
            let start = from + found;
            let run = text.as_bytes()[start..]
                .iter()
                .take_while(|byte| **byte == b'\n')
                .count();
            if run >= min_newlines {
                rest = Some(&text[start + run..]);
                return Some(&text[..start]);
            }
            from = start + run;
        }
        rest = None;
        Some(text)
    })
}

/// Appends each line of at most `max_length` characters, except the first, to the previous line.
///
/// ```
/// use corpus_text::lines::join_short;
///
/// let joined = join_short(["A long line", ".", "Another", ""], 2);
/// assert_eq!(joined, ["A long line.", "Another"]);
/// ```
pub fn join_short<'a>(lines: impl IntoIterator<Item = &'a str>, max_length: usize) -> Vec<String> {
    let is_short = |line: &str| line.chars().nth(max_length).is_none();
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        match joined.last_mut() {
            Some(previous) if is_short(line) => previous.push_str(line),
            _ => joined.push(line.to_owned()),
        }
    }
    joined
}

/// Returns for each text whether it equals the previous one. `None` is skipped in the comparison.
///
/// ```
/// use corpus_text::lines::repeats;
///
/// let repeats: Vec<_> = repeats([Some("a"), None, Some("a"), Some("b")]).collect();
/// assert_eq!(repeats, [Some(false), None, Some(true), Some(false)]);
/// ```
pub fn repeats<'a>(
    texts: impl IntoIterator<Item = Option<&'a str>>,
) -> impl Iterator<Item = Option<bool>> {
    let mut last = None;
    texts.into_iter().map(move |text| {
        let text = text?;
        Some(last.replace(text) == Some(text))
    })
}

#[cfg(test)]
mod tests {
    use corpus_bytes::random::Random;

    use super::*;

    #[test]
    fn universal_lines_know_every_line_end() {
        for end in [
            "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\u{85}", "\u{2028}",
            "\u{2029}",
        ] {
            let text = format!("é{end}日本{end}{end}x");
            let lines: Vec<_> = universal(&text).collect();
            assert_eq!(lines, ["é", "日本", "", "x"], "{end:?}");
        }
        assert_eq!(universal("").count(), 0);
        assert_eq!(universal("\n").collect::<Vec<_>>(), [""]);
    }

    /// The definition, character by character.
    fn expected_lines(text: &str) -> Vec<String> {
        let (mut lines, mut current) = (Vec::new(), String::new());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\r' if characters.peek() == Some(&'\n') => {}
                '\n'
                | '\r'
                | '\x0b'
                | '\x0c'
                | '\x1c'..='\x1e'
                | '\u{85}'
                | '\u{2028}'
                | '\u{2029}' => {
                    lines.push(std::mem::take(&mut current));
                }
                other => current.push(other),
            }
        }
        if !current.is_empty() {
            lines.push(current);
        }
        lines
    }

    #[test]
    fn universal_lines_are_those_of_the_definition() {
        let characters: Vec<char> =
            "ab\t\n\r\x0b\x0c\x1b\x1c\x1d\x1e\x1f\u{85}\u{84}\u{2028}\u{2029}\u{202a}â日é\0\u{7f}"
                .chars()
                .collect();
        let mut random = Random(2);
        for round in 0..3000 {
            // Few or many line ends.
            let plain = [0, 3, 12][round % 3];
            let text: String = (0..random.below(60))
                .map(|_| match random.below(plain + 1) {
                    0 => characters[random.below(characters.len())],
                    _ => 'x',
                })
                .collect();
            let lines: Vec<_> = universal(&text).collect();
            assert_eq!(lines, expected_lines(&text), "{text:?}");
        }
    }

    #[test]
    fn runs_at_the_ends_leave_empty_parts() {
        let parts = |text| separated(text, 1).collect::<Vec<_>>();
        assert_eq!(parts("\na\n\n"), ["", "a", ""]);
        assert_eq!(parts(""), [""]);
        assert_eq!(separated("a\nb", 2).collect::<Vec<_>>(), ["a\nb"]);
    }

    #[test]
    fn chains_of_short_lines_become_one() {
        assert_eq!(
            join_short(["", "、", "あい", "うえお", "。"], 2),
            ["、あい", "うえお。"]
        );
        assert_eq!(join_short(["a", "b"], 0), ["a", "b"]);
        assert!(join_short([], 2).is_empty());
    }

    #[test]
    fn only_adjacent_texts_are_repeats() {
        let repeats = |texts: &[&'static str]| {
            let repeats: Vec<_> = repeats(texts.iter().copied().map(Some)).collect();
            repeats.into_iter().flatten().collect::<Vec<_>>()
        };
        assert_eq!(
            repeats(&["test1", "test1", "test2", "test1"]),
            [false, true, false, false]
        );
        assert_eq!(repeats(&["", "", ""]), [false, true, true]);
        assert!(repeats(&[]).is_empty());
    }
}
