//! Elements whose content is no text of the document.

use crate::events::{Attributes, Element};
use corpus_markup::Name;

/// Down while the reader is inside a hidden element: counts the elements of its name, since an
/// end closes the innermost one of that name, and nothing else in there matters.
#[derive(Debug, Default)]
pub struct Veil {
    lifted_by: Option<Name>,
    depth: usize,
}

impl Veil {
    #[inline(always)]
    pub fn is_down(&self) -> bool {
        self.depth > 0
    }

    pub fn drop_for(&mut self, name: Name) {
        self.lifted_by = Some(name);
        self.depth = 1;
    }

    #[inline]
    pub fn open(&mut self, name: Name) {
        if self.lifted_by == Some(name) {
            self.depth += 1;
        }
    }

    #[inline]
    pub fn close(&mut self, name: Name) {
        if self.lifted_by == Some(name) {
            self.depth = self.depth.saturating_sub(1);
        }
    }
}

/// Whether the author hides the element by an attribute. html and body never are: scripts show
/// such pages once they are loaded.
#[inline]
pub fn is_hidden(element: &Element<'_>) -> bool {
    // Most tags are done with here.
    let may_say = match element.attributes {
        Attributes::Raw { names, .. } => {
            names.may_have("hidden") || names.may_have("style") || names.may_have("aria-hidden")
        }
        Attributes::Parsed(attributes) => !attributes.is_empty(),
    };
    may_say && !matches!(element.name, Name::HTML | Name::BODY) && says_hidden(element)
}

fn says_hidden(element: &Element<'_>) -> bool {
    // "until-found" is text that a search in the page opens.
    element
        .attribute("hidden")
        .is_some_and(|value| !value.trim().eq_ignore_ascii_case("until-found"))
        || element
            .attribute("style")
            .is_some_and(|style| style_hides(&style))
        || element
            .attribute("aria-hidden")
            .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}

/// Whether a hidden list item is counted nevertheless: it is invisible, but has its place.
pub fn has_place(element: &Element<'_>) -> bool {
    let is_removed = |style: &str| {
        let mut displays = declarations(style).filter(|(name, _)| is_display(name));
        displays
            .next_back()
            .is_some_and(|(_, value)| is_none(value))
    };
    element.attribute("hidden").is_none()
        && !element
            .attribute("style")
            .is_some_and(|style| is_removed(&style))
}

/// Whether an inline style hides the element: the last `display` and `visibility` count.
fn style_hides(style: &str) -> bool {
    let mut no_display = false;
    let mut invisible = false;
    for (property, value) in declarations(style) {
        if is_display(property) {
            no_display = is_none(value);
        } else if property.eq_ignore_ascii_case("visibility") {
            invisible =
                value.eq_ignore_ascii_case("hidden") || value.eq_ignore_ascii_case("collapse");
        }
    }
    no_display || invisible
}

fn is_display(property: &str) -> bool {
    property.eq_ignore_ascii_case("display")
}

fn is_none(value: &str) -> bool {
    value.eq_ignore_ascii_case("none")
}

/// The properties and values of an inline style, without `!important`.
pub fn declarations(style: &str) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    style.split(';').filter_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        let value = value.split('!').next().unwrap_or_default();
        Some((property.trim(), value.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_hide() {
        for style in [
            "display:none",
            " DISPLAY : None ;",
            "color:red;display:none!important",
            "display:block;display: none ! important",
            "visibility:hidden",
            "visibility: collapse",
            "a:b:c;;x;visibility:hidden",
        ] {
            assert!(style_hides(style), "{style}");
        }
    }

    #[test]
    fn styles_that_do_not() {
        for style in [
            "",
            "display",
            "display:inline",
            "display:none;display:block",
            "overflow:hidden",
            "list-style:none",
            "visibility:visible",
            "backface-visibility:hidden",
        ] {
            assert!(!style_hides(style), "{style}");
        }
    }

    #[test]
    fn the_veil_is_lifted_by_the_end_of_its_own_element() {
        let mut veil = Veil::default();
        veil.drop_for(Name::DIV);
        veil.open(Name::DIV);
        veil.open(Name::P);
        veil.close(Name::P);
        veil.close(Name::DIV);
        assert!(veil.is_down());
        veil.close(Name::DIV);
        assert!(!veil.is_down());
    }
}
