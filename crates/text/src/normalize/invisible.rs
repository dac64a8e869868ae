//! Controls, format characters and unusual separators.

use std::borrow::Cow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::replace_characters;

/// The treatment of characters that show nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invisible {
    /// Separators become spaces or newlines; controls and format characters are removed, except
    /// tabs, newlines, and the joiners that some scripts and emoji need.
    Clean,
    /// Uzushio's rule: all characters of the categories C and Z are removed except the space.
    /// Words that a tab, a newline or an ideographic space separated are joined.
    Uzushio,
    /// Uzushio's rule, but white space stays, the ideographic space included.
    UzushioKeepSpace,
}

/// Removes or replaces characters that show nothing.
///
/// ```
/// use corpus_text::normalize::{Invisible, remove_invisible};
///
/// let text = "zero\u{200b}width\u{a0}and\u{2028}line";
/// assert_eq!(remove_invisible(text, Invisible::Clean), "zerowidth and\nline");
/// assert_eq!(remove_invisible(text, Invisible::Uzushio), "zerowidthandline");
/// ```
pub fn remove_invisible(text: &str, rule: Invisible) -> Cow<'_, str> {
    match rule {
        Invisible::Clean => replace_characters(text, clean),
        Invisible::Uzushio => {
            replace_characters(text, |c| (c != ' ' && is_invisible(c)).then_some(""))
        }
        Invisible::UzushioKeepSpace => replace_characters(text, |c| {
            let stays = matches!(c, ' ' | '\t'..='\r' | '\u{3000}');
            (!stays && is_invisible(c)).then_some("")
        }),
    }
}

fn is_invisible(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() || character == ' ';
    }
    use GeneralCategory::*;
    matches!(
        character.general_category(),
        Control
            | Format
            | PrivateUse
            | Unassigned
            | SpaceSeparator
            | LineSeparator
            | ParagraphSeparator
    )
}

fn clean(character: char) -> Option<&'static str> {
    match character {
        ' '..='~' | '\t' | '\n' => None,
        // Zero-width joiner and non-joiner, and tags, which flags of regions consist of.
        '\u{200c}' | '\u{200d}' | '\u{e0020}'..='\u{e007f}' => None,
        '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some("\n"),
        _ if character.is_ascii() => Some(""),
        _ => match character.general_category() {
            GeneralCategory::SpaceSeparator => Some(" "),
            GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned => Some(""),
            _ => None,
        },
    }
}
