//! The pages of a document, in the order in which viewers number them.
//!
//! hayro lists pages, too, but omits repeated pages and pages that it cannot parse, which shifts
//! the numbers of later pages.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use hayro_syntax::Pdf;
use hayro_syntax::object::array::ArrayIter;
use hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, ObjRef, Object, ObjectIdentifier, Rect, Stream,
};
use hayro_syntax::page::{A4, Resources, Rotation};
use hayro_syntax::xref::XRef;

/// Maximum number of kids visited again, so that a tree with shared branches cannot grow endlessly.
const MAX_REPEATED_KIDS: usize = 100_000;

/// A page with the attributes it inherits.
#[derive(Clone)]
pub struct Page<'a> {
    dict: Dict<'a>,
    inherited: Rc<Inherited<'a>>,
    resources: OnceCell<Resources<'a>>,
    xref: &'a XRef,
}

#[derive(Clone, Default)]
struct Inherited<'a> {
    media_box: Option<Rect>,
    crop_box: Option<Rect>,
    rotate: Option<i32>,
    resources: Option<Dict<'a>>,
    missing_resources: Option<ObjRef>,
}

impl<'a> Inherited<'a> {
    /// The attributes that the children of a node, or a page, inherit.
    fn below(&self, dict: &Dict<'a>) -> Self {
        Self {
            media_box: dict.get::<Rect>(b"MediaBox").or(self.media_box),
            crop_box: dict.get::<Rect>(b"CropBox").or(self.crop_box),
            rotate: dict.get::<i32>(b"Rotate").or(self.rotate),
            resources: dict
                .get::<Dict<'a>>(b"Resources")
                .or_else(|| self.resources.clone()),
            missing_resources: self.missing_resources(dict),
        }
    }
}

impl Inherited<'_> {
    /// The reference to the resources of a child or a page, if it does not lead to a dictionary.
    fn missing_resources(&self, dict: &Dict<'_>) -> Option<ObjRef> {
        if dict.contains_key(b"Resources") {
            missing_dict(dict, b"Resources")
        } else {
            self.missing_resources
        }
    }
}

/// The reference in an entry that should be a dictionary, if it does not lead to a dictionary.
fn missing_dict(dict: &Dict<'_>, key: &[u8]) -> Option<ObjRef> {
    let reference = dict.get_ref(key)?;
    dict.get::<Dict<'_>>(key).is_none().then_some(reference)
}

impl<'a> Page<'a> {
    fn new(dict: Dict<'a>, inherited: Rc<Inherited<'a>>, xref: &'a XRef) -> Self {
        Self {
            dict,
            inherited,
            resources: OnceCell::new(),
            xref,
        }
    }

    pub fn raw(&self) -> &Dict<'a> {
        &self.dict
    }

    pub fn xref(&self) -> &'a XRef {
        self.xref
    }

    pub fn resources(&self) -> &Resources<'a> {
        self.resources
            .get_or_init(|| Resources::new(self.resources_dict()))
    }

    pub fn resources_dict(&self) -> Dict<'a> {
        let own = self.dict.get::<Dict<'a>>(b"Resources");
        let inherited = || self.inherited.resources.clone();
        own.or_else(inherited).unwrap_or_default()
    }

    /// The reference to the page's resources, if it does not lead to a dictionary.
    pub fn missing_resources(&self) -> Option<ObjRef> {
        self.inherited.missing_resources(&self.dict)
    }

    pub fn media_box(&self) -> Rect {
        let own = self.dict.get::<Rect>(b"MediaBox");
        own.or(self.inherited.media_box).unwrap_or(A4)
    }

    /// The part of the media box that viewers show.
    pub fn visible_box(&self) -> Rect {
        let media_box = self.media_box();
        let own = self.dict.get::<Rect>(b"CropBox");
        own.or(self.inherited.crop_box)
            .map_or(media_box, |crop_box| crop_box.intersect(media_box))
    }

    pub fn rotation(&self) -> Rotation {
        let own = self.dict.get::<i32>(b"Rotate");
        let degrees = own.or(self.inherited.rotate).unwrap_or(0);
        match degrees.rem_euclid(360) {
            90 => Rotation::Horizontal,
            180 => Rotation::Flipped,
            270 => Rotation::FlippedHorizontal,
            _ => Rotation::None,
        }
    }
}

/// All pages of a document.
pub struct Pages<'a> {
    /// `None` for a page that is listed but cannot be parsed.
    list: Vec<Option<Page<'a>>>,
    /// The nodes of the tree that cannot be parsed.
    unreadable: Vec<ObjectIdentifier>,
    is_cut: bool,
    /// The number of pages that the root of the tree declares.
    declared: Option<u32>,
}

