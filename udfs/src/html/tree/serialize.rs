//! A part of a tree as HTML, and as text.

use html5ever::LocalName;

use super::arena::{Content, Element, Id, Step, Tree};
use super::names::{Role, is_verbatim, is_void, role};

/// The element as HTML, by the rules of the HTML standard, as if scripts were run or not.
pub fn html(tree: &Tree, root: Id, scripting: bool) -> String {
    let mut html = String::new();
    let mut step = Some(Step::Enter(root));
    while let Some(now) = step {
        match now {
            Step::Enter(id) => match &tree.node(id).content {
                Content::Document => {}
                Content::Element(element) => push_start_tag(&mut html, tree, element),
                Content::Text(text) => {
                    let parent = tree.parent(id).and_then(|parent| tree.element(parent));
                    let is_verbatim = |parent: &Element| {
                        !parent.is_foreign() && is_verbatim(&parent.name, scripting)
                    };
                    if parent.is_some_and(is_verbatim) {
                        html.push_str(text);
                    } else {
                        push_escaped(&mut html, text, false);
                    }
                }
            },
            Step::Leave(id) => {
                if let Some(element) = tree.element(id)
                    && (element.is_foreign() || !is_void(&element.name))
                {
                    html.push_str("</");
                    html.push_str(&element.name);
                    html.push('>');
                }
            }
        }
        step = tree.step(root, now);
    }
    html
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

/// The text within, blocks on lines of their own, white space collapsed. Scripts, styles and
/// templates are no text, unless they are what is asked for.
pub fn text(tree: &Tree, root: Id) -> String {
    let mut lines = Lines::default();
    let mut step = Some(Step::Enter(root));
    while let Some(now) = step {
        let mut now = now;
        match now {
            Step::Enter(id) => match &tree.node(id).content {
                Content::Document => {}
                Content::Text(text) => lines.push(text),
                Content::Element(element) if id != root && is_skipped(element) => {
                    now = Step::Leave(id);
                }
                Content::Element(element) if breaks_line(&element.name) => lines.end(),
                Content::Element(_) => {}
            },
            Step::Leave(id) => {
                if let Some(element) = tree.element(id)
                    && breaks_line(&element.name)
                {
                    lines.end();
                }
            }
        }
        step = tree.step(root, now);
    }
    lines.text
}

fn is_skipped(element: &Element) -> bool {
    matches!(&*element.name, "script" | "style" | "template" | "noscript")
}

fn breaks_line(name: &LocalName) -> bool {
    role(name) == Role::Block || matches!(&**name, "br" | "hr" | "body" | "textarea" | "title")
}

#[derive(Default)]
struct Lines {
    text: String,
    is_space_due: bool,
    is_line_due: bool,
}

impl Lines {
    fn end(&mut self) {
        self.is_line_due = true;
    }

    fn push(&mut self, text: &str) {
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
