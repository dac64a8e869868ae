//! Lines and paragraphs, as slices of their text.

use memchr::memchr_iter;

/// The lines between newlines (`\n`), empty ones included; the last one ends with the text.
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

/// The lines of a text in the sense of Unicode and of Python's `splitlines`: each ends with LF, CR,
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

impl<'a> Universal<'a> {
    /// The lines that are still to come.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }
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
        at += bytes[at..]
            .iter()
            .position(|byte| MAY_END_LINE[usize::from(*byte)])?;
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

/// The bytes with which a line end may start.
const MAY_END_LINE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte, 0x0a..=0x0d | 0x1c..=0x1e | 0xc2 | 0xe2);
        byte += 1;
    }
    table
};

/// The parts of a text between runs of at least `min_newlines` newlines. A run at the start or at
/// the end has an empty part beside it.
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

/// Appends short lines to the line before them: each line but the first that has at most `max_length`
/// characters.
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

/// Returns for each text whether it equals the last one before it. `None` is neither compared nor
/// compared with.
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
