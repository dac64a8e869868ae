//! The main content of a page: its article, without menus, teasers, comments and boilerplate.
//!
//! The result is a part of the document (`html_document`): some of its paragraphs, unchanged. Here
//! these are called blocks. The container of a block is the innermost element around all of it. A
//! list or a table is one block, so it is kept or dropped as a whole.
//!
//! 1. The **headline** is the block that repeats a declared title of the page (`headline`). The
//!    article starts there.
//! 2. **Hints**: the names, classes and ids of elements distinguish content from its surroundings
//!    (`hints`). A word that would drop most of the page is ignored there (`misleading`), and so
//!    are hints on an element that has most of the text.
//! 3. Blocks of running text raise the score of all containers around them; links and short lines
//!    lower it. The container with the highest score holds the main content.
//! 4. Inside it, link blocks, everything before the headline, short lines around the running text,
//!    and teasers after it are dropped (`page`, `teasers`). So are paragraphs that the page repeats
//!    elsewhere (`repeated`).
//!
//! If little text is left, the page has no article in the usual sense, and the result is all text
//! around the headline. If that is also little, the page consists of links, such as products or
//! threads, which are kept with everything else below the headline except menus and the like. A
//! list of offers with most of the text is kept as a whole (`offers`). The result is empty only if
//! the document is. The kind of the page decides about its other parts (`page`, `kind`): products
//! have no other offers, forums no labels. Hidden panels of tabs and accordions count as shown. If
//! a page shows hardly any text, other hidden elements are included as well, because scripts may
//! show them.
//!
//! The algorithm uses no words of any language, and its time is linear in the page.
//!
//! ```text
//! block        paragraphs and their scores
//! containers   the elements around the paragraphs
//! page         selects the blocks
//! headline     the headline
//! summary      a summary before the article
//! hints        names, classes and ids
//! misleading   hints to ignore
//! words        the words of hints
//! declared     the kinds that JSON-LD and meta elements declare
//! item         the kind that microdata declares
//! kind         the kind of the page
//! evidence     the evidence for it
//! parts        counts of elements and names
//! offers       lists of offers
//! teasers      teasers of other pages
//! thread       the posts of a thread
//! repeated     repeated paragraphs
//! linked_data  the text of products and articles in JSON-LD
//! address      the address that the page declares
//! weight       the amount of text
//! ```

mod address;
mod block;
mod containers;
mod declared;
mod evidence;
mod headline;
mod hints;
mod item;
mod kind;
mod linked_data;
mod misleading;
mod offers;
mod page;
mod parts;
mod repeated;
mod summary;
mod teasers;
mod thread;
mod weight;
mod words;

#[cfg(test)]
mod tests;

use block::Block;
use containers::Containers;
use declared::Declared;
use headline::Titles;
pub use kind::PageKind;
use linked_data::DeclaredText;
use page::Page;
use parts::Elements;

use super::engine::Engine;
use super::events::{Attributes, Element, Events, Options};
use super::extract::{Addresses, BlockObservers, Flow, Kind, Meta, Metadata, Observer, Positions};
use super::hidden::is_hidden;
use corpus_blocks::select::select;
use corpus_markup::Name;
use url::Url;

/// Minimum weight of running text that is an article. Below it, the article may be in a hidden
/// element.
const MIN_SHOWN_WEIGHT: f32 = 250.0;
/// Minimum weight of the running text with hidden elements for them to be included.
const MIN_HIDDEN_WEIGHT: f32 = 1000.0;

/// Parts of the classes of panels that a tab or a heading opens.
const PANELS: [&str; 6] = [
    "accordion",
    "collaps",
    "faq",
    "tab-content",
    "tab-pane",
    "tabpane",
];

/// Returns the main content: paragraphs of the document, separated by blank lines.
pub fn main_text(engine: Engine, options: &Options, page: &str) -> String {
    main_content(engine, options, page, || ()).text
}

/// Returns the main content, as [`main_text`], and the kind of the page.
///
/// ```
/// use corpus_html::main_text::{PageKind, main_text_and_kind};
/// use corpus_html::{Engine, Options};
///
/// let page = "<meta property=og:type content=product><h1>Boots</h1><p>Warm and dry.";
/// let (text, kind) = main_text_and_kind(Engine::Native, &Options::default(), page);
/// assert_eq!(text, "Boots\n\nWarm and dry.");
/// assert_eq!(kind, PageKind::Product);
/// ```
pub fn main_text_and_kind(engine: Engine, options: &Options, page: &str) -> (String, PageKind) {
    let main = main_content(engine, options, page, || ());
    (main.text, main.kind)
}

