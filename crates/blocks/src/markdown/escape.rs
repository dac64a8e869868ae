//! Finds the characters of a text that Markdown would interpret unless a backslash precedes them.

use std::ops::Range;

/// Maximum length of a formula between dollar signs.
const MAX_FORMULA_BYTES: usize = 2000;
/// Maximum length of a reference such as `&hellip;`.
const MAX_REFERENCE_BYTES: usize = 32;

/// Where a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Context {
    /// In a cell between vertical bars.
    pub in_cell: bool,
    /// At the start of a list item, where brackets may mean a task.
    pub in_item: bool,
    /// On a single line after other characters, so that no start-of-line syntax applies.
    pub in_heading: bool,
}

/// Returns the sorted positions before which a backslash is needed. `raw` are the sorted ranges
/// that are written verbatim. `marks` are the sorted positions before which the characters of marks
/// are written.
pub fn escapes(text: &str, context: Context, marks: &[usize], raw: &[Range<usize>]) -> Vec<usize> {
    let mut found = Vec::new();
    let tildes = text.bytes().filter(|byte| *byte == b'~').count();
    let has_lines = text.contains('\n');
    let bytes = text.as_bytes();
    let mut raw = raw.iter().peekable();
    let mut line_start = 0;
    for (index, line) in text.split('\n').enumerate() {
        if !context.in_heading && !context.in_cell {
            let at_start = start_of_line(line, index == 0, context.in_item && index == 0);
            // A mark at the start of the line already prevents start-of-line syntax.
            let indent = line.len() - line.trim_start_matches(' ').len();
            let has_mark = marks.binary_search(&(line_start + indent)).is_ok();
            found.extend(at_start.filter(|_| !has_mark).map(|at| line_start + at));
        }
        let end = line_start + line.len();
        let is_delimiter_row = has_lines && is_delimiter_row(line);
        let mut at = line_start;
        while at < end {
            while raw.next_if(|range| range.end <= at).is_some() {}
            if let Some(range) = raw.peek()
                && range.start <= at
            {
                if found.last().is_some_and(|last| range.contains(last)) {
                    found.pop();
                }
                if context.in_cell {
                    // Vertical bars end cells even inside formulas.
                    let inside = at..range.end.min(bytes.len());
                    found.extend(inside.filter(|at| bytes.get(*at) == Some(&b'|')));
                }
                at = range.end;
                continue;
            }
            let needs = match bytes.get(at) {
                Some(b'\\') => bytes
                    .get(at + 1)
                    .is_none_or(|next| next.is_ascii_punctuation() || *next == b'\n'),
                Some(b'*') => !marks.is_empty() || !is_between_spaces(bytes, at),
                Some(b'`') => true,
                Some(b'_') => {
                    // All underscores in a row have the same meaning.
                    let run = bytes.get(at..end).unwrap_or_default().iter();
                    let run_end = at + run.take_while(|byte| **byte == b'_').count();
                    if !is_inside_word(text, at..run_end) {
                        found.extend(at.max(found.last().map_or(0, |last| last + 1))..run_end);
                    }
                    at = run_end;
                    continue;
                }
                Some(b'[') => bytes.get(at + 1) == Some(&b'^'),
                Some(b']') => matches!(bytes.get(at + 1), Some(b'(' | b'[')),
                Some(b'!') => bytes.get(at + 1) == Some(&b'['),
                Some(b'<') => bytes.get(at + 1).is_some_and(|next| {
                    next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?')
                }),
                Some(b'&') => is_reference(bytes.get(at + 1..).unwrap_or_default()),
                Some(b'~') => tildes > 1,
                Some(b'|') => context.in_cell || is_delimiter_row,
                _ => false,
            };
            if needs && found.last() != Some(&at) {
                found.push(at);
            }
            at += 1;
        }
        line_start = end + 1;
    }
    found
}

