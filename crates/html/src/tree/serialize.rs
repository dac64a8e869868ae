//! Serializes nodes of a tree as HTML and as text.

use html5ever::LocalName;

use super::arena::{Content, Element, Id, Tree};
use super::names::{ElementRole, is_verbatim, is_void, role};

/// Appends the HTML of a node before its children. `scripting` determines the form of noscript.
pub fn push_start(html: &mut String, tree: &Tree, id: Id, scripting: bool) {
    match &tree.node(id).content {
        Content::Document => {}
        Content::Element(element) => push_start_tag(html, tree, element),
        Content::Text(text) => {
            let parent = tree.parent(id).and_then(|parent| tree.element(parent));
            let is_verbatim =
                |parent: &Element| !parent.is_foreign() && is_verbatim(&parent.name, scripting);
            if parent.is_some_and(is_verbatim) {
                html.push_str(text);
            } else {
                push_escaped(html, text, false);
            }
        }
    }
}

/// Appends the end tag of an element, if it has one.
pub fn push_end(html: &mut String, element: &Element) {
    if element.is_foreign() || !is_void(&element.name) {
        html.push_str("</");
        html.push_str(&element.name);
        html.push('>');
    }
}

fn push_start_tag(html: &mut String, tree: &Tree, element: &Element) {
    html.push('<');
    html.push_str(&element.name);
    for attribute in tree.attributes(element) {
        html.push(' ');
        html.push_str(&attribute.name);
        html.push_str("=\"");
        push_escaped(html, &attribute.value, true);
        html.push('"');
    }
    html.push('>');
}

fn push_escaped(html: &mut String, text: &str, is_attribute: bool) {
    let is_special = |c: char| match c {
        '&' | '\u{a0}' | '<' | '>' => true,
        '"' => is_attribute,
        _ => false,
    };
    for part in text.split_inclusive(is_special) {
        let special = part.chars().next_back().filter(|c| is_special(*c));
        let plain = part.len() - special.map_or(0, char::len_utf8);
        html.push_str(part.get(..plain).unwrap_or_default());
        html.push_str(match special {
            Some('&') => "&amp;",
            Some('\u{a0}') => "&nbsp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some(_) => "&quot;",
            None => "",
        });
    }
}

/// Whether the element's content does not belong to the text of the elements around it.
pub fn is_skipped(element: &Element) -> bool {
    matches!(&*element.name, "script" | "style" | "template" | "noscript")
}

/// Whether lines end where the element starts and ends.
pub fn breaks_line(name: &LocalName) -> bool {
    role(name) == ElementRole::Block
        || matches!(&**name, "br" | "hr" | "body" | "textarea" | "title")
}

/// Text with blocks on separate lines and collapsed white space.
#[derive(Debug, Default)]
pub struct Lines {
    pub text: String,
    is_space_due: bool,
    is_line_due: bool,
}

impl Lines {
    /// Ends the line before the next word.
    pub fn end(&mut self) {
        self.is_line_due = true;
    }

    pub fn push(&mut self, text: &str) {
        let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{a0}';
        self.is_space_due |= text.starts_with(is_space);
        for word in text.split(is_space).filter(|word| !word.is_empty()) {
            if !self.text.is_empty() && self.is_line_due {
                self.text.push('\n');
            } else if !self.text.is_empty() && self.is_space_due {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.is_line_due = false;
            self.is_space_due = true;
        }
        self.is_space_due = text.ends_with(is_space);
    }
}