/// Returns the main content, the kind of the page and its metadata, read in one pass. Addresses are
/// absolute if the address of the page is given.
///
/// ```
/// use corpus_html::main_text::main_text_and_metadata;
/// use corpus_html::{Engine, Options};
///
/// let page = "<title>Fruit</title><h1>Fruit</h1><p>Apples are ripe.";
/// let (text, _, meta) = main_text_and_metadata(Engine::Native, &Options::default(), page, None);
/// assert_eq!(text, "Fruit\n\nApples are ripe.");
/// assert_eq!(meta.title.as_deref(), Some("Fruit"));
/// ```
pub fn main_text_and_metadata(
    engine: Engine,
    options: &Options,
    page: &str,
    url: Option<&Url>,
) -> (String, PageKind, Metadata) {
    let collector = |reads_hidden| Collector::new((), reads_hidden);
    let (shown, meta) = engine.read(page, options, || (collector(false), Meta::default()));
    let all = || engine.read(page, options, || collector(true)).finish();
    let main = with_hidden_if_needed(shown.finish(), all);
    (main.text, main.kind, meta.finish(url))
}

/// Returns the main content as blocks.
///
/// ```
/// use corpus_blocks::markdown::{self, markdown};
/// use corpus_html::extract::Addresses;
/// use corpus_html::main_text::main_blocks;
/// use corpus_html::{Engine, Options};
///
/// let page = "<ul><li><a href=/>Home</a></ul><h1>Fruit</h1><p>Apples are <b>ripe</b>.";
/// let blocks = main_blocks(Engine::Native, &Options::default(), page, &Addresses::None);
/// let text = markdown(&blocks, &markdown::Options::default());
/// assert_eq!(text, "# Fruit\n\nApples are **ripe**.");
/// ```
pub fn main_blocks(
    engine: Engine,
    options: &Options,
    page: &str,
    addresses: &Addresses,
) -> Vec<corpus_blocks::Block> {
    let observers = BlockObservers::new(engine, options, page, addresses);
    let main = main_content(engine, options, page, || observers.start());
    if let Some(declared) = main.declared {
        return declared.blocks();
    }
    let mut is_main = Vec::new();
    for paragraph in main.headline.into_iter().chain(main.paragraphs) {
        is_main.resize(is_main.len().max(paragraph + 1), false);
        if let Some(is_main) = is_main.get_mut(paragraph) {
            *is_main = true;
        }
    }
    let is_main = |paragraph: usize| is_main.get(paragraph).copied().unwrap_or_default();
    select(main.observer.finish(), &is_main)
}

/// Selects the main content, and observes the whole text.
fn main_content<M: Observer>(
    engine: Engine,
    options: &Options,
    page: &str,
    observer: impl Fn() -> M,
) -> MainText<M> {
    let collector = |reads_hidden| {
        let read = engine.read(page, options, || Collector::new(observer(), reads_hidden));
        read.finish()
    };
    with_hidden_if_needed(collector(false), || collector(true))
}

/// Returns the main content that is shown, or the main content with hidden elements if the former
/// is too short.
fn with_hidden_if_needed<M>(shown: MainText<M>, all: impl FnOnce() -> MainText<M>) -> MainText<M> {
    if shown.running_weight >= MIN_SHOWN_WEIGHT || !shown.has_hidden {
        return shown;
    }
    let all = all();
    // Scripts show lists of offers, too.
    if all.running_weight >= MIN_HIDDEN_WEIGHT || (all.has_offers && !shown.has_offers) {
        return all;
    }
    shown
}

/// Collects the blocks of a page, the elements around them, and the titles of the page.
#[derive(Debug)]
struct Collector<M> {
    flow: Flow<(Positions<Containers>, M)>,
    titles: Titles,
    declared: Declared,
    elements: Elements,
    reads_hidden: bool,
}

struct MainText<M> {
    text: String,
    /// The text in JSON-LD, which replaces the visible text.
    declared: Option<DeclaredText>,
    kind: PageKind,
    /// Whether it is a list of offers.
    has_offers: bool,
    running_weight: f32,
    /// Whether the page has hidden elements.
    has_hidden: bool,
    /// The index of the heading before it that is the title of the page.
    headline: Option<usize>,
    /// The indexes of its paragraphs in the document.
    paragraphs: Vec<usize>,
    observer: M,
}

impl<M: Observer> Collector<M> {
    fn new(observer: M, reads_hidden: bool) -> Self {
        Self {
            flow: Flow::with_observer((Positions::default(), observer), false, None),
            titles: Titles::default(),
            declared: Declared::default(),
            elements: Elements::default(),
            reads_hidden,
        }
    }