/// The position in a line of a character that would give the line another meaning.
fn start_of_line(line: &str, is_first: bool, is_first_of_item: bool) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let text = line.get(indent..).unwrap_or_default();
    let bytes = text.as_bytes();
    let ends_mark = |at: usize| {
        bytes
            .get(at)
            .is_none_or(|next| matches!(next, b' ' | b'\t'))
    };
    let first = *bytes.first()?;
    let needs = match first {
        b'#' => {
            let marks = bytes.iter().take_while(|byte| **byte == b'#').count();
            marks <= 6 && ends_mark(marks)
        }
        b'>' => true,
        b'-' | b'+' if ends_mark(1) => true,
        b'-' | b'_' if is_only(text, first) => true,
        b'-' | b':' | b'|' if is_delimiter_row(text) => true,
        b'=' => !is_first && is_only(text, b'='),
        b'~' => text.starts_with("~~~"),
        // The start of a reference definition, a footnote or a task.
        b'[' => {
            text.contains("]:")
                || (is_first_of_item
                    && matches!(bytes, [_, b' ' | b'x' | b'X', b']', b' ' | b'\t', ..]))
        }
        b'0'..=b'9' => {
            let digits = bytes
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let is_marker = digits <= 9
                && matches!(bytes.get(digits), Some(b'.' | b')'))
                && ends_mark(digits + 1);
            return is_marker.then_some(indent + digits);
        }
        _ => false,
    };
    needs.then_some(indent)
}

/// Whether a line consists of one character and spaces.
fn is_only(line: &str, character: u8) -> bool {
    line.bytes()
        .all(|byte| byte == character || matches!(byte, b' ' | b'\t'))
}

