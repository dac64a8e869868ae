//! Messages of a mailbox in one file.

use memchr::memmem;

const SEPARATOR: &[u8] = b"From ";

/// Splits a mailbox into its messages. Bytes that do not start like a mailbox are one message.
///
/// A message starts with a line `From …` that contains a time, at the start or after a blank line.
/// The line is part of the message; [`read`](crate::read) skips it. All other lines that start with
/// `From ` are text.
pub fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = match is_separator(rest) {
            true => next_separator(rest),
            false => rest.len(),
        };
        let (message, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(message)
    })
}

/// Whether the line at the start separates messages:
/// `From ada@example.org Tue Nov 14 22:13:20 2023`.
pub fn is_separator(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(SEPARATOR) else {
        return false;
    };
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest.get(..end.min(MAX_SEPARATOR_BYTES)).unwrap_or_default();
    let is_time = |window: &[u8]| match window {
        [a, b, b':', c, d] => [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    line.windows(5).any(is_time)
}

/// The part of a separator that is searched for a time.
const MAX_SEPARATOR_BYTES: usize = 1000;

/// The position of the second separator.
fn next_separator(bytes: &[u8]) -> usize {
    let is_start = |at: &usize| {
        let before = bytes.get(..*at).unwrap_or_default();
        let is_after_blank = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
        is_after_blank && bytes.get(*at..).is_some_and(is_separator)
    };
    let breaks = memmem::find_iter(bytes, b"\nFrom ");
    breaks
        .map(|at| at + 1)
        .find(is_start)
        .unwrap_or(bytes.len())
}

/// Removes the `>` by which mailboxes mark lines of the text that start with `From `.
pub fn unquoted(text: String) -> String {
    let is_quoted =
        |line: &str| line.starts_with('>') && line.trim_start_matches('>').starts_with("From ");
    if !text.contains(">From ") {
        return text;
    }
    let line = |line| match is_quoted(line) {
        true => line.strip_prefix('>').unwrap_or(line),
        false => line,
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailboxes_are_split() {
        let split = |text: &'static str| -> Vec<usize> {
            messages(text.as_bytes()).map(<[u8]>::len).collect()
        };
        let one = "From a Tue Nov 14 22:13:20 2023\nA: b\n\nFrom here on\nFrom b 22:13\n\n";
        assert_eq!(split(one), [one.len()]);
        assert_eq!(split("A: b\n\nFrom x 22:13\n"), [19]);
        assert_eq!(split(""), [0; 0]);
        let two = "From a 22:13\n\nx\r\n\r\nFrom b 22:13\nFrom c 22:13\n";
        assert_eq!(split(two), [19, 26]);
    }

    #[test]
    fn marks_are_removed_once() {
        let text = ">From a\n>>From b\n> From c\nx >From d\n";
        assert_eq!(
            unquoted(text.to_owned()),
            "From a\n>From b\n> From c\nx >From d\n"
        );
    }
}
