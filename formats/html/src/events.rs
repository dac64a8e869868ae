//! What an engine tells of a page, in document order. Two engines speak it: the native one (a
//! tokenizer and a stack of open elements, no tree) and html5ever (a tree that is walked).

use std::borrow::Cow;

use corpus_markup::{Name, NameFilter, RawAttributes};

/// What listens to a page. Events are those of the tree that a browser would build: implied
/// elements (html, head, body, tbody, …) are opened, implied ends are closed.
pub trait Events {
    /// An element opens. Void ones (br, img, …) are opened and closed, too.
    fn open(&mut self, element: &Element<'_>);

    /// The innermost open element of that name closes. That need not be the last one opened: where
    /// formatting elements are misnested (`<b><p></b>`), the native engine closes the outer one
    /// and leaves the inner one open. All others nest. A formatting element that HTML opens again
    /// in the next block ("reconstruct the active formatting elements") is opened again.
    fn close(&mut self, name: Name);

    /// Text, with references decoded and newlines normalized, possibly in several pieces. The
    /// content of script, style, template, title, textarea, noscript … is text or events of theirs
    /// like that of others: who listens decides what it wants by the elements that are open.
    fn text(&mut self, text: &str);

    /// A further html or body tag: the element that is open gets those of its attributes that it
    /// does not have. (A tree has them from the start, so its engine does not tell this.)
    fn more_attributes(&mut self, _element: &Element<'_>) {}
}

/// A start tag.
pub struct Element<'a> {
    pub name: Name,
    /// Inside svg or math (the svg and math elements themselves included).
    pub foreign: bool,
    pub attributes: Attributes<'a>,
}

/// Attributes are read when they are asked for.
pub enum Attributes<'a> {
    /// The bytes of the tag after its name, up to `>`; and which of the names that matter occur
    /// in it (a bit set that the tokenizer fills while it skips them).
    Raw { source: &'a str, names: NameFilter },
    /// From a tree: names and values.
    Parsed(&'a [(&'a str, &'a str)]),
}

impl Element<'_> {
    /// The first attribute of that (lower-case) name, references decoded.
    #[inline]
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        match self.attributes {
            Attributes::Raw { source, names } => RawAttributes { source, names }.value(name),
            Attributes::Parsed(attributes) => attributes
                .iter()
                .find(|(other, _)| *other == name)
                .map(|(_, value)| Cow::Borrowed(*value)),
        }
    }

    /// The element's name as text, lower case.
    pub fn tag(&self) -> Cow<'_, str> {
        self.name.text()
    }
}

/// How a page is to be read.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// As in a browser that runs scripts: the content of noscript is raw text. Otherwise markup.
    pub scripting: bool,
    /// Elements deeper than this are not nested deeper: their text is kept.
    pub max_depth: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scripting: true,
            max_depth: 512,
        }
    }
}
