//! Recognizes messages and mailboxes by their first lines.

use std::fmt;

use super::fields::name_length;
use super::mbox::is_separator;

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A single message.
    Eml,
    /// A mailbox of messages.
    Mbox,
}

impl Kind {
    /// The name in lower case, such as `eml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eml => "eml",
            Self::Mbox => "mbox",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Maximum number of bytes of a header that are examined.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// Fields that messages have and other headers rarely have.
const KNOWN: &[&str] = &[
    "bcc",
    "cc",
    "date",
    "delivered-to",
    "dkim-signature",
    "from",
    "in-reply-to",
    "message-id",
    "mime-version",
    "received",
    "reply-to",
    "return-path",
    "sender",
    "subject",
    "to",
];

/// A message has at least one of these fields. Otherwise the header may be of another format, such
/// as HTTP.
const REQUIRED: &[&str] = &["from", "received", "return-path", "message-id", "sender"];

/// Returns the kind of the bytes; `None` if they are neither a message nor a mailbox.
///
/// A message starts with a header in which every line is a field, at least two of them with names
/// that messages have.
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if is_separator(start) {
        let header = start.split_inclusive(|byte| *byte == b'\n').nth(1);
        let is_field = header.is_some_and(|line| name_length(line).is_some());
        return is_field.then_some(Kind::Mbox);
    }
    is_header(start).then_some(Kind::Eml)
}

/// Whether bytes begin with a field of a header, which messages do.
pub fn begins_with_field(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    name_length(start).is_some()
}

fn is_header(bytes: &[u8]) -> bool {
    let head = bytes
        .get(..bytes.len().min(MAX_HEAD_BYTES))
        .unwrap_or(bytes);
    let (mut known, mut required) = (0_u32, false);
    for (number, line) in head.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if number > 0 && line.starts_with(b" ") || line.starts_with(b"\t") {
            continue;
        }
        let Some(length) = name_length(line) else {
            // The last line may be truncated.
            let is_cut = bytes.len() > MAX_HEAD_BYTES;
            return is_cut && known >= 2 && required;
        };
        let name = line.get(..length).unwrap_or_default();
        let is = |names: &[&str]| {
            let mut names = names.iter();
            names.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
        };
        known += u32::from(is(KNOWN));
        required |= is(REQUIRED);
    }
    known >= 2 && required
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_decide() {
        for (text, expected) in [
            ("From: a\nTo: b\n\nx", Some(Kind::Eml)),
            ("Received: a\r\n\tb\r\nDate: c", Some(Kind::Eml)),
            ("X-A: b\nreturn-path: <a>\nSubject: b\n", Some(Kind::Eml)),
            ("From a Tue Nov 14 22:13:20 2023\nA: b\n", Some(Kind::Mbox)),
            ("From a Tue Nov 14 22:13:20 2023\nhe began to write\n", None),
            ("From: a\nno field\nTo: b\n", None),
            ("Date: a\nTo: b\n\n", None),
            ("To: Ada\n\nFrom: b\n", None),
            ("", None),
        ] {
            assert_eq!(kind(text.as_bytes()), expected, "{text}");
        }
    }
}
