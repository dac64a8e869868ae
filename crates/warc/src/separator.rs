//! Compares the separator after a record with the declared end of its body.
//!
//! A body that has lost up to four bytes still ends before the next record: its declared length
//! reaches into the separator. The same happens if a writer counts the separator as part of the
//! body. A body that has gained line ends appears to be followed by more than a separator. If the
//! digest confirms one of the two lengths, that length determines the end.

use corpus_bytes::record::RecordError;

use crate::digest;
use crate::reasons;
use crate::record_start::ArchiveFormat;

const CRLF: &[u8] = b"\r\n\r\n";
const LF: &[u8] = b"\n\n";

/// The length of the longest separator.
pub const MAX_SEPARATOR_BYTES: usize = CRLF.len();
/// The line ends after a body that are compared with the separator.
pub const MAX_COMPARED_BYTES: usize = 16;

/// The separator of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Separator {
    /// Two line ends, which are CR LF.
    #[default]
    Crlf,
    /// Two line ends of a writer whose header lines end in LF alone.
    Lf,
    /// The line end after a record of ARC.
    Arc,
}

/// How the line ends at the declared end of a body differ from a separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The separator, or data that does not prove a wrong length.
    Right,
    /// The declared body contains this many bytes of the separator.
    Short(usize),
    /// This many bytes precede the separator. With `is_odd`, they are line ends of another kind
    /// than those of the separator, so they are not blank lines of the writer.
    Long { surplus: usize, is_odd: bool },
}

impl Separator {
    /// The separator after a record with this header block.
    pub fn after(kind: ArchiveFormat, header: &[u8]) -> Self {
        match kind {
            ArchiveFormat::Arc => Self::Arc,
            ArchiveFormat::Warc if header.ends_with(b"\n\n") => Self::Lf,
            ArchiveFormat::Warc => Self::Crlf,
        }
    }

    /// Whether text starts with the whole separator, and not with another line end after it.
    pub fn is_exactly_at(self, text: &[u8]) -> bool {
        let rest = match self {
            Self::Arc => return matches!(text, [b'\n', ..] | [b'\r', b'\n', ..]),
            // Writers that end header lines in LF may separate records by CR LF.
            Self::Lf => text.strip_prefix(LF).or_else(|| text.strip_prefix(CRLF)),
            Self::Crlf => text.strip_prefix(CRLF),
        };
        rest.is_some_and(|rest| !matches!(rest, [b'\r' | b'\n', ..]))
    }

    /// Compares the line ends after the declared end with the separator. `body` is the declared
    /// body, or its end. `is_last`: the text ends with the line ends.
    pub fn fit(self, body: &[u8], line_ends: &[u8], is_last: bool) -> Fit {
        let separator = match self {
            // Without a record after it, an ARC record may lack the line end.
            Self::Arc if line_ends.is_empty() && body.ends_with(b"\n") && !is_last => {
                return Fit::Short(1);
            }
            Self::Arc => return Fit::Right,
            Self::Lf if !line_ends.contains(&b'\r') && !body.ends_with(b"\r\n") => LF,
            Self::Crlf | Self::Lf => CRLF,
        };
        if line_ends == separator {
            return Fit::Right;
        }
        let reaches_in = |count: &usize| {
            let (inside, after) = separator.split_at(*count);
            body.ends_with(inside) && line_ends == after
        };
        if let Some(count) = (1..=separator.len()).find(reaches_in) {
            return Fit::Short(count);
        }
        match line_ends.strip_suffix(separator) {
            Some(surplus) => {
                let line = separator.get(..separator.len() / 2).unwrap_or_default();
                let is_odd = surplus.chunks(line.len().max(1)).any(|chunk| chunk != line);
                Fit::Long {
                    surplus: surplus.len(),
                    is_odd,
                }
            }
            None => Fit::Right,
        }
    }
}

