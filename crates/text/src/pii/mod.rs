//! Personal data in texts: e-mail addresses, IP addresses, telephone numbers, payment cards and
//! Japanese individual numbers (My Number), found and masked.
//!
//! Checks beyond the form reduce false positives: public IP addresses only, and none after words
//! such as "version"; card numbers by issuer, length and Luhn's check digit; individual numbers by
//! their check digit, next to words such as マイナンバー; telephone numbers by their prefix and
//! separators. Full-width characters count as ASCII.
//!
//! ```text
//! email    e-mail addresses
//! numbers  all other kinds
//! context  words around a number
//! fold     full-width characters
//! ```

mod context;
mod email;
mod fold;
mod numbers;

use std::borrow::Cow;
use std::ops::Range;

/// A kind of personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    Email,
    Ip,
    Phone,
    Card,
    MyNumber,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Email,
        Self::Ip,
        Self::Phone,
        Self::Card,
        Self::MyNumber,
    ];

    /// The name by which users select a kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Ip => "ip",
            Self::Phone => "phone",
            Self::Card => "card",
            Self::MyNumber => "my_number",
        }
    }

    /// Returns the text with which [`mask`] replaces it.
    pub fn mask(self) -> &'static str {
        match self {
            Self::Email => "<EMAIL>",
            Self::Ip => "<IP>",
            Self::Phone => "<PHONE>",
            Self::Card => "<CARD>",
            Self::MyNumber => "<MY_NUMBER>",
        }
    }
}

/// Finds personal data in a text, in order and without overlaps.
///
/// ```
/// use corpus_text::pii::{Kind, find};
///
/// let text = "Mail ann@mail.example, or call +81 3-1234-5678.";
/// let found: Vec<_> = find(text, &Kind::ALL).map(|(kind, range)| (kind, &text[range])).collect();
/// assert_eq!(found, [(Kind::Email, "ann@mail.example"), (Kind::Phone, "+81 3-1234-5678")]);
/// ```
pub fn find<'a>(
    text: &'a str,
    kinds: &'a [Kind],
) -> impl Iterator<Item = (Kind, Range<usize>)> + 'a {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Before this offset, numbers end at spaces, because the run including its spaces is not a
    // number.
    let mut divided_until = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            // Full-width characters start with this byte.
            let byte = match bytes[at] {
                0xef => fold::after(text, at)
                    .and_then(|(folded, _)| u8::try_from(folded).ok())
                    .unwrap_or(0xef),
                byte => byte,
            };
            if byte == b'@' {
                let sign = at..at + if bytes[at] == 0xef { 3 } else { 1 };
                at = sign.end;
                if kinds.contains(&Kind::Email)
                    && let Some(range) = email::around(text, sign)
                {
                    at = range.end;
                    return Some((Kind::Email, range));
                }
                continue;
            }
            if kinds.contains(&Kind::Ip)
                && let Some(range) = numbers::public_ipv6(text, at)
            {
                at = range.end;
                return Some((Kind::Ip, range));
            }
            let Some(run) = (byte.is_ascii_digit() || matches!(byte, b'+' | b'('))
                .then(|| numbers::run(text, at, at >= divided_until))
                .flatten()
            else {
                at += 1;
                continue;
            };
            // Digits directly before an at sign belong to an e-mail address.
            let is_address = matches!(fold::after(text, run.range.end), Some(('@', _)));
            if !is_address && let Some(kind) = numbers::classify(text, &run, kinds) {
                at = run.range.end;
                return Some((kind, run.range));
            }
            if let Some(range) = numbers::card_at_start(text, &run, kinds) {
                at = range.end;
                return Some((Kind::Card, range));
            }
            if at >= divided_until && text[run.range.clone()].contains(' ') {
                divided_until = run.range.end;
            } else {
                at = run.range.end;
            }
        }
        None
    })
}

/// Replaces personal data by `<EMAIL>`, `<PHONE>` and so on.
///
/// ```
/// use corpus_text::pii::{Kind, mask};
///
/// assert_eq!(mask("to ann@mail.example", &[Kind::Email]), "to <EMAIL>");
/// assert_eq!(mask("to ann@mail.example", &[Kind::Phone]), "to ann@mail.example");
/// ```
pub fn mask<'a>(text: &'a str, kinds: &[Kind]) -> Cow<'a, str> {
    let mut result = String::new();
    let mut copied = 0;
    for (kind, range) in find(text, kinds) {
        result.push_str(&text[copied..range.start]);
        result.push_str(kind.mask());
        copied = range.end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

#[cfg(test)]
mod tests;
