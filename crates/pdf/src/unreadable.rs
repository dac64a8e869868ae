//! Finds unreadable objects that text depends on, to decide whether repairing the file is worth the
//! time.

use std::collections::HashSet;

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, Object, ObjectIdentifier, Stream};
use hayro_syntax::xref::XRef;

use super::budget::{Budget, Stop};
use super::model::Request;
use super::open::Opened;
use super::pages::{Page, Pages};
use super::structure;

/// The maximum number of objects to check.
const MAX_OBJECTS: usize = 100_000;

/// Maximum number of repairs. Each may reveal further objects: first the objects of a page, then
/// those of its resources.
const MAX_REPAIRS: usize = 4;

/// Font entries whose loss costs text.
const FONT_ENTRIES: [&str; 2] = ["Encoding", "FontDescriptor"];

/// Font entries examined only during a repair, because parsing them takes longer than everything
/// else. Without widths, words are divided wrongly.
const LONG_FONT_ENTRIES: [&str; 3] = ["Widths", "W", "W2"];

/// The kinds of resources whose loss costs text.
const RESOURCES: [&[u8]; 3] = [b"Font", b"XObject", b"ExtGState"];

/// Catalog entries that are used.
const CATALOG_ENTRIES: [&str; 5] = ["AcroForm", "Dests", "Names", "OCProperties", "Outlines"];

/// Whether a page is unreadable or, in a file with object streams, a font, a catalog entry or the
/// metadata. Other missing objects are detected when they are used.
pub fn needs_repair<'a>(opened: &'a Opened, pages: &Pages<'a>) -> bool {
    if pages.count() == 0 || pages.iter().any(|page| page.is_none()) {
        return true;
    }
    if !opened.has_object_streams {
        return false;
    }
    let mut search = Search::new(opened, Depth::Fonts);
    for (_, page) in pages.numbered() {
        search.visit_page(page);
    }
    search.visit_catalog(opened);
    !search.unreadable.is_empty()
}

/// Opens the file again with the objects that its pages lack, if they are in the file. `None` if
/// there is nothing to repair.
pub fn repair(opened: &Opened, request: &Request, budget: &Budget) -> Result<Option<Opened>, Stop> {
    let mut missing = unreadable_objects(opened, budget)?;
    let mut repaired: Option<Opened> = None;
    for _ in 0..MAX_REPAIRS {
        let latest = repaired.as_ref().unwrap_or(opened);
        let Some(next) = latest.repair(&missing, request) else {
            break;
        };
        let still_missing = unreadable_objects(&next, budget)?;
        let is_done = still_missing.is_empty() || still_missing == missing;
        missing = still_missing;
        repaired = Some(next);
        if is_done {
            break;
        }
    }
    Ok(repaired)
}

/// The objects that pages, the catalog and the metadata need and that cannot be read.
fn unreadable_objects(opened: &Opened, budget: &Budget) -> Result<Vec<ObjectIdentifier>, Stop> {
    let pages = Pages::of(&opened.pdf);
    let mut search = Search::new(opened, Depth::All);
    search.unreadable.extend(pages.unreadable());
    for (_, page) in pages.numbered() {
        search.visit_page(page);
        budget.check_clock()?;
        while let Some(form) = search.forms.pop() {
            search.visit_resources_of(&form);
            budget.check_clock()?;
        }
    }
    search.visit_catalog(opened);
    Ok(search.unreadable)
}

/// The objects to search.
#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Fonts,
    /// Everything that text depends on.
    All,
}

struct Search<'a> {
    depth: Depth,
    xref: &'a XRef,
    visited: HashSet<ObjectIdentifier>,
    unreadable: Vec<ObjectIdentifier>,
    /// The dictionaries of forms that are still to be visited.
    forms: Vec<Dict<'a>>,
}

impl<'a> Search<'a> {
    fn new(opened: &'a Opened, depth: Depth) -> Self {
        Self {
            depth,
            xref: opened.pdf.xref(),
            visited: HashSet::new(),
            unreadable: Vec::new(),
            forms: Vec::new(),
        }
    }

