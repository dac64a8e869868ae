//! The structure tree of tagged files: maps marked content to blocks.

use std::collections::HashMap;

use hayro_syntax::object::{Dict, MaybeRef, Object};

use super::objects::{Objects, Visited};
use super::pages::PageNumbers;
use crate::model::TagRole;

/// The maximum number of elements and pieces of content.
const MAX_ELEMENTS: usize = 1_000_000;
/// Maximum number of steps from a role of the file to a standard role.
const MAX_ROLE_STEPS: usize = 8;

/// The block of a piece of content, and its role.
pub type Tag = (u32, Option<TagRole>);

/// The blocks of the marked content of each page, by its identifier.
#[derive(Debug, Default)]
pub struct Tags(HashMap<u32, HashMap<i32, Tag>>);

impl Tags {
    /// The blocks of the content of a page.
    pub fn on_page(&self, number: u32) -> Option<&HashMap<i32, Tag>> {
        self.0.get(&number)
    }
}

/// An element or a piece of content whose parent was read.
struct Pending<'a> {
    object: MaybeRef<Object<'a>>,
    page: Option<u32>,
    /// The block around it.
    block: Option<Tag>,
    /// The number of lists around it.
    lists: u16,
    /// Whether it is in a line of the block, rather than in a part that may be set apart.
    is_inline: bool,
}

/// Reads the structure tree. It is empty if there is none, or if it is too large.
pub(super) fn tags<'a>(objects: &Objects<'a>, catalog: &Dict<'a>, pages: &PageNumbers) -> Tags {
    let Some(root) = objects.dict(catalog, "StructTreeRoot") else {
        return Tags::default();
    };
    let roles = objects.dict(&root, "RoleMap");
    let mut tags = Tags::default();
    let mut visited = Visited::default();
    let mut blocks = 0;
    let mut count = 0;
    let mut pending: Vec<Pending<'a>> = Vec::new();
    pending.extend(root.get_raw::<Object<'a>>("K").map(|object| Pending {
        object,
        page: None,
        block: None,
        lists: 0,
        is_inline: false,
    }));
    while let Some(next) = pending.pop() {
        count += 1;
        if count > MAX_ELEMENTS || objects.is_exhausted() {
            return Tags::default();
        }
        if !visited.is_new(&next.object) {
            continue;
        }
        let mut add = |identifier: i64, page: Option<u32>, block: Option<Tag>| {
            if let (Ok(identifier), Some(page), Some(block)) =
                (i32::try_from(identifier), page, block)
            {
                tags.0.entry(page).or_default().insert(identifier, block);
            }
        };
        let dict = match objects.resolve(next.object) {
            Some(Object::Number(identifier)) => {
                add(identifier.as_i64(), next.page, next.block);
                continue;
            }
            Some(Object::Array(array)) => {
                let first = pending.len();
                let (page, block, lists) = (next.page, next.block, next.lists);
                let is_inline = next.is_inline;
                let items = array.raw_iter().take(MAX_ELEMENTS - count);
                pending.extend(items.map(|object| Pending {
                    object,
                    page,
                    block,
                    lists,
                    is_inline,
                }));
                // This is a stack: the first item is read first.
                if let Some(items) = pending.get_mut(first..) {
                    items.reverse();
                }
                continue;
            }
            Some(Object::Dict(dict)) => dict,
            _ => continue,
        };
        let own = match dict.get_raw::<Object<'a>>("Pg") {
            Some(MaybeRef::Ref(reference)) => pages.of_object(reference),
            _ => None,
        };
        let page = own.or(next.page);
        let Some(kind) = objects.name(&dict, "S") else {
            if let Some(identifier) = objects.integer(&dict, "MCID") {
                add(identifier, page, next.block);
            }
            continue;
        };
        let element = element(&standard(objects, roles.as_ref(), &kind), next.lists);
        let block = match (element, next.block) {
            // A paragraph inside an item or note belongs to it. Typst has one per line of code.
            (
                Element::Block(Some(TagRole::Paragraph) | None),
                Some(block @ (_, Some(TagRole::Item(_) | TagRole::Note | TagRole::Code))),
            ) => Some(block),
            (Element::Block(Some(TagRole::Code)), Some(block)) if next.is_inline => Some(block),
            (Element::Block(role), _) => {
                blocks += 1;
                Some((blocks, role))
            }
            (Element::Part, block) => block,
            (Element::List | Element::Group, _) => None,
        };
        let lists = next
            .lists
            .saturating_add(u16::from(matches!(element, Element::List)));
        pending.extend(dict.get_raw::<Object<'a>>("K").map(|object| Pending {
            object,
            page,
            block,
            lists,
            is_inline: *kind != *b"NonStruct",
        }));
    }
    tags
}

/// The kind of an element of the tree.
#[derive(Clone, Copy)]
enum Element {
    Block(Option<TagRole>),
    /// A part of a block, such as a link.
    Part,
    List,
    /// A group of blocks.
    Group,
}

fn element(kind: &[u8], lists: u16) -> Element {
    Element::Block(match kind {
        b"P" => Some(TagRole::Paragraph),
        b"H" => Some(TagRole::Heading(0)),
        b"Title" => Some(TagRole::Heading(1)),
        [b'H', level @ b'1'..=b'9'] => Some(TagRole::Heading(level - b'0')),
        b"LI" => Some(TagRole::Item(lists.max(1))),
        b"Caption" => Some(TagRole::Caption),
        b"Note" | b"FENote" => Some(TagRole::Note),
        b"Code" => Some(TagRole::Code),
        b"TOCI" | b"Figure" | b"Formula" | b"Form" | b"TH" | b"TD" | b"Index" | b"BibEntry" => None,
        b"L" => return Element::List,
        b"Document" | b"DocumentFragment" | b"Part" | b"Art" | b"Sect" | b"Div" | b"BlockQuote"
        | b"TOC" | b"Table" | b"TR" | b"THead" | b"TBody" | b"TFoot" | b"Private" | b"Aside" => {
            return Element::Group;
        }
        // Chrome has `NonStruct` inside of paragraphs and headings, and around blocks of code.
        _ => return Element::Part,
    })
}

/// The standard role for a role of the file.
fn standard<'a>(objects: &Objects<'a>, roles: Option<&Dict<'a>>, kind: &[u8]) -> Vec<u8> {
    let mut kind = kind.to_vec();
    let Some(roles) = roles else { return kind };
    for _ in 0..MAX_ROLE_STEPS {
        let next = std::str::from_utf8(&kind)
            .ok()
            .and_then(|kind| objects.name(roles, kind));
        match next {
            Some(next) if *next != *kind => kind = next.to_vec(),
            _ => break,
        }
    }
    kind
}
