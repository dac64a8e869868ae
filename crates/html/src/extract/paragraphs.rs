//! The positions and kinds of the paragraphs of a document, in the default mode.

use std::iter;
use std::ops::Range;

use super::effect::Effect;
use super::flow::{Flow, Observer};
use super::link_text::LinkText;
use super::paragraph::{Extract, Kind, Record};
use super::paths::{Elements, NodeId, Nodes, PathWriter};
use super::tables::Indents;
use crate::events::{Element, Events};
use corpus_markup::Name;

/// A listener that extracts the paragraphs of a document.
///
/// ```
/// use corpus_html::extract::Paragraphs;
/// use corpus_html::{Engine, Options};
///
/// let page = "<h1>Fruit</h1><p class=intro>Apples";
/// let extract = Engine::Native.read(page, &Options::default(), Paragraphs::default).finish();
/// let intro = extract.paragraphs().nth(1).unwrap();
/// assert_eq!((intro.path, intro.text), ("body>p.intro", "Apples"));
/// ```
#[derive(Debug, Default)]
pub struct Paragraphs(Flow<Positions<Elements>>);

impl Paragraphs {
    /// A listener for the paragraphs of a flow.
    pub fn of(flow: Flow<Positions<Elements>>) -> Self {
        Self(flow)
    }

    /// The document and its paragraphs.
    pub fn finish(self) -> Extract {
        let (document, positions) = self.0.into_parts();
        let (elements, places) = positions.finish(&document);
        let mut paths = PathWriter::new(&elements, document.len());
        let records = places.map(|place| {
            let path = paths.write(place.node);
            let ParagraphSpan { text, kind, .. } = place;
            Record::new(&document, text, path, kind, place.link_characters)
        });
        let records = records.collect();
        let paths = paths.paths;
        Extract {
            document,
            paths,
            records,
        }
    }
}

impl Events for Paragraphs {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        self.0.open(element);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.0.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.0.wants_text()
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.0.more_attributes(element);
    }
}

/// The position of a paragraph.
#[derive(Debug)]
pub struct ParagraphSpan {
    pub text: Range<usize>,
    pub kind: Kind,
    /// The innermost block that contains all of it.
    pub node: Option<NodeId>,
    pub link_characters: usize,
    /// The number of visible bytes from the alternative texts of linked pictures.
    pub picture_bytes: usize,
}

/// The start of paragraphs, and the elements around them.
#[derive(Debug, Default)]
pub struct Positions<N> {
    elements: N,
    open: Vec<Open>,
    paragraphs: Vec<Start>,
    /// The last item, row or cell of the last paragraph, which may become a separate paragraph, and
    /// the node of the paragraph without it.
    item: Option<(Start, Option<NodeId>)>,
    /// The number of open elements that were already open when text was last written.
    unchanged: usize,
    links: LinkText,
}

#[derive(Debug)]
struct Open {
    name: Name,
    node: NodeId,
    kind: Kind,
    /// The index of the innermost block, which may be the element itself.
    block: usize,
    is_link: bool,
}

#[derive(Debug)]
struct Start {
    at: usize,
    kind: Kind,
    /// The index in `open` of the innermost block that contains all its text so far.
    block: usize,
    node: Option<NodeId>,
    /// The number of characters in links before it.
    link_characters: usize,
    picture_bytes: usize,
}

impl Start {
    /// Widens the block so that it also contains text in the block `here`.
    #[inline]
    fn widen<N: Nodes>(&mut self, here: usize, unchanged: usize, open: &[Open], elements: &mut N) {
        let common = here.min(unchanged.saturating_sub(1));
        if common < self.block {
            self.block = open.get(common).map_or(0, |open| open.block);
            self.node = open.get(self.block).map(|open| open.node);
            elements.keep(self.node);
        }
    }
}

impl<N: Nodes> Positions<N> {
    /// Widens the last paragraph and item, because text is written in the innermost element.
    #[inline]
    fn widen(&mut self) {
        let here = self.open.last().map_or(0, |open| open.block);
        let item = self.item.as_mut().map(|(start, _)| start);
        for start in self.paragraphs.last_mut().into_iter().chain(item) {
            start.widen(here, self.unchanged, &self.open, &mut self.elements);
        }
        self.unchanged = self.open.len();
    }

    /// A paragraph or item that starts at the end of `text`.
    fn start(&mut self, text: &str) -> Start {
        let link_characters = self.links.count(text);
        let innermost = self.open.last();
        let block = innermost.map_or(0, |open| open.block);
        let node = self.open.get(block).map(|open| open.node);
        self.elements.keep(node);
        Start {
            at: text.len(),
            kind: innermost.map_or(Kind::Text, |open| open.kind),
            block,
            node,
            link_characters,
            picture_bytes: 0,
        }
    }

