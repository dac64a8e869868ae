//! The paragraphs of uzushio.

use std::ops::Range;

use super::link_text::LinkText;
use super::paragraph::{Extract, Kind, Record};
use super::paths::{Elements, NodeId, Nodes, PathWriter};
use super::uzushio::{Before, Uzushio, UzushioObserver};
use crate::events::{Element, Events};
use corpus_markup::Name;

/// A listener that extracts the paragraphs of a document like uzushio.
#[derive(Debug, Default)]
pub struct UzushioParagraphs(Uzushio<Places>);

impl UzushioParagraphs {
    /// The document and its paragraphs.
    pub fn finish(self) -> Extract {
        let (document, places) = self.0.into_parts();
        places.extract(document)
    }
}

impl Events for UzushioParagraphs {
    const MOVES_PARTS: bool = false;

    fn open(&mut self, element: &Element<'_>) {
        self.0.open(element);
    }

    fn close(&mut self, name: Name) {
        self.0.close(name);
    }

    fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.0.more_attributes(element);
    }
}

#[derive(Debug, Default)]
struct Places {
    elements: Elements,
    open: Vec<(Name, ParagraphSpan)>,
    /// The last element that opened and separated paragraphs, even if it has closed.
    last_block: Option<ParagraphSpan>,
    paragraphs: Vec<Ended>,
    links: LinkText,
}

#[derive(Debug, Clone, Copy)]
struct ParagraphSpan {
    node: NodeId,
    kind: Kind,
}

#[derive(Debug)]
struct Ended {
    range: Range<usize>,
    place: Option<ParagraphSpan>,
    /// The number of characters in links up to its end.
    link_characters: usize,
}

impl Places {
    fn extract(self, document: String) -> Extract {
        let mut paths = PathWriter::new(&self.elements, document.len());
        let mut records = Vec::with_capacity(self.paragraphs.len());
        let mut links_before = 0;
        for ended in self.paragraphs {
            let path = paths.write(ended.place.map(|place| place.node));
            let kind = ended.place.map_or(Kind::Text, |place| place.kind);
            let links = ended.link_characters - links_before;
            records.push(Record::new(&document, ended.range, path, kind, links));
            links_before = ended.link_characters;
        }
        let paths = paths.paths;
        Extract {
            document,
            paths,
            records,
        }
    }

    fn innermost(&self) -> Option<ParagraphSpan> {
        self.open.last().map(|(_, place)| *place)
    }
}

impl UzushioObserver for Places {
    fn open(&mut self, element: &Element<'_>, separates: bool) {
        let outer = self.innermost();
        let node = self.elements.add(outer.map(|outer| outer.node), element);
        let kind = Kind::of(element.name).or(outer.map(|outer| outer.kind));
        let place = ParagraphSpan {
            node,
            kind: kind.unwrap_or(Kind::Text),
        };
        if separates {
            self.elements.keep(Some(node));
            self.last_block = Some(place);
        }
        self.links.open(element.name);
        self.open.push((element.name, place));
    }

    fn close(&mut self, name: Name) {
        let Some(index) = self.open.iter().rposition(|(open, _)| *open == name) else {
            return;
        };
        let (_, place) = self.open.remove(index);
        self.elements.close(place.node);
        self.links.close(name);
    }

    fn trimmed(&mut self, length: usize) {
        self.links.trimmed(length);
    }

    fn more_of_body(&mut self, element: &Element<'_>) {
        if self
            .open
            .first()
            .is_some_and(|(name, _)| *name == Name::BODY)
        {
            self.elements.add_to_first(element);
        }
    }

    fn written(&mut self, from: usize, text: &str) {
        self.links.written(from, text);
    }

    fn paragraph(&mut self, range: Range<usize>, text: &str, before: Before) {
        self.links.trimmed(range.end);
        // uzushio uses the path of the last block opened, even if it closed before the paragraph's
        // text. Only if the paragraph ends at an end tag does it use the element that ends.
        let place = match before {
            Before::Start => self.last_block.or(self.innermost()),
            Before::End => self.innermost(),
        };
        self.elements.keep(place.map(|place| place.node));
        let link_characters = self.links.count(text);
        self.paragraphs.push(Ended {
            range,
            place,
            link_characters,
        });
    }
}
