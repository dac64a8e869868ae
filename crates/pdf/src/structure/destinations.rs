//! Finds the target pages of links and outline items.

use std::cell::OnceCell;
use std::collections::HashMap;

use hayro_syntax::object::{Dict, MaybeRef, ObjRef, Object};

use super::objects::{Objects, Visited};
use super::pages::PageNumbers;

/// The maximum number of names. Files with thousands of pages name every heading, table and note.
const MAX_NAMES: usize = 1_000_000;

/// Maximum number of steps to a destination: a name leads to a dictionary, which leads to an array.
const MAX_STEPS: usize = 4;

/// The named destinations of a file, read on first use.
#[derive(Default)]
pub(super) struct Names<'a>(OnceCell<HashMap<Vec<u8>, Target<'a>>>);

/// The unresolved value of a name.
enum Target<'a> {
    Reference(ObjRef),
    Object(Object<'a>),
}

impl<'a> Names<'a> {
    fn get(&self, name: &[u8], objects: &Objects<'a>, catalog: &Dict<'a>) -> Option<Object<'a>> {
        let names = self.0.get_or_init(|| read(objects, catalog));
        match names.get(name)? {
            Target::Reference(reference) => objects.follow(*reference),
            Target::Object(object) => Some(object.clone()),
        }
    }
}

/// Reads the name tree, and the dictionary that older files use instead.
fn read<'a>(objects: &Objects<'a>, catalog: &Dict<'a>) -> HashMap<Vec<u8>, Target<'a>> {
    let mut names = HashMap::new();
    let mut visited = Visited::default();
    let mut nodes = Vec::new();
    if let Some(root) = objects.dict(catalog, "Names") {
        nodes.extend(root.get_raw::<Object<'a>>("Dests"));
    }
    while let Some(node) = nodes.pop() {
        if names.len() >= MAX_NAMES || !visited.is_new(&node) {
            continue;
        }
        let Some(node) = objects.resolve(node).and_then(Object::into_dict) else {
            continue;
        };
        if let Some(kids) = objects.array(&node, "Kids") {
            nodes.extend(kids.raw_iter());
        }
        let Some(pairs) = objects.array(&node, "Names") else {
            continue;
        };
        let mut items = pairs.raw_iter();
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            if names.len() < MAX_NAMES
                && let Some(Object::String(name)) = objects.resolve(name)
            {
                names.entry(name.to_vec()).or_insert_with(|| target(value));
            }
        }
    }
    if let Some(dests) = objects.dict(catalog, "Dests") {
        for (name, value) in dests.entries().take(MAX_NAMES) {
            let target = target(value);
            names.entry(name.to_vec()).or_insert(target);
        }
    }
    names
}

fn target(value: MaybeRef<Object<'_>>) -> Target<'_> {
    match value {
        MaybeRef::Ref(reference) => Target::Reference(reference),
        MaybeRef::NotRef(object) => Target::Object(object),
    }
}

/// Resolves destinations to page numbers.
pub(super) struct Destinations<'s, 'a> {
    pub(super) objects: &'s Objects<'a>,
    pub(super) catalog: &'s Dict<'a>,
    pub(super) pages: &'s PageNumbers,
    pub(super) names: &'s Names<'a>,
}

impl<'a> Destinations<'_, 'a> {
    /// The target page of an outline item or link, given by its destination or action. `from` is
    /// the page with the link.
    pub(super) fn page(&self, item: &Dict<'a>, from: Option<u32>) -> Option<u32> {
        if let Some(destination) = self.objects.get(item, "Dest") {
            return self.page_of(destination);
        }
        let action = self.objects.dict(item, "A")?;
        match &*self.objects.name(&action, "S")? {
            b"GoTo" => self.page_of(self.objects.get(&action, "D")?),
            b"Named" => self.page_beside(&self.objects.name(&action, "N")?, from),
            _ => None,
        }
    }

    /// The target page of a viewer command such as `NextPage`.
    fn page_beside(&self, command: &[u8], from: Option<u32>) -> Option<u32> {
        let page = match command {
            b"FirstPage" => 1,
            b"LastPage" => self.pages.count(),
            b"NextPage" => from?.checked_add(1)?,
            b"PrevPage" => from?.checked_sub(1)?,
            _ => return None,
        };
        (1..=self.pages.count()).contains(&page).then_some(page)
    }

    fn page_of(&self, destination: Object<'a>) -> Option<u32> {
        let mut destination = destination;
        for _ in 0..MAX_STEPS {
            destination = match destination {
                Object::Array(array) => {
                    return match array.raw_iter().next()? {
                        MaybeRef::Ref(page) => self.pages.of_object(page),
                        // A page index, which is valid only in links to other files.
                        MaybeRef::NotRef(Object::Number(index)) => {
                            self.pages.of_index(index.as_i64())
                        }
                        MaybeRef::NotRef(_) => None,
                    };
                }
                Object::Dict(dict) => self.objects.get(&dict, "D")?,
                Object::String(name) => self.find_named(&name)?,
                Object::Name(name) => self.find_named(&name)?,
                _ => return None,
            };
        }
        None
    }

    fn find_named(&self, name: &[u8]) -> Option<Object<'a>> {
        self.names.get(name, self.objects, self.catalog)
    }
}
