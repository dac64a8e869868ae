//! Splits a mailbox file into messages.

use memchr::memmem;

use super::fields::name_length;

const SEPARATOR: &[u8] = b"From ";

/// Splits a mailbox into its messages. Bytes that do not start like a mailbox are one message.
///
/// A message starts with a line `From …` that contains a time, at the start or after a blank line.
/// Without a blank line, the line must be complete, and a header must follow. The line is part of
/// the message; [`read`](super::read) skips it. All other lines that start with `From ` are text.
pub fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = if is_separator(rest) {
            next_separator(rest)
        } else {
            rest.len()
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

/// Whether the line at the start cannot be text: it has a date and a time, and a header follows.
/// Such a line separates messages also without a blank line before it.
pub fn is_complete_separator(bytes: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    let mut lines = bytes.splitn(3, |byte| *byte == b'\n');
    let line = lines.next().unwrap_or_default();
    let line = line.get(..MAX_SEPARATOR_BYTES).unwrap_or(line);
    let is_year = |word: &[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit);
    // A sender may contain spaces, and a time zone may come before the year.
    let words = || line.split(u8::is_ascii_whitespace);
    let has_date = words().any(|word| DAYS.contains(&word)) && words().any(is_year);
    has_date && is_separator(bytes) && lines.next().is_some_and(|next| name_length(next).is_some())
}

/// Maximum number of bytes of a separator that are searched for a time.
const MAX_SEPARATOR_BYTES: usize = 1000;

/// The position of the next separator; the length of the bytes if there is none.
fn next_separator(bytes: &[u8]) -> usize {
    let is_start = |at: &usize| {
        let before = bytes.get(..*at).unwrap_or_default();
        let is_after_blank = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
        let line = bytes.get(*at..).unwrap_or_default();
        if is_after_blank {
            is_separator(line)
        } else {
            is_complete_separator(line)
        }
    };
    let breaks = memmem::find_iter(bytes, b"\nFrom ");
    breaks
        .map(|at| at + 1)
        .find(is_start)
        .unwrap_or(bytes.len())
}

/// Removes the `>` that mailboxes put before text lines that start with `From `.
pub fn unquoted(text: String) -> String {
    let is_quoted =
        |line: &str| line.starts_with('>') && line.trim_start_matches('>').starts_with("From ");
    if !text.contains(">From ") {
        return text;
    }
    let line = |line| {
        if is_quoted(line) {
            line.strip_prefix('>').unwrap_or(line)
        } else {
            line
        }
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
        let no_blank =
            "From a Sat Jan  6 00:00:00 2024\nA: b\n\nx\nFrom b@x Sun Jan  7 00:00:00 2024\nA: c\n";
        assert_eq!(split(no_blank), [40, 39]);
        // No header follows.
        let text = "From a Sat Jan  6 00:00:00 2024\nA: b\n\nx\nFrom here Sun at 10:30 we\nrest.\n";
        assert_eq!(split(text), [text.len()]);
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
