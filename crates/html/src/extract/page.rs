//! Text, links and metadata of a page in one pass.

use super::links::{Link, Links, PageUrl};
use super::meta::{Meta, Metadata};
use crate::events::{Element, Events};
use corpus_markup::Name;

/// Combines a listener for text (`Document`, `Paragraphs`, `UzushioParagraphs`, …) with listeners
/// for links and metadata.
#[derive(Debug, Default)]
pub struct Page<T> {
    /// The listener for text.
    pub text: T,
    links: Links,
    meta: Meta,
}

impl<T> Page<T> {
    /// Combines a listener for text with new ones for links and metadata.
    pub fn new(text: T) -> Self {
        Self {
            text,
            links: Links::default(),
            meta: Meta::default(),
        }
    }

    /// The text's listener, the links and the metadata. Addresses are absolute if the address of
    /// the page is given.
    pub fn finish(self, page: Option<&PageUrl>, page_bytes: usize) -> (T, Vec<Link>, Metadata) {
        let url = page.and_then(|page| page.as_ref().ok());
        let links = self.links.finish(page, page_bytes);
        (self.text, links, self.meta.finish(url))
    }
}

impl<T: Events> Events for Page<T> {
    const MOVES_PARTS: bool = T::MOVES_PARTS;

    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        self.text.open(element);
        self.links.open(element);
        self.meta.open(element);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.text.close(name);
        self.links.close(name);
        self.meta.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.text.text(text);
        self.links.text(text);
        self.meta.text(text);
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.text.wants_text() || self.links.wants_text() || self.meta.wants_text()
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.text.more_attributes(element);
        self.links.more_attributes(element);
        self.meta.more_attributes(element);
    }
}
