//! The parts of documents of LaTeXML (arXiv, ar5iv), which their classes declare.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::code::known_language;
use crate::events::Element;

/// The start of all classes of LaTeXML.
static CLASS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ltx_"));
const LANGUAGE: &str = "ltx_lst_language_";

/// A part that its element alone does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LatexPart {
    /// Code whose lines are elements, and its language.
    Listing(Option<Box<str>>),
    /// A link to a copy of the code that follows.
    Source,
    /// The bullet, number or label of an item.
    Tag,
    /// A note, inside the text and after its mark.
    Note,
}

pub fn latex_part(element: &Element<'_>) -> Option<LatexPart> {
    let may_be = element.may_contain("class", &CLASS);
    let classes = may_be.then(|| element.attribute("class")).flatten()?;
    let mut words = classes.split_ascii_whitespace();
    words.find_map(|word| {
        Some(match word {
            "ltx_listing" => {
                let mut words = classes.split_ascii_whitespace();
                let language = words.find_map(|word| word.strip_prefix(LANGUAGE));
                LatexPart::Listing(language.and_then(known_language))
            }
            "ltx_listing_data" => LatexPart::Source,
            "ltx_tag_item" | "ltx_tag_bibitem" => LatexPart::Tag,
            "ltx_note_outer" => LatexPart::Note,
            _ => return None,
        })
    })
}
