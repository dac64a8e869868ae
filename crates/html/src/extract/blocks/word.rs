//! The styles of paragraphs in Word and Google Docs.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::roles::MAX_LEVEL;
use crate::events::Element;

/// Finds the style of paragraphs of lists in Word, and of their bullets and numbers.
static LIST: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("mso-list:"));
/// Finders for the classes of styles in Word and of titles in Google Docs.
static CLASSES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["Mso", "title"].map(Finder::new));
/// The indent of each level of a list, by the unit.
const INDENTS: [(&str, f32); 3] = [("in", 0.5), ("pt", 36.0), ("cm", 1.27)];

/// The style of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordStyle {
    /// An item of a list at this level, with its label as text, as in filtered pages.
    Item(u16),
    Heading(u8),
    Quote,
}

/// The style that the class of a paragraph names.
pub fn word_style(element: &Element<'_>) -> Option<WordStyle> {
    let mut finders = CLASSES.iter();
    if !finders.any(|finder| element.may_contain("class", finder)) {
        return None;
    }
    let [class, style, id] = element.attributes(["class", "style", "id"]);
    // The ids of titles and headings in Google Docs.
    let is_google = id.is_some_and(|id| id.starts_with("h."));
    class?.split_ascii_whitespace().find_map(|word| {
        Some(match word {
            "MsoTitle" => WordStyle::Heading(1),
            "MsoSubtitle" => WordStyle::Heading(2),
            "title" if is_google => WordStyle::Heading(1),
            "subtitle" if is_google => WordStyle::Heading(2),
            "MsoQuote" | "MsoIntenseQuote" => WordStyle::Quote,
            _ if word.starts_with("MsoListParagraph") => {
                let level = style.as_deref().and_then(level_of_indent);
                WordStyle::Item(level.unwrap_or(1))
            }
            _ => return None,
        })
    })
}

/// The level of an item with this style: `margin-left:1.0in`.
fn level_of_indent(style: &str) -> Option<u16> {
    let (_, value) = style.split_once("margin-left:")?;
    let value = value.split(';').next()?.trim();
    let level = INDENTS.iter().find_map(|(unit, indent)| {
        let length: f32 = value.strip_suffix(unit)?.trim().parse().ok()?;
        Some((length / indent).round())
    })?;
    Some((level as u16).clamp(1, MAX_LEVEL))
}

/// The name and the level of the list of a paragraph in Word: `mso-list:l0 level2 lfo1`.
pub fn word_list(element: &Element<'_>) -> Option<(String, u16)> {
    let value = list_style(element)?;
    let mut words = value.split_ascii_whitespace();
    let name = words.next()?.to_owned();
    let level: u16 = words.next()?.strip_prefix("level")?.parse().ok()?;
    Some((name, level.clamp(1, MAX_LEVEL)))
}

/// Whether an element has the bullet or number of a paragraph in Word.
pub fn is_label(element: &Element<'_>) -> bool {
    list_style(element).is_some_and(|value| value.eq_ignore_ascii_case("ignore"))
}

fn list_style(element: &Element<'_>) -> Option<String> {
    let may_have = element.may_contain("style", &LIST);
    let style = may_have.then(|| element.attribute("style")).flatten()?;
    let (_, value) = style.split_once("mso-list:")?;
    Some(value.split(';').next()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_from_indents() {
        assert_eq!(
            level_of_indent("margin-left:1.0in;text-indent:-.25in"),
            Some(2)
        );
        assert_eq!(level_of_indent("margin-left: 36pt"), Some(1));
        assert_eq!(level_of_indent("margin-left:9999999cm"), Some(MAX_LEVEL));
        assert_eq!(level_of_indent("text-indent:1in"), None);
    }
}
