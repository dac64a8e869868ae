//! Makes blocks and containers of the events of a page.

use super::hints::Hint;
use super::{Block, Container, main_blocks, weight};
use crate::html::events::{Element, Events};
use crate::markup::Name;

/// Listens to a page, and knows its blocks afterwards.
pub struct Collector {
    containers: Vec<Container>,
    blocks: Vec<Block>,
    open: Vec<Open>,
    hidden: usize,
    links: usize,
    text: String,
    link_weight: u32,
    is_space_due: bool,
}

struct Open {
    name: Name,
    /// The container that it is, if it is a block-level element.
    container: Option<usize>,
    is_heading: bool,
    hides: bool,
    links: bool,
}

impl Default for Collector {
    fn default() -> Self {
        let page = Container {
            parent: 0,
            hint: Hint::Neutral,
        };
        Self {
            containers: vec![page],
            blocks: Vec::new(),
            open: Vec::new(),
            hidden: 0,
            links: 0,
            text: String::new(),
            link_weight: 0,
            is_space_due: false,
        }
    }
}

impl Collector {
    /// After the page: its main content, one block a line.
    pub fn main_text(&mut self) -> String {
        self.end_block();
        let blocks = main_blocks(&self.containers, &self.blocks);
        let texts: Vec<&str> = blocks.iter().map(|block| &*block.text).collect();
        texts.join("\n")
    }

    fn end_block(&mut self) {
        let text = self.text.trim_end();
        if !text.is_empty() {
            let mut blocks = self
                .open
                .iter()
                .rev()
                .filter(|open| open.container.is_some());
            let block = blocks.next();
            self.blocks.push(Block {
                text: text.to_owned(),
                container: block.and_then(|open| open.container).unwrap_or(0),
                is_heading: block.is_some_and(|open| open.is_heading),
                weight: weight(text),
                link_weight: self.link_weight,
            });
        }
        self.text.clear();
        self.link_weight = 0;
        self.is_space_due = false;
    }
}

impl Events for Collector {
    fn open(&mut self, element: &Element<'_>) {
        let tag = element.tag();
        if &*tag == "br" {
            self.is_space_due = false;
            if !self.text.is_empty() {
                self.text.push('\n');
            }
        }
        let is_block = is_block(&tag) && !element.foreign;
        let mut container = None;
        if is_block {
            self.end_block();
            let parent = self.open.iter().rev().find_map(|open| open.container);
            let classes = ["class", "id", "role"].map(|name| element.attribute(name));
            let hint = Hint::of(&tag, classes.iter().filter_map(|class| class.as_deref()));
            self.containers.push(Container {
                parent: parent.unwrap_or(0),
                hint,
            });
            container = Some(self.containers.len() - 1);
        }
        let hides = element.foreign || is_hidden(&tag, element);
        let links = &*tag == "a" && element.attribute("href").is_some();
        self.hidden += usize::from(hides);
        self.links += usize::from(links);
        self.open.push(Open {
            name: element.name,
            container,
            is_heading: is_heading(&tag),
            hides,
            links,
        });
    }

    fn close(&mut self, name: Name) {
        let Some(at) = self.open.iter().rposition(|open| open.name == name) else {
            return;
        };
        if self
            .open
            .get(at)
            .is_some_and(|open| open.container.is_some())
        {
            self.end_block();
        }
        let open = self.open.remove(at);
        self.hidden -= usize::from(open.hides);
        self.links -= usize::from(open.links);
    }

    fn text(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{a0}';
        self.is_space_due |= text.starts_with(is_space);
        for word in text.split(is_space).filter(|word| !word.is_empty()) {
            if self.is_space_due && !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.text.push_str(word);
            if self.links > 0 {
                self.link_weight = self.link_weight.saturating_add(weight(word));
            }
            self.is_space_due = true;
        }
        self.is_space_due = text.ends_with(is_space);
    }
}

fn is_hidden(tag: &str, element: &Element<'_>) -> bool {
    let is_none = |style: &str| {
        let style = style.replace(' ', "");
        style.contains("display:none") || style.contains("visibility:hidden")
    };
    matches!(
        tag,
        "script"
            | "style"
            | "template"
            | "noscript"
            | "head"
            | "iframe"
            | "object"
            | "select"
            | "textarea"
            | "button"
            | "audio"
            | "video"
            | "canvas"
            | "rt"
            | "rp"
    ) || element.attribute("hidden").is_some()
        || element
            .attribute("style")
            .is_some_and(|style| is_none(&style))
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn is_block(tag: &str) -> bool {
    matches!(
        tag,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "optgroup"
            | "option"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}