    /// The nodes, and the positions of the paragraphs.
    pub fn finish(mut self, document: &str) -> (N, impl Iterator<Item = ParagraphSpan>) {
        let length = document.len();
        let link_characters = self.links.count(document);
        let mut starts = self.paragraphs.into_iter().peekable();
        let places = iter::from_fn(move || {
            let start = starts.next()?;
            let next = starts.peek();
            let end = next.map_or(length, |next| next.at.saturating_sub("\n\n".len()));
            let links_at_end = next.map_or(link_characters, |next| next.link_characters);
            Some(ParagraphSpan {
                text: start.at..end,
                kind: start.kind,
                node: start.node,
                link_characters: links_at_end - start.link_characters,
                picture_bytes: start.picture_bytes,
            })
        });
        (self.elements, places)
    }

    /// Adjusts indexes after an element was removed from inside the list of open ones.
    fn renumber(&mut self, removed: usize) {
        let shift = |index: &mut usize| {
            if *index > removed {
                *index -= 1;
            }
        };
        self.open
            .iter_mut()
            .skip(removed)
            .for_each(|open| shift(&mut open.block));
        self.paragraphs
            .last_mut()
            .into_iter()
            .for_each(|start| shift(&mut start.block));
        self.item
            .iter_mut()
            .for_each(|(start, _)| shift(&mut start.block));
    }
}

impl<N: Nodes> Observer for Positions<N> {
    fn open(&mut self, element: &Element<'_>, effect: Effect) {
        // Paths start at body.
        if element.name == Name::HTML {
            return;
        }
        let outer = self.open.last();
        let kind = Kind::of(element.name).or(outer.map(|outer| outer.kind));
        let block = match outer {
            Some(outer) if !effect.is_block() => outer.block,
            _ => self.open.len(),
        };
        let node = self.elements.add(outer.map(|outer| outer.node), element);
        let kind = kind.unwrap_or(Kind::Text);
        let is_link = is_link(element) && self.elements.counts_link(element, kind);
        if is_link {
            self.links.open(element.name);
        }
        self.open.push(Open {
            name: element.name,
            node,
            kind,
            block,
            is_link,
        });
    }

    fn close(&mut self, name: Name) {
        let Some(index) = self.open.iter().rposition(|open| open.name == name) else {
            return;
        };
        let open = self.open.remove(index);
        self.elements.close(open.node);
        if open.is_link {
            self.links.close(name);
        }
        if index < self.unchanged {
            self.unchanged -= 1;
        }
        if index < self.open.len() {
            self.renumber(index);
        }
    }

    fn more_of_body(&mut self, element: &Element<'_>) {
        if self
            .open
            .first()
            .is_some_and(|open| open.name == Name::BODY)
        {
            self.elements.add_to_first(element);
        }
    }

    fn paragraph(&mut self, text: &str, has_blocks: bool) {
        self.item = None;
        self.unchanged = self.open.len();
        let mut start = self.start(text);
        // A cell with several blocks is usually layout, so its blocks are not a table.
        if has_blocks && start.kind == Kind::Table {
            start.kind = Kind::Text;
            if let Some(last) = self.paragraphs.last_mut()
                && last.kind == Kind::Table
            {
                last.kind = Kind::Text;
            }
        }
        self.paragraphs.push(start);
    }

    fn item(&mut self, text: &str) {
        let node = self.paragraphs.last().and_then(|start| start.node);
        self.widen();
        self.item = Some((self.start(text), node));
    }

    fn split(&mut self, growth: isize) {
        if let Some((mut item, node)) = self.item.take() {
            if let Some(last) = self.paragraphs.last_mut() {
                last.node = node;
                last.picture_bytes = last.picture_bytes.saturating_sub(item.picture_bytes);
            }
            item.at = item.at.saturating_add_signed(growth);
            self.links
                .move_text(|position| position.saturating_add_signed(growth));
            self.paragraphs.push(item);
        }
    }

    fn indented(&mut self, indents: &Indents) {
        if let Some((item, _)) = &mut self.item {
            item.at = indents.moved(item.at);
        }
        self.links.move_text(|position| indents.moved(position));
    }

    #[inline]
    fn written(&mut self, from: usize, text: &str) {
        self.widen();
        self.links.written(from, text);
    }

    fn pictures(&mut self, words: &str) {
        let bytes = visible_bytes(words);
        let item = self.item.as_mut().map(|(start, _)| start);
        for start in self.paragraphs.last_mut().into_iter().chain(item) {
            start.picture_bytes += bytes;
        }
    }

    fn rewritten(&mut self, from: usize, text: &str) {
        self.links.rewritten(from, text);
    }

    fn trimmed(&mut self, text: &str) {
        self.links.trimmed(text.len());
    }
}

/// The number of bytes other than white space.
fn visible_bytes(text: &str) -> usize {
    text.bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
}

impl ParagraphSpan {
    /// Whether the paragraph consists of pictures in links.
    pub fn is_pictures(&self, document: &str) -> bool {
        self.picture_bytes > 0
            && visible_bytes(document.get(self.text.clone()).unwrap_or_default())
                <= self.picture_bytes
    }
}

/// Whether an element is a link. `<a name=…>` is only a target, and often not closed, so that it
/// contains the following text.
fn is_link(element: &Element<'_>) -> bool {
    element.name == Name::A
        && (element.attribute("name").is_none() || element.attribute("href").is_some())
}
