//! Elements whose content is not part of the text.

use memchr::{memchr, memchr2_iter};

use crate::events::{Attributes, Element};
use corpus_markup::Name;

/// Tracks whether the current position is inside a hidden element. Counts open elements with its
/// name, because an end tag closes the innermost of them; nothing else inside it matters.
#[derive(Debug, Default)]
pub struct HiddenScope {
    name: Option<Name>,
    depth: usize,
}

impl HiddenScope {
    #[inline(always)]
    pub fn is_inside(&self) -> bool {
        self.depth > 0
    }

    pub fn enter(&mut self, name: Name) {
        self.name = Some(name);
        self.depth = 1;
    }

    #[inline]
    pub fn open(&mut self, name: Name) {
        if self.name == Some(name) {
            self.depth += 1;
        }
    }

    #[inline]
    pub fn close(&mut self, name: Name) {
        if self.name == Some(name) {
            self.depth = self.depth.saturating_sub(1);
        }
    }
}

/// How an element is shown according to its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Display {
    /// Like other elements with its name.
    Usual,
    Hidden,
    Block,
    /// A box that is separate from its neighbors: a cell.
    Box,
    /// A block whose children are boxes.
    Flexible,
    /// The same, within a line.
    InlineFlexible,
}

/// Whether an attribute hides the element.
#[inline]
pub fn is_hidden(element: &Element<'_>) -> bool {
    display(element) == Display::Hidden
}

/// Returns how an element is shown according to its attributes. html and body are never hidden,
/// because scripts show them after loading.
#[inline]
pub fn display(element: &Element<'_>) -> Display {
    // Returns early for most tags, and for most styles without parsing them.
    let may_be_hidden = match element.attributes {
        Attributes::Raw { names, source } => {
            names.may_have("hidden")
                || names.may_have("aria-hidden")
                || (names.may_have("style") && may_style_display(source))
        }
        Attributes::Parsed(attributes) => !attributes.is_empty(),
    };
    if may_be_hidden && !matches!(element.name, Name::HTML | Name::BODY) {
        display_of_attributes(element)
    } else {
        Display::Usual
    }
}

/// Returns how an inline element with the role of a row or cell is shown. Style sheets display it
/// as a row or cell.
#[inline]
pub fn display_of_role(element: &Element<'_>) -> Display {
    if element.name != Name::SPAN {
        return Display::Usual;
    }
    let role = element.attribute("role");
    role.map_or(Display::Usual, |role| named_role(role.trim()))
}

#[cold]
fn named_role(role: &str) -> Display {
    let is_any = |roles: &[&str]| roles.iter().any(|known| role.eq_ignore_ascii_case(known));
    if is_any(&["cell", "gridcell", "columnheader", "rowheader"]) {
        Display::Box
    } else if is_any(&["row", "rowgroup", "table", "grid"]) {
        Display::Block
    } else {
        Display::Usual
    }
}

fn display_of_attributes(element: &Element<'_>) -> Display {
    let [hidden, style, decoration] = element.attributes(["hidden", "style", "aria-hidden"]);
    // Browsers reveal "until-found" when its text is searched.
    let is_hidden = hidden.is_some_and(|value| !value.trim().eq_ignore_ascii_case("until-found"))
        || decoration.is_some_and(|value| value.trim().eq_ignore_ascii_case("true"));
    match style {
        _ if is_hidden => Display::Hidden,
        Some(style) => display_of_style(&style),
        None => Display::Usual,
    }
}

/// Whether a hidden list item is counted: yes with `visibility:hidden`, no with `hidden` or
/// `display:none`.
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

/// How an inline style shows the element. The last value of each property counts.
fn display_of_style(style: &str) -> Display {
    if !may_name_display(style) {
        return Display::Usual;
    }
    let mut display = Display::Usual;
    let mut is_invisible = false;
    let mut is_skipped = false;
    for (property, value) in declarations(style) {
        if is_display(property) {
            display = display_of_value(value);
        } else if property.eq_ignore_ascii_case("visibility") {
            is_invisible =
                value.eq_ignore_ascii_case("hidden") || value.eq_ignore_ascii_case("collapse");
        } else if property.eq_ignore_ascii_case("content-visibility") {
            is_skipped = value.eq_ignore_ascii_case("hidden");
        }
    }
    if is_invisible || is_skipped {
        return Display::Hidden;
    }
    display
}

fn display_of_value(value: &str) -> Display {
    const VALUES: [(&str, Display); 15] = [
        ("none", Display::Hidden),
        ("block", Display::Block),
        ("flow-root", Display::Block),
        ("list-item", Display::Block),
        ("table", Display::Block),
        ("table-row", Display::Block),
        ("table-caption", Display::Block),
        ("table-cell", Display::Box),
        ("flex", Display::Flexible),
        ("grid", Display::Flexible),
        ("-webkit-box", Display::Flexible),
        ("-webkit-flex", Display::Flexible),
        ("-ms-flexbox", Display::Flexible),
        ("inline-flex", Display::InlineFlexible),
        ("inline-grid", Display::InlineFlexible),
    ];
    let mut known = VALUES.iter();
    let known = known.find(|(name, _)| value.eq_ignore_ascii_case(name));
    known.map_or(Display::Usual, |(_, display)| *display)
}

/// Whether the source of attributes may contain a style that names `display` or `visibility`.
fn may_style_display(source: &str) -> bool {
    may_name_display(source) || memchr(b'&', source.as_bytes()).is_some()
}

/// Whether a style contains `display` or `visibility`. They end with `y`, as few others do.
fn may_name_display(style: &str) -> bool {
    let bytes = style.as_bytes();
    memchr2_iter(b'y', b'Y', bytes).any(|at| {
        let before = bytes.get(..=at).unwrap_or_default();
        let ends_with = |name: &str| {
            let found = before.len().checked_sub(name.len());
            let found = found.and_then(|start| before.get(start..));
            found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        };
        ends_with("display") || ends_with("visibility")
    })
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
            "content-visibility: hidden",
        ] {
            assert_eq!(display_of_style(style), Display::Hidden, "{style}");
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
            "content-visibility:auto",
        ] {
            assert_ne!(display_of_style(style), Display::Hidden, "{style}");
        }
    }

    #[test]
    fn styles_that_separate() {
        for (style, display) in [
            ("display:block", Display::Block),
            ("display: none; Display: TABLE !important", Display::Block),
            ("display:flex", Display::Flexible),
            ("display:inline-grid", Display::InlineFlexible),
            ("display:table-cell", Display::Box),
            ("display:inline-block", Display::Usual),
            ("list-style:block", Display::Usual),
        ] {
            assert_eq!(display_of_style(style), display, "{style}");
        }
    }

    #[test]
    fn a_hidden_scope_ends_with_its_own_element() {
        let mut hidden = HiddenScope::default();
        hidden.enter(Name::DIV);
        hidden.open(Name::DIV);
        hidden.open(Name::P);
        hidden.close(Name::P);
        hidden.close(Name::DIV);
        assert!(hidden.is_inside());
        hidden.close(Name::DIV);
        assert!(!hidden.is_inside());
    }
}