    fn visit_page(&mut self, page: &Page<'a>) {
        if self.depth == Depth::All {
            if let Some(Object::Array(streams)) = page.raw().get::<Object<'a>>(b"Contents") {
                for stream in streams.raw_iter() {
                    stream.as_obj_ref().and_then(|stream| self.visit(stream));
                }
            }
            self.visit_part(page.raw(), b"Contents");
            self.visit_annotations(page);
        }
        if page.raw().contains_key(b"Resources") {
            self.visit_resources_of(page.raw())
        } else {
            if let Some(inherited) = page.missing_resources() {
                self.visit(inherited);
            }
            self.visit_resources(&page.resources_dict())
        }
    }

    /// Visits the annotations of a page and their normal appearances, which may draw text.
    fn visit_annotations(&mut self, page: &Page<'a>) {
        self.part(page.raw(), b"Annots");
        let annotations = page.raw().get::<Array<'a>>(b"Annots");
        for item in annotations.iter().flat_map(Array::raw_iter) {
            let annotation = match item {
                MaybeRef::Ref(reference) => self.visit(reference),
                MaybeRef::NotRef(object) => Some(object),
            };
            let appearances = annotation
                .and_then(Object::into_dict)
                .and_then(|annotation| self.part(&annotation, b"AP"))
                .and_then(Object::into_dict);
            match appearances.and_then(|appearances| self.part(&appearances, b"N")) {
                Some(Object::Stream(form)) => self.forms.push(form.dict().clone()),
                Some(Object::Dict(states)) => {
                    for state in states.keys() {
                        if let Some(Object::Stream(form)) = self.part(&states, &state) {
                            self.forms.push(form.dict().clone());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Visits the resources of a page or a form. Shared resources are visited once.
    fn visit_resources_of(&mut self, dict: &Dict<'a>) {
        let resources = self.part(dict, b"Resources");
        if let Some(resources) = resources.and_then(Object::into_dict) {
            self.visit_resources(&resources);
        }
    }

    fn visit_resources(&mut self, resources: &Dict<'a>) {
        for kind in RESOURCES {
            if kind == b"XObject" && self.depth != Depth::All {
                continue;
            }
            let all = self.part(resources, kind);
            let Some(all) = all.and_then(Object::into_dict) else {
                continue;
            };
            for name in all.keys() {
                match self.visit_part(&all, &name) {
                    Some(Object::Dict(font)) if kind == b"Font" => self.visit_font(&font),
                    Some(Object::Stream(stream)) if is_form(&stream) => {
                        self.forms.push(stream.dict().clone());
                    }
                    _ => {}
                }
            }
        }
    }

    fn visit_font(&mut self, font: &Dict<'a>) {
        self.visit_parts(font, &FONT_ENTRIES);
        if self.depth == Depth::All {
            self.visit_parts(font, &["DescendantFonts", "ToUnicode"]);
            self.visit_parts(font, &LONG_FONT_ENTRIES);
        }
        let descendants = font.get::<Array<'a>>(b"DescendantFonts");
        for descendant in descendants.iter().flat_map(Array::raw_iter) {
            if let Some(reference) = descendant.as_obj_ref()
                && let Some(Object::Dict(descendant)) = self.visit(reference)
            {
                self.visit_parts(&descendant, &FONT_ENTRIES);
                if self.depth == Depth::All {
                    self.visit_parts(&descendant, &LONG_FONT_ENTRIES);
                }
            }
        }
    }

    fn visit_catalog(&mut self, opened: &'a Opened) {
        if let Some(catalog) = self.xref.get::<Dict<'_>>(self.xref.root_id()) {
            self.visit_parts(&catalog, &CATALOG_ENTRIES);
        }
        self.visit_parts(&structure::trailer(&opened.pdf), &["Info"]);
    }

    fn visit_parts(&mut self, dict: &Dict<'_>, keys: &[&str]) {
        for key in keys {
            self.visit_part(dict, key.as_bytes());
        }
    }

    fn visit_part(&mut self, dict: &Dict<'_>, key: &[u8]) -> Option<Object<'a>> {
        self.visit(dict.get_ref(key)?)
    }

    /// Returns an entry. If it refers to an object, behaves like [`Self::visit`].
    fn part(&mut self, dict: &Dict<'a>, key: &[u8]) -> Option<Object<'a>> {
        match dict.get_ref(key) {
            Some(reference) => self.visit(reference),
            None => dict.get::<Object<'a>>(key),
        }
    }

    /// Returns the object on its first visit, `None` on later ones.
    fn visit(&mut self, reference: ObjRef) -> Option<Object<'a>> {
        let id = reference.into();
        if self.visited.len() >= MAX_OBJECTS || !self.visited.insert(id) {
            return None;
        }
        let object = self.xref.get::<Object<'a>>(id);
        if object.is_none() {
            self.unreadable.push(id);
        }
        object
    }
}

fn is_form(stream: &Stream<'_>) -> bool {
    let kind = stream.dict().get::<Name<'_>>(b"Subtype");
    kind.is_some_and(|kind| &*kind == b"Form")
}