    /// Opens a hidden element without the attributes that hide it.
    #[cold]
    fn open_hidden(&mut self, element: &Element<'_>) {
        let names = [
            "class", "id", "role", "itemprop", "itemtype", "href", "name", "colspan", "rowspan",
            "start", "value", "src", "alt",
        ];
        let values = names.map(|name| element.attribute(name));
        let attributes: Vec<(&str, &str)> = names
            .iter()
            .zip(&values)
            .filter_map(|(name, value)| Some((*name, value.as_deref()?)))
            .collect();
        self.flow.open(&Element {
            attributes: Attributes::Parsed(&attributes),
            ..*element
        });
    }

    /// Selects the main content at the end of the page.
    fn finish(self) -> MainText<M> {
        let has_hidden = self.flow.has_hidden();
        let (document, (positions, observer)) = self.flow.into_parts();
        let (containers, places) = positions.finish(&document);
        // Pictures in links lead to other pages, but say nothing about the text around them.
        let (pictures, texts): (Vec<_>, Vec<_>) = places
            .enumerate()
            .partition(|(_, place)| place.is_pictures(&document));
        let places = if texts.is_empty() { pictures } else { texts };
        let blocks: Vec<Block<'_>> = places
            .into_iter()
            .map(|(paragraph, place)| {
                let container = place.node.map_or(0, |node| node.0);
                let text = document.get(place.text).unwrap_or_default();
                let mut block = Block::new(text, container, place.kind, place.link_characters);
                block.paragraph = paragraph;
                block
            })
            .collect();
        let holders = containers.holders();
        let headline = self.titles.headline(&blocks, &holders);
        let page = Page::new(
            &containers,
            &blocks,
            holders,
            headline,
            &self.declared,
            &self.elements,
        );
        let selected = page.select();
        let main = selected.blocks;
        let texts: Vec<&str> = main.iter().map(|block| block.text).collect();
        let text = texts.join("\n\n");
        let main_weight = main.iter().map(|block| block.weight as f32).sum();
        let headline = headline.and_then(|index| blocks.get(index));
        let headline = headline.filter(|block| block.is_heading);
        let headline = headline
            .or_else(|| single_title(&blocks))
            .map(|block| block.paragraph);
        let first = main.first().map(|block| block.paragraph);
        let linked_data = &self.declared.linked_data;
        let declared = linked_data.text(selected.kind, &text, main_weight);
        MainText {
            text: declared.as_ref().map_or(text, DeclaredText::joined),
            declared,
            kind: selected.kind,
            has_offers: selected.has_offers,
            running_weight: main.iter().map(|block| block.running_weight()).sum(),
            has_hidden,
            headline: headline.filter(|headline| first.is_some_and(|first| *headline < first)),
            paragraphs: main.iter().map(|block| block.paragraph).collect(),
            observer,
        }
    }
}

/// Whether a tab or a heading opens this hidden element, as in accordions. Classes count only if
/// `by_class`.
#[cold]
fn is_panel(element: &Element<'_>, by_class: bool) -> bool {
    let is = |role: &str, name| role.trim().eq_ignore_ascii_case(name);
    let [role, class] = element.attributes(["role", "class"]);
    role.is_some_and(|role| is(&role, "tabpanel") || is(&role, "region"))
        || class.filter(|_| by_class).is_some_and(|class| {
            let class = class.to_ascii_lowercase();
            PANELS.iter().any(|name| class.contains(name))
        })
}

/// The only heading of the first level, unless it leads to another page, as the name of a site
/// does.
fn single_title<'p, 'b>(blocks: &'p [Block<'b>]) -> Option<&'p Block<'b>> {
    let mut titles = blocks.iter().filter(|block| block.kind == Kind::Heading(1));
    let title = titles.next().filter(|title| !title.is_navigation())?;
    titles.next().is_none().then_some(title)
}

impl<M: Observer> Events for Collector<M> {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        // Articles rarely contain panels.
        if is_hidden(element)
            && (self.reads_hidden || is_panel(element, !self.declared.is_article()))
        {
            self.open_hidden(element);
        } else {
            self.flow.open(element);
        }
        self.titles.open(element);
        self.declared.open(element);
        self.elements.open(element);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.flow.close(name);
        self.titles.close(name);
        self.declared.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.flow.text(text);
        self.titles.text(text);
        self.declared.text(text);
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.flow.wants_text() || self.titles.wants_text() || self.declared.wants_text()
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.flow.more_attributes(element);
    }
}