impl<'a> Pages<'a> {
    pub fn of(pdf: &'a Pdf) -> Self {
        let tree = Tree::read(pdf);
        if tree.slots.iter().any(|slot| matches!(slot, Slot::Page(_))) {
            return tree.pages();
        }
        let list = orphans(pdf);
        if list.is_empty() {
            return tree.pages();
        }
        Self {
            list,
            unreadable: tree.unreadable,
            is_cut: false,
            declared: tree.declared,
        }
    }

    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The pages in order; `None` for those that cannot be parsed.
    pub fn iter(&self) -> impl Iterator<Item = Option<&Page<'a>>> {
        self.list.iter().map(Option::as_ref)
    }

    /// The readable pages with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Page<'a>)> {
        (1..)
            .zip(&self.list)
            .filter_map(|(number, page)| Some((number, page.as_ref()?)))
    }

    pub fn get(&self, number: u32) -> Option<&Page<'a>> {
        self.list.get(number.checked_sub(1)? as usize)?.as_ref()
    }

    /// The nodes of the tree, pages and others, that cannot be parsed.
    pub fn unreadable(&self) -> &[ObjectIdentifier] {
        &self.unreadable
    }

    /// Whether the tree repeats too many branches, so that some were skipped.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The number of pages that the tree declares, if there are fewer.
    pub fn declared(&self) -> Option<u32> {
        let declared = self.declared?;
        (declared as usize > self.list.len()).then_some(declared)
    }
}

enum Slot<'a> {
    Page(Page<'a>),
    Unreadable,
    /// A dangling reference that its parent's `/Count` does not include.
    Dropped,
}

/// A node of the tree whose kids are being visited.
struct Frame<'a> {
    kids: ArrayIter<'a>,
    id: Option<ObjectIdentifier>,
    inherited: Rc<Inherited<'a>>,
    /// The value of `/Count`.
    count: Option<i64>,
    /// The numbers of slots and of dropped slots before the node's first kid.
    before: (usize, usize),
    /// The slots of kids that cannot be parsed.
    unreadable: Vec<usize>,
    is_repeated: bool,
}

struct Tree<'a> {
    xref: &'a XRef,
    slots: Vec<Slot<'a>>,
    dropped: usize,
    unreadable: Vec<ObjectIdentifier>,
    /// Visited objects of the tree; for a page, its first slot.
    seen: HashMap<ObjectIdentifier, Option<usize>>,
    repeats_left: usize,
    is_cut: bool,
    /// The number of pages that the root declares.
    declared: Option<u32>,
    stack: Vec<Frame<'a>>,
    on_path: HashSet<ObjectIdentifier>,
}

impl<'a> Tree<'a> {
    fn read(pdf: &'a Pdf) -> Self {
        let xref = pdf.xref();
        let mut tree = Self {
            xref,
            slots: Vec::new(),
            dropped: 0,
            unreadable: Vec::new(),
            seen: HashMap::new(),
            repeats_left: MAX_REPEATED_KIDS,
            is_cut: false,
            declared: None,
            stack: Vec::new(),
            on_path: HashSet::new(),
        };
        let catalog = xref.get::<Dict<'a>>(xref.root_id()).unwrap_or_default();
        let root = catalog.get_ref(b"Pages").map(ObjectIdentifier::from);
        let dict = root.and_then(|root| xref.get::<Dict<'a>>(root));
        if dict.is_none() {
            tree.unreadable.extend(root);
        }
        if let Some(dict) = dict
            && let Some(kids) = dict.get::<Array<'a>>(b"Kids")
        {
            tree.seen.extend(root.map(|root| (root, None)));
            tree.declared = dict.get::<u32>(b"Count");
            tree.enter(&dict, &kids, root, &Rc::default(), false);
        }
        while let Some(frame) = tree.stack.last_mut() {
            match frame.kids.next() {
                Some(kid) => tree.kid(kid),
                None => tree.leave(),
            }
        }
        tree
    }

    fn pages(self) -> Pages<'a> {
        let page = |slot| match slot {
            Slot::Page(page) => Some(Some(page)),
            Slot::Unreadable => Some(None),
            Slot::Dropped => None,
        };
        Pages {
            unreadable: self.unreadable,
            list: self.slots.into_iter().filter_map(page).collect(),
            is_cut: self.is_cut,
            declared: self.declared,
        }
    }

    fn enter(
        &mut self,
        dict: &Dict<'a>,
        kids: &Array<'a>,
        id: Option<ObjectIdentifier>,
        above: &Rc<Inherited<'a>>,
        is_repeated: bool,
    ) {
        self.on_path.extend(id);
        self.stack.push(Frame {
            kids: kids.raw_iter(),
            id,
            inherited: Rc::new(above.below(dict)),
            count: dict.get::<i64>(b"Count"),
            before: (self.slots.len(), self.dropped),
            unreadable: Vec::new(),
            is_repeated,
        });
    }

