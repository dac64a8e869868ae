//! The elements around the paragraphs.

use super::hints::Hints;
use super::item::Microdata;
use super::parts::Parts;
use super::words::Words;
use crate::events::{Attributes, Element};
use crate::extract::{Effect, Kind, NodeId, Nodes};
use corpus_markup::Name;

/// The role of an element in a text, according to its name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ContainerRole {
    Article,
    /// The main content of the page, as declared by the element or its `role`.
    Main,
    Quotation,
    /// A part of a text, such as a paragraph, rather than a container of text.
    Part,
    #[default]
    Other,
}

impl ContainerRole {
    fn of(name: Name) -> Self {
        match name {
            Name::ARTICLE => ContainerRole::Article,
            Name::MAIN => ContainerRole::Main,
            Name::BLOCKQUOTE => ContainerRole::Quotation,
            Name::DL
            | Name::OL
            | Name::P
            | Name::PRE
            | Name::TABLE
            | Name::TBODY
            | Name::TR
            | Name::UL => ContainerRole::Part,
            _ => ContainerRole::Other,
        }
    }
}

/// An element. The first one is the body; all others come after their parents.
#[derive(Debug, Clone, Default)]
pub struct Container {
    pub parent: usize,
    /// The hints given by its name, class, id and role.
    pub hints: Hints,
    pub role: ContainerRole,
    /// The declaration of its microdata.
    pub item: Microdata,
    /// A hash of its name and first class, without digits; 0 for inline elements. Parts of a page
    /// that are repeated, such as posts, have the same shape.
    pub shape: u32,
    is_kept: bool,
}

impl Container {
    pub fn new(parent: usize, hints: Hints, name: Name) -> Self {
        Self {
            parent,
            hints,
            role: ContainerRole::of(name),
            item: Microdata::Other,
            shape: 0,
            is_kept: false,
        }
    }

    /// Creates a container from the attributes of an element, without its parent.
    fn of(element: &Element<'_>, parts: &mut Parts) -> Self {
        let names = ["class", "id", "role", "itemprop", "itemtype"];
        let [class, id, role, property, item] = element.attributes(names);
        let declares_main = |role: &str| role.trim().eq_ignore_ascii_case("main");
        let is_main = role.as_deref().is_some_and(declares_main);
        let shape = shape(element.name, class.as_deref());
        let hints = Hints::of(element.name, [class, id, role], parts);
        let mut container = Self::new(0, hints, element.name);
        container.item = Microdata::of(property, item);
        container.shape = shape;
        if is_main {
            container.role = ContainerRole::Main;
        }
        container
    }

    /// Whether its text belongs to its parent.
    fn is_part(&self) -> bool {
        matches!(self.role, ContainerRole::Part | ContainerRole::Quotation)
    }
}

/// See [`Container::shape`].
fn shape(name: Name, class: Option<&str>) -> u32 {
    // FNV-1a; the standard hasher takes several times as long.
    let add = |hash: u32, value: u32| (hash ^ value).wrapping_mul(0x0100_0193);
    let mut hash = add(0x811c_9dc5, name.index() as u32);
    for byte in class.unwrap_or_default().trim_ascii_start().bytes() {
        match byte {
            b'0'..=b'9' => {}
            _ if byte.is_ascii_whitespace() => break,
            _ => hash = add(hash, u32::from(byte)),
        }
    }
    hash
}

/// The elements that contain paragraphs, and the elements around these.
#[derive(Debug, Default)]
pub struct Containers {
    pub all: Vec<Container>,
    /// The parts named by classes and ids, including those of elements without paragraphs.
    pub parts: Parts,
    pub recent: RecentTags,
}

/// Some of the last start tags. Most tags of a page are repeated, and comparing them takes less
/// time than parsing them.
#[derive(Debug, Default)]
pub struct RecentTags(Vec<RecentTag>);

#[derive(Debug, Clone, Default)]
struct RecentTag {
    /// `None` if the place is free.
    name: Option<Name>,
    /// The attributes as written.
    attributes: String,
    container: Container,
    parts: Parts,
}

impl RecentTags {
    /// The number of places, as a power of two.
    const BITS: u32 = 6;
    const MAX_BYTES: usize = 256;

    /// Returns the place for a tag with these attributes. The last bytes distinguish most tags.
    fn place(&mut self, attributes: &str) -> Option<&mut RecentTag> {
        let bytes = attributes.as_bytes();
        let end = bytes
            .last_chunk()
            .filter(|_| bytes.len() <= Self::MAX_BYTES)?;
        if self.0.is_empty() {
            self.0 = vec![RecentTag::default(); 1 << Self::BITS];
        }
        let key = u64::from_le_bytes(*end).wrapping_add(bytes.len() as u64);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - Self::BITS);
        self.0.get_mut(hash as usize)
    }

    /// Returns the container of an element without its parent, and adds its parts.
    fn container(&mut self, element: &Element<'_>, parts: &mut Parts) -> Container {
        let place = match element.attributes {
            Attributes::Raw { source, .. } => self.place(source).map(|tag| (tag, source)),
            Attributes::Parsed(_) => None,
        };
        let Some((tag, source)) = place else {
            return Container::of(element, parts);
        };
        if tag.name != Some(element.name) || tag.attributes != source {
            tag.name = Some(element.name);
            tag.attributes.clear();
            tag.attributes.push_str(source);
            tag.parts = Parts::default();
            tag.container = Container::of(element, &mut tag.parts);
        }
        parts.add_all(&tag.parts);
        tag.container.clone()
    }
}