/// Whether a line would be the delimiter row of a table.
fn is_delimiter_row(line: &str) -> bool {
    line.contains('-')
        && line
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// Whether a character is between spaces, where it has no meaning.
fn is_between_spaces(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    before == Some(&b' ') && bytes.get(at + 1).is_none_or(|after| *after == b' ')
}

/// Whether underscores are between letters or digits, where they have no meaning.
fn is_inside_word(text: &str, run: Range<usize>) -> bool {
    let before = text
        .get(..run.start)
        .unwrap_or_default()
        .chars()
        .next_back();
    let after = text.get(run.end..).unwrap_or_default().chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

/// Whether text after an ampersand makes a character reference.
fn is_reference(rest: &[u8]) -> bool {
    let mut rest = rest.iter().take(MAX_REFERENCE_BYTES);
    let is_first = rest
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'#');
    is_first && rest.find(|byte| !byte.is_ascii_alphanumeric()) == Some(&b';')
}

/// The formulas in TeX that a text contains with their delimiters: `\(…\)`, `\[…\]`, `$$…$$`, and
/// `$…$` if its content looks like TeX.
pub fn formulas(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    // Once a closing delimiter is missing, do not search for it again: that would be quadratic.
    let (mut round, mut square, mut double) = (true, true, true);
    while let Some(start) = memchr(bytes, at) {
        let rest = text.get(start..).unwrap_or_default();
        let search = |end: &str, may_end: &mut bool| {
            if !*may_end {
                return None;
            }
            let length = rest
                .get(2..)?
                .find(end)
                .map(|length| length + 2 + end.len());
            *may_end = length.is_some();
            length
        };
        let length = if rest.starts_with("\\(") {
            search("\\)", &mut round)
        } else if rest.starts_with("\\[") {
            search("\\]", &mut square)
        } else if rest.starts_with("$$") {
            search("$$", &mut double)
        } else if rest.starts_with('$') {
            dollars(rest)
        } else {
            None
        };
        match length {
            Some(length) => {
                found.push(start..start + length);
                at = start + length;
            }
            // A backslash may escape a dollar sign.
            None if rest.starts_with("\\$") => at = start + 2,
            None => at = start + 1,
        }
    }
    found
}

/// The position of the next character that may start a formula.
fn memchr(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let length = rest.iter().position(|byte| matches!(byte, b'$' | b'\\'))?;
    Some(from + length)
}

/// The length of a formula between single dollar signs. Amounts of money are not formulas.
fn dollars(text: &str) -> Option<usize> {
    let window = text.get(..text.floor_char_boundary(MAX_FORMULA_BYTES))?;
    let bytes = window.as_bytes();
    let mut at = 1;
    if bytes.get(at).is_none_or(|next| next.is_ascii_whitespace()) {
        return None;
    }
    let mut has_tex = false;
    loop {
        match bytes.get(at)? {
            b'\\' => {
                has_tex = true;
                at += 1;
            }
            b'^' | b'_' | b'{' => has_tex = true,
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => return None,
            b'$' => break,
            _ => {}
        }
        at += 1;
    }
    let before = bytes.get(at.checked_sub(1)?)?;
    let after = bytes.get(at + 1);
    let is_formula = has_tex
        && !before.is_ascii_whitespace()
        && !after.is_some_and(|after| after.is_ascii_digit());
    is_formula.then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let raw = formulas(text);
        let mut written = String::new();
        let mut from = 0;
        for at in escapes(text, Context::default(), &[], &raw) {
            written.push_str(&text[from..at]);
            written.push('\\');
            from = at;
        }
        written + &text[from..]
    }

    #[test]
    fn starts_of_lines_keep_their_meaning() {
        for (text, expected) in [
            ("# a", "\\# a"),
            ("#a", "#a"),
            ("####### a", "####### a"),
            ("> a", "\\> a"),
            ("- a", "\\- a"),
            ("-a", "-a"),
            ("+ a", "\\+ a"),
            ("1986. A year", "1986\\. A year"),
            ("1) a", "1\\) a"),
            ("1.5 a", "1.5 a"),
            ("1234567890. a", "1234567890. a"),
            ("a\n---", "a\n\\---"),
            ("a\n===", "a\n\\==="),
            ("===", "==="),
            ("a|b\n-|-", "a|b\n\\-\\|-"),
            ("[a]: b", "\\[a]: b"),
            ("~~~", "\\~\\~\\~"),
            ("a # b", "a # b"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }

    #[test]
    fn other_characters_keep_their_meaning() {
        for (text, expected) in [
            ("2 * 3 2*3", "2 * 3 2\\*3"),
            ("* a\n* b", "\\* a\n\\* b"),
            ("snake_case_name", "snake_case_name"),
            ("a__b _", "a__b \\_"),
            ("_a_ __init__", "\\_a\\_ \\_\\_init\\_\\_"),
            ("a < b", "a < b"),
            ("<b>", "\\<b>"),
            ("AT&T &amp; &#38; &x", "AT&T \\&amp; \\&#38; &x"),
            ("C:\\dir", "C:\\dir"),
            ("\\* a\\", "\\\\\\* a\\\\"),
            ("[a](b) [c]", "[a\\](b) [c]"),
            ("~5", "~5"),
            ("~5 ~6", "\\~5 \\~6"),
            ("`x`", "\\`x\\`"),
            ("a | b", "a | b"),
            ("x[^1]", "x\\[^1]"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }

    #[test]
    fn formulas_are_untouched() {
        for text in [
            "\\(a_1 * b\\) and \\[x*y\\]",
            "$$a*b$$",
            "$a_1 * b_2$",
            "$\\$5 * \\alpha$",
            "US$5 and A$6",
        ] {
            assert_eq!(escaped(text), text);
        }
        let context = Context {
            in_cell: true,
            ..Context::default()
        };
        for text in ["\\(|a|\\) |", "$$|a|$$ |", "$|a_1|$ |"] {
            let bars: Vec<usize> = text.match_indices('|').map(|(at, _)| at).collect();
            assert_eq!(escapes(text, context, &[], &formulas(text)), bars, "{text}");
        }
        assert_eq!(escaped("$5_ and 6$*"), "$5_ and 6$\\*");
        assert_eq!(escaped("*$x^2$*"), "\\*$x^2$\\*");
        assert_eq!(escaped("$5 * $6"), "$5 * $6");
    }
}