    fn kid(&mut self, kid: MaybeRef<Object<'a>>) {
        let Some(frame) = self.stack.last() else {
            return;
        };
        let (inherited, mut is_repeated) = (Rc::clone(&frame.inherited), frame.is_repeated);
        let reference = kid.as_obj_ref();
        let seen = reference.and_then(|reference| self.seen.get(&reference.into()).copied());
        is_repeated |= seen.is_some();
        if is_repeated {
            // A node that is its own descendant lists no new pages.
            if reference.is_some_and(|reference| self.on_path.contains(&reference.into())) {
                return;
            }
            let Some(left) = self.repeats_left.checked_sub(1) else {
                self.is_cut = true;
                return;
            };
            self.repeats_left = left;
        }
        if let Some(slot) = seen.flatten()
            && let Some(Slot::Page(page)) = self.slots.get(slot)
        {
            let page = Page::new(page.dict.clone(), inherited, self.xref);
            self.slots.push(Slot::Page(page));
            return;
        }
        let dict = match kid {
            MaybeRef::Ref(reference) => self.xref.get::<Dict<'a>>(reference.into()),
            MaybeRef::NotRef(Object::Dict(dict)) => Some(dict),
            // `null` and other values are not pages.
            MaybeRef::NotRef(_) => return,
        };
        self.node(dict, reference, &inherited, is_repeated);
    }

    fn node(
        &mut self,
        dict: Option<Dict<'a>>,
        reference: Option<ObjRef>,
        inherited: &Rc<Inherited<'a>>,
        is_repeated: bool,
    ) {
        let id = reference.map(ObjectIdentifier::from);
        let slot = self.slots.len();
        let mut is_page = false;
        match dict {
            Some(dict) => {
                let kind = dict.get::<Name<'_>>(b"Type");
                let (is_typed_page, is_node) =
                    (is(kind.as_ref(), b"Page"), is(kind.as_ref(), b"Pages"));
                let kids = dict.get::<Array<'a>>(b"Kids").filter(|_| !is_typed_page);
                if let Some(kids) = kids {
                    self.enter(&dict, &kids, id, inherited, is_repeated);
                } else if !is_node || dict.contains_key(b"Contents") {
                    is_page = true;
                    let page = Page::new(dict, Rc::clone(inherited), self.xref);
                    self.slots.push(Slot::Page(page));
                } else if dict.get::<i64>(b"Count").is_none_or(|count| count > 0) {
                    self.add_unreadable();
                }
            }
            None => {
                self.unreadable.extend(id);
                self.add_unreadable();
            }
        }
        if let Some(id) = id {
            self.seen.entry(id).or_insert(is_page.then_some(slot));
        }
    }

    fn add_unreadable(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            frame.unreadable.push(self.slots.len());
            self.slots.push(Slot::Unreadable);
        }
    }

    /// Leaves a node. References to deleted objects are not pages. If the readable pages already
    /// make up `/Count`, the unreadable kids are such references.
    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        if let Some(id) = frame.id {
            self.on_path.remove(&id);
        }
        let (slots, dropped) = frame.before;
        let listed = (self.slots.len() - slots) - (self.dropped - dropped);
        let readable = (listed - frame.unreadable.len()) as i64;
        if frame.count.is_some_and(|count| count <= readable) {
            for slot in frame.unreadable {
                if let Some(slot) = self.slots.get_mut(slot) {
                    *slot = Slot::Dropped;
                    self.dropped += 1;
                }
            }
        }
    }
}

fn is(name: Option<&Name<'_>>, expected: &[u8]) -> bool {
    name.is_some_and(|name| &**name == expected)
}

/// The pages of a file whose tree is empty or missing, in file order.
fn orphans(pdf: &Pdf) -> Vec<Option<Page<'_>>> {
    let xref = pdf.xref();
    let (mut typed, mut untyped) = (Vec::new(), Vec::new());
    for object in pdf.objects() {
        let Some(dict) = object.into_dict() else {
            continue;
        };
        let kind = dict.get::<Name<'_>>(b"Type");
        if is(kind.as_ref(), b"Page") {
            typed.push(dict);
        } else if kind.is_none() && !dict.contains_key(b"Subtype") && has_content(&dict) {
            untyped.push(dict);
        }
    }
    let dicts = if typed.is_empty() { untyped } else { typed };
    dicts
        .into_iter()
        .map(|dict| Some(Page::new(dict, Rc::default(), xref)))
        .collect()
}

/// Whether `/Contents` has the type of a page's. In an annotation, it is a string.
fn has_content(dict: &Dict<'_>) -> bool {
    dict.get::<Stream<'_>>(b"Contents").is_some() || dict.get::<Array<'_>>(b"Contents").is_some()
}

#[cfg(test)]
mod tests;