/// The digests that a record declares, empty if it has none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Digests<'a> {
    pub block: &'a str,
    pub payload: &'a str,
}

impl Digests<'_> {
    /// Whether a digest confirms the body. `None` if none can be checked.
    fn confirm(self, body: &[u8]) -> Option<bool> {
        let block = digest::verify(self.block, body);
        block.or_else(|| digest::verify(self.payload, digest::payload(body)))
    }
}

/// Returns the end of the body, and the error of its declared length, if any. `text` contains the
/// body and the line ends after it.
pub fn settle(
    fit: Fit,
    text: &[u8],
    declared: usize,
    digests: Digests<'_>,
) -> (usize, Option<RecordError>) {
    let found = match fit {
        Fit::Right => return (declared, None),
        Fit::Short(count) => declared.saturating_sub(count),
        Fit::Long { surplus, .. } => declared + surplus,
    };
    let body = |length| text.get(..length).unwrap_or(text);
    let is_confirmed = digests.confirm(body(found));
    if digests.confirm(body(declared)) == Some(true) {
        return (declared, None);
    }
    let is_sound = match fit {
        // A response without a payload ends with a blank line, and its separator is missing.
        Fit::Short(MAX_SEPARATOR_BYTES) => {
            digest::http_payload(body(declared)).is_some_and(<[u8]>::is_empty)
        }
        // Some writers separate records by several blank lines.
        Fit::Long { is_odd, .. } => !is_odd,
        _ => false,
    };
    if is_sound && is_confirmed != Some(true) {
        return (declared, None);
    }
    (found, Some(wrong_length(declared, found, is_confirmed)))
}

/// The error of a length that does not lead to the separator. `is_confirmed`: whether the digest
/// confirms the length that was found.
pub fn wrong_length(declared: usize, found: usize, is_confirmed: Option<bool>) -> RecordError {
    let digest = match is_confirmed {
        Some(true) => ", which the digest confirms",
        Some(false) => ", and the digest confirms neither",
        None => "",
    };
    let detail = format!("{declared} bytes declared, {found} up to the separator{digest}");
    RecordError::new(reasons::BAD_LENGTH, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_compared_with_the_declared_end() {
        use Separator::{Arc, Crlf, Lf};
        let odd = |surplus| Fit::Long {
            surplus,
            is_odd: true,
        };
        for (separator, body, line_ends, expected) in [
            (Crlf, "text", "\r\n\r\n", Fit::Right),
            (Crlf, "text\r", "\n\r\n", Fit::Short(1)),
            (Crlf, "text\r\n", "\r\n", Fit::Short(2)),
            (Crlf, "text\r\n\r", "\n", Fit::Short(3)),
            (Crlf, "text\r\n\r\n", "", Fit::Short(4)),
            // One line end, or none, but no part of it in the body.
            (Crlf, "text", "\r\n", Fit::Right),
            (Crlf, "text\n", "\r\n", Fit::Right),
            (Crlf, "text", "", Fit::Right),
            (Crlf, "text\n\n", "", Fit::Right),
            (Crlf, "text", "\n\r\n\r\n", odd(1)),
            (
                Crlf,
                "text",
                "\r\n\r\n\r\n",
                Fit::Long {
                    surplus: 2,
                    is_odd: false,
                },
            ),
            (Lf, "text", "\n\n", Fit::Right),
            (Lf, "text\n", "\n", Fit::Short(1)),
            (Lf, "text\n\n", "", Fit::Short(2)),
            (Lf, "text\r", "\n\r\n", Fit::Short(1)),
            (Arc, "text", "\n", Fit::Right),
            (Arc, "text\n", "", Fit::Short(1)),
        ] {
            let found = separator.fit(body.as_bytes(), line_ends.as_bytes(), false);
            assert_eq!(found, expected, "{separator:?} {body:?} {line_ends:?}");
        }
        assert_eq!(Arc.fit(b"text\n", b"", true), Fit::Right);
    }
}