impl Nodes for Containers {
    fn add(&mut self, parent: Option<NodeId>, element: &Element<'_>) -> NodeId {
        let parent = parent.map_or(0, |parent| parent.0);
        // Inline elements describe words rather than paragraphs.
        let container = if Effect::of(element.name).is_block() {
            Container {
                parent,
                ..self.recent.container(element, &mut self.parts)
            }
        } else {
            Container::new(parent, Hints::default(), element.name)
        };
        self.all.push(container);
        NodeId(self.all.len() - 1)
    }

    /// A heading with a fragment link leads to itself or opens its section.
    fn counts_link(&self, link: &Element<'_>, kind: Kind) -> bool {
        let leads_here = |href: &str| href.trim_start().starts_with('#');
        !(matches!(kind, Kind::Heading(_))
            && link.attribute("href").is_some_and(|href| leads_here(&href)))
    }

    /// The attributes of the body are not used.
    fn add_to_first(&mut self, _: &Element<'_>) {}

    fn keep(&mut self, id: Option<NodeId>) {
        if let Some(container) = id.and_then(|id| self.all.get_mut(id.0)) {
            container.is_kept = true;
        }
    }

    fn close(&mut self, id: NodeId) {
        if self.all.len() == id.0 + 1 {
            self.all.pop_if(|container| !container.is_kept);
        }
    }
}

impl Containers {
    /// The parent of a container. The parent of the first is the first itself.
    pub fn parent(&self, index: usize) -> usize {
        self.all.get(index).map_or(0, |container| container.parent)
    }

    /// Returns, for each container, the sum of the values inside it. Each value comes with its
    /// innermost container.
    pub fn sums(&self, values: impl Iterator<Item = (usize, f32)>) -> Vec<f32> {
        let mut sums = vec![0.0; self.all.len()];
        for (container, value) in values {
            if let Some(sum) = sums.get_mut(container) {
                *sum += value;
            }
        }
        // Children come after their parents.
        for (index, container) in self.all.iter().enumerate().skip(1).rev() {
            let sum = sums.get(index).copied().unwrap_or_default();
            if let Some(outer) = sums.get_mut(container.parent) {
                *outer += sum;
            }
        }
        sums
    }

    /// For each container, the words around its text that hint at boilerplate.
    pub fn words(&self) -> Vec<Words> {
        let mut words: Vec<Words> = Vec::with_capacity(self.all.len());
        for container in &self.all {
            let outer = words.get(container.parent).copied().unwrap_or_default();
            words.push(outer.and(container.hints.boilerplate));
        }
        words
    }

    /// For each container, whether it is `outer` or inside it.
    pub fn within(&self, outer: usize) -> Vec<bool> {
        let mut within: Vec<bool> = Vec::with_capacity(self.all.len());
        for (index, container) in self.all.iter().enumerate() {
            let is_within = within.get(container.parent).copied().unwrap_or_default();
            within.push(index == outer || is_within);
        }
        within
    }

    /// For each container, the outermost ancestor that has a property, if any.
    pub fn outermost(&self, has: impl Fn(&Container) -> bool) -> Vec<Option<usize>> {
        let mut outermost: Vec<Option<usize>> = Vec::with_capacity(self.all.len());
        for (index, container) in self.all.iter().enumerate() {
            let outer = outermost.get(container.parent).copied().flatten();
            outermost.push(outer.or_else(|| has(container).then_some(index)));
        }
        outermost
    }

    /// The number of outermost containers of an item.
    pub fn items(&self, item: Microdata) -> u32 {
        let outermost = self.outermost(|container| container.item == item);
        let starts = outermost.iter().enumerate();
        let starts = starts.filter(|(index, outer)| **outer == Some(*index));
        u32::try_from(starts.count()).unwrap_or(u32::MAX)
    }

    /// The container and its ancestors, the innermost first.
    pub fn around(&self, index: usize) -> impl Iterator<Item = usize> {
        let mut next = (index < self.all.len()).then_some(index);
        std::iter::from_fn(move || {
            let this = next?;
            // Parents come before their children, so this terminates.
            next = Some(self.parent(this)).filter(|parent| *parent < this);
            Some(this)
        })
    }

    /// The innermost container around both.
    pub fn common(&self, mut one: usize, mut other: usize) -> usize {
        // Parents have lower indexes.
        while one != other {
            let outer = one.max(other);
            let parent = self.parent(outer).min(outer.saturating_sub(1));
            (one, other) = (one.min(other), parent);
        }
        one
    }

    /// For each container, the one that directly contains its text. The text of paragraphs, lists
    /// and quotations belongs to the container around them.
    pub fn holders(&self) -> Vec<usize> {
        let mut holders = Vec::with_capacity(self.all.len());
        for (index, container) in self.all.iter().enumerate() {
            let outer = holders.get(container.parent).copied();
            holders.push(outer.filter(|_| container.is_part()).unwrap_or(index));
        }
        holders
    }
}
