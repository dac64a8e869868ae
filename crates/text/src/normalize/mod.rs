//! One form for texts that look the same: Unicode forms, width, invisible characters, white space.
//!
//! Each function returns the text itself, without a copy, if there is nothing to change.

mod citations;
mod invisible;
mod mojibake;
mod space;
mod width;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

pub use citations::remove_citations;
pub use invisible::{Invisible, remove_invisible};
pub use mojibake::repair_mojibake;
pub use space::collapse_space;
pub use width::unify_width;

/// A normal form of Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Composed: é is one character.
    Nfc,
    /// Decomposed: é is e and an accent.
    Nfd,
    /// Composed, with compatibility characters replaced: ﬁ becomes fi, ① becomes 1.
    Nfkc,
    /// Decomposed, with compatibility characters replaced.
    Nfkd,
}

/// Brings a text into a normal form.
///
/// ```
/// use corpus_text::normalize::{Form, normalize};
///
/// assert_eq!(normalize("ﾊﾟﾝ①", Form::Nfkc), "パン1");
/// assert_eq!(normalize("e\u{301}", Form::Nfc), "é");
/// ```
pub fn normalize(text: &str, form: Form) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let is_normal = match form {
        Form::Nfc => is_nfc_quick(text.chars()),
        Form::Nfkc => is_nfkc_quick(text.chars()),
        Form::Nfd | Form::Nfkd => IsNormalized::No,
    };
    if is_normal == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfd => text.nfd().collect(),
        Form::Nfkc => text.nfkc().collect(),
        Form::Nfkd => text.nfkd().collect(),
    })
}

/// Replaces characters one by one: `replace` says what a character becomes, `None` that it stays.
fn replace_characters<'a>(
    text: &'a str,
    replace: impl Fn(char) -> Option<&'static str>,
) -> Cow<'a, str> {
    let Some((first, _)) = text.char_indices().find(|(_, c)| replace(*c).is_some()) else {
        return Cow::Borrowed(text);
    };
    let mut result = String::with_capacity(text.len());
    result.push_str(&text[..first]);
    for character in text[first..].chars() {
        match replace(character) {
            Some(replacement) => result.push_str(replacement),
            None => result.push(character),
        }
    }
    Cow::Owned(result)
}

#[cfg(test)]
mod tests;
